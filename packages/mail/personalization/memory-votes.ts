/**
 * What a user's corrected messages decide about another message: a neighbor does so only where the sender's identity agrees
 * too, or where the texts are nearly identical and too long to be a formula. Calling a message ham takes the same sender,
 * authenticated as it was then: phishing copies the mail that people trust, word for word where it can.
 *
 * The thresholds were chosen on half of the corpora's near-duplicates and are reported on the other half
 * (packages/lab/reports/memory).
 */
import { CLASSES, type ClassProbabilities, type MessageClass } from '../models/prediction.ts'
import { isFreeMail } from '../signals/host-lists.ts'
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
  /** See MemoryVote. */
  readonly sameMessage: boolean
  readonly decidedBy: DecidingItem
}

/** Who sent the message asked about. */
interface Sender {
  readonly authentication: SenderAuthentication
  /** See MemoryQuery. */
  readonly isShared: boolean
  readonly isFramed: boolean
}

/** How many neighbors are asked. */
const K = 5

/** The similarity from which a neighbor says something at all. */
const SIMILARITY_MIN = 0.25

/** The similarity from which mail that leads to one stranger's host is one campaign. */
const CAMPAIGN_SIMILARITY_MIN = 0.25

/** Terms from which a text is too long to be a formula: a short letter or a one-time code has some 5 to 35. */
const LONG_TERMS_MIN = 48

/** The similarity from which two long texts are nearly identical: a campaign changes names, amounts and half its sentences. */
const LONG_SIMILARITY_MIN = 0.33

/** The same where a program or a service framed the message: its frame is most of the text, also of wanted mail. */
const FRAMED_SIMILARITY_MIN = 0.85

/** How many particular words such a text must have (Neighbor.mass): a one-time code in a long form has 0.3 to 0.5. */
const LONG_MASS_MIN = 0.8

/** The same for a shorter text. */
const SHORT_SIMILARITY_MIN = 0.85
const SHORT_MASS_MIN = 0.5

/** The thresholds in their place where the embeddings agree, which are a second witness. */
const AGREEING_SHORT_SIMILARITY_MIN = 0.4
const AGREEING_FRAMED_SIMILARITY_MIN = 0.5
const AGREEING_LONG_MASS_MIN = 0.7

/** The similarity from which mail of one authenticated domain, from another address at it, is alike. */
const DOMAIN_SIMILARITY_MIN = 0.4

/** The similarity from which "not spam" decides about another message from the same sender. */
const HAM_SIMILARITY_MIN = 0.4

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
  authentication: SenderAuthentication,
): MemoryVote | undefined {
  const sender = {
    authentication,
    isShared: query.isSharedSender === true,
    isFramed: query.isFramed === true,
  }
  const deciders = voters(memory, query).filter(
    (neighbor) => forceOf(neighbor, sender) !== undefined,
  )
  const nearest = deciders[0]
  if (nearest === undefined) return undefined
  const spamShare = shareOf(deciders, 'spam')
  if (Math.abs(2 * spamShare - 1) < MARGIN_MIN) return undefined
  const label = spamShare > 0.5 ? 'spam' : 'ham'
  const agreeing = deciders.filter(({ message }) => message.label === label)
  const deciding = agreeing.find((neighbor) => forceOf(neighbor, sender) === 'decides')
  const force = deciding === undefined ? 'lifts' : 'decides'
  const { sameMessage } = nearest
  return { label, spamShare, sameMessage, force, decidedBy: decidingItem(deciding ?? agreeing[0]!) }
}

/** The vote of the user's memory of classes; undefined when it has nothing to say. */
export function classVote(memory: Memory, query: MemoryQuery): ClassVote | undefined {
  const near = voters(memory, query).filter(
    (neighbor) => neighbor.sameMessage || neighbor.sameSender || isIdentical(neighbor, true),
  )
  const nearest = near[0]
  if (nearest === undefined) return undefined
  const shares = classShares(near)
  const largest = Math.max(...CLASSES.map((name) => shares[name]))
  const deciding = near.find(({ message }) => shares[message.label as MessageClass] === largest)
  return {
    shares,
    weight: weightOfClassVote(nearest),
    sameMessage: nearest.sameMessage,
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

/** What a neighbor can do with the message; undefined when it does not decide. */
function forceOf(neighbor: Neighbor, sender: Sender): Force | undefined {
  const { message, similarity, sameMessage } = neighbor
  const isOneSender = hasOneIdentity(neighbor, sender)
  if (message.label === 'spam') {
    if (sameMessage) return 'decides'
    if (isForgery(neighbor, sender)) return undefined
    if (isOneSender && (neighbor.sameSender || similarity >= DOMAIN_SIMILARITY_MIN)) {
      return 'decides'
    }
    if (sender.authentication.result === 'pass') return undefined
    // Forums, forms and services that nobody knows lead to one host in the mail of all who use them.
    const isCampaign = neighbor.sameHosts && similarity >= CAMPAIGN_SIMILARITY_MIN
    return isCampaign || isIdentical(neighbor, sender.isFramed) ? 'lifts' : undefined
  }
  const force = allowForce(message.authenticatedDomain, sender.authentication)
  // What the user said about this very message needs no other proof.
  if (sameMessage) return force && 'decides'
  return isOneSender && similarity >= HAM_SIMILARITY_MIN ? force : undefined
}

/** A message sent in somebody's name does not speak against the authenticated mail of that person. */
function isForgery({ message, sameSender }: Neighbor, sender: Sender): boolean {
  return (
    message.label === 'spam' &&
    sameSender &&
    message.authenticatedDomain === undefined &&
    sender.authentication.result === 'pass'
  )
}

/** Whether both have one address, or were authenticated for one domain, that is one person's or organisation's. */
function hasOneIdentity(
  { message, sameSender }: Neighbor,
  { authentication, isShared }: Sender,
): boolean {
  if (isShared) return false
  if (sameSender) return true
  return (
    authentication.result === 'pass' &&
    message.authenticatedDomain === authentication.domain &&
    !isFreeMail(authentication.domain)
  )
}

/** Whether the texts are nearly identical and no formula. */
function isIdentical({ similarity, terms, mass, agrees }: Neighbor, isFramed: boolean): boolean {
  if (terms < LONG_TERMS_MIN) {
    const similarityMin = agrees ? AGREEING_SHORT_SIMILARITY_MIN : SHORT_SIMILARITY_MIN
    return similarity >= similarityMin && mass >= SHORT_MASS_MIN
  }
  const framedMin = agrees ? AGREEING_FRAMED_SIMILARITY_MIN : FRAMED_SIMILARITY_MIN
  return (
    mass >= (agrees ? AGREEING_LONG_MASS_MIN : LONG_MASS_MIN) &&
    similarity >= (isFramed ? framedMin : LONG_SIMILARITY_MIN)
  )
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
