/**
 * Somebody sets the clock of the machine, hours ahead and back, while the service works: its own
 * clock, by way of libfaketime (Debian package), leaps; the one that only counts stays. Nothing
 * that lasts a while may last longer or shorter for it.
 */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { temporaryFolder } from '../../../test/temporary-folder.ts'
import { type DnsServer, startDnsServer } from './helpers/dns-server.ts'
import { addKeys } from './helpers/keys.ts'
import { type ServiceProcess, startService } from './helpers/service-process.ts'
import { ORDER } from './http/service.ts'

const FAKETIME = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/faketime/libfaketimeMT.so.1`

const skip = !existsSync(FAKETIME) && 'libfaketime is not installed'

/** What an answer may take: many times what it does, and nothing beside an hour. */
const PROMPT_MS = 8_000

const REQUESTS_PER_MINUTE = 3

const LEAPS = ['+5h', '-7h', '+0', '-30d', '+30d', '+0']

describe('a clock that leaps', { skip }, () => {
  let service: ServiceProcess
  let folder: string
  let dns: DnsServer
  const ends: (() => unknown)[] = []

  before(async () => {
    folder = temporaryFolder()
    await addKeys(
      { dataDir: folder },
      {
        mail: { scopes: ['operator'] },
        few: { scopes: ['operator'], requestsPerMinuteMax: REQUESTS_PER_MINUTE },
      },
    )
    await leap('+0')
    dns = await startDnsServer({ after: (end: () => unknown) => void ends.push(end) } as never, {
      'shop.example.com': 'SILENT',
      '_dmarc.shop.example.com': 'SILENT',
    })
    service = await startService({
      dataDir: folder,
      environment: {
        LD_PRELOAD: FAKETIME,
        FAKETIME_TIMESTAMP_FILE: join(folder, 'clock'),
        FAKETIME_NO_CACHE: '1',
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
        TAMIS_AUTH_DNS: dns.address,
      },
    })
  })
  after(async () => {
    await service?.stop()
    for (const end of ends) end()
  })

  async function leap(to: string): Promise<void> {
    await writeFile(join(folder, 'clock'), `${to}\n`)
  }

  async function ask(
    path: string,
    body: string,
    headers: Record<string, string> = {},
    method = 'POST',
  ): Promise<{ status: number; json: Record<string, unknown> }> {
    const response = await fetch(service.url + path, {
      method,
      headers: {
        'content-type': path.endsWith('-stream') ? 'message/rfc822' : 'application/json',
        authorization: 'Bearer mail',
        ...headers,
      },
      ...(method !== 'GET' && { body }),
      signal: AbortSignal.timeout(PROMPT_MS),
    })
    return { status: response.status, json: (await response.json()) as Record<string, unknown> }
  }

  it('really does, for the service', async () => {
    const dateOf = async () =>
      Date.parse((await fetch(`${service.url}/health`)).headers.get('date') ?? '')
    await leap('+5h')
    // Node keeps the text of Date for a second.
    await sleep(1_100)
    const ahead = (await dateOf()) - Date.now()
    await leap('+0')
    assert.ok(ahead > 4.9 * 3_600_000, `${ahead} ms`)
  })

  it('delays neither verdicts nor corrections, which hold at once', async () => {
    for (const [i, to] of LEAPS.entries()) {
      await leap(to)
      const user = { 'x-user-id': `user-${i}` }
      const before = await ask('/classify-stream', ORDER, user)
      assert.deepEqual([before.status, before.json['bypassReason']], [200, null], to)
      const correction = { ...user, 'x-is-spam': 'true' }
      assert.equal((await ask('/feedback-stream', ORDER, correction)).status, 200, to)
      const later = await ask('/classify-stream', ORDER, user)
      assert.equal(later.json['bypassReason'], 'user_rule', to)
    }
  })

  it('refills no key that has used up its requests', async () => {
    await leap('+0')
    const few = { authorization: 'Bearer few' }
    const statusOf = async () => (await ask('/classify-stream', ORDER, few)).status
    for (let i = 0; i < REQUESTS_PER_MINUTE; i++) assert.equal(await statusOf(), 200)
    for (const to of ['+0', '+5h', '-5h']) {
      await leap(to)
      assert.equal(await statusOf(), 429, to)
    }
  })

  it('ends nothing that was learned', async () => {
    await leap('+0')
    for (const i of LEAPS.keys()) {
      const { json } = await ask('/classify-stream', ORDER, { 'x-user-id': `user-${i}` })
      assert.equal(json['bypassReason'], 'user_rule')
    }
  })
})
