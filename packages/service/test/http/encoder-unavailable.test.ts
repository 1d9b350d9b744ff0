/** Services whose encoder cannot be opened, or does not keep running: they judge without it, and say so. */
import assert from 'node:assert/strict'
import { cp, rm, symlink, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { SHIPPED_ENCODER } from '../../../artifact-files/artifact-files.ts'
import type { Config } from '../../config.ts'
import type { ServiceModules } from '../../open-service.ts'
import { build, buildOnce, LOTTERY, post, WITH_ENCODER } from './service.ts'

const off = buildOnce()

/** A service with the log lines that are warnings. */
async function buildWith(t: TestContext, modules: ServiceModules, config: Partial<Config> = {}) {
  const lines: Record<string, unknown>[] = []
  const stream = { write: (line: string) => void lines.push(JSON.parse(line)) }
  const service = await build(t, {
    config: { ...WITH_ENCODER, ...config },
    log: { level: 'warn', stream },
    modules,
  })
  return { app: service.app, lines }
}

type App = Awaited<ReturnType<typeof buildWith>>['app']

async function verdict(app: App) {
  return (await post(app, '/classify-stream', LOTTERY)).json()
}

/** The folder of the encoder, with one file other than it is. */
async function encoderBut(change: (file: string) => Promise<void>, name: string): Promise<string> {
  const folder = temporaryFolder()
  await cp(SHIPPED_ENCODER, folder, {
    recursive: true,
    filter: (path) => !path.endsWith('rows.bin') || name === 'rows.bin',
  })
  if (name !== 'rows.bin')
    await symlink(join(SHIPPED_ENCODER, 'rows.bin'), join(folder, 'rows.bin'))
  await change(join(folder, name))
  return folder
}

const UNAVAILABLE: readonly [what: string, modules: () => Promise<ServiceModules>, code: string][] =
  [
    [
      'a runtime that cannot be loaded',
      async () => ({ onnxRuntime: 'file:///nowhere/onnxruntime.js' }),
      'ENCODER_UNAVAILABLE',
    ],
    [
      'a graph that is cut short',
      async () => ({
        encoderFolder: await encoderBut((file) => truncate(file, 1_000), 'last.onnx'),
      }),
      'ARTIFACT_MISMATCH',
    ],
    [
      'no table of positions',
      async () => ({ encoderFolder: await encoderBut((file) => rm(file), 'positions.bin') }),
      'ARTIFACT_MISMATCH',
    ],
    ['no encoder at all', async () => ({ encoderFolder: '/nowhere' }), 'ARTIFACT_MISMATCH'],
  ]

describe('a service without its encoder', () => {
  for (const [what, modules, code] of UNAVAILABLE) {
    it(`judges as ever and embeds by the table with ${what}, and says so`, async (t) => {
      const { app, lines } = await buildWith(t, await modules())
      assert.deepEqual(await verdict(app), await verdict(off()))
      assert.deepEqual(
        lines.map(({ level, code, msg }) => ({ level, code, msg })),
        [
          {
            level: 40,
            code,
            msg: 'The encoder cannot be used: texts are embedded by the table',
          },
        ],
      )
      const ready = await app.inject('/ready')
      assert.equal(ready.statusCode, 200)
      const embedded = await app.inject({
        method: 'POST',
        url: '/classify/embed-text',
        payload: { text: 'hello' },
      })
      assert.match(`${embedded.headers['x-tamis-embedding-model']}`, /^tamis-static-/)
    })
  }

  it('loads nothing of it where the settings want nothing of it', async (t) => {
    const modules = { onnxRuntime: 'file:///nowhere/onnxruntime.js' }
    const { app, lines } = await buildWith(t, modules, { embedding: 'table' })
    assert.deepEqual(await verdict(app), await verdict(off()))
    assert.deepEqual(lines, [])
  })
})
