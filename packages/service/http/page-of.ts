/** Pages of a list. */
import { Type } from '../json-schema.ts'

/** How many entries a caller may ask for where the list has a size of its own. */
export const Limit = (maximum: number, preset: number, what: string) =>
  Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum,
      default: preset,
      description: `Maximum number of ${what} in the answer`,
    }),
  )

/** What is shown of `found`, where one more than `limit` was asked for; `last` is the last of it if there are more. */
export function shownOf<Entry>(found: readonly Entry[], limit: number) {
  const shown = found.slice(0, limit)
  return { shown, last: found.length > limit ? shown.at(-1) : undefined }
}
