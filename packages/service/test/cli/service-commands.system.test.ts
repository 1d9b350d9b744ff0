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

const app = buildOnce({ config: { learning: 'off' } })

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
    assert.equal((await tamis(['rules', 'list', '--user', user])).stdout, '')
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

describe('tamis rules', () => {
  it('adds rules by pattern and from a message, lists them, and removes them', async () => {
    const user = newUser()
    const of = (command: string, ...more: string[]) =>
      tamis(['rules', command, '--user', user, ...more])
    const byPattern = ['--type', 'Sender', '--pattern', 'example.org']
    await of('add', ...byPattern, '--label', 'spam')
    const drawn = await of(
      'add',
      ...[
        '--type',
        'Sender',
        '--class',
        'transactions',
        '--message',
        'examples/order.eml',
        '--json',
      ],
    )
    assert.equal(lines(drawn.stdout)[0]!['pattern'], 'orders@example.net')
    const columns = (await of('list')).stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t').slice(0, 5))
    assert.deepEqual(columns, [
      ['spam', 'Sender', 'example.org', 'explicit', 'unverified'],
      ['transactions', 'Sender', 'orders@example.net', 'explicit', 'unverified'],
    ])
    assert.equal((await of('remove', ...byPattern)).stdout, 'removed\t1\n')
    const ofClass = ['--type', 'Sender', '--pattern', 'orders@example.net', '--class', '--json']
    assert.deepEqual(lines((await of('remove', ...ofClass)).stdout), [
      { status: 'removed', removed: 1 },
    ])
    assert.equal((await of('list', '--json')).stdout, '')
  })

  it('exits with 65 where there is no such rule', async () => {
    const args = ['--user', newUser(), '--type', 'List', '--pattern', 'example.org']
    const { stderr, status } = await tamis(['rules', 'remove', ...args])
    assert.equal(stderr, 'tamis: There is no such rule (NOT_FOUND)\n')
    assert.equal(status, 65)
  })

  it('exits with 65 where a message has no pattern of the type', async () => {
    const args = ['--user', newUser(), '--type', 'List', '--label', 'ham', '--message', APPOINTMENT]
    const { status } = await tamis(['rules', 'add', ...args])
    assert.equal(status, 65)
  })
})

describe('tamis site-rules', () => {
  it('adds what the words of a line say, lists it, and removes it', async () => {
    const words = ['block', 'sender', '*.top', 'for', 'Example.org']
    const added = await tamis(['site-rules', 'add', ...words])
    assert.match(added.stdout, /^[0-9a-f-]{36}\tblock\tsender\t\*\.top\texample\.org\t20\S+Z\n$/)
    const again = await tamis(['site-rules', 'add', '--json', ...words])
    const [{ id, ...rule } = {}] = lines(again.stdout)
    assert.equal(added.stdout.split('\t')[0], id)
    assert.equal(rule['recipientDomain'], 'example.org')
    const network = ['allow', 'network', '2001:db8::/32']
    await tamis(['site-rules', 'add', ...network])
    const { stdout } = await tamis(['site-rules', 'list'])
    assert.deepEqual(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.split('\t').slice(1, 5)),
      [
        [...network, '*'],
        ['block', 'sender', '*.top', 'example.org'],
      ],
    )
    assert.equal((await tamis(['site-rules', 'list', '--files'])).stdout, '')
    assert.equal((await tamis(['site-rules', 'remove', `${id}`])).stdout, `removed\t${id}\n`)
    const gone = await tamis(['site-rules', 'remove', `${id}`])
    assert.equal(gone.stderr, 'tamis: There is no such site rule (NOT_FOUND)\n')
    assert.equal(gone.status, 65)
    const opposite = await tamis(['site-rules', 'add', 'block', 'network', '2001:db8::/32'])
    assert.match(opposite.stderr, /allows the same .*RULE_CONTRADICTS/)
    assert.equal(opposite.status, 65)
  })

  it('says what it expects of words that are no rule', async () => {
    for (const words of ['block *.top', 'block sender a.example to b.example', 'deny sender a.b']) {
      const { stderr, status } = await tamis(['site-rules', 'add', ...words.split(' ')])
      assert.match(stderr, /expected: allow or block, then sender/)
      assert.equal(status, 64)
    }
    const tenant = 'block sender a.example tenant other'
    assert.equal((await tamis(['site-rules', 'add', ...tenant.split(' ')])).status, 64)
    const { stderr, status } = await tamis(['site-rules', 'add', 'allow', 'sender', '*.top'])
    assert.match(stderr, /can only be blocked \(FIELD_INVALID\)/)
    assert.equal(status, 65)
  })
})

describe('tamis weighted-rules', () => {
  it('adds what the words of a file say, lists it, and removes it', async () => {
    const words = ['ACME_PARTNER', '-1.5', 'header List-Id contains Partner', 'attachment macro']
    const added = await tamis(['weighted-rules', 'add', ...words])
    assert.match(
      added.stdout,
      /^[0-9a-f-]{36}\tACME_PARTNER\t-1\.5\t20\S+Z\theader list-id contains partner; attachment macro\n$/,
    )
    const { stdout } = await tamis(['weighted-rules', 'list', '--json'])
    const [{ id, weight } = {}] = lines(stdout)
    assert.deepEqual([added.stdout.split('\t')[0], weight], [id, -1.5])
    assert.equal((await tamis(['weighted-rules', 'list', '--files'])).stdout, '')
    assert.equal((await tamis(['weighted-rules', 'remove', `${id}`])).stdout, `removed\t${id}\n`)
    const gone = await tamis(['weighted-rules', 'remove', `${id}`])
    assert.equal(gone.stderr, 'tamis: There is no such weighted rule (NOT_FOUND)\n')
    assert.equal(gone.status, 65)
  })

  it('says what it expects of words that are no rule', async () => {
    const add = (...words: string[]) => tamis(['weighted-rules', 'add', ...words])
    const noCondition = await add('ACME', '1', 'subject is fax')
    assert.match(noCondition.stderr, /"subject is fax": expected: subject, text, link or header/)
    const noNumber = await add('ACME', 'much', 'subject contains fax')
    assert.match(noNumber.stderr, /the weight must be a number, such as \+2\.5/)
    assert.deepEqual([noCondition.status, noNumber.status], [64, 64])
    const tooMuch = await add('ACME', '7', 'subject contains fax')
    assert.match(tooMuch.stderr, /weight must be .*FIELD_INVALID/)
    assert.equal(tooMuch.status, 65)
  })
})

describe('tamis recipients', () => {
  it('sets threshold and learning, lists them, and takes them away', async () => {
    const set = (...args: string[]) => tamis(['recipients', 'set', ...args])
    const user = ['--user', 'ann@example.org']
    await set('--domain', 'Example.org', '--threshold', 'strict')
    await set(...user, '--threshold', '0.95')
    const { stdout } = await set(...user, '--learning', 'off', '--quarantine-at', '0.98')
    assert.match(stdout, /^user\tann@example\.org\t0\.95\toff\t20\S+Z\tdefault\t0\.98\n$/)
    const listed = (await tamis(['recipients', 'list', '--json'])).stdout
    assert.deepEqual(
      lines(listed).map(({ updatedAt: _, rejectAt: __, ...setting }) => setting),
      [
        {
          kind: 'domain',
          name: 'example.org',
          threshold: 'strict',
          learning: null,
          quarantineAt: null,
        },
        {
          kind: 'user',
          name: 'ann@example.org',
          threshold: 0.95,
          learning: 'off',
          quarantineAt: 0.98,
        },
      ],
    )
    const defaults = ['--learning', '--threshold', '--quarantine-at'].flatMap((name) => [
      name,
      'default',
    ])
    const none = await set(...user, ...defaults)
    assert.equal(none.stdout, 'user\tann@example.org\tdefault\tdefault\tnone\tdefault\tdefault\n')
    const remove = ['recipients', 'remove', '--domain', 'example.org']
    assert.equal((await tamis(remove)).stdout, 'removed\tdomain\texample.org\n')
    assert.equal((await tamis(remove)).status, 65)
    assert.equal((await tamis(['recipients', 'list'])).stdout, '')
  })

  it('exits with 64 where it is not told whom or what', async () => {
    const wrong = [
      ['set', '--threshold', 'strict'],
      ['set', '--user', 'ann'],
      ['set', '--user', 'ann', '--threshold', '2'],
      ['set', '--user', 'ann', '--domain', 'example.org', '--learning', 'off'],
      ['remove'],
    ]
    for (const args of wrong) {
      assert.equal((await tamis(['recipients', ...args])).status, 64, args.join(' '))
    }
  })
})

describe('tamis user delete', () => {
  it('gives a receipt, and waits until the models are rebuilt', async () => {
    const user = newUser()
    await tamis(['feedback', 'spam', '--user', user, APPOINTMENT])
    await tamis([
      'rules',
      'add',
      '--user',
      user,
      '--type',
      'Sender',
      '--pattern',
      'a.example',
      '--label',
      'ham',
    ])
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
