/**
 * The corpora that models are trained and measured on, and what each may be used for
 * (docs/data.md). A set is a folder of that name as `corpora/unpack` makes it.
 */
import type { MessageClass } from '../../mail/models/prediction.ts'

export interface LabelFolder {
  readonly folder: string
  readonly spam: boolean | undefined
  readonly messageClass: MessageClass | undefined
}

export interface CorpusSet {
  readonly name: string
  /** 'evaluate': a licence (phishing_pot is CC BY-NC) keeps it out of a model that ships. */
  readonly use: 'train' | 'evaluate'
  readonly folders: readonly LabelFolder[]
}

export const CORPUS_SETS: readonly CorpusSet[] = [
  {
    name: 'spamassassin',
    use: 'train',
    folders: [ham('easy_ham'), ham('easy_ham_2'), ham('hard_ham'), spam('spam'), spam('spam_2')],
  },
  { name: 'csdmc2010', use: 'train', folders: [ham('ham'), spam('spam')] },
  {
    name: 'lists',
    use: 'train',
    folders: [
      ham('ham_discussion'),
      ham('ham_firstpost'),
      ham('ham_patch'),
      ham('updates_bot', 'updates'),
      ham('updates_bugzilla', 'updates'),
      spam('spam'),
    ],
  },
  { name: 'glitchyzorua', use: 'train', folders: [spam('spam')] },
  { name: 'household_2025', use: 'train', folders: [ham('ham'), spam('spam')] },
  { name: 'bounces', use: 'train', folders: [ham('updates', 'updates')] },
  { name: 'finds', use: 'train', folders: [ham('ham'), spam('spam')] },
  {
    name: 'parcel_notices',
    use: 'train',
    folders: [ham('transactions', 'transactions'), ham('updates', 'updates')],
  },
  { name: 'phishing_pot', use: 'evaluate', folders: [spam('phishing')] },
]

/** Messages as fields and Markdown, rendered when they are read. */
export const WRITTEN_SET = 'written'

/** Notices of programs with their slots filled in, as fields and Markdown, rendered as the written mail is. */
export const TEMPLATES_SET = 'templates'

/** Sources with ham and spam of today: mail of 2002 to 2010 says little about what is lost and caught now. */
export const MODERN_SOURCES = ['household_2025', 'lists', 'finds', WRITTEN_SET] as const

export function isModern(source: string): boolean {
  return MODERN_SOURCES.some((name) => name === source)
}

/** What models are trained on, and what they lack without it. */
export const TRAINING_SETS: readonly { readonly name: string; readonly absence: string }[] = [
  { name: 'spamassassin', absence: 'how mail was put together before 2003 is learned from less' },
  { name: 'csdmc2010', absence: 'how mail was put together until 2010 is learned from less' },
  { name: 'lists', absence: 'list posts and the spam among them are unknown' },
  { name: 'glitchyzorua', absence: 'there is less modern spam' },
  { name: 'household_2025', absence: 'no modern mail as a server received it is known' },
  { name: 'finds', absence: 'there are fewer receipts, orders and newsletters as they arrived' },
  { name: 'bounces', absence: 'delivery notices may be taken for letters' },
  { name: 'parcel_notices', absence: 'there are fewer shipping notices' },
  {
    name: WRITTEN_SET,
    absence: 'modern mail and classes are hardly known: copy packages/lab/data/written',
  },
  { name: TEMPLATES_SET, absence: 'notices of programs in other languages are known less' },
]

function ham(folder: string, messageClass?: MessageClass): LabelFolder {
  return { folder, spam: false, messageClass }
}

function spam(folder: string): LabelFolder {
  return { folder, spam: true, messageClass: undefined }
}
