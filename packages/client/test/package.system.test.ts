/**
 * The client as it is published: compiled, found by the package's name, typed, without a module of
 * anybody else's, on the oldest Node that it is for. Debian 12 has that Node (scripts/ci-services), and
 * runs the programs here by chroot.
 */
import assert from 'node:assert/strict'
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { blocks } from '../../../test/document-blocks.ts'
import { type InstalledPackage, installPackage } from '../../../test/installed-package.ts'
import { startFakeTamis } from '../fake.ts'

const ROOT = join(import.meta.dirname, '../../..')

const CLIENT = join(ROOT, 'packages/client')

const DEBIAN = process.env['TAMIS_TEST_DEBIAN'] ?? '/opt/tamis-test/debian12'

const TSC = join(ROOT, 'node_modules/.bin/tsc')

let installed: InstalledPackage
let project = ''
before(() => {
  installed = installPackage('packages/client')
  project = installed.folder
  // What programs for Node have: the client itself asks for nothing.
  for (const dependency of ['@types', 'undici-types']) {
    symlinkSync(join(ROOT, 'node_modules', dependency), join(project, 'node_modules', dependency))
  }
  const manifest = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))
  writeFileSync(join(project, 'package.json'), JSON.stringify({ ...manifest, type: 'module' }))
})
after(() => installed?.remove())

function compile(program: string) {
  writeFileSync(join(project, 'program.ts'), program)
  const options = ['--strict', '--module', 'nodenext', '--target', 'es2024', '--types', 'node']
  return spawnSync(TSC, [...options, 'program.ts'], { cwd: project, encoding: 'utf8' })
}

describe('tamis-client', () => {
  it('has what a package should have beside its code', () => {
    const texts = installed.files.filter((file) => !file.startsWith('dist/'))
    assert.deepEqual(texts.toSorted(), ['LICENSE', 'README.md', 'package.json'])
    const fileOf = (name: string) =>
      readFileSync(join(project, 'node_modules/tamis-client', name), 'utf8')
    assert.equal(fileOf('LICENSE'), readFileSync(join(ROOT, 'LICENSE'), 'utf8'))
  })

  it('loads nothing but its own files, and only for the fake what Node has', () => {
    const folder = join(project, 'node_modules/tamis-client/dist')
    const loaded = readdirSync(folder)
      .filter((file) => /\.(?:js|d\.ts)$/.test(file) && file !== 'fake.js')
      .flatMap((file) => [...readFileSync(join(folder, file), 'utf8').matchAll(/ from '([^']+)'/g)])
      .map((match) => match[1]!)
    assert.ok(loaded.length > 0)
    assert.deepEqual(
      loaded.filter((name) => !/^\.\/[\w-]+\.(?:js|ts)$/.test(name)),
      [],
    )
  })

  it('runs the programs of its README, of which the second tests with the fake', async (t) => {
    const [first = '', second = ''] = blocks('ts', readFileSync(join(CLIENT, 'README.md'), 'utf8'))
    writeFileSync(join(project, 'message.eml'), 'From: a@example.com\r\n\r\nHello\r\n')
    const fake = await startFakeTamis()
    t.after(() => fake.close())
    const judge = compile(first.replace('http://127.0.0.1:8025', fake.url))
    assert.equal(judge.status, 0, judge.stdout)
    const { stdout } = await promisify(execFile)(process.execPath, [join(project, 'program.js')], {
      cwd: project,
    })
    assert.equal(stdout, 'transactions\n')
    assert.equal(fake.requests[0]!.headers['x-user-id'], 'user-4711')
    const tests = compile(second)
    assert.equal(tests.status, 0, tests.stdout)
    execFileSync(process.execPath, [join(project, 'program.js')])
  })

  it('runs on Node 18', (t) => {
    if (!existsSync(join(DEBIAN, 'usr/bin/node')) || process.getuid!() !== 0) {
      return t.skip(`there is no Debian in ${DEBIAN} (scripts/ci-services), or this is not root`)
    }
    const { status, stdout } = compile(`
      import { Readable } from 'node:stream'
      import { TamisClient, TamisClientError } from 'tamis-client'
      import { startFakeTamis } from 'tamis-client/fake'
      const fake = await startFakeTamis()
      const tamis = new TamisClient({ url: fake.url })
      const message = new TextEncoder().encode('From: a@example.com\\r\\n\\r\\nHello\\r\\n')
      const bodies = [message, new Blob([message]), new Blob([message]).stream(), Readable.from([message])]
      fake.busy(1, 0)
      for await (const { index, verdict } of tamis.classifyAll(bodies, { userId: 'jürgen', atOnce: 1 })) {
        console.log(index, verdict?.classification, fake.requests.at(-1)!.body.length)
      }
      try {
        await tamis.classifyStream(Readable.from(['text']))
      } catch (error) {
        console.log((error as Error).name)
      }
      fake.fail('classifyStream', 'NOT_A_MESSAGE')
      try {
        await tamis.classifyStream(message)
      } catch (error) {
        if (error instanceof TamisClientError) console.log(error.code, error.status)
      }
      await fake.close()
      console.log(process.version)`)
    assert.equal(status, 0, stdout)
    const place = '/tmp/tamis-client'
    t.after(() => rmSync(join(DEBIAN, place), { recursive: true, force: true }))
    for (const path of ['package.json', 'program.js', 'node_modules/tamis-client']) {
      cpSync(join(project, path), join(DEBIAN, place, path), { recursive: true })
    }
    const ran = execFileSync('chroot', [DEBIAN, 'node', `${place}/program.js`], {
      encoding: 'utf8',
    })
    const lines = [0, 1, 2, 3].map((index) => `${index} transactions 30`)
    assert.deepEqual(
      ran
        .trimEnd()
        .replace(/v18\.\S+$/, 'v18')
        .split('\n'),
      [...lines, 'TypeError', 'NOT_A_MESSAGE 400', 'v18'],
    )
  })

  it('gives types to a program that uses it, which then runs', () => {
    const program = `
      import { TamisClient, TamisClientError, type FullResult } from 'tamis-client'
      const tamis = new TamisClient({ url: 'http://127.0.0.1:9' })
      const judge = async (message: Uint8Array): Promise<FullResult['bypassReason']> =>
        (await tamis.classifyStream(message, { userId: 'ann' })).bypassReason
      try {
        await judge(new Uint8Array())
      } catch (error) {
        if (error instanceof TamisClientError) console.log(error.code satisfies string)
      }`
    const { stdout, status } = compile(program)
    assert.equal(status, 0, stdout)
    const ran = execFileSync(process.execPath, [join(project, 'program.js')], { encoding: 'utf8' })
    assert.equal(ran, 'UNREACHABLE\n')
  })

  it('refuses a label and a field that there are not, and a correction without a user', () => {
    const { stdout } = compile(`
      import { TamisClient } from 'tamis-client'
      const tamis = new TamisClient({ url: 'http://127.0.0.1:9' })
      const rule = { userId: 'a', ruleType: 'Sender', pattern: 'b.example' } as const
      tamis.createRule({ ...rule, label: 'junk' })
      ;(await tamis.classifyStream(new Uint8Array())).spam
      tamis.feedbackStream(new Uint8Array(), { isSpam: true })`)
    const lines = [...stdout.matchAll(/^program\.ts\((\d+),/gm)].map((match) => Number(match[1]))
    assert.deepEqual(lines, [5, 6, 7])
  })
})
