import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { identityOf } from '../../personalization/personal-analysis.ts'
import { parsed } from '../helpers/parsed.ts'

const MESSAGE = [
  'Received: from a.example.com by mx.example.org; Fri, 20 Nov 2026 12:00:00 +0000',
  'From: Ann <ann@example.com>',
  'Subject: The lake',
  'Message-ID: <1@example.com>',
  'Content-Type: text/html',
  '',
  '<p>See <a href="https://example.com/lake">the lake</a></p>',
].join('\n')

const identity = (raw: string) => identityOf(parsed(raw))

describe('identityOf', () => {
  it('is the same for the same message, whichever way it came', () => {
    const other = MESSAGE.replace('a.example.com by mx', 'b.example.com by mx2')
    assert.equal(identity(other), identity(MESSAGE))
  })

  const changes: [what: string, from: string, to: string][] = [
    ['another identifier', '<1@', '<2@'],
    ['another sender', 'ann@', 'bo@'],
    ['another subject', 'The lake', 'The sea'],
    ['another text', 'See', 'Visit'],
    ['another link behind the same words', 'example.com/lake', 'example.net/lake'],
  ]
  for (const [what, from, to] of changes) {
    it(`is another one for ${what}`, () => {
      assert.notEqual(identity(MESSAGE.replace(from, to)), identity(MESSAGE))
    })
  }
})
