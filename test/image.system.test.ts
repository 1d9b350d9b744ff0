/**
 * The image of deploy/Dockerfile as far as it goes without Docker: the last stage is followed step by step in a
 * folder, and the service that results is started by its CMD. Not tested: the image node:24-slim, and its user.
 */
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, delimiter, dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import { listening } from './listening.ts'

const ROOT = join(import.meta.dirname, '..')

/** The instructions, with continued lines joined: ['COPY', 'artifacts artifacts']. */
const INSTRUCTIONS = readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8')
  .replaceAll('\\\n', ' ')
  .split('\n')
  .map((line) => /^([A-Z]+) +(.*)$/.exec(line))
  .filter((match) => match !== null)
  .map(([, name, rest]) => [name!, rest!] as const)

const LAST_STAGE = INSTRUCTIONS.slice(INSTRUCTIONS.findLastIndex(([name]) => name === 'FROM'))

describe('deploy/Dockerfile', () => {
  it('makes a service that starts, has the console and judges a message', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'tamis-image-'))
    t.after(() => rmSync(folder, { recursive: true }))
    for (const [name, rest] of LAST_STAGE) {
      if (name === 'COPY') copy(rest, folder)
      if (name === 'RUN' && rest.startsWith('npm ')) run(rest, folder)
    }
    const [command, ...args] = JSON.parse(argumentOf('CMD')) as string[]
    assert.equal(command, 'node')
    const service = spawn(process.execPath, args, {
      cwd: folder,
      env: { TAMIS_PORT: '0', TAMIS_DATA_DIR: join(folder, 'data'), NODE_ENV: 'production' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    t.after(async () => {
      service.kill()
      if (service.exitCode === null) await once(service, 'exit')
    })
    const url = await listening(service.stdout)
    assert.match(await (await fetch(url)).text(), /<title>Tamis/)
    const answer = await fetch(`${url}/classify-stream`, {
      method: 'POST',
      headers: { 'content-type': 'message/rfc822' },
      body: readFileSync(join(ROOT, 'examples/phishing.eml')),
    })
    assert.equal(((await answer.json()) as { readonly isSpam: boolean }).isSpam, true)
    // The encoder needs the runtime of the image's platform.
    const embedded = await fetch(`${url}/classify/embed-text`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text: 'Your parcel arrives tomorrow' }),
    })
    assert.equal(embedded.status, 200)
    const runtimes = globSync('node_modules/onnxruntime-node/bin/*/*/*', { cwd: folder })
    assert.equal(runtimes.length, 1, `${runtimes}`)
  })
})

/** Follows COPY; what the first stage has built is taken from this checkout. */
function copy(rest: string, folder: string): void {
  const paths = rest.split(' ').filter((word) => !word.startsWith('--'))
  const to = join(folder, paths.pop()!)
  for (const path of paths) {
    const from = join(ROOT, path.replace(/^\/opt\/tamis\//, ''))
    const isIntoFolder = to.endsWith('/') || rest.endsWith(' ./')
    cpSync(from, isIntoFolder ? join(to, basename(from)) : to, {
      recursive: true,
      filter: (each) => !/\/(node_modules|packages\/service\/dist)$/.test(each),
    })
  }
}

/** Follows RUN, but for the steps that would change this machine outside `folder`. */
function run(rest: string, folder: string): void {
  const [install, ...others] = rest.split(' && ')
  const steps = [`${install} --prefer-offline --no-audit`, ...others.filter(isInFolder)]
  mkdirSync(folder, { recursive: true })
  for (const step of steps) {
    execFileSync('sh', ['-c', step], {
      cwd: folder,
      env: {
        ...process.env,
        PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
  }
}

function isInFolder(step: string): boolean {
  return step.trim().startsWith('find node_modules/')
}

function argumentOf(instruction: string): string {
  return LAST_STAGE.find(([name]) => name === instruction)![1]
}
