/** Converts columns to the fields of the domain. */

/** A copy with its own memory: pg gives views into the received data, and would keep all of it. */
export function bytes(column: Uint8Array): Uint8Array {
  return new Uint8Array(column)
}

export function date(column: number): Date {
  return new Date(column)
}

/** An object with the field, or without it where the column is null. */
export function optional<Name extends string, Column, Value = Column>(
  name: Name,
  column: Column | null,
  read: (column: Column) => Value,
): { readonly [name in Name]?: Value } {
  return column === null ? {} : ({ [name]: read(column) } as { readonly [name in Name]?: Value })
}

/** @throws RangeError unless `limit` is a whole number of at least 1. */
export function checkLimit(limit: number): number {
  if (!Number.isInteger(limit) || limit < 1) throw new RangeError(`A limit of ${limit}`)
  return limit
}
