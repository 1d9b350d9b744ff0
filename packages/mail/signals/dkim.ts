/**
 * Signals from DKIM-Signature fields (RFC 6376) as claimed; whether a signature holds is not asked
 * here.
 *
 * Even a claim tells something: a sender who signs as its From domain takes responsibility for it,
 * and a forger must break the claim or leave it out.
 */
import type { Message } from '../message/message.ts'
import { isMailService } from './host-lists.ts'
import { type DkimSignature, dkimSignatures, originOf } from './origin.ts'
import { type Arrived, type Signal, signal } from './signal.ts'

/** Fields that tell the reader who writes and what about: a signature that leaves them out proves little. */
const FIELDS_TO_SIGN = ['from', 'subject']

export function dkimSignals(message: Message, { receivedAt }: Arrived): Signal[] {
  const signatures = dkimSignatures(message)
  if (signatures.length === 0) return [signal('DKIM_NONE')]

  const found: Signal[] = []
  if (signatures.length > 1) found.push(signal('DKIM_SEVERAL', String(signatures.length)))
  found.push(...alignmentSignals(message, signatures))
  const each = signatures.flatMap((signature) => tagSignals(signature, receivedAt))
  return [...found, ...withoutRepeats(each)]
}

function alignmentSignals(message: Message, signatures: readonly DkimSignature[]): Signal[] {
  const hosts = signatures.map((signature) => signature.host).join(' ')
  const { domain, isSigned } = originOf(message)
  if (isSigned) return [signal('DKIM_ALIGNED', hosts)]
  if (signatures.some((signature) => isMailService(signature.domain))) {
    return [signal('DKIM_MAIL_SERVICE', hosts)]
  }
  return [signal('DKIM_OTHER_DOMAIN', `${hosts}, ${domain}`)]
}

function tagSignals({ tags, host }: DkimSignature, receivedAt: Date): Signal[] {
  if (host === '' || !tags.has('b') || !tags.has('h')) return [signal('DKIM_MALFORMED', host)]

  const found: Signal[] = []
  const length = tags.get('l')
  if (length !== undefined) found.push(signal('DKIM_BODY_LENGTH', `${host}, l=${length}`))
  const expiresAt = tags.get('x') ?? ''
  if (/^\d{1,12}$/.test(expiresAt) && Number(expiresAt) * 1000 < receivedAt.getTime()) {
    found.push(signal('DKIM_EXPIRED', `${host}, x=${expiresAt}`))
  }
  if (tags.get('a')?.toLowerCase() === 'rsa-sha1') found.push(signal('DKIM_SHA1', host))
  const signed = new Set(tags.get('h')!.toLowerCase().split(':', SIGNED_FIELDS_MAX))
  if (!FIELDS_TO_SIGN.every((name) => signed.has(name))) {
    found.push(signal('DKIM_FIELDS_UNSIGNED', host))
  }
  return found
}

/** Names of signed fields that are read; services sign up to some sixty, with repeats. */
const SIGNED_FIELDS_MAX = 200

function withoutRepeats(signals: readonly Signal[]): Signal[] {
  return signals.filter((it, at) => signals.findIndex((other) => other.name === it.name) === at)
}
