/** What the JSON of an artifact must hold, as a value from which its type follows. */
import { TamisError } from '../errors/errors.ts'

/** `[shape]` is an array; `{ '*': shape }` an object whose names are its own. An object may hold more than it must. */
export type Shape =
  | 'string'
  | 'number'
  | 'boolean'
  | readonly [Shape]
  | { readonly [name: string]: Shape }

export type Shaped<Of extends Shape> = Of extends 'string'
  ? string
  : Of extends 'number'
    ? number
    : Of extends 'boolean'
      ? boolean
      : Of extends readonly [infer Element extends Shape]
        ? Shaped<Element>[]
        : Of extends { readonly '*': infer Value extends Shape }
          ? Record<string, Shaped<Value>>
          : { -readonly [Name in keyof Of]: Of[Name] extends Shape ? Shaped<Of[Name]> : never }

/**
 * `value`, which has `shape`.
 *
 * @param name of the artifact.
 * @throws TamisError ARTIFACT_MISMATCH naming the place where it has another.
 */
export function shaped<Of extends Shape>(shape: Of, value: unknown, name: string): Shaped<Of> {
  const place = misshapen(shape, value, '')
  if (place === undefined) return value as Shaped<Of>
  throw new TamisError(
    'ARTIFACT_MISMATCH',
    `The manifest of ${name} is malformed at ${place === '' ? '/' : place}`,
  )
}

/** Where `value`, which is at `place`, has another shape first. */
function misshapen(shape: Shape, value: unknown, place: string): string | undefined {
  if (typeof shape === 'string') {
    const isSound = typeof value === shape && (shape !== 'number' || Number.isFinite(value))
    return isSound ? undefined : place
  }
  const isArray = Array.isArray(shape)
  if (typeof value !== 'object' || value === null || Array.isArray(value) !== isArray) return place
  const own = value as Readonly<Record<string, unknown>>
  const every = isArray ? (shape[0] as Shape) : (shape as Readonly<Record<string, Shape>>)['*']
  const entries: [string, Shape][] =
    every === undefined ? Object.entries(shape) : Object.keys(own).map((name) => [name, every])
  for (const [name, each] of entries) {
    const found = misshapen(each, own[name], `${place}/${name}`)
    if (found !== undefined) return found
  }
  return undefined
}
