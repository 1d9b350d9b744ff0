/** Services whose encoder cannot be opened, or does not keep running: they judge without it, and say so. */
import assert from 'node:assert/strict'
import { cp, rm, symlink, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { eventually } from '../../../../test/eventually.ts'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { SHIPPED_ARTIFACTS, SHIPPED_ENCODER } from '../../../artifact-files/artifact-files.ts'
import type { Config } from '../../config.ts'
import type { ServiceModules } from '../../open-service.ts'
import { runtimeThat } from '../reader/fake-onnxruntime.ts'
import { build, buildOnce, LOTTERY, post, WITH_READER } from './service.ts'

const off = buildOnce()

/** A service with the log lines that are warnings. */
async function buildWith(t: TestContext, modules: ServiceModules, config: Partial<Config> = {}) {
  const lines: Record<string, unknown>[] = []
  const stream = { write: (line: string) => void lines.push(JSON.parse(line)) }
  const service = await build(t, {
    config: { ...WITH_READER, ...config },
    log: { level: 'warn', stream },
    modules,
  })
  return { app: service.app, lines }
}

type App = Awaited<ReturnType<typeof buildWith>>['app']

async function metric(app: App, name: string): Promise<number | undefined> {
  const { body } = await app.inject('/metrics')
  const line = body.split('\n').find((each) => each.startsWith(`${name} `))
  return line === undefined ? undefined : Number(line.split(' ')[1])
}

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
    it(`judges by both models and embeds by the table with ${what}, and says so`, async (t) => {
      const { app, lines } = await buildWith(t, await modules())
      assert.deepEqual(await verdict(app), await verdict(off()))
      assert.deepEqual(
        lines.map(({ level, code, msg }) => ({ level, code, msg })),
        [
          {
            level: 40,
            code,
            msg: 'A model cannot be used: messages are judged without a second reading, and texts are embedded by the table',
          },
        ],
      )
      const ready = await app.inject('/ready')
      assert.equal(ready.statusCode, 200)
      assert.deepEqual(ready.json().reader, { mode: 'doubtful', available: false, failure: code })
      assert.equal(await metric(app, 'tamis_reader_available'), 0)
      const embedded = await app.inject({
        method: 'POST',
        url: '/classify/embed-text',
        payload: { text: 'hello' },
      })
      assert.match(`${embedded.headers['x-tamis-embedding-model']}`, /^tamis-static-/)
    })
  }

  it('judges by both models where those of the operator have no reader, and says so', async (t) => {
    const models = temporaryFolder()
    for (const name of ['text', 'meta', 'tabs', 'fusion']) {
      await symlink(join(SHIPPED_ARTIFACTS, name), join(models, name))
    }
    const modules = { onnxRuntime: runtimeThat('answer') }
    const { app, lines } = await buildWith(t, modules, { models })
    assert.deepEqual(await verdict(app), await verdict(off()))
    assert.deepEqual(
      lines.map(({ msg }) => msg),
      ['A model cannot be used: messages are judged without a second reading'],
    )
    assert.equal((await app.inject('/ready')).json().reader.failure, 'ARTIFACT_MISMATCH')
  })

  it('loads nothing of it where the settings want nothing of it', async (t) => {
    const modules = { onnxRuntime: 'file:///nowhere/onnxruntime.js' }
    const { app, lines } = await buildWith(t, modules, { reader: 'off', embedding: 'table' })
    assert.deepEqual(await verdict(app), await verdict(off()))
    assert.deepEqual(lines, [])
    const { reader } = (await app.inject('/ready')).json()
    assert.deepEqual(reader, { mode: 'off', available: false, failure: null })
    assert.equal(await metric(app, 'tamis_reader_available'), undefined)
  })
})

describe('a service whose encoder', () => {
  for (const what of ['throw', 'exit'] as const) {
    it(`${what}s judges by both models, has a person look, and reads the next message on another thread`, async (t) => {
      const modules = { onnxRuntime: runtimeThat(what) }
      const { app, lines } = await buildWith(t, modules, { reader: 'always' })
      const { spamProbability } = await verdict(off())
      const failed = await verdict(app)
      assert.equal(failed.spamProbability, spamProbability)
      assert.equal(failed.shouldEscalate, true)
      assert.equal(lines.at(-1)?.['msg'], 'A message was not read a second time')
      assert.equal(await metric(app, 'tamis_reader_available'), 0)
      assert.equal(await metric(app, 'tamis_readings_total{outcome="failed"}'), 1)
      // Messages are late until the other thread has opened the encoder.
      await eventually(async () => (await verdict(app)).spamProbability !== spamProbability)
      assert.equal(await metric(app, 'tamis_reader_available'), 1)
    })
  }

  it('does not answer judges by both models after a quarter of a second, and has a person look', async (t) => {
    const modules = { onnxRuntime: runtimeThat('hang') }
    const { app } = await buildWith(t, modules, { reader: 'always' })
    const { spamProbability } = await verdict(off())
    for (const _ of ['in progress', 'waiting']) {
      const late = await verdict(app)
      assert.equal(late.spamProbability, spamProbability)
      assert.equal(late.shouldEscalate, true)
    }
    assert.equal(await metric(app, 'tamis_readings_total{outcome="late"}'), 2)
    const reasoned = await post(app, '/classify-stream/reasons', LOTTERY, { 'x-summary': 'true' })
    const { reasons, summary } = reasoned.json()
    for (const named of [reasons, summary.reasons]) {
      const late = named.find(({ name }: { name: string }) => name === 'TAMIS_READER_LATE')
      assert.equal(late?.points, 0)
    }
    assert.equal(await metric(app, 'tamis_reading_duration_seconds_count'), 3)
  })
})
