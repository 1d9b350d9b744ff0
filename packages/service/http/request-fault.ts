/**
 * Refuses requests that say twice what decides about them, before anything else is done with them: a proxy or
 * a filter in front may have read the other of the two. And those whose body is coded in a way that Node does
 * not undo: it takes `gzip, chunked` and gives the compressed bytes, which are no message.
 *
 * The host is in Host, and once more in a request target in absolute form, as proxies are sent it
 * (RFC 9112 §3.2). Node takes the first of two Host or Authorization fields, and joins other fields.
 */
import type { IncomingMessage } from 'node:http'
import { TamisError } from '../../errors/errors.ts'
import { invalidHeader } from './field-errors.ts'
import { HTTP_OPERATIONS } from './operations.ts'

/** A host with or without a port (RFC 9110 §7.2): an IPv6 address in brackets, or a name. A user name has no place in it (§4.2.4). */
const HOST = /^(?:\[[\da-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})+)(?::\d*)?$/i

/** A request target with a scheme; the other forms begin with a slash, or are an asterisk. */
const ABSOLUTE = /^(https?):\/\/([^/?#]*)/i

const OWN_HEADERS = HTTP_OPERATIONS.flatMap(({ headers }) => Object.keys(headers?.properties ?? {}))

/** The header fields of our own routes, and others that decide about a request, by their names in lower case. */
const ONCE: ReadonlyMap<string, string> = new Map(
  ['Authorization', 'Content-Type', 'Password', ...OWN_HEADERS].map((name) => [
    name.toLowerCase(),
    name,
  ]),
)

type Asked = Pick<IncomingMessage, 'httpVersion' | 'url' | 'rawHeaders'>

/** Why a request is refused: REQUEST_MALFORMED, HEADER_INVALID or TRANSFER_ENCODING_UNSUPPORTED; undefined if it has one meaning. */
export function requestFault({ httpVersion, url = '', rawHeaders }: Asked): TamisError | undefined {
  const hosts: string[] = []
  const codings: string[] = []
  const seen = new Set<string>()
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!.toLowerCase()
    if (name === 'host') hosts.push(rawHeaders[at + 1]!)
    if (name === 'transfer-encoding') codings.push(rawHeaders[at + 1]!)
    const once = ONCE.get(name)
    if (once === undefined) continue
    if (seen.has(name)) return invalidHeader(once, 'may only be sent once')
    seen.add(name)
  }
  const fault = hostFault(hosts, httpVersion, url)
  if (fault !== undefined) return new TamisError('REQUEST_MALFORMED', fault)
  if (codings.length === 0 || codings.join().trim().toLowerCase() === 'chunked') return undefined
  return new TamisError(
    'TRANSFER_ENCODING_UNSUPPORTED',
    'The only Transfer-Encoding that is accepted is chunked',
  )
}

function hostFault(hosts: readonly string[], version: string, target: string): string | undefined {
  const [host, ...others] = hosts
  if (others.length > 0) return 'The request has several Host fields'
  if (host === undefined && version !== '1.0') return 'The request has no Host field'
  if (host !== undefined && !HOST.test(host)) return 'Host is not a host with or without a port'
  if (target.startsWith('/') || target === '*') return undefined
  const [, scheme = '', named = ''] = ABSOLUTE.exec(target) ?? []
  if (!HOST.test(named)) return 'The request target is neither a path nor a URL of HTTP'
  const isSame = host !== undefined && canonical(named, scheme) === canonical(host, scheme)
  return isSame ? undefined : 'The request target and Host name different hosts'
}

/** `host` in lower case, without a port that the scheme has anyway. */
function canonical(host: string, scheme: string): string {
  const port = scheme.toLowerCase() === 'https' ? 443 : 80
  return host.toLowerCase().replace(new RegExp(`:(?:${port})?$`), '')
}

/** The header of the answer that names headers of the request which are nearly ours. */
export const IGNORED_FIELD = 'X-Tamis-Ignored'

/** Bounds what a request of many headers costs, and adds to the answer. */
const LOOKED_AT_MAX = 100
const NAMED_MAX = 8

/** `X-User-ID` by `userid`. */
const BY_LETTERS: ReadonlyMap<string, string> = new Map(
  OWN_HEADERS.map((name) => [lettersOf(name), name]),
)

/**
 * 'X-UserID (X-User-ID?)': headers of a request that differ from one of ours only by hyphens or the X at the front. They are
 * ignored, as HTTP asks (RFC 9110 §5.1), and the answer and the log say so, because a verdict without the user, or
 * without the client's address, looks like any other. Empty if there are none.
 */
export function ignoredHeaders(rawHeaders: readonly string[]): string {
  const names = rawHeaders.slice(0, 2 * LOOKED_AT_MAX).filter((_, at) => at % 2 === 0)
  const found = names.flatMap((name) => {
    const meant = BY_LETTERS.get(lettersOf(name))
    const isOurs = meant === undefined || meant.toLowerCase() === name.toLowerCase()
    return isOurs ? [] : [`${name} (${meant}?)`]
  })
  return found.slice(0, NAMED_MAX).join(', ')
}

function lettersOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/^x[-_]?(?=[a-z])/, '')
    .replaceAll(/[-_]/g, '')
}
