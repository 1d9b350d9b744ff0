/**
 * Signals from DKIM-Signature fields (RFC 6376) as claimed; whether a signature holds is not asked
 * here.
 *
 * Even a claim tells something: a sender who signs as its From domain takes responsibility for it,
 * and a forger must break the claim or leave it out.
 */
import type { Message } from '../message/message.ts'
import { aspect } from './aspect.ts'
import { type DkimSignature, dkimSignatures } from './dkim-signature.ts'
import { isMailService } from './mail-services.ts'
import { originOf } from './origin.ts'
import { type Arrived, type Signal, signal } from './signal.ts'

export const dkimAspect = aspect('dkim', dkimSignals, {
  DKIM_NONE: {
    description: 'No signature is claimed.',
    example: 'A header without DKIM-Signature',
    since: '0.1.0',
  },
  DKIM_ALIGNED: {
    description: 'A signature is claimed for the registrable domain of From.',
    example: 'From: anna@example.com, DKIM-Signature: d=example.com',
    since: '0.1.0',
  },
  DKIM_MAIL_SERVICE: {
    description:
      "The message claims signatures: none for From's domain, but one for a company that sends mail for others.",
    example: 'From: shop@example.com, DKIM-Signature: d=sendgrid.net',
    since: '0.1.0',
  },
  DKIM_OTHER_DOMAIN: {
    description:
      "The message claims signatures, but none for From's domain or for a company that sends mail for others.",
    example: 'From: bank@example.com, DKIM-Signature: d=example.net',
    since: '0.1.0',
  },
  DKIM_SEVERAL: {
    description: 'More than one signature is claimed.',
    example: 'Two DKIM-Signature fields',
    since: '0.1.0',
  },
  DKIM_BODY_LENGTH: {
    description: 'A signature covers only a part of the body, so that more can be added.',
    example: 'DKIM-Signature: …; l=1024',
    since: '0.1.0',
  },
  DKIM_EXPIRED: {
    description: 'A signature had expired when the message arrived.',
    example: 'DKIM-Signature: …; x=1700000000, arrived in 2025',
    since: '0.1.0',
  },
  DKIM_SHA1: {
    description: 'A signature uses SHA-1, which RFC 8301 forbids.',
    example: 'DKIM-Signature: a=rsa-sha1',
    since: '0.1.0',
  },
  DKIM_FIELDS_UNSIGNED: {
    description: 'A signature leaves out From or Subject.',
    example: 'DKIM-Signature: …; h=date:message-id',
    since: '0.1.0',
  },
  DKIM_MALFORMED: {
    description: 'A signature lacks its domain, its fields or its value.',
    example: 'DKIM-Signature: v=1; a=rsa-sha256',
    since: '0.1.0',
  },
})

/** Fields that tell the reader who writes and what about: a signature that leaves them out proves little. */
const FIELDS_TO_SIGN = ['from', 'subject']

function dkimSignals(message: Message, { receivedAt }: Arrived): Signal[] {
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
