/** A request to the service from a form of the reference, and its answer as it is shown. */
import { sessionKey } from '../api.ts'
import type { Parameter, Route } from './interface.ts'
import { readable } from './readable.ts'

/** The service that the page came from, with the path in front of its own; ends in a slash. */
export const SERVICE: string = new URL('.', location.href).href

/** Characters of an answer that are shown: text of a message may be as long as the message. */
const SHOWN_MAX = 100_000

/** What is in the fields of a form. */
export interface Values {
  /** By place and name, as in `header X-User-ID`; an empty one is not sent. */
  readonly parameters: Readonly<Record<string, string>>
  /** The raw message or the JSON; empty if the route takes none. */
  readonly body: string
}

export interface Answer {
  readonly status: number
  readonly statusText: string
  /** From the request to the end of the answer. */
  readonly ms: number
  /** As it is shown. */
  readonly text: string
  /** Characters that are not shown. */
  readonly left: number
}

export function fieldName({ in: place, name }: Parameter): string {
  return `${place} ${name}`
}

/** @throws TypeError if the service cannot be reached. */
export async function send(route: Route, values: Values): Promise<Answer> {
  const started = performance.now()
  const key = sessionKey()
  const response = await fetch(urlOf(route, values), {
    method: route.method,
    headers: {
      ...headersOf(route, values),
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
    },
    ...(route.bodyType !== undefined && { body: values.body }),
    cache: 'no-store',
  })
  const text = readable(await response.text())
  const ms = performance.now() - started
  const { status, statusText } = response
  const left = Math.max(0, text.length - SHOWN_MAX)
  return { status, statusText, ms, text: text.slice(0, SHOWN_MAX), left }
}

function urlOf({ path, parameters }: Route, values: Values): URL {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(values.parameters[`path ${name}`] ?? ''),
  )
  const url = new URL(filled.slice(1), SERVICE)
  for (const [name, value] of given('query', parameters, values)) url.searchParams.set(name, value)
  return url
}

function headersOf({ parameters, bodyType }: Route, values: Values): Record<string, string> {
  const headers = given('header', parameters, values).map(([name, value]) => [name, inUtf8(value)])
  return {
    ...Object.fromEntries(headers),
    ...(bodyType !== undefined && { 'content-type': bodyType }),
  }
}

function given(
  place: Parameter['in'],
  parameters: readonly Parameter[],
  values: Values,
): [string, string][] {
  return parameters
    .filter((each) => each.in === place)
    .map((each): [string, string] => [each.name, values.parameters[fieldName(each)] ?? ''])
    .filter(([, value]) => value !== '')
}

/** Header values are UTF-8 to the service and bytes to `fetch`, one character each. */
function inUtf8(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('')
}
