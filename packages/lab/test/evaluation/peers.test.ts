import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { BOGOFILTER } from '../../peers/bogofilter.ts'
import { judgeAfterTraining, judgeStream, withoutReceivingSide } from '../../peers/run-peers.ts'

it('withoutReceivingSide takes out what the receiver wrote, and keeps the rest as it is', () => {
  const stripped = (message: string) => withoutReceivingSide(Buffer.from(message)).toString()
  assert.equal(
    stripped(
      'Return-Path: <a@example.com>\nDelivered-To: b@example.org\nX-Spam-Status: Yes,\n\tscore=9\nAuthentication-Results: mx; spf=pass\nFrom: a@example.com\n\nHello\n',
    ),
    'Return-Path: <a@example.com>\nFrom: a@example.com\n\nHello\n',
  )
  const senders = 'Received: from a\n by b\nDKIM-Signature: v=1\nList-Id: <a.b>\n\nX-Spam: no\n'
  assert.equal(stripped(senders), senders)
  assert.equal(stripped('x-SPAM-flag: YES\r\nSubject: a\r\n\r\nb\r\n'), 'Subject: a\r\n\r\nb\r\n')
})

function message(words: string, spam?: boolean) {
  return { bytes: Buffer.from(`From: a@example.com\nSubject: ${words}\n\n${words}\n`), spam }
}

describe('bogofilter', () => {
  const training = ['1', '2', '3'].flatMap((number) => [
    message(`prize winner claim reward ${number}`, true),
    message(`patch kernel lock review ${number}`, false),
  ])
  const skip = BOGOFILTER.version() === undefined && 'bogofilter is not installed'

  it('tells what it has learned as spam from what it has learned as ham', { skip }, async () => {
    let judged = 0
    const asked = [message('winner claim prize'), message('kernel lock patch')]
    const [run] = await judgeAfterTraining([BOGOFILTER], training, asked, () => judged++)
    const [first, second] = run!.verdicts
    assert.ok(first!.score > 0.5 && second!.score < 0.5, JSON.stringify([first, second]))
    assert.equal(judged, 2)
  })

  it('learns from each message of a stream once it has judged it', { skip }, async () => {
    const [run] = await judgeStream([BOGOFILTER], [...training, ...training])
    const scores = run!.verdicts.map(({ score }) => score)
    assert.equal(scores[0], scores[1])
    assert.ok(scores.at(-2)! > 0.5 && scores.at(-1)! < 0.5, `${scores}`)
  })
})
