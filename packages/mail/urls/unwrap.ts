/**
 * Links that contain another link: gateways on the receiving side put their own address before the
 * sender's, and large sites redirect their visitors. The target is read from the link itself; nothing is
 * fetched.
 *
 * A wrapper says nothing about the message (rspamd#2279: every Safe Link was a phishing hit), but its
 * target does. Wrappers that hold a number instead of the target (Mimecast, most shorteners) stay as they
 * are. The formats are as documented by their makers (Proofpoint's "URL Defense Decoder", Microsoft's
 * "Safe Links in Defender for Office 365"), or else as observed.
 */
import { oneOf, readTable, requiredText, words } from '../data-table.ts'
import { parseUrl } from '../message/domain.ts'
import { browserReading, canonicalUrl, URL_LENGTH_MAX } from './canonical.ts'

/** Wrappers within wrappers that are opened: a gateway on either side, a mailing service and two open redirects. */
export const WRAPPERS_MAX = 5

type Reader = (url: URL) => string | undefined

interface Wrapper {
  /** The host; with a dot before it, any host below it. */
  readonly host: string
  /** The beginning of the path. */
  readonly path: string
  readonly target: Reader
}

/** Forms of the target other than a parameter: `base64` is one of the parameter `u`. */
const FORMS = {
  base64: base64Target,
  urlDefense2,
  urlDefense3,
  lastSegment,
  googleAmp,
  bingTarget,
} satisfies Readonly<Record<string, Reader>>

const WRAPPERS: readonly Wrapper[] = readTable(new URL('wrappers.tsv', import.meta.url), {
  host: requiredText,
  path: requiredText,
  parameters: words,
  form: oneOf('', ...(Object.keys(FORMS) as (keyof typeof FORMS)[])),
}).map(({ host, path, parameters, form }) => ({
  host,
  path,
  target: form === '' ? parameter(parameters) : FORMS[form],
}))

/** Wrappers by host, without the leading dot: a link's host is looked up, and then each part after one of its dots. */
const WRAPPERS_BY_HOST: ReadonlyMap<string, readonly Wrapper[]> = Map.groupBy(
  WRAPPERS,
  ({ host }) => (host.startsWith('.') ? host.slice(1) : host),
)

/** The last two labels of all these hosts: they rule out most links at once. */
const WRAPPER_DOMAINS: ReadonlySet<string> = new Set(
  [...WRAPPERS_BY_HOST.keys()].map((host) => host.split('.').slice(-2).join('.')),
)

/** Labels before a wrapper's name that are removed; Safe Links has one, for the region. */
const EXTRA_LABELS_MAX = 3

/** Google's domains for other countries redirect in the same way. */
const GOOGLE = /^(?:www\.)?google\.(?:[a-z]{2,3}|com?\.[a-z]{2})$/

/**
 * The targets in `href`, one for each wrapper, the outermost wrapper's target first; empty when it is not
 * a wrapper. Wrappers nested deeper than WRAPPERS_MAX stay unopened.
 */
export function unwrapped(href: string): string[] {
  const targets: string[] = []
  let target: string | undefined = href
  while (targets.length < WRAPPERS_MAX) {
    const reading = browserReading(target)
    target = wrapperTarget(reading, canonicalUrl(reading)?.host ?? '')
    if (target === undefined) break
    targets.push(target)
  }
  return targets
}

/** The link inside `reading` (see browserReading), whose canonical host is `host`; undefined when it is not a wrapper. */
export function wrapperTarget(reading: string, host: string): string | undefined {
  const candidates = wrappersOf(host)
  if (candidates.length === 0) return undefined
  const url = parseUrl(reading.slice(0, URL_LENGTH_MAX))
  const wrapper = candidates.find(({ path }) => url?.pathname.startsWith(path))
  const target = url === null ? undefined : wrapper?.target(url)
  return target !== undefined && /^https?:\/\//i.test(target) ? target : undefined
}

function wrappersOf(host: string): readonly Wrapper[] {
  const domain = host.slice(host.lastIndexOf('.', host.lastIndexOf('.') - 1) + 1)
  const isGoogle = host.includes('google.') && GOOGLE.test(host)
  if (!isGoogle && !WRAPPER_DOMAINS.has(domain)) return []
  const named = WRAPPERS_BY_HOST.get(isGoogle ? 'www.google.com' : host)
  if (named !== undefined) return named
  let suffix = host
  for (let labels = 0; labels < EXTRA_LABELS_MAX; labels += 1) {
    const dot = suffix.indexOf('.')
    if (dot < 0) break
    suffix = suffix.slice(dot + 1)
    const under = WRAPPERS_BY_HOST.get(suffix)?.filter((wrapper) => wrapper.host.startsWith('.'))
    if (under !== undefined) return under
  }
  return []
}

/** Reads the first of these parameters that is present, decoded. */
function parameter(names: readonly string[]): Reader {
  return ({ searchParams }) => {
    const name = names.find((each) => searchParams.has(each))
    return name === undefined ? undefined : (searchParams.get(name) ?? undefined)
  }
}

function base64Target({ searchParams }: URL): string {
  // An unescaped plus sign in base64 arrives as a space.
  return base64Text(searchParams.get('u')?.replaceAll(' ', '+') ?? '')
}

function base64Text(text: string): string {
  return Buffer.from(text, 'base64').toString('utf8')
}

/** Form 2 of URL Defense writes '-' for '%' and '_' for '/'. */
function urlDefense2({ searchParams }: URL): string | undefined {
  const written = searchParams.get('u')
  return written === null
    ? undefined
    : percentDecoded(written.replaceAll('-', '%').replaceAll('_', '/'))
}

/** The index of a letter here gives the number of characters that `**A`, `**B` … of URL Defense stand for: two, three … */
const RUN_LENGTHS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const RUN_LENGTH_MIN = 2

/**
 * Form 3 of URL Defense: `/v3/__` target `__;` characters `!!` and a signature. In the target a
 * `*` stands for one of the characters, in their order, and `**` with a letter for as many as
 * RUN_LENGTHS says. The characters are base64 in its URL alphabet.
 */
function urlDefense3({ href }: URL): string | undefined {
  const start = href.indexOf('/v3/__') + '/v3/__'.length
  const end = href.lastIndexOf('__;')
  if (end < start) return undefined
  const signature = href.indexOf('!', end)
  const encoded = href.slice(end + '__;'.length, signature < 0 ? href.length : signature)
  const characters = [...base64Text(encoded)]
  let used = 0
  const target = href.slice(start, end).replaceAll(/\*(?:\*[\w-])?/g, (token) => {
    const count = token === '*' ? 1 : RUN_LENGTHS.indexOf(token.charAt(2)) + RUN_LENGTH_MIN
    used += count
    return characters.slice(used - count, used).join('')
  })
  // Some mail software drops one of the two slashes.
  return target.replace(/^(https?:\/)(?=[^/])/i, '$1/')
}

/** Cisco: the target, escaped whole, is the last segment of the path. */
function lastSegment({ pathname }: URL): string | undefined {
  return percentDecoded(pathname.slice(pathname.lastIndexOf('/') + 1))
}

/** Google's AMP viewer: the host and path of the page follow unescaped. */
function googleAmp({ pathname, search }: URL): string {
  return `https://${pathname.slice('/amp/s/'.length)}${search}`
}

/** Bing: 'a1' and the target in base64. */
function bingTarget({ searchParams }: URL): string | undefined {
  const written = searchParams.get('u')
  return written?.startsWith('a1') ? base64Text(written.slice('a1'.length)) : undefined
}

function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
