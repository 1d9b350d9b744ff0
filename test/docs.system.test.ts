/** The commands of README and guides do what is said of them: each is run as it stands there. */
import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { blocks } from './document-blocks.ts'
import { temporaryFolder } from './temporary-folder.ts'

const ROOT = join(import.meta.dirname, '..')

/** The port that the README names; the test takes a free one in its place. */
const README_PORT = '8025'

/** Runs `npm start` until the test ends; resolves to the port. */
async function npmStart(t: TestContext): Promise<string> {
  const dataDir = temporaryFolder()
  const service = spawn('npm', ['start'], {
    cwd: ROOT,
    env: { ...process.env, TAMIS_PORT: '0', TAMIS_DATA_DIR: dataDir, TAMIS_AUTH_DNS: 'off' },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  t.after(() => process.kill(-service.pid!))
  let output = ''
  for await (const chunk of service.stdout) {
    output += chunk
    const port = /127\.0\.0\.1:(\d+)/.exec(output)?.[1]
    if (port !== undefined) return port
  }
  throw new Error(`npm start ended without listening: ${output}`)
}

describe('README', () => {
  it('shows a request and its whole answer, and how to correct it', async (t) => {
    if (spawnSync('curl', ['--version']).error) return t.skip('curl is not installed')
    const port = await npmStart(t)
    const command = blocks('sh')[1]!.replace(README_PORT, port)
    const answer = JSON.parse(
      execFileSync('sh', ['-c', `${command} --silent`], { cwd: ROOT, encoding: 'utf8' }),
    )
    const shown = JSON.parse(blocks('json')[0]!)
    assert.deepEqual(Object.keys(answer), Object.keys(shown))
    assert.deepEqual(withoutScores(answer), withoutScores(shown))

    const correct = blocks('sh')[2]!.replace(README_PORT, port)
    const corrected = execFileSync('sh', ['-c', `${correct} --silent`], { cwd: ROOT })
    // One user's word moves that user's mail alone; what five agree about moves everybody's.
    assert.equal(JSON.parse(`${corrected}`).status, 'personalization_only')
  })

  it('shows a command that classifies the examples', () => {
    const { stdout, status } = spawnSync('sh', ['-c', blocks('sh')[3]!], {
      cwd: ROOT,
      encoding: 'utf8',
    })
    assert.match(stdout, /examples\/order\.eml/)
    assert.equal(status, 1, 'phishing.eml is spam')
  })
})

/** What the answer says; scores are written by `npm run docs`. */
function withoutScores(answer: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(answer).map(([name, value]) => [name, typeof value === 'number' ? 0 : value]),
  )
}

/** Starting is shown by the README's test. */
const START = 'npm ci\nnpm start'

describe('guides', () => {
  for (const file of ['docs/getting-started.md', 'docs/corrections.md', 'docs/security.md']) {
    it(`${file} shows commands that work, one after the other`, async (t) => {
      if (spawnSync('curl', ['--version']).error) return t.skip('curl is not installed')
      const port = await npmStart(t)
      // Not the service's own: with a key in it the next command would need one.
      const dataDir = temporaryFolder()
      const env = {
        ...process.env,
        TAMIS_URL: `http://127.0.0.1:${port}`,
        TAMIS_DATA_DIR: dataDir,
      }
      const text = readFileSync(join(ROOT, file), 'utf8')
      for (const block of blocks('sh', text).filter((commands) => commands !== START)) {
        const command = block.replaceAll(README_PORT, port).replaceAll('curl ', 'curl -sSf ')
        const { status, stderr } = spawnSync('sh', ['-c', command], {
          cwd: ROOT,
          env,
          encoding: 'utf8',
        })
        // 1 says that there was spam.
        assert.ok(status === 0 || status === 1, `${block}\n${status} ${stderr}`)
      }
    })
  }
})
