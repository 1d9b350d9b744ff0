/**
 * What corrections do to mail that is unlike the corrected messages: they should do nothing. A simulated user
 * corrects some messages; all other mail is judged before and after, by models that have not seen it.
 */
import { memoryOctets } from '../../../mail/message/octets.ts'
import { parseMessage } from '../../../mail/message/parse.ts'
import { readerText } from '../../../mail/signals/text.ts'
import { decide, modelledLogit } from '../../../mail/verdict/decide.ts'
import { type Evidence, NO_EVIDENCE } from '../../../mail/verdict/evidence.ts'
import type { Policy } from '../../../mail/verdict/policy.ts'
import type { Sample } from '../../corpora/sets.ts'
import { clusters, signatureOf } from '../../training/near-duplicates.ts'
import { randomSource, shuffled } from '../../training/random.ts'
import { meanOf } from '../metrics.ts'
import { shippedPolicy } from '../outcome.ts'
import type { Values } from '../report.ts'
import type { Frame } from './frames.ts'
import { evidenceAfter, type Judged, type Judges, judgedOf } from './judged.ts'

/** Simulated users for each line; every one corrects other messages. */
const USERS = 20

const SEED = 39

interface UnlikeMessage extends Judged {
  /** Equal for near-duplicates. */
  readonly group: number
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
  const judged = await judgedOf(labelled, models)
  return judged.map((message, i) => ({ ...message, group: groups[i]! }))
}

/** Who corrects what, and what that does: a line of the report each, of those that have enough to correct. */
export function linesOf(mail: readonly UnlikeMessage[], judges: Judges): Values[] {
  const policy = shippedPolicy(judges.models)
  const isCalledSpam = ({ analysis }: Judged) => decide(analysis, NO_EVIDENCE, policy).isSpam
  const ham = mail.filter(({ spam }) => !spam)
  const spam = mail.filter((message) => message.spam)
  const missed = spam.filter((one) => !isCalledSpam(one))
  const lines: Readonly<Record<string, readonly (readonly UnlikeMessage[])[]>> = {
    'one "not spam" of a ham that was called spam': drawn(ham.filter(isCalledSpam), 1),
    'one "not spam" of any ham': drawn(ham, 1),
    'twenty "not spam"': drawn(ham, 20),
    'one "spam" of a spam that was missed': drawn(missed, 1),
    'thirty "spam"': drawn(spam, 30),
    'all mail of a half, sorted': halvesOf(mail),
  }
  return Object.entries(lines)
    .filter(([, users]) => users.length > 0)
    .map(([name, users]) => {
      const effects = users.map((corrected) => effectOf(corrected, mail, judges, policy))
      return { name, users: effects.length, ...overUsers(effects) }
    })
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
  const isFirst = ({ patterns }: Judged) => first.has(patterns.senderDomain)
  return [mail.filter(isFirst), mail.filter((message) => !isFirst(message))]
}

/** What one user's corrections did to the mail unlike them; changes in points, negative ones are gains. */
export function effectOf(
  corrected: readonly UnlikeMessage[],
  mail: readonly UnlikeMessage[],
  { training }: Pick<Judges, 'training'>,
  policy: Policy,
) {
  const evidenceOf = evidenceAfter(corrected, training)
  const judged = unlike(corrected, mail).map((message) => {
    const { analysis, spam } = message
    const evidence = evidenceOf(message)
    const before = decide(analysis, NO_EVIDENCE, policy).isSpam
    const { isSpam: after, bypassReason } = decide(analysis, evidence, policy)
    return { spam, before, after, bypassReason, shift: shiftOf(message, evidence, policy) }
  })
  const spam = judged.filter((one) => one.spam)
  const ham = judged.filter((one) => !one.spam)
  const share = <T>(of: readonly T[], is: (one: T) => boolean) =>
    of.length === 0 ? 0 : of.filter(is).length / of.length
  const caught = share(spam, ({ before }) => before)
  const lost = share(ham, ({ before }) => before)
  return {
    spam: spam.length,
    ham: ham.length,
    caught,
    spamLost: 100 * (caught - share(spam, ({ after }) => after)),
    lost,
    hamLost: 100 * (share(ham, ({ after }) => after) - lost),
    // Rule and memory have no business here.
    bypassed: share(judged, ({ bypassReason: by }) => by === 'user_rule' || by === 'knn_memory'),
    shift: judged.length === 0 ? 0 : meanOf(judged.map(({ shift }) => shift)),
    shiftMost: judged.reduce((most, { shift }) => Math.max(most, Math.abs(shift)), 0),
  }
}

/** Means over users, and the worst of them. */
function overUsers(effects: readonly ReturnType<typeof effectOf>[]): Values {
  type Figure = keyof (typeof effects)[number]
  const mean = (name: Figure) => meanOf(effects.map((effect) => effect[name]))
  const most = (name: Figure) => Math.max(...effects.map((effect) => effect[name]))
  return {
    caught: mean('caught'),
    spamLost: mean('spamLost'),
    spamLostMost: most('spamLost'),
    lost: mean('lost'),
    hamLost: mean('hamLost'),
    hamLostMost: most('hamLost'),
    bypassed: mean('bypassed'),
    shift: mean('shift'),
    shiftMost: most('shiftMost'),
  }
}

/** What the log-odds move by, whoever decides. */
function shiftOf({ analysis }: Judged, evidence: Evidence, policy: Policy): number {
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
export async function frameEffects(frames: readonly Frame[], judges: Judges) {
  const policy = shippedPolicy(judges.models)
  const all = await judgedOf(
    frames.flatMap(({ messages }) => messages),
    judges.models,
  )
  const found = frames.map(({ kind, messages }) => {
    const judged = all.splice(0, messages.length)
    const spam = judged.filter((message) => message.spam)
    const ham = judged.filter((message) => !message.spam)
    const reports = pairEffects(spam, ham, judges, policy)
    return { kind, reports, rescues: pairEffects(ham, spam, judges, policy) }
  })
  return [...Map.groupBy(found, ({ kind }) => kind)].map(([kind, of]) => {
    const reports = of.flatMap((each) => each.reports)
    const rescues = of.flatMap((each) => each.rescues)
    return {
      kind,
      // Pairs of a reported spam and a ham of another sender in the same frame.
      pairs: reports.length,
      lost: reports.filter(({ turned }) => turned).length,
      shiftMax: Math.max(...reports.map(({ shift }) => Math.abs(shift))),
      // The other way: spam that is no spam after a "not spam" of the ham.
      released: rescues.filter(({ turned }) => turned).length,
    }
  })
}

/** Each of `corrected` by a user of its own: whether the verdict on each of `others` turns wrong. */
function pairEffects(
  corrected: readonly Judged[],
  others: readonly Judged[],
  { training }: Judges,
  policy: Policy,
) {
  return corrected.flatMap((message) => {
    const evidenceOf = evidenceAfter([message], training)
    return others.map((other) => {
      const evidence = evidenceOf(other)
      const before = decide(other.analysis, NO_EVIDENCE, policy).isSpam
      const after = decide(other.analysis, evidence, policy).isSpam
      const turned = before === other.spam && after !== other.spam
      return { turned, shift: shiftOf(other, evidence, policy) }
    })
  })
}
