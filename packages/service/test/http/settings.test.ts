/** The settings in use and the keys by name: without secrets, and without what another tenant has named. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { readConfig } from '../../config.ts'
import { withLiveOf } from '../../live-settings.ts'
import { addKeys, bearer } from '../helpers/keys.ts'
import { build } from './service.ts'

const ENVIRONMENT = {
  TAMIS_CONFIG: '/etc/tamis/tamis.json',
  TAMIS_THRESHOLD: 'cautious',
  TAMIS_RECIPIENT_THRESHOLDS: 'ann@example.org=0.9,example.net=strict',
  TAMIS_AUTH_DNS: 'off',
  TAMIS_EMBEDDING: 'table',
  TAMIS_WORKERS: '1',
}

const FILE = '{ "feeds": "file:/srv/private-place/local.csv", "learning": "operator" }'

describe('GET /settings', () => {
  it('says of each setting its value, its names and where it comes from', async (t) => {
    const config = readConfig(ENVIRONMENT, () => FILE)
    const { app } = await build(t, { config: { ...config, dataDir: temporaryFolder() } })
    const { statusCode, body } = await app.inject('/settings')
    assert.equal(statusCode, 200)
    const { settings, keys } = JSON.parse(body)
    const of = (key: string) => settings.find((each: { key: string }) => each.key === key)
    assert.deepEqual(of('threshold'), {
      group: 'thresholds',
      key: 'threshold',
      environment: 'TAMIS_THRESHOLD',
      value: 'cautious',
      source: 'environment',
    })
    assert.deepEqual([of('feeds').value, of('feeds').source], ['file:local.csv', 'file'])
    assert.deepEqual([of('learning').value, of('learning').source], ['operator', 'file'])
    assert.deepEqual([of('spamPrior').value, of('spamPrior').source], ['0.5', 'default'])
    assert.equal(of('recipientThresholds').value, '2 named')
    assert.doesNotMatch(body, /private-place|ann@example\.org|example\.net/)
    assert.deepEqual(keys, [])
  })

  it('has the keys of the tenant alone, and no value or hash of one', async (t) => {
    const dataDir = temporaryFolder()
    await addKeys(
      { dataDir },
      {
        admin: { scopes: ['admin'] },
        elsewhere: { tenant: 'other', scopes: ['classify'] },
      },
    )
    const { app } = await build(t, { config: { dataDir } })
    const { body } = await app.inject({ url: '/settings', headers: bearer('admin') })
    const { keys } = JSON.parse(body)
    assert.deepEqual(
      keys.map(({ createdAt: _, ...key }: { createdAt: string }) => key),
      [{ name: 'admin', scopes: ['admin'], entitlements: ['spam', 'classification'] }],
    )
  })
})

describe('the settings after a reload', () => {
  it('come from where the reload has taken them, if it takes them', () => {
    const before = readConfig({ TAMIS_THRESHOLD: 'strict', TAMIS_WORKERS: '1' }, () => '{}')
    const next = readConfig({ TAMIS_CONFIG: 'file', TAMIS_WORKERS: '1' }, () => '{ "feeds": "" }')
    assert.deepEqual(withLiveOf(before, next).sources, { workers: 'environment', feeds: 'file' })
  })
})
