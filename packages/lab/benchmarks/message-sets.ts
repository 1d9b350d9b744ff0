/** The messages that every server is asked about, in the order in which all of them get them. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { evenly } from '../evaluation/peers.ts'

/** Messages taken from a larger set: a thousand together with the 376 of household_2025. */
const MESSAGES_MAX = 624

const SETS = ['spamassassin', 'household_2025']

/** One message of spam for so many of ham in mail as it comes. */
const HAM_FOR_EACH_SPAM = 4

/** The golden ratio's fraction: its multiples are spread evenly, however many are taken. */
const GOLDEN = (Math.sqrt(5) - 1) / 2

export interface MessageSet {
  readonly name: string
  readonly messages: readonly Buffer[]
  /** Where they were read, in step with `messages`. */
  readonly paths: readonly string[]
}

/** The sets in `corpora`, which is as `corpora/unpack` makes it. */
export function readMessageSets(corpora: string): MessageSet[] {
  return SETS.map((name) => inOrder(name, evenly(messageFiles(join(corpora, name)), MESSAGES_MAX)))
}

/** Mail as it comes: the ham of household_2025, and so much of its spam that four in five messages are ham. */
export function readMailAsItComes(corpora: string): MessageSet {
  const files = messageFiles(join(corpora, 'household_2025'))
  // By the folder of the label: spam, spam_2.
  const [ham, spam] = [false, true].map((is) =>
    files.filter((file) => file.includes('/spam') === is),
  )
  const asked = [...ham!, ...evenly(spam!, Math.round(ham!.length / HAM_FOR_EACH_SPAM))]
  return inOrder('four fifths ham', asked)
}

/** Paths of all messages below `folder`, in order. */
function messageFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.eml'))
    .sort()
    .map((file) => join(folder, file))
}

/**
 * In an order in which any twenty that follow each other are of all sizes. A server that gets
 * through a few dozen in the time is then measured on the same mix as one that gets through all.
 */
function inOrder(name: string, paths: readonly string[]): MessageSet {
  const bySize = paths
    .map((path) => ({ path, message: readFileSync(path) }))
    .sort((a, b) => a.message.length - b.message.length)
  const at = bySize.map((_, i) => (i * GOLDEN) % 1)
  const ordered = [...bySize]
  const positions = [...at.keys()].sort((a, b) => at[a]! - at[b]!)
  positions.forEach((position, rank) => {
    ordered[position] = bySize[rank]!
  })
  return {
    name,
    messages: ordered.map(({ message }) => message),
    paths: ordered.map(({ path }) => path),
  }
}
