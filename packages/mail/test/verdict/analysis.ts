/** An analysis of which a test says what the models think. */
import { logit } from '../../models/prediction.ts'
import type { Analysis } from '../../verdict/analysis.ts'

export const prediction = (probability: number) => ({ logit: logit(probability), probability })

/** Models that agree on `probability`, and nothing else in the message, but for `more`. */
export function analysisOf(probability: number, more: Partial<Analysis> = {}): Analysis {
  const spam = prediction(probability)
  return {
    ...{ text: spam, meta: spam, spam, wholeSpam: spam },
    fromDomain: 'other',
    tabs: { primary: 0.1, promotions: 0.6, updates: 0.2, transactions: 0.1 },
    feedHits: [],
    summary: { messageId: '', senderDomain: '', terms: [] },
    limitsReached: [],
    bodyUnread: false,
    textUnread: false,
    personal: {
      patterns: {},
      identity: '',
      ...{ sparse: new Uint32Array(), hosts: new Uint32Array() },
      isFramed: false,
      embeddedText: '',
    },
    correspondence: { isShared: false, repliesTo: [] },
    timing: { parse: 0, signals: 0, features: 0, models: 0 },
    ...more,
  }
}
