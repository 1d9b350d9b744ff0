/** Messages that tests write, sign and seal, and what a verifier says of them. */
import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import type { TestContext } from 'node:test'
import { authenticate, type DKIMSignOptions, dkimSign } from 'mailauth'
import { memoryOctets } from '../../../mail/message/octets.ts'
import { parseMessage } from '../../../mail/message/parse.ts'
import { DnsResolver } from '../../sender-authentication/resolver.ts'
import {
  type Delivery,
  type Verification,
  verifyMessage,
} from '../../sender-authentication/verify.ts'
import { type DnsServer, startDnsServer, type Zone } from '../helpers/dns-server.ts'

/** When all messages arrive. */
export const RECEIVED_AT = new Date('2026-06-01T12:00:00Z')

/** The client that delivers all messages, and the HELO it says. */
export const CLIENT = '192.0.2.1'

export interface Key {
  readonly privateKey: string
  /** The record that publishes it, RFC 6376 §3.6.1. */
  readonly record: string
}

export function rsaKey(bits = 2048): Key {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: bits })
  const bytes = publicKey.export({ type: 'spki', format: 'der' })
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    record: `v=DKIM1; k=rsa; p=${bytes.toString('base64')}`,
  }
}

/** The record of an RSA key with a modulus of `bits`, a multiple of 8, and any exponent; nobody can sign with it. */
export function rsaRecord(bits: number, exponent: bigint): string {
  const n = Buffer.alloc(bits / 8, 0xff).toString('base64url')
  const hex = exponent.toString(16)
  const e = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex').toString(
    'base64url',
  )
  const key = createPublicKey({ key: { kty: 'RSA', n, e }, format: 'jwk' })
  const bytes = key.export({ type: 'spki', format: 'der' })
  return `v=DKIM1; k=rsa; p=${bytes.toString('base64')}`
}

export function ed25519Key(): Key {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  // The last 32 bytes of the structure are the key itself (RFC 8463 §4).
  const bytes = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32)
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    record: `v=DKIM1; k=ed25519; p=${bytes.toString('base64')}`,
  }
}

export interface SignatureOptions extends Partial<DKIMSignOptions> {
  readonly key: Key
  readonly domain: string
  readonly selector?: string
}

/** A message in the lines of a test, as it is sent. */
export function crlf(text: string): string {
  return text.replace(/\r?\n/g, '\r\n')
}

/** `text` under a signature of its own, in relaxed/relaxed. */
export async function signed(
  text: string,
  { key, domain, selector = 's', ...options }: SignatureOptions,
): Promise<string> {
  const { signatures, errors } = await dkimSign(crlf(text), {
    canonicalization: 'relaxed/relaxed',
    signTime: new Date('2026-06-01T11:59:00Z'),
    ...options,
    signingDomain: domain,
    selector,
    privateKey: key.privateKey,
    signatureData: [{ signingDomain: domain, selector, privateKey: key.privateKey, ...options }],
  })
  if (errors.length > 0) throw errors[0]!.err
  return signatures + crlf(text)
}

/** `text` sealed by a host that received it from 192.0.2.9 and verified it by `server`. */
export async function sealed(
  text: string,
  domain: string,
  key: Key,
  server: DnsServer,
): Promise<string> {
  const resolver = new DnsResolver({ servers: [server.address], queryTimeoutMs: 1_000 })
  const { headers } = await authenticate(crlf(text), {
    ip: '192.0.2.9',
    sender: 'ada@example.com',
    mta: `mx.${domain}`,
    disableBimi: true,
    resolver: resolver.forMessage(1_000).resolve as (
      name: string,
      type: string,
    ) => Promise<string[]>,
    seal: { signingDomain: domain, selector: 's', privateKey: key.privateKey },
  })
  return headers + crlf(text)
}

/** A server of `zone`, and what a verifier that asks it says of a message. */
export async function verifier(t: Pick<TestContext, 'after'>, zone: Zone) {
  const server = await startDnsServer(t, zone)
  const resolver = new DnsResolver({ servers: [server.address], queryTimeoutMs: 400 })
  t.after(() => resolver.close())
  const verify = (text: string, delivery: Partial<Delivery> = {}): Promise<Verification> => {
    const octets = memoryOctets(Buffer.from(text, 'latin1'))
    const whole = { now: RECEIVED_AT, ...delivery }
    return verifyMessage(octets, parseMessage(octets), whole, resolver, 2_000)
  }
  return { server, resolver, verify }
}
