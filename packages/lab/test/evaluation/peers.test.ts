import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { BOGOFILTER } from '../../evaluation/peers/bogofilter.ts'
import { inParallel, outputOf, versionOf } from '../../evaluation/peers/processes.ts'
import { withoutReceivingSide } from '../../evaluation/peers/received-message.ts'

const stripped = (message: string) => withoutReceivingSide(Buffer.from(message)).toString()

describe('withoutReceivingSide', () => {
  it('takes out verdicts, delivery and authentication as the receiver saw it', () => {
    assert.equal(
      stripped(
        'Return-Path: <a@example.com>\nDelivered-To: b@example.org\nX-Spam-Status: Yes,\n\tscore=9\nAuthentication-Results: mx; spf=pass\nFrom: a@example.com\n\nHello\n',
      ),
      'Return-Path: <a@example.com>\nFrom: a@example.com\n\nHello\n',
    )
  })

  it("keeps Received and the sender's own fields", () => {
    const message =
      'Received: from a\n by b\nDKIM-Signature: v=1\nList-Id: <a.b>\nX-Mailer: c\n\nHello\n'
    assert.equal(stripped(message), message)
  })

  it('matches names whatever their case, and line ends of both kinds', () => {
    assert.equal(stripped('x-SPAM-flag: YES\r\nSubject: a\r\n\r\nb\r\n'), 'Subject: a\r\n\r\nb\r\n')
  })

  it('leaves the body alone', () => {
    const message = 'Subject: a\n\nDelivered-To: b\n\nX-Spam-Flag: YES\n'
    assert.equal(stripped(message), message)
  })

  it('takes a message without a body', () => {
    assert.equal(stripped('Subject: a\nX-Spam-Flag: YES'), 'Subject: a\n')
  })
})

describe('versionOf', () => {
  it('is undefined for a program that is not installed', () => {
    assert.equal(versionOf('tamis-no-such-program', [], /(.*)/), undefined)
  })
})

describe('outputOf', () => {
  it('gives what was printed and the exit status, which may be a verdict', async () => {
    const script = 'process.stdin.pipe(process.stdout); process.exitCode = 1'
    assert.deepEqual(await outputOf(process.execPath, ['-e', script], 'abc'), {
      stdout: 'abc',
      status: 1,
    })
  })
})

describe('inParallel', () => {
  it('gives results in the order of the items, so many at a time', async () => {
    let running = 0
    let most = 0
    const results = await inParallel([30, 10, 20, 0], 2, async (ms) => {
      most = Math.max(most, ++running)
      await new Promise((resolve) => setTimeout(resolve, ms))
      running--
      return ms
    })
    assert.deepEqual(results, [30, 10, 20, 0])
    assert.equal(most, 2)
  })
})

describe('BOGOFILTER', () => {
  it('tells what it has learned as spam from what it has learned as ham', async (t) => {
    if (BOGOFILTER.version() === undefined) return t.skip('bogofilter is not installed')
    const folder = mkdtempSync(join(tmpdir(), 'tamis-peer-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const write = (name: string, words: string) => {
      const path = join(folder, name)
      writeFileSync(path, `From: a@example.com\nSubject: ${words}\n\n${words}\n`)
      return path
    }
    const spam = ['1', '2', '3'].map((name) => write(name, 'prize winner claim reward'))
    const ham = ['4', '5', '6'].map((name) => write(name, 'patch kernel lock review'))
    const messages = [write('7', 'winner claim prize'), write('8', 'kernel lock patch')]
    const scratch = join(folder, 'scratch')
    mkdirSync(scratch)
    let judged = 0
    const verdicts = await BOGOFILTER.judge({
      spam,
      ham,
      messages,
      scratch,
      onJudged: () => judged++,
    })
    const [first, second] = verdicts.get('trained')!
    assert.ok(first!.score > 0.5 && second!.score < 0.5, JSON.stringify([first, second]))
    assert.equal(judged, 2)
  })
})
