/**
 * DKIM-Signature fields (RFC 6376 §3.5) as the sender wrote them.
 *
 * Nothing is verified here: a domain in `d=` is a claim, and a forger can claim
 * any. Whether a signature holds is for the authentication stage, which asks the DNS.
 */
import type { Message } from '../message/message.ts'
import { domainOf } from './domains.ts'
import { fieldBodies } from './fields.ts'
import { perMessage } from './per-message.ts'

/** Signatures read of one message. Senders add one to three; more are not honest. */
const SIGNATURES_MAX = 8

/** Tags read of one signature; the RFC defines fourteen. */
const TAGS_MAX = 32

export interface DkimSignature {
  /** Tag name -> value without white space, in the sender's case; names in lower case. */
  readonly tags: ReadonlyMap<string, string>
  /** `d=` in lower case, '' when missing. */
  readonly host: string
  /** Registrable domain of `host`. */
  readonly domain: string
}

/** The signatures of a message, in order, at most SIGNATURES_MAX. */
export const dkimSignatures = perMessage((message: Message): readonly DkimSignature[] =>
  fieldBodies(message, 'dkim-signature')
    .slice(0, SIGNATURES_MAX)
    .map((body) => {
      const tags = readTags(body)
      const host = tags.get('d')?.toLowerCase() ?? ''
      return { tags, host, domain: host === '' ? '' : domainOf(message, host) }
    }),
)

function readTags(body: string): Map<string, string> {
  const tags = new Map<string, string>()
  for (const tag of body.split(';', TAGS_MAX)) {
    const equals = tag.indexOf('=')
    if (equals < 0) continue
    const name = tag.slice(0, equals).trim().toLowerCase()
    // Signatures and key hashes are long and folded, and nobody here reads them.
    const value = tag.slice(equals + 1)
    tags.set(name, name === 'b' || name === 'bh' ? '' : value.replace(/\s+/g, ''))
  }
  return tags
}
