/** Users who lie: the suite of both databases on SQLite, and what the canary set is for. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { readModels } from '../../../artifact-files/artifact-files.ts'
import { LIARS, liesAboutCanary } from '../../../mail/test/learning/lies-about-canary.ts'
import { withStoreAt } from '../helpers/store-at.ts'
import { correction, key } from '../store/samples.ts'
import { heardOf, learned, liarTests } from './liar-tests.ts'
import { build } from './service.ts'

liarTests('SQLite', { dataDir: temporaryFolder() })

describe('a promotion that makes the canary set worse', () => {
  it('is refused, and seen on /models, in the log and in the metrics', async (t) => {
    const place = { dataDir: temporaryFolder() }
    const models = await readModels()
    const { featureVersion } = models
    const { lies } = await liesAboutCanary(models)
    await heardOf(
      place,
      Array.from({ length: LIARS }, (_, i) => `liar ${i}`),
    )
    await withStoreAt(place, new Date(), async (store) => {
      for (const { userId, feedbackId, domainKey, features } of lies) {
        const messageKey = key(feedbackId)
        const more = { domainKey, messageKey, features, authenticatedDomain: 'example.com' }
        await store.recordCorrection(correction({ userId, label: 'ham', featureVersion, ...more }))
      }
    })
    const lines: string[] = []
    const log = {
      level: 'warn' as const,
      stream: { write: (line: string) => void lines.push(line) },
    }
    const { app } = await build(t, { config: { ...place, trustedAuthservIds: [] }, log })
    await learned(app)
    const { learning, versions } = (await app.inject('/models')).json()
    assert.ok(learning.refused > 0, JSON.stringify(learning))
    assert.equal(versions[0].metrics.refused, learning.refused)
    const warnings = lines.map((line) => JSON.parse(line)).filter((line) => 'refused' in line)
    assert.equal(
      warnings.reduce((sum, { refused }) => sum + refused, 0),
      learning.refused,
    )
    assert.match(warnings[0].msg, /makes verdicts on the canary set worse/)
    const metrics = (await app.inject('/metrics')).body
    const line = `tamis_learning_promotions{outcome="refused"} ${learning.refused}\n`
    assert.ok(metrics.includes(line))
  })
})
