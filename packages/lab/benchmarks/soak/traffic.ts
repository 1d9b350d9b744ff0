/**
 * A mix of what a mail host asks in the course of a day: verdicts of all forms, corrections, rules,
 * embeddings, users who leave, and now and then an attacker. Users correct and are forgotten at the same
 * rate, so that the size of the store settles.
 */
import { CLASSES } from '../../../mail/models/prediction.ts'
import { RULE_TYPES } from '../../../mail/personalization/kinds.ts'
import { type Dice, diceOf } from '../../../mail/test/fuzz/dice.ts'
import { message as oddMessage } from '../../../mail/test/fuzz/messages.ts'
import { MAILBAG } from '../../../service/test/http/mailbag.ts'

export interface Ask {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  /** What may be answered; any other status is an error. */
  readonly expected: readonly number[]
  /** Sent in chunks, its length not announced. */
  readonly chunked?: boolean
  /** The client leaves before it has all of the answer; or with half of the body unsent. */
  readonly leaves?: 'waiting' | 'sending'
}

const KIB = 1024
const MIB = 1024 * KIB

const USERS = 40

/** Corrections of a user before they leave, on average. */
const CORRECTIONS_A_USER = 20

/** Shares of all requests; the rest asks for verdicts. */
const SHARES: readonly (readonly [share: number, make: (dice: Dice, mail: Mail) => Ask])[] = [
  [0.1, classes],
  [0.05, diagnosis],
  [0.1, embedding],
  [0.06, correction],
  [0.02, classCorrection],
  [0.08 / CORRECTIONS_A_USER, userLeaves],
  [0.02, ruleFromMessage],
  [0.02, ruleByPattern],
  [0.01, ruleRemoved],
  [0.02, listing],
  [0.03, watching],
  [0.01, mistaken],
  [0.02, hostile],
  [0.01, leaving],
]

/** `automatic` takes a correction back. */
const CLASS_ANSWERS = [...CLASSES, 'automatic']

/** Messages to choose from. */
export class Mail {
  readonly #real: readonly Buffer[]

  /** @param real of corpora; made-up ones alone when empty. */
  constructor(real: readonly Buffer[]) {
    this.#real = real
  }

  /** One in two real ones where there are any; some of the others odd. */
  any(dice: Dice): Buffer {
    if (this.#real.length > 0 && dice.chance(0.5)) return dice.pick(this.#real)
    return dice.chance(0.2) ? oddMessage(dice) : this.plain(dice)
  }

  /** One that every kind of rule but List can be made from. */
  plain(dice: Dice): Buffer {
    return Buffer.from(`X-Number: ${dice.below(10_000)}\r\n${dice.pick(MAILBAG)}`)
  }
}

/** The `number`th request of the run with that seed. */
export function askOf(seed: number, number: number, mail: Mail): Ask {
  const dice = diceOf(seed, number)
  let left = dice.below(1_000_000) / 1_000_000
  for (const [share, make] of SHARES) {
    left -= share
    if (left < 0) return make(dice, mail)
  }
  return verdict(dice, mail)
}

/** 400: among the odd ones are some without a header field. */
const JUDGED = [200, 400]

function post(path: string, body: Buffer | string, headers: Record<string, string> = {}): Ask {
  const contentType = { 'content-type': 'message/rfc822' }
  return { method: 'POST', path, body, headers: { ...contentType, ...headers }, expected: JUDGED }
}

function json(method: 'POST' | 'DELETE', path: string, body: object, expected: number[]): Ask {
  const headers = { 'content-type': 'application/json' }
  return { method, path, headers, body: JSON.stringify(body), expected }
}

function userOf(dice: Dice): string {
  return `user-${dice.below(USERS)}`
}

/** Half of the mail is for a user who is named. */
function delivery(dice: Dice): Record<string, string> {
  return {
    ...(dice.chance(0.5) && { 'x-user-id': userOf(dice) }),
    ...(dice.chance(0.5) && { 'x-sender-ip': `192.0.2.${dice.below(256)}` }),
    ...(dice.chance(0.5) && { 'x-sender-email': 'ann@example.org' }),
  }
}

function verdict(dice: Dice, mail: Mail): Ask {
  return post('/classify-stream', mail.any(dice), delivery(dice))
}

function classes(dice: Dice, mail: Mail): Ask {
  return post('/tabs/classify-stream', mail.any(dice), delivery(dice))
}

function diagnosis(dice: Dice, mail: Mail): Ask {
  return post('/classify/diagnostic-stream', mail.any(dice), delivery(dice))
}

function embedding(dice: Dice): Ask {
  const texts = Array.from({ length: 1 + dice.count(50) }, () => dice.pick(MAILBAG))
  return json('POST', '/classify/embed-text', { texts }, [200])
}

function correction(dice: Dice, mail: Mail): Ask {
  const headers = {
    'x-user-id': userOf(dice),
    'x-is-spam': `${dice.chance(0.6)}`,
    'x-skip-rule-creation': `${dice.chance(0.5)}`,
  }
  return post('/feedback-stream', mail.any(dice), headers)
}

function classCorrection(dice: Dice, mail: Mail): Ask {
  const headers = { 'x-user-id': userOf(dice), 'x-classification': dice.pick(CLASS_ANSWERS) }
  return post('/tabs/feedback-stream', mail.any(dice), headers)
}

function userLeaves(dice: Dice): Ask {
  const path = dice.chance(0.8) ? '/personalization/data' : '/personalization/tabs/data'
  return json('DELETE', path, { userId: userOf(dice) }, [200])
}

/** 400: of a message without a list no List rule can be made. */
function ruleFromMessage(dice: Dice, mail: Mail): Ask {
  const headers = { 'x-user-id': userOf(dice), 'x-rule-type': dice.pick(RULE_TYPES) }
  const rule = dice.chance(0.5)
    ? post('/personalization/rules/create-stream', mail.plain(dice), {
        ...headers,
        'x-label': dice.pick(['spam', 'ham']),
      })
    : post('/personalization/tabs/rules/create-stream', mail.plain(dice), {
        ...headers,
        'x-classification': dice.pick(CLASSES),
      })
  return { ...rule, expected: [200, 201, 400] }
}

function pattern(dice: Dice): { userId: string; ruleType: string; pattern: string } {
  return { userId: userOf(dice), ruleType: 'Sender', pattern: `shop-${dice.below(20)}.example.com` }
}

function ruleByPattern(dice: Dice): Ask {
  const rule = { ...pattern(dice), label: dice.pick(['spam', 'ham']) }
  return json('POST', '/personalization/rules', rule, [200, 201])
}

function ruleRemoved(dice: Dice): Ask {
  return json('DELETE', '/personalization/rules/remove', pattern(dice), [200, 404])
}

function get(path: string, expected: number[] = [200]): Ask {
  return { method: 'GET', path, expected }
}

function listing(dice: Dice): Ask {
  const path = dice.pick(['rules', 'tabs/rules', 'memory'])
  return get(`/personalization/${path}?userId=${userOf(dice)}`)
}

function watching(dice: Dice): Ask {
  return get(dice.pick(['/health', '/ready', '/metrics', '/stats', '/models', '/openapi.json']))
}

function mistaken(dice: Dice, mail: Mail): Ask {
  return dice.make<Ask>([
    () => get('/no/such/path', [404]),
    () => get('/classify-stream', [405]),
    () => json('POST', '/classify', { path: '/etc/passwd' }, [501]),
    () => ({ ...json('POST', '/classify-stream', {}, [415]) }),
    () => ({ ...post('/classify-stream', ''), expected: [400] }),
    () => ({
      ...post('/classify-stream', mail.plain(dice), { 'x-sender-ip': 'nowhere' }),
      expected: [400],
    }),
  ])
}

/** Much of one thing, as an attacker sends it to overload the service. */
function hostile(dice: Dice): Ask {
  const body = dice.make<Buffer | string>([
    () => nested(1 + dice.below(5_000)),
    () => `${'X-A: b\r\n'.repeat(1 + dice.below(100_000))}\r\n`,
    () => `Subject: ${'=?utf-8?B?4oCu?= '.repeat(1 + dice.below(20_000))}\r\n\r\nHello`,
    () => html('<div>'.repeat(1 + dice.below(100_000))),
    () => html(`<a ${'b=c '.repeat(1 + dice.below(100_000))}>d</a>`),
    () => `${TYPED}application/pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n${'A'.repeat(MIB)}`,
    () => Buffer.alloc(dice.below(MIB), dice.below(256)),
  ])
  const sizes = dice.make<Ask>([
    () => post('/classify-stream', body),
    () => post('/classify-stream', body),
    () => post('/classify-stream', body),
    () => ({ ...post('/classify-stream', large(12 * MIB)), chunked: true }),
    () => ({ ...post('/classify-stream', large(52 * MIB)), expected: [413] }),
  ])
  return sizes
}

const TYPED = 'From: a@example.com\r\nContent-Type: '

function nested(depth: number): string {
  const parts = Array.from(
    { length: depth },
    (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\r\n\r\n--b${at}\r\n`,
  )
  return `From: a@example.com\r\n${parts.join('')}`
}

function html(markup: string): string {
  return `${TYPED}text/html\r\n\r\n${markup}`
}

function large(bytes: number): Buffer {
  const head = `${TYPED}text/plain\r\n\r\n`
  return Buffer.alloc(bytes, 'so long and so on\r\n').fill(head, 0, head.length)
}

function leaving(dice: Dice, mail: Mail): Ask {
  const leaves = dice.pick(['waiting', 'sending'] as const)
  const body = dice.chance(0.1) ? large(12 * MIB) : mail.any(dice)
  return { ...post('/classify-stream', body), leaves }
}
