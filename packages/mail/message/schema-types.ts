/**
 * The schema.org types in a message's markup: 'Order', 'FlightReservation'.
 *
 * Mail providers read such markup to show orders, parcels and bookings, so their senders add it, as
 * JSON-LD ("@type") or as microdata (itemtype). JSON-LD is searched and not parsed: it is often broken,
 * and a parser would build whatever a stranger sends.
 */
import { JSON_LD_LENGTH_MAX } from './limits.ts'

/** Values looked at in one list of types; real lists have two. */
const LIST_LENGTH_MAX = 8

const TYPE_NAME = /^[A-Za-z][A-Za-z0-9]{0,63}$/

/** The types that the JSON-LD in `json` names, in order, with repetitions. */
export function jsonLdTypes(json: string): string[] {
  const text = json.slice(0, JSON_LD_LENGTH_MAX)
  const types: string[] = []
  let key = text.indexOf('"@type"')
  while (key >= 0) {
    types.push(...valuesAt(text, key + '"@type"'.length))
    key = text.indexOf('"@type"', key + 1)
  }
  return types.flatMap(typeName)
}

/** The types in an itemtype attribute, which holds addresses separated by white space. */
export function microdataTypes(itemtype: string): string[] {
  return itemtype.split(/\s+/, LIST_LENGTH_MAX).flatMap(typeName)
}

/** The values in `: "Order"` or `: ["Order", "Invoice"]`. */
function valuesAt(text: string, start: number): string[] {
  const list = /^\s{0,16}:\s{0,16}(?:"([^"]*)"|\[([^\]]*)\])/.exec(text.slice(start, start + 512))
  if (list?.[1] !== undefined) return [list[1]]
  return Array.from((list?.[2] ?? '').matchAll(/"([^"]*)"/g), ([, value]) => value ?? '').slice(
    0,
    LIST_LENGTH_MAX,
  )
}

/** 'Order' for 'http://schema.org/Order'; nothing for a value that is not a name. */
function typeName(value: string): string[] {
  const name = value.slice(Math.max(value.lastIndexOf('/'), value.lastIndexOf('#')) + 1)
  return TYPE_NAME.test(name) ? [name] : []
}
