/**
 * What a host that the operator trusts found out about a message, from the fields that it wrote
 * itself and nobody else can have written.
 *
 * Hosts write on top. All that the sender sent, forged Authentication-Results of any name among
 * it, stands below what the receiving host wrote; RFC 8601 §5 has that host take forged fields of
 * its own name out, but not every host does. So the name in a field proves nothing and its place
 * proves everything. From the top:
 *
 * 1. The topmost Authentication-Results field decides. Is it of another name, then none counts:
 *    what stands below it came in from the host that wrote it.
 * 2. Does it stand above every Received field, then the trusted host wrote it above its own, and
 *    what lies between the top and that Received field is not from outside. There all fields of
 *    trusted names count, up to the first of another name; hosts with one program for each
 *    method write several.
 * 3. Does it stand below a Received field, then the host writes it below its own (as Gmail and
 *    some milters do), and the message as it was sent may begin in the next line. Only this one
 *    field counts: one of the same name right below it cannot be told from a forged one.
 *
 * Where two fields speak of one method the upper counts, so that nothing below takes back what
 * stands above. Two things are the operator's to know: the trusted host adds its field to every
 * message (or takes forged ones out), and we get messages with that host's Received field.
 */
import type { HeaderField, Message } from '../../mail/message/message.ts'
import {
  type AuthenticationResults,
  parseAuthenticationResults,
  type Statement,
} from './authentication-results.ts'
import { parseReceivedSpf } from './received-spf.ts'
import { type MethodResult, type MethodResults, methodResult, resultWord } from './results.ts'

/** Fields looked at for results. Stops a header of 2,000 Authentication-Results fields. */
const RESULT_FIELDS_MAX = 16

/** The signatures told of one message; more of them say no more. */
const SIGNATURES_MAX = 16

/** What the host named by `authservIds` found; undefined when no field of it counts. */
export function trustedResults(
  message: Pick<Message, 'fields'>,
  authservIds: readonly string[],
): MethodResults | undefined {
  const trusted = new Set(authservIds.map((id) => id.toLowerCase()))
  const own = ownFields(message.fields, trusted)
  const spf = statementsOf(own.results, 'spf')[0] ?? own.receivedSpf
  if (own.results.length === 0 && spf === undefined) return undefined
  return {
    spf,
    dkim: statementsOf(own.results, 'dkim').slice(0, SIGNATURES_MAX),
    dmarc: statementsOf(own.results, 'dmarc')[0],
    arc: statementsOf(own.results, 'arc')[0],
  }
}

interface OwnFields {
  /** Topmost first. */
  readonly results: readonly AuthenticationResults[]
  readonly receivedSpf: MethodResult | undefined
}

/** The fields that the trusted host wrote. */
function ownFields(fields: readonly HeaderField[], trusted: ReadonlySet<string>): OwnFields {
  const firstReceived = fields.findIndex(({ name }) => name === 'received')
  const above = firstReceived < 0 ? [] : fields.slice(0, firstReceived)
  const receivedSpf = receivedSpfOf(above, trusted)
  const results = trustedRun(above, trusted)
  if (above.some(isResults)) return { results, receivedSpf }
  const topmost = fields.find(isResults)
  return { results: trustedRun(topmost === undefined ? [] : [topmost], trusted), receivedSpf }
}

function isResults({ name }: HeaderField): boolean {
  return name === 'authentication-results'
}

/** Fields of trusted names up to the first that is of another name or cannot be read. */
function trustedRun(
  fields: readonly HeaderField[],
  trusted: ReadonlySet<string>,
): AuthenticationResults[] {
  const run: AuthenticationResults[] = []
  for (const { rawBody } of fields.filter(isResults).slice(0, RESULT_FIELDS_MAX)) {
    const results = parseAuthenticationResults(rawBody)
    if (results === undefined || !trusted.has(results.authservId)) break
    run.push(results)
  }
  return run
}

/**
 * Of Received-SPF only the topmost counts, above every Received field and when it names its host
 * ('receiver'): few do, and the others could be anybody's.
 */
function receivedSpfOf(
  above: readonly HeaderField[],
  trusted: ReadonlySet<string>,
): MethodResult | undefined {
  const field = above.find(({ name }) => name === 'received-spf')
  const spf = field === undefined ? undefined : parseReceivedSpf(field.rawBody)
  const word = spf === undefined ? undefined : resultWord(spf.result)
  if (spf === undefined || word === undefined) return undefined
  if (!trusted.has(spf.pairs.get('receiver')?.toLowerCase() ?? '')) return undefined
  const sender = spf.pairs.get('envelope-from') ?? ''
  return methodResult(word, domainOfIdentity(sender === '' ? spf.pairs.get('helo') : sender))
}

/** What the topmost field that speaks of `method` says of it. */
function statementsOf(results: readonly AuthenticationResults[], method: Method): MethodResult[] {
  const speaking = results.find(({ statements }) => statements.some((it) => it.method === method))
  return (speaking?.statements ?? [])
    .filter((statement) => statement.method === method)
    .flatMap((statement) => {
      const word = resultWord(statement.result)
      return word === undefined ? [] : [methodResult(word, IDENTITY[method](statement))]
    })
}

type Method = 'spf' | 'dkim' | 'dmarc' | 'arc'

/** Where a statement names the domain that it is about, RFC 8601 §2.7 and RFC 8617 §6. */
const IDENTITY: Readonly<Record<Method, (statement: Statement) => string | undefined>> = {
  spf: ({ properties }) =>
    domainOfIdentity(properties.get('smtp.mailfrom') || properties.get('smtp.helo')),
  dkim: ({ properties }) =>
    properties.get('header.d') ?? domainOfIdentity(properties.get('header.i')),
  dmarc: ({ properties }) => domainOfIdentity(properties.get('header.from')),
  arc: ({ properties }) => properties.get('header.d'),
}

/** 'example.com' of 'ada@example.com', '@example.com' or 'example.com'. */
function domainOfIdentity(identity: string | undefined): string | undefined {
  return identity?.slice(identity.lastIndexOf('@') + 1)
}
