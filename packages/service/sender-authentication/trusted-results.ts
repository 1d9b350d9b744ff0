/**
 * What a host that the operator trusts found out about a message, read from fields that only that host
 * can have written.
 *
 * Hosts add fields on top. Everything that the sender sent, including forged Authentication-Results of
 * any name, is below what the receiving host wrote; RFC 8601 §5 requires that host to remove forged
 * fields with its own name, but not every host does. So the name in a field proves nothing, and its
 * place proves everything. From the top:
 *
 * 1. The topmost Authentication-Results field decides. If it has another name, none counts: what is
 *    below it came from the host that wrote it.
 * 2. If it is above every Received field, the trusted host wrote it above its own Received field, and
 *    nothing above that field is from outside. There all fields with trusted names count, up to the
 *    first with another name; hosts with one program for each method write several.
 * 3. If it is below a Received field, the host writes it below its own (as Gmail and some milters do),
 *    and the message as it was sent may begin in the next line. Only this one field counts: one with the
 *    same name right below it cannot be told from a forged one.
 *
 * If two fields have one method, the upper one counts, so that nothing below revokes what is above. The
 * operator has to make sure of two things: the trusted host adds its field to every message (or removes
 * forged ones), and messages reach us with that host's Received field.
 */
import type { HeaderField, Message } from '../../mail/message/message.ts'
import {
  type AuthenticationResults,
  parseAuthenticationResults,
  type Statement,
} from './authentication-results.ts'
import { organisationalDomain } from './author.ts'
import {
  type DmarcResult,
  dmarcResult,
  type MethodResult,
  type MethodResults,
  methodResult,
  resultWord,
} from './results.ts'

/** Fields looked at for results. Stops a header of 2,000 Authentication-Results fields. */
const RESULT_FIELDS_MAX = 16

/** Results of signatures read for one message; more of them tell nothing more. */
const SIGNATURES_MAX = 16

/** What the host named by `authservIds` found; undefined when no field of it counts. */
export function trustedResults(
  message: Pick<Message, 'fields'>,
  authservIds: readonly string[],
): MethodResults | undefined {
  const trusted = new Set(authservIds.map((id) => id.toLowerCase()))
  const results = ownResults(message.fields, trusted)
  if (results.length === 0) return undefined
  return {
    spf: statementsOf(results, 'spf')[0],
    dkim: statementsOf(results, 'dkim').slice(0, SIGNATURES_MAX),
    dmarc: trustedDmarc(results),
    arc: statementsOf(results, 'arc')[0],
  }
}

/** The fields that the trusted host wrote, topmost first. */
function ownResults(
  fields: readonly HeaderField[],
  trusted: ReadonlySet<string>,
): AuthenticationResults[] {
  const firstReceived = fields.findIndex(({ name }) => name === 'received')
  const above = fields.slice(0, Math.max(0, firstReceived))
  if (above.some(isResults)) return trustedRun(above, trusted)
  const topmost = fields.find(isResults)
  return topmost === undefined ? [] : trustedRun([topmost], trusted)
}

function isResults({ name }: HeaderField): boolean {
  return name === 'authentication-results'
}

/** The fields with trusted names up to the first that has another name or cannot be read. */
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

/** What the topmost field with results for `method` says. */
function statementsOf(results: readonly AuthenticationResults[], method: Method): MethodResult[] {
  return rawStatements(results, method).flatMap((statement) => {
    const word = resultWord(statement.result)
    return word === undefined ? [] : [methodResult(word, IDENTITY[method](statement))]
  })
}

function trustedDmarc(results: readonly AuthenticationResults[]): DmarcResult | undefined {
  const [result] = statementsOf(results, 'dmarc')
  const [statement] = rawStatements(results, 'dmarc')
  return result && dmarcResult(result, statement && policyWord(statement, result.domain))
}

/** `p` and `sp` as Gmail and OpenDMARC note them, `policy` as Rspamd does. */
const NOTED_POLICY = /\b(s?p|policy)=(none|quarantine|reject)\b/gi

/**
 * The word for the policy: that of RFC 9989 §9.1, or of Fastmail's milter; else the one in a comment. One for domains below
 * its own goes before.
 */
function policyWord(
  { properties, comments }: Statement,
  domain: string | undefined,
): string | undefined {
  const named = properties.get('policy.dmarc') ?? properties.get('policy.published-domain-policy')
  if (named !== undefined) return named
  const noted = new Map(
    [...comments.matchAll(NOTED_POLICY)].map(([, name, word]) => [name!.toLowerCase(), word]),
  )
  const isBelow = domain !== undefined && organisationalDomain(domain) !== domain
  return (isBelow ? noted.get('sp') : undefined) ?? noted.get('p') ?? noted.get('policy')
}

function rawStatements(results: readonly AuthenticationResults[], method: Method): Statement[] {
  const speaking = results.find(({ statements }) => statements.some((it) => it.method === method))
  return (speaking?.statements ?? []).filter((statement) => statement.method === method)
}

type Method = 'spf' | 'dkim' | 'dmarc' | 'arc'

/** Where a statement of each method names its domain, RFC 8601 §2.7 and RFC 8617 §6. */
const IDENTITY: Readonly<Record<Method, (statement: Statement) => string | undefined>> = {
  spf: ({ properties }) =>
    domainOfIdentity(properties.get('smtp.mailfrom') || properties.get('smtp.helo')),
  dkim: ({ properties }) =>
    properties.get('header.d') ?? domainOfIdentity(properties.get('header.i')),
  dmarc: ({ properties }) => domainOfIdentity(properties.get('header.from')),
  arc: ({ properties }) => properties.get('header.d'),
}

/** 'example.com' for 'ada@example.com', '@example.com' or 'example.com'. */
function domainOfIdentity(identity: string | undefined): string | undefined {
  return identity?.slice(identity.lastIndexOf('@') + 1)
}
