/**
 * Open English WordNet as one row a synset (wordnet.tsv.gz): what words mean, in other words.
 * McCrae et al., English WordNet 2020 (LREC 2020).
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { TamisError } from '../../../errors/errors.ts'

const WORDNET_FILE = 'wordnet.tsv.gz'

/** Where the material is looked for when nobody says. */
export function materialBeside(corpora: string): string {
  return join(corpora, '../embedding')
}

/** Words that share a meaning. */
export interface Synset {
  readonly id: string
  readonly lemmas: readonly string[]
  readonly definitions: readonly string[]
  readonly examples: readonly string[]
  /** Ids of the synsets that are one step more general. */
  readonly hypernyms: readonly string[]
}

/**
 * The synsets in `folder`, in the order of the file.
 *
 * @throws TamisError CORPUS_INVALID when the file is not there.
 */
export function readWordNet(folder: string): Synset[] {
  const [, ...rows] = gunzipSync(readMaterial(folder, WORDNET_FILE))
    .toString('utf8')
    .trimEnd()
    .split('\n')
  return rows.map((row) => {
    const [id = '', lemmas, definitions, examples, hypernyms] = row.split('\t')
    return {
      id,
      lemmas: values(lemmas),
      definitions: values(definitions),
      examples: values(examples),
      hypernyms: values(hypernyms),
    }
  })
}

/** A file of the material; see docs/data.md. */
export function readMaterial(folder: string, name: string): Buffer {
  try {
    return readFileSync(join(folder, name))
  } catch (cause) {
    throw new TamisError('CORPUS_INVALID', `${name} is not in ${folder}; see docs/data.md`, {
      cause,
    })
  }
}

function values(field: string | undefined): string[] {
  return (field ?? '').split('|').filter((value) => value !== '')
}
