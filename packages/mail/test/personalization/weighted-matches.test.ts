/** Which rules hold for whole messages. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { memoryOctets } from '../../message/octets.ts'
import { parseMessage } from '../../message/parse.ts'
import { checkWeightedRule } from '../../personalization/check-weighted-rule.ts'
import { type WeightedMatches, weightedMatches } from '../../personalization/weighted-matches.ts'
import type { Condition, WeightedRule } from '../../personalization/weighted-rule.ts'
import { signals } from '../../signals/signals.ts'
import { inCpuMs } from '../helpers/cpu-time.ts'

const MESSAGE = [
  'From: Fax Desk <desk@fax.example.com>',
  'To: ada@example.org',
  'Subject: =?utf-8?Q?Your_Fax_=E2=84=964711?=',
  'X-Mailer: Fax Machine',
  '\t3000',
  'X-Mailer: another',
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary=b',
  '',
  '--b',
  'Content-Type: text/html; charset=utf-8',
  '',
  '<p>You have a new&nbsp;fax.<br>Open the f&shy;ree do&#8203;cument <b>now</b>, 免费发票.</p>',
  '<p style="display:none">innocent</p>',
  '<a href="https://user@Mail.Example.top/path?q=1">open</a>',
  '--b',
  'Content-Type: application/octet-stream; name="fax.iso"',
  'Content-Disposition: attachment; filename="fax.iso"',
  '',
  'x',
  '--b--',
  '',
].join('\r\n')

function matchesOf(text: string, rules: readonly WeightedRule[], now = () => 0): WeightedMatches {
  const message = parseMessage(memoryOctets(Buffer.from(text)))
  const found = signals(message, { now: new Date('2026-06-01T12:00:00Z') })
  return weightedMatches(message, found, rules, now)
}

function ruleOf(...conditions: Condition[]): WeightedRule {
  const rule = checkWeightedRule({ name: 'OURS', weight: 1, conditions })
  assert.ok('name' in rule, JSON.stringify(rule))
  return rule
}

const holds = (...conditions: Condition[]) =>
  matchesOf(MESSAGE, [ruleOf(...conditions)]).holding.length === 1

describe('a condition', () => {
  const cases: readonly (readonly [condition: Condition, holds: boolean])[] = [
    [{ part: 'subject', contains: 'your FAX' }, true],
    [{ part: 'subject', contains: 'you' }, false],
    [{ part: 'subject', contains: 'No4711' }, true],
    [{ part: 'subject', matches: '^your fax no[0-9]{4}$' }, true],
    [{ part: 'subject', matches: 'FAX$' }, false],
    [{ part: 'text', contains: 'new fax' }, true],
    [{ part: 'text', contains: 'free document now' }, true],
    [{ part: 'text', contains: 'fax open' }, false],
    [{ part: 'text', contains: 'fax. open' }, true],
    [{ part: 'text', contains: 'ocument' }, false],
    [{ part: 'text', contains: '发票' }, true],
    [{ part: 'text', contains: 'innocent' }, false],
    [{ part: 'text', matches: '^open .* now' }, true],
    [{ part: 'link', contains: 'example.top' }, true],
    [{ part: 'link', matches: '^([^/]*\\.)?example\\.top$' }, true],
    [{ part: 'link', matches: '^https://.*/path' }, true],
    [{ part: 'link', contains: 'fax.example.com' }, false],
    [{ part: 'header', field: 'X-MAILER', contains: 'machine 3000' }, true],
    [{ part: 'header', field: 'x-mailer', matches: '^another$' }, true],
    [{ part: 'header', field: 'x-mailer', contains: '3000 another' }, true],
    [{ part: 'header', field: 'x-other', matches: '^.?' }, false],
    [{ part: 'header', field: 'from', contains: 'desk@fax.example.com' }, true],
    [{ part: 'attachment', kind: 'iso' }, true],
    [{ part: 'attachment', kind: 'exe' }, false],
  ]
  for (const [condition, expected] of cases) {
    it(`${JSON.stringify(condition)} ${expected ? 'holds' : 'does not hold'}`, () => {
      assert.equal(holds(condition), expected)
    })
  }

  it('about links does not hold for a message without any, nor about an empty subject but by a pattern', () => {
    const plain = 'From: ada@example.com\r\n\r\nHello\r\n'
    const link = ruleOf({ part: 'link', matches: '.?' })
    const empty = ruleOf({ part: 'subject', matches: '^$' })
    assert.deepEqual(matchesOf(plain, [link, empty]).holding, [{ name: 'OURS', weight: 1 }])
  })
})

describe('a rule', () => {
  it('holds if all its conditions do', () => {
    const fax: Condition = { part: 'subject', contains: 'fax' }
    assert.equal(holds(fax, { part: 'attachment', kind: 'iso' }), true)
    assert.equal(holds(fax, { part: 'attachment', kind: 'exe' }), false)
  })
})

describe('weightedMatches', () => {
  it('says what makes a message unsafe', () => {
    assert.equal(matchesOf(MESSAGE, []).unsafe, 'ATTACHMENT_DISK_IMAGE')
  })

  it('stops after 200 ms, and says so', () => {
    let ms = 0
    const rule = ruleOf({ part: 'subject', contains: 'fax' })
    const { holding, isCut } = matchesOf(MESSAGE, Array(10).fill(rule), () => (ms += 80))
    assert.deepEqual([holding.length, isCut], [2, true])
  })

  it('stops within a rule too, which then does not hold', () => {
    let ms = 0
    const condition = { part: 'subject', contains: 'fax' } as const
    const rule = ruleOf(condition, condition, condition, condition)
    const { holding, isCut } = matchesOf(MESSAGE, [rule], () => (ms += 80))
    assert.deepEqual([holding, isCut], [[], true])
  })

  it('takes bytes that are no message', () => {
    for (const bytes of ['', '\0', 'Subject:', `Subject: ${'a'.repeat(100_000)}\r\n\r\n`]) {
      matchesOf(bytes, [ruleOf({ part: 'subject', contains: 'a' })])
    }
  })
})

/** CPU time in milliseconds, some ten times what it takes. */
const TWO_HUNDRED_MS_MAX = 80

describe('two hundred rules', () => {
  it('are compared with a message of 43 KB in milliseconds, half of them patterns', () => {
    const words = 'invoice fax payment urgent prize account parcel wallet ranking loan'.split(' ')
    const rules = Array.from({ length: 200 }, (_, i) => {
      const word = words[i % words.length]!
      return i % 2 === 0
        ? ruleOf({ part: 'text', contains: `${word} ${i}` })
        : ruleOf({
            part: 'text',
            matches: `\\b${word}s?\\s+(?:no|nr)\\.?\\s*\\d{4,${5 + (i % 9)}}\\b`,
          })
    })
    const sentence = 'Please find attached our report, with best regards from all of us. '
    const lines = Array.from({ length: 300 }, (_, i) => `<p>${sentence.repeat(2)}Page ${i}.</p>`)
    const message = `From: ada@example.com\r\nContent-Type: text/html\r\n\r\n${lines.join('\r\n')}`
    assert.ok(message.length > 43_000)
    const parsed = parseMessage(memoryOctets(Buffer.from(message)))
    weightedMatches(parsed, [], rules, () => 0)
    inCpuMs(TWO_HUNDRED_MS_MAX, () => weightedMatches(parsed, [], rules, () => 0))
  })
})
