/**
 * How the service asks who sent a message: the trusted field first, else the thread that verifies
 * by a DNS server on loopback. Nothing in between is replaced.
 */
import assert from 'node:assert/strict'
import { closeSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it, type TestContext } from 'node:test'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import type { MessageBody } from '../../admission/message-body.ts'
import {
  SenderChecks,
  type SenderChecksSettings,
} from '../../sender-authentication/sender-checks.ts'
import { startDnsServer, type Zone } from '../helpers/dns-server.ts'
import { crlf, ed25519Key, RECEIVED_AT, signed } from './signing.ts'

const KEY = ed25519Key()

const ZONE: Zone = {
  's._domainkey.example.com': { TXT: [KEY.record] },
  '_dmarc.example.com': { TXT: ['v=DMARC1; p=reject'] },
  'example.com': { TXT: ['v=spf1 ip4:192.0.2.1 -all'] },
}

const NOTE = 'From: Ada <ada@example.com>\nTo: bo@example.org\n\nHello\n'

const RECEIVED =
  'Received: from mail.example.com ([192.0.2.1]) by mx.example.org; Mon, 1 Jun 2026 12:00:00 +0000\n'

const DELIVERY = { now: RECEIVED_AT }

/** No file is open by this number. */
const UNREADABLE: MessageBody = { kind: 'file', descriptor: 1_000_000, length: 1_000 }

const PASS = {
  result: 'pass',
  domain: 'example.com',
  details: {
    spf: undefined,
    dkim: [{ result: 'pass', domain: 'example.com' }],
    dmarc: { result: 'pass', domain: 'example.com', policy: 'reject' },
    arc: { result: 'none' },
    source: 'verified',
  },
  finding: { result: 'passed' },
}

const NOBODY_LOOKED = {
  result: 'unknown',
  details: { spf: undefined, dkim: [], dmarc: undefined, arc: undefined, source: 'none' },
  finding: { result: 'unknown' },
}

/** Checks by `settings`, which end with the test. */
async function openChecks(
  t: TestContext,
  settings: Partial<SenderChecksSettings>,
): Promise<SenderChecks> {
  const checks = await SenderChecks.open({
    authservIds: [],
    dnsServers: undefined,
    timeoutMs: 2_000,
    ...settings,
  })
  t.after(() => checks.close())
  return checks
}

/** A server of `zone`, and checks that ask it. */
async function withDns(t: TestContext, settings: Partial<SenderChecksSettings> = {}, zone = ZONE) {
  const server = await startDnsServer(t, zone)
  return { server, checks: await openChecks(t, { dnsServers: [server.address], ...settings }) }
}

/** Alone in its ArrayBuffer, as a message is received. */
function inMemory(text: string): MessageBody & { kind: 'memory' } {
  return { kind: 'memory', bytes: new Uint8Array(Buffer.from(crlf(text), 'latin1')) }
}

async function inFile(t: TestContext, text: string): Promise<MessageBody> {
  const folder = temporaryFolder()
  const path = join(folder, 'message')
  writeFileSync(path, text, 'latin1')
  const descriptor = openSync(path, 'r')
  t.after(async () => {
    closeSync(descriptor)
  })
  return { kind: 'file', descriptor, length: Buffer.byteLength(text, 'latin1') }
}

function signedNote(): Promise<string> {
  return signed(NOTE, { key: KEY, domain: 'example.com' })
}

const dns = await startDnsServer({ after: after as TestContext['after'] }, ZONE)

describe('SenderChecks by a trusted field', () => {
  const FIELD =
    'Authentication-Results: mx.example.org; dmarc=pass header.from=example.com; dkim=pass header.d=example.com\n'

  it('asks the DNS what the field leaves open', async (t) => {
    const { checks } = await withDns(t, { authservIds: ['mx.example.org'] })
    const open = 'Authentication-Results: mx.example.org; none\n'
    const body = inMemory(open + RECEIVED + (await signedNote()))
    assert.deepEqual(await checks.senderOf(body, DELIVERY), PASS)
  })
  it('reads the field of a message in a file', async (t) => {
    const checks = await openChecks(t, { authservIds: ['mx.example.org'] })
    const body = await inFile(t, crlf(FIELD + RECEIVED + NOTE))
    assert.equal((await checks.senderOf(body, DELIVERY)).result, 'pass')
  })
})

describe('SenderChecks by DNS', () => {
  let checks: SenderChecks
  before(async () => {
    const { address } = dns
    checks = await SenderChecks.open({ authservIds: [], dnsServers: [address], timeoutMs: 2_000 })
  })
  after(() => checks.close())

  it('verifies a message whose bytes are handed to another thread right after', async () => {
    const body = inMemory(await signedNote())
    const answer = checks.senderOf(body, DELIVERY)
    structuredClone(body.bytes, { transfer: [body.bytes.buffer] })
    assert.equal(body.bytes.length, 0)
    assert.deepEqual(await answer, PASS)
  })
  it('verifies a message in a file, of more than one window', async (t) => {
    const text = await signed(NOTE + 'Hello again\n'.repeat(100_000), {
      key: KEY,
      domain: 'example.com',
    })
    assert.deepEqual(await checks.senderOf(await inFile(t, text), DELIVERY), PASS)
  })
  it('answers that nobody wrote bytes that are no message', async () => {
    for (const text of ['', '\n', '\x00\xff', 'no field']) {
      const { result, failure } = await checks.senderOf(inMemory(text), DELIVERY)
      assert.deepEqual([result, failure], ['fail', undefined])
    }
  })
  it('answers unknown, and why, for a file that cannot be read', async () => {
    const { failure, ...answer } = await checks.senderOf(UNREADABLE, DELIVERY)
    assert.deepEqual(answer, NOBODY_LOOKED)
    assert.match(`${failure}`, /EBADF/)
  })
})

describe('SenderChecks and many messages', () => {
  it('lets no message wait for the silent DNS of another', async (t) => {
    const { checks } = await withDns(t, {}, { ...ZONE, '_dmarc.slow.example': 'SILENT' })
    let isSlowAnswered = false
    const slow = checks
      .senderOf(inMemory('From: a@slow.example\n\nHello\n'), DELIVERY)
      .finally(() => {
        isSlowAnswered = true
      })
    assert.deepEqual(await checks.senderOf(inMemory(await signedNote()), DELIVERY), PASS)
    assert.equal(isSlowAnswered, false)
    assert.deepEqual((await slow).details.dmarc, { result: 'temperror', domain: 'slow.example' })
  })
})

describe('SenderChecks that cannot work', () => {
  for (const server of ['192.0.2', ':::']) {
    it(`refuses ${server} for a DNS server`, async () => {
      const settings = { authservIds: [], timeoutMs: 2_000, dnsServers: [server] }
      await assert.rejects(async () => {
        const checks = await SenderChecks.open(settings)
        await checks.close()
      })
    })
  }

  it('answers unknown once they are closed', async (t) => {
    const { checks } = await withDns(t)
    await checks.close()
    const { failure: _, ...found } = await checks.senderOf(inMemory(await signedNote()), DELIVERY)
    assert.deepEqual(found, NOBODY_LOOKED)
  })
})
