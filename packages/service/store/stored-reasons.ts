/** The reasons of an entry of the history as they are stored: pairs of name and points. */
import type { NamedCorrection } from '../../mail/personalization/named-correction.ts'
import type { NamedReason } from '../../mail/verdict/sentence.ts'

/** The third is there only of what a sender claims, where that was checked, of what a scanner found, and of a correction. */
export type ReasonRow = [
  name: string,
  points: number,
  more?:
    | NonNullable<NamedReason['claim']>
    | { readonly signature: string }
    | { readonly correction: StoredCorrection },
]

/** With its time in milliseconds since 1970. */
type StoredCorrection = Omit<NamedCorrection, 'createdAt'> & { readonly createdAt: number }

export function reasonRow({ name, points, claim, signature, correction }: NamedReason): ReasonRow {
  if (correction !== undefined) {
    const createdAt = correction.createdAt.getTime()
    return [name, points, { correction: { ...correction, createdAt } }]
  }
  const more = signature === undefined ? claim : { signature }
  return more === undefined ? [name, points] : [name, points, more]
}

export function reasonOf([name, points, more]: ReasonRow): NamedReason {
  if (more === undefined) return { name, points }
  if (typeof more === 'string') return { name, points, claim: more }
  if ('signature' in more) return { name, points, ...more }
  const createdAt = new Date(more.correction.createdAt)
  return { name, points, correction: { ...more.correction, createdAt } }
}
