/** The commands that speak to a running service, as a person runs them, against a whole one. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
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

/** Beside the service, which runs in this process, and like it without a second reading. */
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

let users = 0
const newUser = () => `user-${++users}`

const APPOINTMENT = 'examples/appointment.eml'

describe('tamis classify --url', () => {
  it('gives the verdicts of the service, in the order of the messages', async () => {
    const { stdout, status } = await tamis(['classify', '--json', '--url', url, 'examples'])
    const here = await tamis(['classify', '--json', 'examples'])
    assert.equal(stdout, here.stdout)
    assert.equal(status, 1)
  })

  it('judges old mail as it is judged without a service: at its Date, where none says when it came', async () => {
    const path = join(folder, 'old.eml')
    writeFileSync(path, 'From: a@example.net\nDate: Thu, 6 Jun 2019 12:00:00 +0000\n\nHello\n')
    const { stdout } = await tamis(['classify', '--json', '--url', url, path])
    assert.equal(stdout, (await tamis(['classify', '--json', path])).stdout)
  })

  it('goes by what the user has corrected', async () => {
    const user = newUser()
    await tamis(['feedback', 'spam', '--user', user, APPOINTMENT])
    const { stdout, status } = await tamis(['classify', '--url', url, '--user', user, APPOINTMENT])
    assert.equal(lines(stdout)[0]!['bypassReason'], 'user_rule')
    assert.equal(status, 1)
  })

  it('names what is no message, and judges the others', async () => {
    const path = join(folder, 'none.eml')
    writeFileSync(path, 'no header field here\n')
    const { stdout, status } = await tamis(['classify', '--url', url, path, APPOINTMENT])
    assert.deepEqual(
      lines(stdout).map(({ code, isSpam }) => code ?? isSpam),
      ['NOT_A_MESSAGE', false],
    )
    assert.equal(status, 2)
  })

  it('exits with 65 for a header that the service refuses', async () => {
    const options = ['--url', url, '--sender-ip', 'nowhere']
    const { stderr, status } = await tamis(['classify', ...options, APPOINTMENT])
    assert.match(stderr, /^tamis: X-Sender-IP .*HEADER_INVALID/)
    assert.equal(status, 65)
  })
})

describe('tamis feedback', () => {
  it('corrects a verdict, and takes it back by its id', async () => {
    const user = newUser()
    const told = await tamis(['feedback', 'spam', '--user', user, '--json', APPOINTMENT])
    const [{ name, status, feedbackId } = {}] = lines(told.stdout)
    assert.deepEqual([name, status, told.status], [APPOINTMENT, 'personalization_only', 0])
    assert.match(
      (await tamis(['user', 'show', user])).stdout,
      /^spam\t20\S+Z\t\S+\tclaims \S+ \(not verified\)\n$/,
    )
    const undone = await tamis(['feedback', 'undo', `${feedbackId}`])
    assert.equal(undone.stdout, `${feedbackId}\tremoved\n`)
    assert.equal((await tamis(['user', 'show', user])).stdout, '')
  })

  it('takes a verdict back by the message', async () => {
    const user = newUser()
    await tamis(['feedback', 'ham', '--user', user, '--no-rule', APPOINTMENT])
    assert.equal((await tamis(['user', 'rules', user])).stdout, '')
    const withdraw = ['feedback', 'withdraw', '--user', user, APPOINTMENT]
    assert.equal((await tamis(withdraw)).stdout, `${APPOINTMENT}\tremoved\n`)
    assert.equal((await tamis(withdraw)).stdout, `${APPOINTMENT}\tnone\n`)
  })

  it('corrects a class', async () => {
    const user = newUser()
    const { stdout } = await tamis(['feedback', 'class', 'updates', '--user', user, APPOINTMENT])
    assert.match(stdout, /^examples\/appointment\.eml\tsuccess\t\S+\n$/)
    const shown = lines((await tamis(['user', 'show', user, '--json'])).stdout)
    assert.equal((shown[0]!['items'] as { label: string }[])[0]!.label, 'updates')
  })

  it('tells of all that is below a folder, and exits with 2 when one is no message', async () => {
    const mail = mkdtempSync(join(folder, 'mail-'))
    writeFileSync(join(mail, '1'), 'From: a@example.com\nSubject: One\n\nOne\n')
    writeFileSync(join(mail, '2'), 'no header field here\n')
    writeFileSync(join(mail, '3'), 'From: a@example.com\nSubject: Three\n\nThree\n')
    const { stdout, status } = await tamis(['feedback', 'spam', '--user', newUser(), mail])
    assert.deepEqual(
      stdout.split('\n').map((line) => line.split('\t')[1]),
      ['personalization_only', 'NOT_A_MESSAGE', 'personalization_only', undefined],
    )
    assert.equal(status, 2)
  })
})

describe('tamis rules list', () => {
  it('lists the rules in use with their hits', async () => {
    assert.equal((await tamis(['rules', 'list'])).stdout, '0\tfile:1\tblock from *.top\n')
  })
})

describe('tamis user rules', () => {
  it('lists the rules of a user', async () => {
    const user = newUser()
    await tamis(['feedback', 'class', 'updates', '--user', user, APPOINTMENT])
    await tamis(['feedback', 'spam', '--user', user, APPOINTMENT])
    const { stdout } = await tamis(['user', 'rules', user])
    assert.match(stdout, /^spam\tSender\t\S+@\S+\tcorrection\tunverified\t20\S+Z\n$/)
  })
})

describe('tamis user delete', () => {
  it('gives a receipt, and waits until the models are rebuilt', async () => {
    const user = newUser()
    await tamis(['feedback', 'spam', '--user', user, APPOINTMENT])
    const rule = { userId: user, ruleType: 'Sender', label: 'ham', pattern: 'a.example' }
    await app().inject({ method: 'POST', url: '/personalization/rules', payload: rule })
    const { stdout, status } = await tamis(['user', 'delete', user, '--wait', '60', '--json'])
    const [{ deleted, job } = {}] = lines(stdout)
    assert.deepEqual(deleted, { rules: 1, memory: 1, feedback: 1 })
    assert.deepEqual([job, status], ['done', 0])
    assert.equal((await tamis(['user', 'show', user])).stdout, '')
  })

  it('forgets classes alone', async () => {
    const user = newUser()
    await tamis(['feedback', 'ham', '--user', user, APPOINTMENT])
    await tamis(['feedback', 'class', 'updates', '--user', user, APPOINTMENT])
    const { stdout } = await tamis(['user', 'delete', user, '--classes-only'])
    assert.match(stdout, /^deleted\t0 rules\t1 memories\t1 corrections\t20\S+Z\nrebuild\t\S+\n$/)
    assert.match((await tamis(['user', 'show', user])).stdout, /^ham\t/)
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

  it('are asked for when the last is revoked, until tamis keys open-service', async (t) => {
    const dataDir = mkdtempSync(join(folder, 'data-'))
    const { app } = await build(t, { config: { dataDir } })
    const own = await listen(app)
    const env = { TAMIS_DATA_DIR: dataDir, TAMIS_URL: own.url }
    const keys = (...args: string[]) => tamis(['keys', ...args], env)
    const show = (key?: string) =>
      tamis(['user', 'show', 'user-4711'], key === undefined ? env : { ...env, TAMIS_API_KEY: key })
    const until = async (status: number, key?: string) => {
      const deadline = Date.now() + 30_000
      while ((await show(key)).status !== status) assert.ok(Date.now() < deadline)
    }
    const [{ id, key } = {}] = lines((await keys('add', '--name', 'webmail', '--json')).stdout)
    await until(77)
    assert.equal((await show(`${key}`)).status, 0)

    const unsaid = await keys('open-service')
    assert.match(unsaid.stderr, /required option '--yes'/)
    assert.equal(unsaid.status, 64)
    const held = await keys('open-service', '--yes')
    assert.match(held.stderr, /1 key\(s\) are active, .*CONFIG_INVALID/)
    assert.equal(held.status, 78)
    assert.equal((await show()).status, 77)

    assert.equal((await keys('revoke', `${id}`)).status, 0)
    await until(77, `${key}`)
    assert.equal((await show()).status, 77)

    const opened = await keys('open-service', '--yes', '--json')
    assert.deepEqual(lines(opened.stdout), [{ status: 'open' }])
    await until(0)
    assert.equal((await show()).status, 0)
  })
})

describe('tamis history', () => {
  it('says why a message was judged so, to a person and to a program', async (t) => {
    const { app: kept } = await build(t, { config: { historyDays: 30 } })
    const at = ['--url', (await listen(kept)).url]
    await tamis(['classify', '--user', 'ann', ...at, 'examples'])
    const spam = ['history', '--verdict', 'spam', '--recipient', 'ann', '--since', '1h', ...at]
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
    const sinceYesterday = [
      'history',
      '--recipient',
      'ann',
      '--since',
      'yesterday',
      '--json',
      ...at,
    ]
    const ofToday = ['history', '--recipient', 'ann', '--since', 'today', '--json', ...at]
    const judged = lines((await tamis(sinceYesterday)).stdout)
    assert.deepEqual(judged, lines((await tamis(ofToday)).stdout))
    assert.equal(judged[0]!['userId'], 'ann')
    const beforeYesterday = ['history', '--until', 'yesterday', '--json', ...at]
    assert.equal((await tamis(beforeYesterday)).stdout, '')
    const none = await tamis(['history', '--sender', 'nobody.example.org', ...at])
    assert.deepEqual(none, {
      stdout: '',
      stderr: 'No entry of the history matches.\n',
      status: 0,
    })
    const wrong = await tamis(['history', '--since', 'last week', ...at])
    assert.match(wrong.stderr, /Allowed: today, yesterday, 90m, .* or a date/)
    assert.equal(wrong.status, 64)
  })

  it('says that none is kept', async () => {
    const { stderr, status } = await tamis(['history'])
    assert.match(stderr, /No history is kept: set TAMIS_HISTORY_DAYS.*HISTORY_OFF/)
    assert.equal(status, 78)
  })
})
