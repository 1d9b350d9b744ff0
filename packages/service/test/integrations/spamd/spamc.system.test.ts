/**
 * SpamAssassin's own client, spamc, against the service: every mode, its exit status and what it
 * prints. From Debian's package `spamc` (scripts/ci-services); of SpamAssassin itself nothing runs.
 */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { build, buildOnce } from '../../http/service.ts'
import { programOf, run } from '../programs.ts'
import { openSpamd, openSpamdOnce } from './spamd.ts'

const spamc = programOf('spamc')

const app = buildOnce({ config: { learning: 'off' } })
const spamd = openSpamdOnce(app)

const NOTE = [
  'From: Ann <ann@example.org>',
  'To: a@example.com',
  'Subject: Saturday at the lake',
  'Date: Fri, 20 Nov 2026 12:00:00 +0000',
  'Message-ID: <note-1@example.org>',
  'X-Spam-Flag: YES',
  '',
  'Shall we meet at the boat house at ten? Bring the children and something warm to wear.',
  '',
].join('\n')

const PHISHING = [
  'Received: from vps.example.net (unknown [192.0.2.201]) by mx.example.com; Wed, 19 Nov 2025 02:14:09 +0000',
  'Date: Wed, 19 Nov 2025 02:13:58 +0000',
  'From: "Parcel Service" <no-reply@track-parcel-secure.example.net>',
  'Reply-To: support-center@refund-desk.example.org',
  'To: undisclosed-recipients:;',
  'Subject: Your package is on hold - action required',
  'Message-ID: <7f3a91@localhost>',
  'X-Priority: 1',
  'MIME-Version: 1.0',
  'Content-Type: text/html; charset=utf-8',
  '',
  '<p>Dear customer, your package could not be delivered. <b>Pay the fee of 1.99 now</b>: ',
  '<a href="http://192.0.2.77/parcel/login.php">https://parcel.example.com/track</a></p>',
  '<p style="display:none">lorem ipsum lottery viagra winner</p>',
  '',
].join('\n')

function client(args: readonly string[], message = NOTE, port = spamd().port) {
  const where = ['-d', '127.0.0.1', '-p', `${port}`, '--connect-retries=1', '--retry-sleep=0']
  return run(spamc.path, [...where, ...args], message)
}

let users = 0
const newUser = () => `user-${++users}@example.com`

/** A user for whom `message` is spam, or is not. */
async function userWho(learns: 'spam' | 'ham', message = NOTE): Promise<string> {
  const user = newUser()
  const { status, stdout } = await client(['-u', user, '-L', learns], message)
  assert.deepEqual([status, stdout], [0, 'Message successfully un/learned\n'])
  return user
}

describe('spamc', { skip: spamc.missing }, () => {
  it('-c prints score and threshold, and tells spam by the exit status', async () => {
    const ham = await client(['-c'])
    assert.equal(ham.status, 0)
    assert.match(ham.stdout, /^-?\d+\.\d\/5\.0\n$/)
    const spam = await client(['-c'], PHISHING)
    assert.equal(spam.status, 1)
    const [score] = spam.stdout.split('/')
    assert.ok(Number(score) >= 5, spam.stdout)
  })

  it('-R prints a report of all messages, -r of spam alone', async () => {
    const report = await client(['-R'])
    assert.match(
      report.stdout,
      /^-?\d+\.\d\/5\.0\nTamis 0\.1\.0 on \S+ classifies this message as not spam:\n/,
    )
    assert.match(report.stdout, /^Class: +primary/m)
    assert.match(report.stdout, /^ *[+-]\d+\.\d TAMIS_TEXT +The wording/m)
    assert.ok(report.stdout.split('\n').every((line) => line.length <= 78 && !/[^ -~]/.test(line)))

    assert.equal((await client(['-r'])).stdout, '')
    const spam = await client(['-r'], PHISHING)
    assert.match(
      spam.stdout,
      /^Tamis 0\.1\.0 on \S+ classifies this message as spam:\n\d+\.\d points/,
    )
  })

  it('gives the message back with fields above its own, forged ones gone, all else as it was', async () => {
    const { status, stdout } = await client([])
    assert.equal(status, 0)
    const original = NOTE.replace('X-Spam-Flag: YES\n', '')
    assert.ok(stdout.endsWith(`\n${original}`), stdout)
    const fields = stdout.slice(0, -original.length)
    assert.match(fields, /^X-Spam-Checker-Version: Tamis 0\.1\.0 on \S+\nX-Spam-Level: \**\n/)
    assert.match(
      fields,
      /^X-Spam-Status: No, score=-?\d+\.\d required=5\.0\s+tests=[A-Z0-9_,\s]+\s+autolearn=no\s+version=0\.1\.0\n/m,
    )
    assert.match(fields, /^X-Tamis-Verdict: ham; probability=0\.\d{4}(;[^\n]*)?\n/m)
    assert.match(fields, /^X-Tamis-Class: primary\n/m)
    assert.match(fields, /^X-Tamis-Reasons: [A-Z][^;]+;\n [+-]\d+\.\d [A-Z0-9_]+ \([ -~\n]+\)\n/m)
    assert.ok(
      fields.split('\n').every((line) => line.length <= 78),
      fields,
    )
  })
})

describe('spamc -L', { skip: spamc.missing }, () => {
  it('spam and ham change the next verdict of that user, and of nobody else', async () => {
    const others = async () => (await client(['-c', '-u', newUser()])).stdout
    const before = await others()
    const user = newUser()
    for (const [learns, score] of [
      ['spam', '25.0'],
      ['ham', '-15.0'],
    ] as const) {
      const { status, stdout } = await client(['-u', user, '-L', learns])
      assert.deepEqual([status, stdout], [0, 'Message successfully un/learned\n'])
      assert.equal((await client(['-c', '-u', user])).stdout, `${score}/5.0\n`)
      assert.equal(await others(), before)
    }
  })

  it('forget takes it back', async () => {
    const before = await client(['-c', '-u', newUser()])
    const user = await userWho('spam')
    const { status, stdout } = await client(['-u', user, '-L', 'forget'])
    assert.deepEqual([status, stdout], [0, 'Message successfully un/learned\n'])
    assert.deepEqual(await client(['-c', '-u', user]), before)
  })

  it('knows a message again that it has marked', async () => {
    const user = await userWho('spam')
    const marked = (await client(['-u', user])).stdout
    assert.match(marked, /^X-Spam-Flag: YES/m)
    const { stdout } = await client(['-u', user, '-L', 'forget'], marked)
    assert.equal(stdout, 'Message successfully un/learned\n')
  })
})

describe('spamc without a verdict', { skip: spamc.missing }, () => {
  /** Before a service that takes no message. */
  async function overloaded(t: TestContext): Promise<number> {
    const { app: full } = await build(t, { config: { bufferBytes: 10 } })
    const { spamd: other, port } = await openSpamd(full)
    t.after(() => other.close())
    return port
  }

  it('gives the message back as it came', async (t) => {
    const port = await overloaded(t)
    for (const args of [[], ['--headers']]) {
      const { status, stdout } = await client(args, NOTE, port)
      assert.deepEqual([status, stdout], [0, NOTE])
    }
  })
})
