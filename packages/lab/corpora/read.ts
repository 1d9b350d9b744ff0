/**
 * Reads corpora from the folders that `corpora/unpack` makes: `<set>/<label>/<file>.eml`, and
 * the written mail from `written/*.jsonl`, less the canary set, and the notices of `templates/*.jsonl`. Always in the same order.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { TamisError } from '../../errors/errors.ts'
import { CLASSES, type MessageClass } from '../../mail/models/prediction.ts'
import {
  CORPUS_SETS,
  type CorpusSet,
  type LabelFolder,
  type Sample,
  TEMPLATES_SET,
  WRITTEN_SET,
} from './sets.ts'
import { canaryIds, readTemplates, readWritten, textOf } from './written.ts'

/** A class label from CLASSES.tsv. */
interface ClassLabel {
  readonly messageClass: MessageClass
  readonly alsoAcceptable: MessageClass | undefined
}

/**
 * All samples of the sets found in `folder`, those for `use` only, without what `<set>_excluded.tsv`
 * names beside the set. How much is left out is said on standard error.
 *
 * @throws TamisError CORPUS_INVALID when there is nothing to train on, or a label is unknown.
 */
export function readCorpora(folder: string, use: CorpusSet['use']): Sample[] {
  const samples = CORPUS_SETS.filter((set) => set.use === use).flatMap((set) =>
    withoutExcluded(folder, set.name, readSet(folder, set)),
  )
  const written = join(folder, WRITTEN_SET)
  if (use === 'train' && existsSync(written)) samples.push(...writtenForTraining(written))
  const templates = join(folder, TEMPLATES_SET)
  if (use === 'train' && existsSync(templates)) samples.push(...readTemplates(templates))
  if (use === 'train' && samples.length === 0) {
    throw new TamisError('CORPUS_INVALID', `No corpus was found in ${folder}; see docs/data.md`)
  }
  return samples
}

function writtenForTraining(folder: string): Sample[] {
  const canary = canaryIds()
  const samples = readWritten(folder)
  const kept = samples.filter(({ id }) => !canary.has(textOf(id)))
  const count = samples.length - kept.length
  if (count > 0)
    process.stderr.write(`${WRITTEN_SET}: ${count} messages left out, as the canary set\n`)
  return kept
}

function readSet(folder: string, set: CorpusSet): Sample[] {
  const root = join(folder, set.name)
  if (!existsSync(root)) return []
  const classes = readClassLabels(join(root, 'CLASSES.tsv'))
  const collections = readCollections(join(root, 'INDEX.tsv'))
  return set.folders.flatMap((labels) => readFolder(root, set.name, labels, classes, collections))
}

/** `samples` of a set without the files that are not what the set is of. */
function withoutExcluded(folder: string, name: string, samples: Sample[]): Sample[] {
  const path = join(folder, `${name}_excluded.tsv`)
  if (samples.length === 0 || !existsSync(path)) return samples
  const excluded = new Set(readRows(path).map(([file]) => file))
  const kept = samples.filter(({ id }) => !excluded.has(id.slice(id.indexOf('/') + 1)))
  process.stderr.write(
    `${name}: ${samples.length - kept.length} messages left out, by ${name}_excluded.tsv\n`,
  )
  return kept
}

function readFolder(
  root: string,
  source: string,
  { folder, spam, messageClass }: LabelFolder,
  classes: ReadonlyMap<string, ClassLabel>,
  collections: ReadonlyMap<string, string>,
): Sample[] {
  const files = readdirSync(join(root, folder)).filter((name) => name.endsWith('.eml'))
  return files.sort().map((name) => {
    const id = `${folder}/${name}`
    const label = classes.get(id)
    const collection = collections.get(id)
    return {
      source,
      id,
      bytes: readFileSync(join(root, id)),
      spam,
      messageClass: label?.messageClass ?? messageClass,
      ...(label?.alsoAcceptable === undefined ? {} : { alsoAcceptable: label.alsoAcceptable }),
      ...(collection === undefined ? {} : { collection }),
    }
  })
}

/** Rows of file, class and a class also acceptable; empty when there is no such file. */
function readClassLabels(path: string): Map<string, ClassLabel> {
  if (!existsSync(path)) return new Map()
  return new Map(
    readRows(path).map(([file = '', messageClass = '', also = '']) => {
      const alsoAcceptable = also.trim() === '' ? undefined : classNamed(also.trim(), path)
      return [file, { messageClass: classNamed(messageClass, path), alsoAcceptable }]
    }),
  )
}

/** Of each file the repository in which it was found; empty when there is no such file. */
function readCollections(path: string): Map<string, string> {
  if (!existsSync(path)) return new Map()
  return new Map(readRows(path).map(([file = '', , , repository = '']) => [file, repository]))
}

/** The columns of each line but the first, which names them. */
function readRows(path: string): string[][] {
  const [, ...rows] = readFileSync(path, 'utf8').trimEnd().split('\n')
  return rows.map((row) => row.split('\t'))
}

function classNamed(name: string, path: string): MessageClass {
  const found = CLASSES.find((known) => known === name)
  if (found === undefined)
    throw new TamisError('CORPUS_INVALID', `${path} has the unknown class "${name}"`)
  return found
}
