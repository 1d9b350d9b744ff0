/** Corrections, rules and models for tests: whole, so that a test names only what it is about. */

import type { HistoryEntry } from '../../history/history-entry.ts'
import type { NewModel } from '../../learned-models/model-version.ts'
import type {
  CorrectedMessage,
  NewCorrection,
  NewRule,
  Opinion,
  Withdrawal,
} from '../../users/correction.ts'
import type { LearnedCorrespondent, StatedCorrespondent } from '../../users/correspondent.ts'
import { CORRESPONDENT_KEY_BYTES } from '../../users/message-keys.ts'

export function key(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

/** A correction of the message `m1` as spam. A test that gives another kind gives a label of it. */
export function correction(
  fields: Partial<CorrectedMessage> & Partial<Opinion> = {},
): NewCorrection {
  const whole = {
    userId: 'ann',
    authority: 'user',
    kind: 'spam',
    label: 'spam',
    messageKey: key('m1'),
    senderKey: key('sender'),
    domainKey: key('domain'),
    featureVersion: 'f1',
    embeddingModel: 'e1',
    features: key('features'),
    memory: key('memory'),
    ...fields,
  }
  return whole as NewCorrection
}

/** The correction of the message `m1` is taken back. */
export function withdrawal(fields: Partial<Withdrawal> = {}): Withdrawal {
  return {
    userId: 'ann',
    authority: 'user',
    kind: 'spam',
    messageKey: key('m1'),
    ...fields,
  }
}

/** A rule that blocks a sender. */
export function rule(fields: Partial<NewRule> = {}): NewRule {
  return {
    userId: 'ann',
    kind: 'spam',
    ruleType: 'Sender',
    pattern: 'shop@example.com',
    label: 'spam',
    unverified: false,
    ...fields,
  }
}

/** A key as long as those of correspondents, which begins with `name`. */
export function correspondentKey(name: string): Uint8Array {
  return key(name.padEnd(CORRESPONDENT_KEY_BYTES, '.'))
}

/** An address that a user has written to. */
export function written(name: string): StatedCorrespondent {
  return { kind: 'written', key: correspondentKey(name) }
}

/** What mail tells of a user, now. */
export function learned(
  userId: string,
  kind: LearnedCorrespondent['kind'],
  name: string,
  at = new Date(),
): LearnedCorrespondent {
  return { userId, kind, key: correspondentKey(name), at }
}

/** A message of a shop for ann that is spam, judged now. */
export function historyEntry(fields: Partial<HistoryEntry> = {}): HistoryEntry {
  return {
    judgedAt: new Date(),
    messageId: 'm1@example.com',
    sender: 'shop@example.com',
    senderDomain: 'example.com',
    envelopeSender: 'bounces@mailer.example.net',
    userId: 'ann',
    isSpam: true,
    spamProbability: 0.9931,
    threshold: 0.965,
    bypassReason: null,
    classification: 'promotions',
    shouldEscalate: false,
    reasons: [
      { name: 'LINK_IP_HOST', points: 1.96 },
      { name: 'DKIM_ALIGNED', points: -0.5, claim: 'proved' },
    ],
    elapsedMs: 4,
    queueId: '4F00',
    ...fields,
  }
}

export function model(fields: Partial<NewModel> = {}): NewModel {
  return {
    baseVersion: '2026.11.1',
    deltas: key('deltas'),
    learnedToSeq: 7,
    metrics: { auc: 0.5 },
    ...fields,
  }
}
