/**
 * The STS Benchmark: pairs of sentences and how alike people found them, 0 to 5. Cer et al.,
 * SemEval-2017 Task 1; German and Spanish are translations of it (stsb-multi-mt). For measuring
 * only: nothing is trained on it, nor are words counted in it.
 */
import { denseSimilarity, type TextEmbedding } from '../../../mail/embedding/embedding-model.ts'
import { meanOf } from '../metrics.ts'

/** Languages of which there is a development split. */
export const STS_LANGUAGES = ['en', 'de', 'es'] as const

export interface RatedPair {
  readonly first: string
  readonly second: string
  readonly rating: number
}

/** Rows of two sentences and a rating (RFC 4180, without line ends in fields). */
export function readRatedPairs(csv: string): RatedPair[] {
  return csv
    .trimEnd()
    .split(/\r?\n/)
    .map((row) => {
      const [first = '', second = '', rating = ''] = fieldsOf(row)
      return { first, second, rating: Number(rating) }
    })
}

/** Spearman's correlation between the cosines that `model` gives the pairs and their ratings. */
export async function stsCorrelation(
  model: TextEmbedding,
  pairs: readonly RatedPair[],
): Promise<number> {
  const cosines: number[] = []
  for (const { first, second } of pairs) {
    cosines.push(denseSimilarity(await model.embed(first), await model.embed(second)))
  }
  return spearman(
    cosines,
    pairs.map(({ rating }) => rating),
  )
}

/** Pearson's correlation between the ranks of two lists of one length, ties sharing the middle of their ranks. */
export function spearman(a: readonly number[], b: readonly number[]): number {
  return pearson(ranks(a), ranks(b))
}

function pearson(a: readonly number[], b: readonly number[]): number {
  const [meanA, meanB] = [meanOf(a), meanOf(b)]
  let both = 0
  let squaresA = 0
  let squaresB = 0
  a.forEach((value, i) => {
    both += (value - meanA) * (b[i]! - meanB)
    squaresA += (value - meanA) ** 2
    squaresB += (b[i]! - meanB) ** 2
  })
  return both / Math.sqrt(squaresA * squaresB)
}

function ranks(values: readonly number[]): number[] {
  const order = [...values.keys()].sort((i, j) => values[i]! - values[j]!)
  const found = new Array<number>(values.length)
  for (let start = 0; start < order.length; ) {
    let end = start
    while (end < order.length && values[order[end]!] === values[order[start]!]) end++
    for (let i = start; i < end; i++) found[order[i]!] = (start + end - 1) / 2
    start = end
  }
  return found
}

function fieldsOf(row: string): string[] {
  const fields: string[] = []
  let field = ''
  let quoted = false
  for (let i = 0; i < row.length; i++) {
    const character = row[i]!
    if (character === '"' && quoted && row[i + 1] === '"') {
      field += '"'
      i++
    } else if (character === '"') quoted = !quoted
    else if (character === ',' && !quoted) {
      fields.push(field)
      field = ''
    } else field += character
  }
  return [...fields, field]
}
