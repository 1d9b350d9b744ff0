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
  DKIM_NONE: `No signature is claimed.
    A header without DKIM-Signature`,
  DKIM_ALIGNED: `A signature is claimed for the registrable domain of From.
    From: anna@example.com, DKIM-Signature: d=example.com`,
  DKIM_MAIL_SERVICE: `
    The message claims signatures: none for From's domain, but one for a company that sends mail for others.
    From: shop@example.com, DKIM-Signature: d=sendgrid.net`,
  DKIM_OTHER_DOMAIN: `
    The message claims signatures, but none for From's domain or for a company that sends mail for others.
    From: bank@example.com, DKIM-Signature: d=example.net`,
  DKIM_SEVERAL: `More than one signature is claimed.
    Two DKIM-Signature fields`,
  DKIM_BODY_LENGTH: `A signature covers only a part of the body, so that more can be added.
    DKIM-Signature: …; l=1024`,
  DKIM_EXPIRED: `A signature had expired when the message arrived.
    DKIM-Signature: …; x=1700000000, arrived in 2025`,
  DKIM_SHA1: `A signature uses SHA-1, which RFC 8301 forbids.
    DKIM-Signature: a=rsa-sha1`,
  DKIM_FIELDS_UNSIGNED: `A signature leaves out From or Subject.
    DKIM-Signature: …; h=date:message-id`,
  DKIM_MALFORMED: `A signature lacks its domain, its fields or its value.
    DKIM-Signature: v=1; a=rsa-sha256`,
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
