/**
 * What a user's corrected messages say about another message: nothing, unless some of them are nearly
 * the same message and agree.
 *
 * The thresholds were chosen on half of the corpora's near-duplicates and are reported on the
 * other half (packages/lab/reports/memory). Calling a message ham takes more similarity than calling it spam,
 * and the same sender's address, authenticated as it was then: phishing copies the mail that people
 * trust, word for word where it can, while nobody copies spam in order to be taken for it.
 */
import { CLASSES, type ClassProbabilities, type MessageClass } from '../models/prediction.ts'
import { type Memory, type MemoryQuery, type Neighbor, neighbors } from './memory.ts'
import { type NamedCorrection, namedCorrection } from './named-correction.ts'
import { allowForce, type Force, type SenderAuthentication } from './rules.ts'

/** The item with the largest weight in a vote. */
export interface DecidingItem extends NamedCorrection {
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
  /** The neighbors' part of the answer, in [0, 1]; the rest is the model's. */
  readonly weight: number
  readonly decidedBy: DecidingItem
}

/** How many neighbors vote. */
const K = 5

/**
 * The similarity from which a neighbor votes at all. On the choosing half, one item this near reaches
 * 97 % of a campaign, and the nearest of 100 items flips 0.01 % of unrelated mail.
 */
const SIMILARITY_MIN = 0.45

/** The similarity from which "not spam" decides about another message from the same sender. */
const HAM_SIMILARITY_MIN = 0.6

/** How much more of the whole weight one label must have than the other: three quarters against one. */
const MARGIN_MIN = 0.5

/** More than half, so that neighbors that agree outweigh a model however sure it is. */
const CLASS_WEIGHT_MIN = 0.6

/** A neighbor that is nearly the same counts several times as much as one that is barely similar. */
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

/** Only the same message, if it was corrected before; otherwise the neighbors near enough. */
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

/** What a neighbor can do with the message; undefined when it can do nothing. */
function forceOf(
  { message, similarity, sameMessage, sameSender }: Neighbor,
  sender: SenderAuthentication,
): Force | undefined {
  const { label, authenticatedDomain } = message
  if (label === 'spam') {
    // A message sent in somebody's name does not speak against the authenticated mail of that person.
    const isForgery = sameSender && authenticatedDomain === undefined && sender.result === 'pass'
    return sameMessage || !isForgery ? 'decides' : undefined
  }
  const force = allowForce(authenticatedDomain, sender)
  // What the user said about this very message needs no other proof.
  if (sameMessage) return force && 'decides'
  return sameSender && similarity >= HAM_SIMILARITY_MIN ? force : undefined
}

function classShares(near: readonly Neighbor[]): ClassProbabilities {
  return Object.fromEntries(
    CLASSES.map((name) => [name, shareOf(near, name)]),
  ) as ClassProbabilities
}

/** What the user said about this very message counts alone; otherwise nearer neighbors count more. */
function weightOfClassVote({ similarity, sameMessage }: Neighbor): number {
  if (sameMessage) return 1
  const nearness = (similarity - SIMILARITY_MIN) / (1 - SIMILARITY_MIN)
  return CLASS_WEIGHT_MIN + (1 - CLASS_WEIGHT_MIN) * nearness
}

function decidingItem({ message, similarity }: Neighbor): DecidingItem {
  return { ...namedCorrection(message), similarity }
}
