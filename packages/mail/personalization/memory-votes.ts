/**
 * What a user's corrected messages say about another: nothing, unless some of them are nearly
 * the same message and agree.
 *
 * The thresholds were chosen on half of the corpora's near-duplicates and are reported on the
 * other half (packages/lab/reports/memory). To call a message good takes more than to call it spam, and the
 * same sender's address, proved as the other's was: phishing copies the mail that people trust,
 * word for word where it can, and nobody copies spam to be taken for it.
 */
import { CLASSES, type ClassProbabilities, type MessageClass } from '../models/prediction.ts'
import { type Memory, type MemoryQuery, type Neighbor, neighbors } from './memory.ts'
import { allowForce, type Force, type SenderAuthentication } from './rules.ts'

/** The item that had the most part in a vote. */
export interface DecidingItem {
  readonly feedbackId: string
  readonly createdAt: Date
  readonly similarity: number
}

export interface MemoryVote {
  readonly label: 'spam' | 'ham'
  /** The neighbors' weighted share of spam, in [0, 1]. */
  readonly spamShare: number
  /** True when the nearest neighbor is this very message, corrected before. */
  readonly sameMessage: boolean
  readonly force: Force
  readonly decidedBy: DecidingItem
}

export interface ClassVote {
  /** The neighbors' weighted shares; they sum to 1. */
  readonly shares: ClassProbabilities
  /** How much of the answer is theirs, in [0, 1]; the rest is the model's. */
  readonly weight: number
  readonly decidedBy: DecidingItem
}

/** Neighbors that vote. */
const K = 5

/**
 * Similarity from which a neighbor votes at all. On the choosing half one item so near reaches
 * 97 % of a campaign, and the nearest of 100 flips 0.01 % of unlike mail.
 */
const SIMILARITY_MIN = 0.45

/** Similarity from which "not spam" decides about another message of the same sender. */
const HAM_SIMILARITY_MIN = 0.6

/** By how much of the whole weight one label must have more than the other: three quarters against one. */
const MARGIN_MIN = 0.5

/** More than half, so that neighbors of one mind outweigh a model however sure it is. */
const CLASS_WEIGHT_MIN = 0.6

/** A neighbor nearly the same counts several times one that is barely alike. */
const WEIGHT_POWER = 4

/** The vote of the user's spam memory on the message asked about; undefined when it has nothing to say. */
export function memoryVote(
  memory: Memory,
  query: MemoryQuery,
  sender: SenderAuthentication,
): MemoryVote | undefined {
  const near = voters(memory, query)
  const nearest = near[0]
  if (nearest === undefined) return undefined
  const spamShare = shareOf(near, 'spam')
  if (Math.abs(2 * spamShare - 1) < MARGIN_MIN) return undefined
  const label = spamShare > 0.5 ? 'spam' : 'ham'
  const withForce = (force: Force) =>
    near.find((one) => one.message.label === label && forceOf(one, sender) === force)
  const deciding = withForce('decides')
  const first = deciding ?? withForce('lifts')
  if (first === undefined) return undefined
  const force = deciding === undefined ? 'lifts' : 'decides'
  const { sameMessage } = nearest
  return { label, spamShare, sameMessage, force, decidedBy: decidingItem(first) }
}

/** The vote of the user's memory of classes; undefined when it has nothing to say. */
export function classVote(memory: Memory, query: MemoryQuery): ClassVote | undefined {
  const near = voters(memory, query)
  const nearest = near[0]
  if (nearest === undefined) return undefined
  const shares = classShares(near)
  const largest = Math.max(...CLASSES.map((name) => shares[name]))
  const deciding = near.find(({ message }) => shares[message.label as MessageClass] === largest)
  return {
    shares,
    weight: weightOfClassVote(nearest),
    decidedBy: decidingItem(deciding ?? nearest),
  }
}

/** The same message alone, where it was corrected; else those near enough. */
function voters(memory: Memory, query: MemoryQuery): Neighbor[] {
  const near = neighbors(memory, query, K, SIMILARITY_MIN)
  return near[0]?.sameMessage ? near.slice(0, 1) : near
}

function shareOf(near: readonly Neighbor[], label: string): number {
  const labelled = near.filter(({ message }) => message.label === label)
  return weightOf(labelled) / weightOf(near)
}

function weightOf(near: readonly Neighbor[]): number {
  return near.reduce(
    (sum, { similarity, sameMessage }) => sum + (sameMessage ? 1 : similarity ** WEIGHT_POWER),
    0,
  )
}

/** What a neighbor can do with the message; undefined for nothing. */
function forceOf(
  { message, similarity, sameMessage, sameSender }: Neighbor,
  sender: SenderAuthentication,
): Force | undefined {
  const { label, authenticatedDomain } = message
  if (label === 'spam') {
    // What was sent in the name of somebody else speaks not against who proves to be that one.
    const isForgery = sameSender && authenticatedDomain === undefined && sender.result === 'pass'
    return sameMessage || !isForgery ? 'decides' : undefined
  }
  const force = allowForce(authenticatedDomain, sender)
  // Of this very message the user's word needs no other proof.
  if (sameMessage) return force && 'decides'
  return sameSender && similarity >= HAM_SIMILARITY_MIN ? force : undefined
}

function classShares(near: readonly Neighbor[]): ClassProbabilities {
  return Object.fromEntries(
    CLASSES.map((name) => [name, shareOf(near, name)]),
  ) as ClassProbabilities
}

/** The user's word on this very message counts alone; else the nearer, the more. */
function weightOfClassVote({ similarity, sameMessage }: Neighbor): number {
  if (sameMessage) return 1
  const nearness = (similarity - SIMILARITY_MIN) / (1 - SIMILARITY_MIN)
  return CLASS_WEIGHT_MIN + (1 - CLASS_WEIGHT_MIN) * nearness
}

function decidingItem({ message, similarity }: Neighbor): DecidingItem {
  return { feedbackId: message.feedbackId, createdAt: message.createdAt, similarity }
}
