/**
 * A message with the fields that users of spamd expect (X-Spam-*) and ours (X-Tamis-*) above its own, and
 * without fields of these names that it came with, which this host did not write. Everything else, line
 * ends included, is unchanged.
 */
import { hostname } from 'node:os'
import { ownVersion } from '../../../terminal/version.ts'
import { asciiHeaderValue } from '../../http/header-value.ts'
import { type Field, judgedAs, tamisFields, wordsField } from '../../http/message-line.ts'
import type { ReasonsResult } from '../../http/results.ts'
import type { MessageSummary } from '../../http/schemas.ts'

/** Fields that only this host may write, with their continuation lines: X-Spam, which Rspamd writes, X-Spam-* and X-Tamis-*. */
const OWN = /(?<=^|\n)x-(?:spam(?:-|[ \t]?:)|tamis-)[^\n]*\n?(?:[ \t][^\n]*\n?)*/gi

/** The beginning of a mailbox file's first line (mbox), which has to stay first. */
const MBOX_LINE = /^From [^\n]*\n?/

/** The empty line that ends a header. */
const HEADER_END = /^\r?\n|\n\r?\n/

/** Bytes of a header that are searched for forged fields: ten times what Postfix accepts (header_size_limit). Stops a message that is all header from making everybody wait. */
const HEADER_BYTES_MAX = 1024 * 1024

/** The version of Tamis, for the fields. */
const version = ownVersion()

/** What the fields say. */
export interface Marking extends ReasonsResult {
  readonly summary: MessageSummary
}

/** `message` with the fields about `found`: its header with the empty line that ends it, and the rest. */
export function markedMessage(
  message: Uint8Array,
  found: Marking,
): [header: Uint8Array, rest: Uint8Array] {
  const text = Buffer.from(message.subarray(0, HEADER_BYTES_MAX)).toString('latin1')
  const [first = ''] = MBOX_LINE.exec(text) ?? []
  const end = HEADER_END.exec(text.slice(first.length))
  const length = end === null ? text.length : first.length + end.index + end[0].length
  const fields = fieldsFor(found).map(({ name, body }) => `${name}: ${body}\n`)
  const lineEnd = /^[^\n]*\r\n/.test(text) ? '\r\n' : '\n'
  const header = [
    first,
    fields.join('').replaceAll('\n', lineEnd),
    text.slice(first.length, length).replace(OWN, ''),
  ]
  return [Buffer.from(header.join(''), 'latin1'), message.subarray(length)]
}

function fieldsFor(found: Marking): Field[] {
  const { isSpam, score, requiredScore } = found
  const names = found.reasons.map(({ name }) => asciiHeaderValue(name))
  const status = [
    `${isSpam ? 'Yes' : 'No'},`,
    `score=${score.toFixed(1)}`,
    `required=${requiredScore.toFixed(1)}`,
    ...names.map(
      (name, at) => (at === 0 ? 'tests=' : '') + name + (at < names.length - 1 ? ',' : ''),
    ),
    'autolearn=no',
    `version=${version}`,
  ]
  return [
    { name: 'X-Spam-Checker-Version', body: `Tamis ${version} on ${hostname()}` },
    ...(isSpam ? [{ name: 'X-Spam-Flag', body: 'YES' }] : []),
    { name: 'X-Spam-Level', body: '*'.repeat(Math.max(0, Math.floor(score))) },
    wordsField('X-Spam-Status', status),
    ...tamisFields(judgedAs([found], found), found.summary),
  ]
}
