/**
 * What corrections do to mail that is unlike the corrected messages: they should do nothing. A simulated user
 * corrects some messages; all other mail is judged before and after, by models that have not seen it.
 */

import { analyse } from '../../../mail/analyse.ts'
import { decodeEventFeatures } from '../../../mail/features/event-features.ts'
import type { PersonalTraining } from '../../../mail/learning/personal-training.ts'
import { memoryOctets } from '../../../mail/message/octets.ts'
import { parseMessage } from '../../../mail/message/parse.ts'
import type { Models } from '../../../mail/models/models.ts'
import { readerText } from '../../../mail/signals/text.ts'
import type { Analysis } from '../../../mail/verdict/analysis.ts'
import { decide, modelledLogit } from '../../../mail/verdict/decide.ts'
import { NO_EVIDENCE } from '../../../mail/verdict/evidence.ts'
import type { Policy } from '../../../mail/verdict/policy.ts'
import { CORPUS_FACTS, CORPUS_KNOWLEDGE } from '../../corpora/facts.ts'
import type { Sample } from '../../corpora/sample.ts'
import { clusters, signatureOf } from '../../training/near-duplicates.ts'
import { randomSource, shuffled } from '../../training/random.ts'
import { shippedPolicy } from '../outcome.ts'
import type { Frame, FramedMessage } from './frames.ts'
import { embedded, evidenceAfter, type SpamCorrection } from './remembered.ts'

/** Simulated users for each line; every one corrects other messages. */
const USERS = 20

const SEED = 39

/** A message that can be judged and corrected. */
type Judgeable = SpamCorrection['message'] & { readonly spam: boolean; readonly analysis: Analysis }

export interface UnlikeMessage extends Judgeable {
  /** Equal for near-duplicates. */
  readonly group: number
}

/** What judges: models, and what users' deltas are learned by. */
export interface Judges {
  readonly models: Models
  readonly training: PersonalTraining
}

/** What one user's corrections did to the mail unlike them. */
export interface Effect {
  readonly spam: number
  readonly caughtBefore: number
  readonly caughtAfter: number
  readonly ham: number
  readonly lostBefore: number
  readonly lostAfter: number
  /** Decided by rule or memory, which have no business here. */
  readonly bypassed: number
  /** Mean and largest size of what the log-odds moved by. */
  readonly shiftMean: number
  readonly shiftMax: number
}

export interface Line {
  readonly name: string
  /** One for each user. */
  readonly effects: readonly Effect[]
}

export async function unlikeMessages(
  samples: readonly Sample[],
  { models }: Judges,
): Promise<UnlikeMessage[]> {
  const labelled = samples.filter(({ spam }) => spam !== undefined)
  const signatures = labelled.map(({ bytes }) => {
    const message = parseMessage(memoryOctets(bytes))
    return signatureOf(`${message.subject} ${readerText(message)}`)
  })
  const groups = clusters(signatures)
  return await embedded(
    labelled.map(({ bytes, spam }, i) => ({
      ...judgeable(bytes, spam!, models),
      group: groups[i]!,
    })),
  )
}

function judgeable(bytes: Uint8Array, spam: boolean, models: Models): Judgeable {
  const options = { personal: true, eventFeatures: true, knowledge: CORPUS_KNOWLEDGE }
  const analysis = analyse(memoryOctets(bytes), CORPUS_FACTS, models, options)
  const features = decodeEventFeatures(analysis.eventFeatures!, models.metaNumbering.names.length)!
  return { ...features, ...analysis.personal, spam, analysis }
}

/** Who corrects what: a line of the report each. */
export function linesOf(mail: readonly UnlikeMessage[], judges: Judges): Line[] {
  const policy = shippedPolicy(judges.models)
  const isCalledSpam = ({ analysis }: UnlikeMessage) => decide(analysis, NO_EVIDENCE, policy).isSpam
  const ham = mail.filter(({ spam }) => !spam)
  const spam = mail.filter((message) => message.spam)
  const line = (name: string, users: readonly (readonly UnlikeMessage[])[]): Line => ({
    name,
    effects: users.map((corrected) => effectOf(corrected, mail, judges, policy)),
  })
  const missed = spam.filter((one) => !isCalledSpam(one))
  return [
    line('one "not spam" of a ham that was called spam', drawn(ham.filter(isCalledSpam), 1)),
    line('one "not spam" of any ham', drawn(ham, 1)),
    line('twenty "not spam"', drawn(ham, 20)),
    line('one "spam" of a spam that was missed', drawn(missed, 1)),
    line('thirty "spam"', drawn(spam, 30)),
    line('all mail of a half, sorted', halvesOf(mail)),
  ]
}

/** What each user corrects of `from`; nobody corrects anything where there is not enough. */
function drawn(from: readonly UnlikeMessage[], count: number): UnlikeMessage[][] {
  if (from.length < count) return []
  const random = randomSource(SEED)
  return Array.from({ length: USERS }, () => shuffled(from, random).slice(0, count))
}

/** As `tamis learn` is given it: two users who have sorted all mail, each of other senders. */
function halvesOf(mail: readonly UnlikeMessage[]): UnlikeMessage[][] {
  const domains = [...new Set(mail.map(({ patterns }) => patterns.senderDomain))]
  const first = new Set(domains.filter((_, i) => i % 2 === 0))
  const isFirst = ({ patterns }: UnlikeMessage) => first.has(patterns.senderDomain)
  return [mail.filter(isFirst), mail.filter((message) => !isFirst(message))]
}

/** @param corrected called what they are by their user, the first first. */
export function effectOf(
  corrected: readonly UnlikeMessage[],
  mail: readonly UnlikeMessage[],
  { training }: Pick<Judges, 'training'>,
  policy: Policy,
): Effect {
  const said = corrected.map((message) => ({ message, spam: message.spam }))
  const evidenceOf = evidenceAfter(said, training)
  const count = { spam: 0, caughtBefore: 0, caughtAfter: 0, ham: 0, lostBefore: 0, lostAfter: 0 }
  let [bypassed, shifts, shiftMax, messages] = [0, 0, 0, 0]
  for (const message of unlike(corrected, mail)) {
    const { analysis, spam } = message
    const evidence = evidenceOf(message)
    const before = decide(analysis, NO_EVIDENCE, policy)
    const after = decide(analysis, evidence, policy)
    count[spam ? 'spam' : 'ham']++
    if (before.isSpam) count[spam ? 'caughtBefore' : 'lostBefore']++
    if (after.isSpam) count[spam ? 'caughtAfter' : 'lostAfter']++
    if (after.bypassReason === 'user_rule' || after.bypassReason === 'knn_memory') bypassed++
    const shift = shiftOf(analysis, evidence, policy)
    shifts += shift
    shiftMax = Math.max(shiftMax, Math.abs(shift))
    messages++
  }
  return { ...count, bypassed, shiftMean: messages === 0 ? 0 : shifts / messages, shiftMax }
}

/** What the log-odds move by, whoever decides. */
function shiftOf(analysis: Analysis, evidence: typeof NO_EVIDENCE, policy: Policy): number {
  return modelledLogit(analysis, evidence, policy) - modelledLogit(analysis, NO_EVIDENCE, policy)
}

function unlike(
  corrected: readonly UnlikeMessage[],
  mail: readonly UnlikeMessage[],
): UnlikeMessage[] {
  const groups = new Set(corrected.map(({ group }) => group))
  const domains = new Set(corrected.map(({ patterns }) => patterns.senderDomain))
  return mail.filter(
    ({ group, patterns }) => !groups.has(group) && !domains.has(patterns.senderDomain),
  )
}

/** What one report does to the others' mail of one kind. */
export interface FrameEffect {
  readonly kind: string
  /** Pairs of a reported spam and a ham of another sender in the same frame. */
  readonly pairs: number
  /** Ham that was no spam before the report and is after it. */
  readonly lost: number
  readonly shiftMax: number
  /** Pairs the other way: spam that was spam before a "not spam" of the ham and is not after it. */
  readonly released: number
}

export async function frameEffects(
  frames: readonly Frame[],
  judges: Judges,
): Promise<FrameEffect[]> {
  const policy = shippedPolicy(judges.models)
  const all = await embedded(
    frames.flatMap(({ messages }) => messages.map((message) => framed(message, judges))),
  )
  const found = frames.map(({ kind, messages }) => {
    const judged = all.splice(0, messages.length)
    const spam = judged.filter((message) => message.spam)
    const ham = judged.filter((message) => !message.spam)
    const reports = pairEffects(spam, ham, judges, policy)
    const rescues = pairEffects(ham, spam, judges, policy)
    return {
      kind,
      pairs: reports.length,
      lost: reports.filter(({ turned }) => turned).length,
      shiftMax: Math.max(...reports.map(({ shift }) => Math.abs(shift))),
      released: rescues.filter(({ turned }) => turned).length,
    }
  })
  return [...Map.groupBy(found, ({ kind }) => kind)].map(([kind, of]) => ({
    kind,
    pairs: sum(of.map(({ pairs }) => pairs)),
    lost: sum(of.map(({ lost }) => lost)),
    shiftMax: Math.max(...of.map(({ shiftMax }) => shiftMax)),
    released: sum(of.map(({ released }) => released)),
  }))
}

function framed({ bytes, spam, authentication }: FramedMessage, judges: Judges): Judgeable {
  return { ...judgeable(bytes, spam, judges.models), authentication }
}

/** Each of `corrected` by a user of its own: whether the verdict on each of `others` turns wrong. */
function pairEffects(
  corrected: readonly Judgeable[],
  others: readonly Judgeable[],
  { training }: Judges,
  policy: Policy,
): { readonly turned: boolean; readonly shift: number }[] {
  return corrected.flatMap((message) => {
    const evidenceOf = evidenceAfter([{ message, spam: message.spam }], training)
    return others.map((other) => {
      const evidence = evidenceOf(other)
      const before = decide(other.analysis, NO_EVIDENCE, policy)
      const after = decide(other.analysis, evidence, policy)
      const turned = before.isSpam === other.spam && after.isSpam !== other.spam
      return { turned, shift: shiftOf(other.analysis, evidence, policy) }
    })
  })
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}
