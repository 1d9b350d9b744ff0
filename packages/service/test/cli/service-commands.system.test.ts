/** The commands that speak to a running service, as a person runs them, against a whole one. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, it } from 'node:test'
import { eventually } from '../../../../test/eventually.ts'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { build, buildOnce, listen } from '../http/service.ts'

const ROOT = join(import.meta.dirname, '../../../..')

const RULES = join(temporaryFolder(), 'rules')
writeFileSync(RULES, 'block from *.top\n')

const app = buildOnce({ config: { learning: 'off', rules: RULES } })

let url = ''
beforeEach(async () => {
  if (!app().server.listening) url = (await listen(app())).url
})

const folder = temporaryFolder()

interface Ran {
  readonly stdout: string
  readonly stderr: string
  readonly status: number
}

/** Beside the service, which runs in this process. */
function tamis(args: readonly string[], env: Record<string, string> = {}): Promise<Ran> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [join(ROOT, 'packages/service/cli/tamis.ts'), ...args],
      { cwd: ROOT, env: { ...process.env, TAMIS_URL: url, ...env } },
      (_error, stdout, stderr) => resolve({ stdout, stderr, status: child.exitCode ?? -1 }),
    )
    child.stdin?.end()
  })
}

function lines(stdout: string): Record<string, unknown>[] {
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

const APPOINTMENT = 'examples/appointment.eml'

async function correct(userId: string): Promise<void> {
  const headers = {
    'content-type': 'message/rfc822',
    'x-user-id': userId,
    'x-is-spam': 'true',
  }
  const payload = readFileSync(join(ROOT, APPOINTMENT))
  const { statusCode } = await app().inject({
    ...{ method: 'POST', url: '/feedback-stream', headers, payload },
  })
  assert.equal(statusCode, 200)
}

describe('tamis status', () => {
  it('says whether the service accepts messages, with its counts', async () => {
    const { stdout, status } = await tamis(['status'])
    assert.match(stdout, /^status\tready\nmodels\t\S+\nmessages judged\t\d+\n/)
    assert.equal(status, 0)
  })
})

describe('tamis rules list', () => {
  it('lists the rules in use with their hits', async () => {
    assert.equal((await tamis(['rules', 'list'])).stdout, '0\tfile:1\tblock from *.top\n')
  })
})

describe('tamis user', () => {
  it('lists rules and corrections, deletes them, and waits until the models are rebuilt', async () => {
    const user = 'user-1'
    await correct(user)
    const rule = { userId: user, ruleType: 'Sender', label: 'ham', pattern: 'a.example' }
    await app().inject({ method: 'POST', url: '/personalization/rules', payload: rule })
    assert.match(
      (await tamis(['user', 'show', user])).stdout,
      /^ham\tSender\ta\.example\texplicit\tunverified\t20\S+Z\nspam\tSender\tmarta@example\.org\tcorrection\tunverified\t20\S+Z\nspam\t20\S+Z\t\S+\tclaims \S+ \(not verified\)\n$/,
    )
    const { stdout, status } = await tamis(['user', 'delete', user, '--wait', '60', '--json'])
    const [{ deleted, job } = {}] = lines(stdout)
    assert.deepEqual(deleted, { rules: 1, memory: 1, feedback: 1 })
    assert.deepEqual([job, status], ['done', 0])
    assert.equal((await tamis(['user', 'show', user])).stdout, '')
  })
})

describe('keys', () => {
  it('are made by tamis keys, given by file or environment, and refused when revoked', async (t) => {
    const dataDir = mkdtempSync(join(folder, 'data-'))
    const { app } = await build(t, { config: { dataDir } })
    const own = await listen(app)
    const env = { TAMIS_DATA_DIR: dataDir, TAMIS_URL: own.url }
    const added = await tamis(['keys', 'add', '--name', 'webmail', '--json'], env)
    const [{ id, key } = {}] = lines(added.stdout)
    const listed = lines((await tamis(['keys', 'list', '--json'], env)).stdout)
    assert.deepEqual(
      listed.map((each) => [each['id'], each['name'], each['scopes'], each['rateLimit']]),
      [[id, 'webmail', ['classify', 'feedback'], null]],
    )

    const show = ['user', 'show', 'user-4711']
    const until = Date.now() + 30_000
    while ((await tamis(show, env)).status === 0 && Date.now() < until);
    const without = await tamis(show, env)
    assert.match(without.stderr, /UNAUTHENTICATED/)
    assert.equal(without.status, 77)
    assert.equal((await tamis(show, { ...env, TAMIS_API_KEY: `${key}` })).status, 0)
    const keyFile = join(dataDir, 'key')
    writeFileSync(keyFile, `${key}\n`)
    assert.equal((await tamis([...show, '--key-file', keyFile], env)).status, 0)

    const revoked = await tamis(['keys', 'revoke', `${id}`, '--json'], env)
    assert.deepEqual(lines(revoked.stdout), [{ status: 'revoked', id }])
    assert.match(revoked.stderr, /That was the last key/)
    const again = await tamis(['keys', 'revoke', `${id}`], env)
    assert.equal(again.status, 65)
  })
})

describe('tamis history', () => {
  it('says why a message was judged so, to a person and to a program', async (t) => {
    const { app: kept } = await build(t, { config: { historyDays: 30 } })
    const at = ['--url', (await listen(kept)).url]
    const headers = { 'content-type': 'message/rfc822', 'x-user-id': 'ann' }
    const payload = readFileSync(join(ROOT, 'examples/phishing.eml'))
    await kept.inject({ method: 'POST', url: '/classify-stream', headers, payload })
    const spam = ['history', '--verdict', 'spam', '--recipient', 'ann', ...at]
    await eventually(async () => (await tamis(spam)).stdout !== '', 'There is no entry', 20_000)
    const { stdout, status } = await tamis(spam)
    assert.match(
      stdout,
      /^20\S+Z {2}SPAM {2}\w+; spam probability [01]\.\d{4}, threshold 0\.\d{4}(; needs review)?\n {2}from {2}\S+@\S+\n {2}to {4}ann\n {2}id {4}<\S+>\n {2}why {3}[A-Z][a-z ]+: .+\.\n +[+-]\d+\.\d [A-Z].*\. \(\w+\)\n/,
    )
    assert.equal(status, 0)
    const [entry] = lines((await tamis([...spam, '--json', '--limit', '1'])).stdout)
    assert.equal(entry!['isSpam'], true)
    const byId = ['history', '--message-id', `<${entry!['messageId']}>`, '--json', ...at]
    assert.deepEqual(lines((await tamis(byId)).stdout), [entry])
    const none = await tamis(['history', '--queue-id', '4F00', ...at])
    assert.deepEqual(none, {
      stdout: '',
      stderr: 'No entry of the history matches.\n',
      status: 0,
    })
  })
})
