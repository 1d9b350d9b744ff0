/** A service that is given other settings or models while it runs. */
import assert from 'node:assert/strict'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../../../test/eventually.ts'
import { temporaryFolder } from '../../../test/temporary-folder.ts'
import { type Config, readConfig } from '../config.ts'
import { openService } from '../open-service.ts'
import type { Times } from '../times.ts'
import { startService } from './helpers/service-process.ts'
import { ORDER, post } from './http/service.ts'

const ROOT = join(import.meta.dirname, '../../..')

const WAIT_MS = 30_000

async function openWith(t: TestContext, more: Partial<Config> = {}, times: Partial<Times> = {}) {
  const dataDir = temporaryFolder()
  const settings = { TAMIS_WORKERS: '1', TAMIS_AUTH_DNS: 'off' }
  const defaults = readConfig(settings, () => '{}')
  const config = { ...defaults, dataDir, ...more }
  const service = await openService(config, { level: 'silent' }, { times })
  t.after(() => service.close())
  const classify = async () => (await post(service.app, '/classify-stream', ORDER)).json()
  return { service, config, classify }
}

/** The shipped models under another version. */
async function otherModels(): Promise<string> {
  const folder = temporaryFolder()
  await cp(join(ROOT, 'artifacts'), folder, { recursive: true })
  for (const model of ['text', 'meta', 'tabs', 'fusion']) {
    const path = join(folder, model, 'manifest.json')
    const manifest = JSON.parse(await readFile(path, 'utf8'))
    await writeFile(path, JSON.stringify({ ...manifest, version: '2099.1.1' }))
  }
  return folder
}

describe('a service that is reloaded', () => {
  it('knows new feeds and forgets old ones', async (t) => {
    const { service, config } = await openWith(t)
    const feed = join(temporaryFolder(), 'feed.txt')
    await writeFile(feed, 'http://evil.example.net/\n')
    const message = `${ORDER}\r\nhttp://evil.example.net/\r\n`
    const reason = async () =>
      (await post(service.app, '/classify-stream', message)).json().bypassReason
    await service.reload({ ...config, feeds: `file:${feed}` })
    await eventually(async () => (await reason()) === 'phishtank_match')
    assert.equal((await service.app.inject('/ready')).json().feeds[0].entries, 1)
    await service.reload({ ...config, feeds: '' })
    assert.equal(await reason(), null)
    assert.deepEqual((await service.app.inject('/ready')).json().feeds, [])
  })

  it('knows the rules in a file that has changed, and keeps the old ones if it is wrong', async (t) => {
    const path = join(temporaryFolder(), 'rules')
    await writeFile(path, 'block from other.example\n')
    const { service, config, classify } = await openWith(t, { rules: path })
    assert.equal((await classify()).bypassReason, null)
    await writeFile(path, 'block from shop.example.com\n')
    await service.reload(config)
    assert.equal((await classify()).bypassReason, 'user_rule')
    await writeFile(path, 'block everybody\n')
    const message = /line 1, column 7: "everybody"/
    await assert.rejects(service.reload(config), { code: 'CONFIG_INVALID', message })
    assert.equal((await classify()).bypassReason, 'user_rule')
    const { rules: _, ...without } = config
    await service.reload(without)
    assert.equal((await classify()).bypassReason, null)
  })

  it('learns anew over new models', async (t) => {
    const { service, config, classify } = await openWith(t, { learning: 'operator' })
    const before = (await classify()).textSpamScore
    // One message in sixteen is held out from learning; four are not.
    for (const i of [1, 2, 3, 4]) {
      const headers = { 'x-user-id': 'user-4711', 'x-is-spam': 'true' }
      await post(service.app, '/feedback-stream', ORDER.replace('<4711@', `<${i}@`), headers)
    }
    const hasLearned = async () => (await classify()).textSpamScore > before
    await eventually(hasLearned)
    await service.reload({ ...config, models: await otherModels() })
    await eventually(hasLearned)
    const { app } = service
    assert.equal((await app.inject('/models')).json().base, '2099.1.1')
    assert.equal((await app.inject('/stats')).json().models, '2099.1.1')
    assert.match((await app.inject('/metrics')).body, /^tamis_info\{models="2099\.1\.1"/m)
  })

  // The new workers were opened when the old ones had been closed, and the process never ended.
  it('ends when it is told to, though it is being reloaded', async (t) => {
    const file = join(temporaryFolder(), 'tamis.json')
    await writeFile(file, '{}')
    const service = await startService({ environment: { TAMIS_CONFIG: file } })
    t.after(() => service.end('SIGKILL'))
    await writeFile(file, JSON.stringify({ models: await otherModels() }))
    service.signal('SIGHUP')
    // Long enough to have begun, and not to have ended, which nothing tells of.
    await sleep(100)
    await Promise.race([service.stop(), sleep(WAIT_MS).then(() => assert.fail('it does not end'))])
  })
})
