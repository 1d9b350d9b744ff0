/** The messages that every server is asked about, in the order in which all of them get them. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

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

/** The sets in `folder`, which is as `corpora/unpack` makes it. */
export function readMessageSets(folder: string): MessageSet[] {
  return SETS.map((name) => readMessageSet(join(folder, name), name))
}

/** Mail as it comes: the ham of household_2025, and so much of its spam that four in five messages are ham. */
export function readMailAsItComes(corpora: string): MessageSet {
  const folder = join(corpora, 'household_2025')
  const files = messageFiles(folder)
  const ham = files.filter((file) => !isSpam(folder, file))
  const spam = files.filter((file) => isSpam(folder, file))
  const asked = [...ham, ...evenly(spam, Math.round(ham.length / HAM_FOR_EACH_SPAM))]
  return { ...inOrder(asked), name: 'four fifths ham' }
}

/** Paths of all messages below `folder`, in order. */
function messageFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.eml'))
    .sort()
    .map((file) => join(folder, file))
}

function readMessageSet(folder: string, name: string): MessageSet {
  const asked = evenly(messageFiles(folder), MESSAGES_MAX)
  return { ...inOrder([...asked]), name }
}

function inOrder(paths: readonly string[]): Pick<MessageSet, 'messages' | 'paths'> {
  const ordered = mixedBySize(paths.map((path) => ({ path, message: readFileSync(path) })))
  return {
    messages: ordered.map(({ message }) => message),
    paths: ordered.map(({ path }) => path),
  }
}

function evenly(files: readonly string[], max: number): Set<string> {
  if (files.length <= max) return new Set(files)
  return new Set(
    Array.from({ length: max }, (_, i) => files[Math.floor((i * files.length) / max)]!),
  )
}

/** By the folder of the label: spam, spam_2. */
function isSpam(folder: string, path: string): boolean {
  return path.slice(folder.length + 1).startsWith('spam')
}

/**
 * In an order in which any twenty that follow each other are of all sizes. A server that gets
 * through a few dozen in the time is then measured on the same mix as one that gets through all.
 */
function mixedBySize<T extends { readonly message: Buffer }>(read: readonly T[]): T[] {
  const bySize = read.toSorted((a, b) => a.message.length - b.message.length)
  const positions = bySize.map((_, i) => ({ i, at: (i * GOLDEN) % 1 }))
  const order: T[] = new Array(bySize.length)
  positions
    .sort((a, b) => a.at - b.at)
    .forEach(({ i }, rank) => {
      order[i] = bySize[rank]!
    })
  return order
}
