/**
 * The corpora that models are trained and measured on, and what each may be used for
 * (docs/data.md). A set is a folder of that name as `corpora/unpack` makes it.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MessageClass } from '../../mail/models/prediction.ts'

export interface LabelFolder {
  readonly folder: string
  readonly spam: boolean
  /** Of all its mail, where the folder says so. */
  readonly messageClass?: MessageClass
}

export interface CorpusSet {
  readonly name: string
  /** 'evaluate': a licence (phishing_pot is CC BY-NC) keeps it out of a model that ships. */
  readonly use: 'train' | 'evaluate'
  readonly folders: readonly LabelFolder[]
}

const CORPORA: {
  readonly sets: readonly CorpusSet[]
  readonly training: readonly { readonly name: string; readonly absence: string }[]
} = JSON.parse(readFileSync(join(import.meta.dirname, '../data/corpora.json'), 'utf8'))

export const CORPUS_SETS: readonly CorpusSet[] = CORPORA.sets

/** What models are trained on, and what they lack without it. */
export const TRAINING_SETS: readonly { readonly name: string; readonly absence: string }[] =
  CORPORA.training

/** Messages as fields and Markdown, rendered when they are read. */
export const WRITTEN_SET = 'written'

/** Notices of programs with their slots filled in, as fields and Markdown, rendered as the written mail is. */
export const TEMPLATES_SET = 'templates'

/** Sources with ham and spam of today: mail of 2002 to 2010 says little about what is lost and caught now. */
export const MODERN_SOURCES = ['household_2025', 'lists', 'finds', WRITTEN_SET] as const

export function isModern(source: string): boolean {
  return MODERN_SOURCES.some((name) => name === source)
}

/** A labelled message of a corpus, before anything is read from it. */
export interface Sample {
  /** The set it comes from: 'spamassassin', 'written'. Whole sources are left out in evaluation. */
  readonly source: string
  /** Path inside the set, or the id of a written message: names it in reports. */
  readonly id: string
  readonly bytes: Uint8Array
  /** Undefined where the set does not say. */
  readonly spam: boolean | undefined
  readonly messageClass: MessageClass | undefined
  /** A second class that a reader could also accept; only where the set says so. */
  readonly alsoAcceptable?: MessageClass
  /** ISO 639-1 where the set says so. */
  readonly language?: string
  /** For written mail, the kind of message: a split must not share one. */
  readonly kind?: string
  /** For written mail, the contrast pair that it belongs to: a split must not part its members. */
  readonly pair?: string
  /** True for written ham that one person typed to another in a few words. */
  readonly shortLetter?: boolean
  /** Where in its set it was collected, for a set of several: a split must not share one. */
  readonly collection?: string
}
