/**
 * Signals from DKIM-Signature fields (RFC 6376) as claimed. Even a claim tells something: a sender who signs as its From domain
 * takes responsibility, and a forger must break the claim or leave it out.
 */
import type { Message } from '../message/message.ts'
import { isMailService } from './host-lists.ts'
import { type DkimSignature, dkimSignatures, originOf } from './origin.ts'
import { type Arrived, firstOfEachName, raised, type Signal, signal } from './signal.ts'

/** Fields that tell the reader who writes and what about: a signature that leaves them out proves little. */
const FIELDS_TO_SIGN = ['from', 'subject']

/** Names of signed fields that are read; services sign up to some sixty, with repeats. */
const SIGNED_FIELDS_MAX = 200

export function dkimSignals(message: Message, { receivedAt }: Arrived): Signal[] {
  const signatures = dkimSignatures(message)
  const hosts = signatures.map(({ host }) => host).join(' ')
  const { domain, isSigned } = originOf(message)
  const isForeign = signatures.length > 0 && !isSigned
  const isService = isForeign && signatures.some((it) => isMailService(it.domain))
  return [
    ...raised({
      DKIM_NONE: signatures.length === 0,
      DKIM_SEVERAL: signatures.length > 1 && signatures.length,
      DKIM_ALIGNED: isSigned && hosts,
      DKIM_MAIL_SERVICE: isService && hosts,
      DKIM_OTHER_DOMAIN: isForeign && !isService && `${hosts}, ${domain}`,
    }),
    ...firstOfEachName(signatures.flatMap((signature) => tagSignals(signature, receivedAt))),
  ]
}

function tagSignals({ tags, host }: DkimSignature, receivedAt: Date): Signal[] {
  const [length, expiresAt, names] = ['l', 'x', 'h'].map((name) => tags.get(name))
  if (host === '' || !tags.has('b') || names === undefined) return [signal('DKIM_MALFORMED', host)]
  const isExpired =
    /^\d{1,12}$/.test(expiresAt ?? '') && Number(expiresAt) * 1000 < receivedAt.getTime()
  const signed = new Set(names.toLowerCase().split(':', SIGNED_FIELDS_MAX))
  return raised({
    DKIM_BODY_LENGTH: length !== undefined && `${host}, l=${length}`,
    DKIM_EXPIRED: isExpired && `${host}, x=${expiresAt}`,
    DKIM_SHA1: tags.get('a')?.toLowerCase() === 'rsa-sha1' && host,
    DKIM_FIELDS_UNSIGNED: !FIELDS_TO_SIGN.every((name) => signed.has(name)) && host,
  })
}
