/**
 * What a user's corrected messages say about another message. A neighbour decides only where the sender's
 * identity agrees too, or where the texts are nearly identical and too long to be a formula. Any other
 * likeness is a bounded term of the log-odds: frames, forms and phrases stand in wanted mail alike.
 *
 * The thresholds were chosen on half of the corpora's near-duplicates and are reported on the
 * other half (packages/lab/reports/memory). Calling a message ham takes the same sender, authenticated as
 * it was then: phishing copies the mail that people trust, word for word where it can.
 */
import { CLASSES, type ClassProbabilities, type MessageClass } from '../models/prediction.ts'
import { isFreeMail } from '../signals/free-mail.ts'
import { type Memory, type MemoryQuery, type Neighbor, neighbors } from './memory.ts'
import { type NamedCorrection, namedCorrection } from './named-correction.ts'
import { allowForce, type Force, type SenderAuthentication } from './rules.ts'

/** The item with the largest weight in a vote. */
export interface DecidingItem extends NamedCorrection {
  readonly similarity: number
}

/** Corrections that decide. */
export interface MemoryVote {
  readonly label: 'spam' | 'ham'
  /** The neighbors' weighted share of spam, in [0, 1]. */
  readonly spamShare: number
  /** True when the nearest neighbor is this very message, corrected before. */
  readonly sameMessage: boolean
  readonly force: Force
  readonly decidedBy: DecidingItem
}

/** Corrections of similar messages that do not decide. */
export interface MemoryTerm {
  /** Added to the log-odds of spam, in [-CAMPAIGN_TERM_MAX, CAMPAIGN_TERM_MAX]. */
  readonly logit: number
  readonly label: 'spam' | 'ham'
  readonly decidedBy: DecidingItem
}

/** What a memory says about one message: at most one of both. */
export interface MemoryAnswer {
  readonly vote?: MemoryVote
  readonly term?: MemoryTerm
}

export interface ClassVote {
  /** The neighbors' weighted shares; they sum to 1. */
  readonly shares: ClassProbabilities
  /** The neighbors' part of the answer, in [0, 1]; the rest is the model's. */
  readonly weight: number
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

/** The same for a shorter text, which must also have as many particular words as this (Neighbor.mass). */
const SHORT_SIMILARITY_MIN = 0.85
const SHORT_MASS_MIN = 0.5

/** The similarity from which "not spam" decides about another message from the same sender. */
const HAM_SIMILARITY_MIN = 0.4

/** Log-odds that any other likeness adds at most. */
const LIKENESS_TERM_MAX = 0.3

/** Log-odds of a campaign's text from an authenticated sender, against whom no memory decides. */
const CAMPAIGN_TERM_MAX = 2

/** How much more of the whole weight one label must have than the other: three quarters against one. */
const MARGIN_MIN = 0.5

/** More than half, so that neighbors that agree outweigh a model however sure it is. */
const CLASS_WEIGHT_MIN = 0.6

/** A neighbor that is nearly the same counts several times as much as one that is barely similar. */
const WEIGHT_POWER = 4

/** What the user's spam memory says about the message asked about. */
export function memoryAnswer(
  memory: Memory,
  query: MemoryQuery,
  authentication: SenderAuthentication,
): MemoryAnswer {
  const sender = { authentication, isShared: query.isSharedSender === true, isFramed: query.isFramed === true }
  const near = voters(memory, query)
  const deciders = near.filter((neighbor) => forceOf(neighbor, sender) !== undefined)
  const vote = voteOf(deciders, sender)
  if (vote !== undefined) return { vote }
  const term = deciders.length === 0 ? termOf(near, sender) : undefined
  return term === undefined ? {} : { term }
}

function voteOf(deciders: readonly Neighbor[], sender: Sender): MemoryVote | undefined {
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

/** The term of the neighbor that adds or takes most. */
function termOf(near: readonly Neighbor[], sender: Sender): MemoryTerm | undefined {
  let strongest: MemoryTerm | undefined
  for (const neighbor of near) {
    const label = neighbor.message.label === 'spam' ? 'spam' : 'ham'
    const size = termSize(neighbor, label, sender)
    if (size <= Math.abs(strongest?.logit ?? 0)) continue
    const logit = label === 'spam' ? size : -size
    strongest = { logit, label, decidedBy: decidingItem(neighbor) }
  }
  return strongest
}

function termSize(
  neighbor: Neighbor,
  label: 'spam' | 'ham',
  sender: Sender,
): number {
  const { similarity } = neighbor
  if (isForgery(neighbor, sender)) return 0
  if (label === 'ham') return sender.authentication.result === 'fail' ? 0 : LIKENESS_TERM_MAX * similarity
  // Somebody else's authenticated mail in the words of a campaign: mostly the campaign from another throw-away domain.
  return isIdentical(neighbor, sender.isFramed) && sender.authentication.result === 'pass'
    ? CAMPAIGN_TERM_MAX * similarity
    : LIKENESS_TERM_MAX * similarity
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
    if (isOneSender) return 'decides'
    if (sender.authentication.result === 'pass') return undefined
    const isCampaign = neighbor.sameHosts && similarity >= CAMPAIGN_SIMILARITY_MIN
    return isCampaign || isIdentical(neighbor, sender.isFramed) ? 'decides' : undefined
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
function isIdentical({ similarity, terms, mass }: Neighbor, isFramed: boolean): boolean {
  if (terms < LONG_TERMS_MIN) return similarity >= SHORT_SIMILARITY_MIN && mass >= SHORT_MASS_MIN
  return similarity >= (isFramed ? FRAMED_SIMILARITY_MIN : LONG_SIMILARITY_MIN)
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
