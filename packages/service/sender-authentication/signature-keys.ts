/**
 * The keys of signatures. Their owner chooses what a verification costs: with a public exponent as long as the modulus two
 * hundred times as much as usual. So keys beyond what honest domains publish are refused before anything is computed, and
 * their signatures are `permerror`: whoever forges a From has gained nothing by it.
 */
import { createPublicKey, type KeyObject } from 'node:crypto'
import { asciiDomain } from '../../mail/message/domain.ts'
import type { HeaderField } from '../../mail/message/message.ts'
import { readTags } from '../../mail/signals/origin.ts'
import { isAligned } from './author.ts'
import type { MessageResolver, Resolve } from './resolver.ts'

/** Longest RSA modulus accepted, in bits. Longer ones need not be verified (RFC 8301 §3.2), and do not fit a DNS answer by UDP. */
const MODULUS_BITS_MAX = 4096

/** Largest public exponent accepted: nearly all keys have it, a few have 3. A verification takes 0.2 ms at most. */
const EXPONENT_MAX = 65_537n

/** The code of the error for a key that is refused. mailauth puts it in the comment of its result. */
const REFUSED = 'EKEYREFUSED'

/** True when a result with this comment was not reached because the key was refused. */
export function isRefusedKey(comment: string | undefined): boolean {
  return comment?.endsWith(REFUSED) === true
}

const SIGNATURE_FIELDS: ReadonlySet<string> = new Set([
  'dkim-signature',
  'arc-message-signature',
  'arc-seal',
])

/** Asks as `dns` does, for the keys of all signatures at once, so that slow servers of one domain take no time of another. Refuses costly keys. */
export function acceptableKeys(
  fields: readonly HeaderField[],
  dns: Pick<MessageResolver, 'resolve'>,
): Resolve {
  const names = fields
    .filter(({ name }) => SIGNATURE_FIELDS.has(name))
    .map(({ body }) => signerOf(body))
    .filter(({ domain, selector }) => domain !== '' && selector !== '')
    .map(({ domain, selector }) => `${selector}._domainkey.${domain}`)
  const answers = new Map([...new Set(names)].map((name) => [name, dns.resolve(name, 'TXT')]))
  // Whoever needs an answer learns that there is none.
  for (const answer of answers.values()) answer.catch(() => {})
  return async (name, type) => {
    if (type !== 'TXT' || !name.includes('._domainkey.')) return dns.resolve(name, type)
    const records = await (answers.get(name.toLowerCase()) ?? dns.resolve(name, type))
    if (!hasCostlyKey(records)) return records
    throw Object.assign(new Error('The key costs too much'), { code: REFUSED })
  }
}

/** Whether the signature in `body` claims to be of one of the domains `authors`, or of its organisation. */
export function isSignedBy(body: string, authors: readonly string[]): boolean {
  const { domain } = signerOf(body)
  return authors.some((author) => isAligned(domain, author, 'relaxed'))
}

/** The tags `d=` and `s=` of a signature, in lower case and ASCII; '' for one that is missing. */
function signerOf(body: string): { readonly domain: string; readonly selector: string } {
  const tags = readTags(body)
  const ascii = (name: string) => asciiDomain((tags.get(name) ?? '').toLowerCase())
  return { domain: ascii('d'), selector: ascii('s') }
}

/** The tag `p=` of a key record (RFC 6376 §3.6.1). */
const KEY_TAG = /(?:^|;)p=([^;]*)/gi

function hasCostlyKey([record]: readonly unknown[]): boolean {
  const text = (Array.isArray(record) ? record.join('') : String(record ?? '')).replace(/\s+/g, '')
  return [...text.matchAll(KEY_TAG)].some(([, key]) => isCostly(Buffer.from(key!, 'base64')))
}

function isCostly(bytes: Buffer): boolean {
  const { modulusLength = 0, publicExponent = 0n } = readKey(bytes)?.asymmetricKeyDetails ?? {}
  return modulusLength > MODULUS_BITS_MAX || publicExponent > EXPONENT_MAX
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
