/**
 * The keys of a message's signatures, within an allowance of work.
 *
 * The owner of a signing domain chooses the key, and with it what a verification costs: with a public exponent as long as the
 * modulus some two hundred times as much as with the one that everybody uses. So keys beyond what honest domains publish are
 * refused before anything is computed with them, and the others share an allowance in which the signatures of the domains in
 * From come first. A signature whose key is refused is `permerror`: whoever forges a From has gained nothing by it.
 */
import { createPublicKey, type KeyObject } from 'node:crypto'
import { asciiDomain } from '../../mail/message/domain.ts'
import type { HeaderField } from '../../mail/message/message.ts'
import { isAligned } from './author.ts'
import type { MessageResolver, Resolve } from './resolver.ts'

/** Longest RSA modulus accepted, in bits. Longer ones need not be verified (RFC 8301 §3.2), and do not fit a DNS answer by UDP. */
const MODULUS_BITS_MAX = 4096

/** Largest public exponent accepted. Nearly all keys have 65537, a few have 3. */
const EXPONENT_MAX = 2n ** 32n

/** Modulus and multiplications of the usual key, of 2,048 bits with the exponent 65537, whose verification is the unit of work. */
const USUAL_BITS = 2048
const USUAL_STEPS = 17

/** Work of a verification by Ed25519. */
const ED25519_WORK = 2

/** Least work of a verification: its hash, and reading the key. */
const WORK_MIN = 0.5

/** Work for the signatures of one message, in verifications with the usual key, some 40 µs each: twice what eight signatures and a chain of ten hosts need. */
const WORK_MAX = 40

/** The code of the error for a key that is refused. mailauth puts it in the comment of its result. */
const REFUSED = 'EKEYREFUSED'

/** True when a result with this comment was not reached because the key was refused. */
export function isRefusedKey(comment: string | undefined): boolean {
  return comment?.endsWith(REFUSED) === true
}

/**
 * Asks as `dns` does, but for keys with which the signatures in `fields` would cost too much. All keys are asked for at once,
 * so that slow servers of one domain do not use up the time of another.
 *
 * @param authors the domains in From; their signatures have the first share of the work.
 */
export function keysWithinWork(
  fields: readonly HeaderField[],
  authors: readonly string[],
  dns: Pick<MessageResolver, 'resolve'>,
): Resolve {
  const signatures = fields.filter(({ name }) => SIGNATURE_FIELDS.has(name))
  const names = keyNames(signatures, authors)
  const answers = new Map<string, Promise<KeyAnswer>>()
  let left = Promise.resolve(WORK_MAX)
  for (const [name, times] of countOf(names)) {
    const asked = answerOf(dns.resolve(name, 'TXT'))
    const before = left
    const answer = Promise.all([asked, before]).then(([it, work]) => affordable(it, times, work))
    left = Promise.all([answer, before]).then(([{ work = 0 }, most]) => most - work)
    answers.set(name, answer)
  }
  return async (name, type) => {
    if (type !== 'TXT' || !name.includes('._domainkey.')) return dns.resolve(name, type)
    const known = answers.get(name.toLowerCase())
    // A name that mailauth reads and we do not may be that of all signatures.
    const answer = await (known ??
      answerOf(dns.resolve(name, type)).then(async (it) =>
        affordable(it, signatures.length, await left),
      ))
    if ('error' in answer) throw answer.error
    return answer.records
  }
}

/** The answer for one key, and how much work its signatures take. */
type KeyAnswer =
  | { readonly records: unknown[]; readonly work: number }
  | { readonly error: unknown; readonly work?: undefined }

/** The answer with the work of one verification. It never rejects. */
async function answerOf(asked: Promise<unknown[]>): Promise<KeyAnswer> {
  try {
    const records = await asked
    return { records, work: Math.max(WORK_MIN, workOf(records)) }
  } catch (error) {
    return { error }
  }
}

/** `answer` for `times` signatures; a refusal when they take more than `workLeft`. */
function affordable(answer: KeyAnswer, times: number, workLeft: number): KeyAnswer {
  if (answer.work === undefined) return answer
  const work = answer.work * times
  if (work <= workLeft) return { records: answer.records, work }
  return { error: Object.assign(new Error('The key costs too much'), { code: REFUSED }) }
}

/** The names of the keys of `signatures`, those of the domains in From first, those of ARC last. */
function keyNames(signatures: readonly HeaderField[], authors: readonly string[]): string[] {
  const rank = ({ name, body }: HeaderField) => {
    if (name !== 'dkim-signature') return 2
    return isSignedBy(body, authors) ? 0 : 1
  }
  return signatures
    .toSorted((a, b) => rank(a) - rank(b))
    .flatMap(({ body }) => {
      const { domain, selector } = signerOf(body)
      return domain === '' || selector === '' ? [] : [`${selector}._domainkey.${domain}`]
    })
}

const SIGNATURE_FIELDS: ReadonlySet<string> = new Set([
  'dkim-signature',
  'arc-message-signature',
  'arc-seal',
])

/** How often each name occurs, in order of the first time. */
function countOf(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

/** Whether the signature in `body` claims to be of one of the domains `authors`, or of its organisation. */
export function isSignedBy(body: string, authors: readonly string[]): boolean {
  const { domain } = signerOf(body)
  return authors.some((author) => isAligned(domain, author, 'relaxed'))
}

/** Tags read of one signature; RFC 6376 §3.5 defines fourteen. */
const TAGS_MAX = 32

/** The tags `d=` and `s=` of a signature, in lower case and ASCII; '' for one that is missing. */
function signerOf(body: string): { readonly domain: string; readonly selector: string } {
  const tags = new Map<string, string>()
  for (const tag of body.split(';', TAGS_MAX)) {
    const equals = tag.indexOf('=')
    const name = tag.slice(0, Math.max(0, equals)).trim()
    if (name === 'd' || name === 's') tags.set(name, tag.slice(equals + 1).replace(/\s+/g, ''))
  }
  const ascii = (name: string) => asciiDomain((tags.get(name) ?? '').toLowerCase())
  return { domain: ascii('d'), selector: ascii('s') }
}

/** The work of one verification with the costliest key in `records`; Infinity when it is not to be accepted, 0 when there is none. */
function workOf(records: readonly unknown[]): number {
  const [record] = records
  const text = (Array.isArray(record) ? record.join('') : String(record ?? '')).replace(/\s+/g, '')
  const works = [...text.matchAll(KEY_TAG)].map(([, key]) => workOfKey(Buffer.from(key!, 'base64')))
  return Math.max(0, ...works)
}

/** The tag `p=` of a key record (RFC 6376 §3.6.1). */
const KEY_TAG = /(?:^|;)p=([^;]*)/gi

function workOfKey(bytes: Buffer): number {
  const { modulusLength, publicExponent } = readKey(bytes)?.asymmetricKeyDetails ?? {}
  if (modulusLength === undefined || publicExponent === undefined) return ED25519_WORK
  if (modulusLength > MODULUS_BITS_MAX || publicExponent > EXPONENT_MAX) return Infinity
  const exponent = publicExponent.toString(2)
  // By squaring and multiplying: a step for each bit after the first, and one more for each of these that is set.
  const steps = exponent.length + exponent.replaceAll('0', '').length - 2
  return ((modulusLength / USUAL_BITS) ** 2 * steps) / USUAL_STEPS
}

/** The RSA key in `bytes`, in either form in which it is published; undefined for anything else. */
function readKey(bytes: Buffer): KeyObject | undefined {
  for (const type of ['spki', 'pkcs1'] as const) {
    try {
      return createPublicKey({ key: bytes, format: 'der', type })
    } catch {
      // mailauth tells what is wrong with a key that is none.
    }
  }
  return undefined
}
