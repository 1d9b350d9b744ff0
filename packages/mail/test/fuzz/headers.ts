/** Header fields of a made-up message, and what can be wrong with a header. */
import { wordsOf } from '../../../../test/words.ts'
import { addresses, messageIds } from './addresses.ts'
import { type Dice, repeated } from './dice.ts'
import { encodedWord, line, link, noise, oddBytes, words } from './texts.ts'

const ADDRESS_FIELDS = wordsOf(`
  From To Cc Reply-To Sender Return-Path Resent-From Errors-To X-Original-To
`)
const ID_FIELDS = ['Message-ID', 'In-Reply-To', 'References', 'Resent-Message-ID']
const LIST_FIELDS = wordsOf(`
  List-Id List-Unsubscribe List-Post List-Help List-Unsubscribe-Post Precedence
`)
const RESULT_FIELDS = ['Authentication-Results', 'ARC-Authentication-Results', 'Received-SPF']
const OTHER_FIELDS = wordsOf(`
  X-Mailer User-Agent X-Priority Auto-Submitted MIME-Version Feedback-ID DKIM-Signature ARC-Seal
  X-Spam-Status Comments Thread-Topic Organization
`)

// biome-ignore format: many short pieces
const DATES = [
  'Fri, 20 Nov 2026 12:00:00 +0000', 'Fri, 20 Nov 26 12:00 EST', '20 Nov 2026 12:00:00 (comment',
  'Fri, 31 Feb 2026 25:61:61 +9999', '1 Jan 275760 00:00:00 GMT', '-1', '2026-11-20T12:00:00Z',
  `Fri, ${'9'.repeat(400)} Nov 2026`,
]

// biome-ignore format: many short pieces
const HOPS = [
  'from mail.example.com (mail.example.com [192.0.2.1]) by mx.example.org with ESMTPS id 1; Fri, 20 Nov 2026 12:00:00 +0000',
  'from [192.0.2.1] (HELO x) by mx.example.org; Fri, 20 Nov 2026 11:00:00 -0800',
  'from unknown (unknown [2001:db8::1]) by localhost', 'by mx.example.org', 'from (((((; ;', '',
]

/** Lines that are no field. */
// biome-ignore format: many short pieces
const NO_FIELDS = [
  'no colon here', ':', ': no name', ' leading space', 'From ada Fri Nov 20 12:00:00 2026',
  '>From x', '\xff\xfe: y', 'a b: c', '--b', '\r', '\0',
]

/** All lines of a header but the empty one at its end. Each ends in CRLF, or in what comes in its place. */
export function header(dice: Dice): string {
  const odd = dice.chance(0.3)
  return repeated(1 + dice.below(12), () => {
    if (odd && dice.chance(0.2)) return `${dice.pick(NO_FIELDS)}\r\n`
    const field = headerField(dice)
    return repeated(odd ? 1 + dice.count(4_000) : 1, () => field)
  })
}

function headerField(dice: Dice): string {
  const [name, body] = dice.make<[string, string]>([
    () => [dice.pick(ADDRESS_FIELDS), addresses(dice)],
    () => ['From', addresses(dice)],
    () => ['Subject', subject(dice)],
    () => ['Date', dice.pick(DATES)],
    () => ['Received', dice.pick(HOPS)],
    () => [dice.pick(ID_FIELDS), messageIds(dice)],
    () => [dice.pick(LIST_FIELDS), listBody(dice)],
    () => [dice.pick(RESULT_FIELDS), resultsField(dice)],
    () => [dice.pick(OTHER_FIELDS), line(dice)],
  ])
  return written(dice, name, body)
}

/** A field as it stands in the header: folded, spelled, cut and spoilt as chance has it. */
export function written(dice: Dice, name: string, body: string): string {
  const spelled = dice.pick([name, name, name, name.toLowerCase(), name.toUpperCase()])
  const colon = dice.pick([': ', ': ', ': ', ':', ' : ', ':\t', ':\r\n ', '\0: '])
  const end = dice.pick(['\r\n', '\r\n', '\r\n', '\r\n', '\n', '\r\r\n', '\r', ' \r\n \r\n'])
  return spelled + colon + spoilt(dice, body) + end
}

function spoilt(dice: Dice, body: string): string {
  if (dice.chance(0.75)) return body
  const at = dice.below(body.length + 1)
  const inserted = dice.make([
    oddBytes,
    noise,
    () => repeated(1 + dice.count(20_000), () => '\r\n '),
    () => dice.pick([' ', '\t', '"', '(', ';', ',']).repeat(dice.count(100_000)),
    () => '\n',
  ])
  return body.slice(0, at) + inserted + body.slice(at)
}

/** Pieces of Authentication-Results and its ARC form. */
// biome-ignore format: many short pieces
const RESULT_PIECES = [
  'mx.example.com', '"mx.example.com"', 'mx.example.com 1', 'i=1', 'i = 120', ';', '; ', ' ', '\r\n\t', '=', '.', '/', '(good)',
  '(a (nested) one)', '(open', '((', ')', '(\\)', '(dkim=pass;)', 'dkim=pass', 'spf=fail', 'dmarc = softfail', 'arc=none', 'DKIM/1=PASS',
  'iprev=temperror', 'x-odd=', ' smtp.mailfrom=example.com', ' header.d=example.com', ' header . b=', ' header.i=@example.com',
  ' policy.dmarc=(comment)a=b', ' reason="a; dkim=pass"', ' x="a\\"b"', '"open',
]

/** Authentication-Results, well formed or not. */
export function resultsField(dice: Dice): string {
  const host = dice.pick(['mx.example.com', 'mx.example.org', 'i=2; mx.example.com', ''])
  return `${host};${repeated(dice.count(20_000), () => dice.pick(RESULT_PIECES))}`
}

function subject(dice: Dice): string {
  return repeated(
    1 + dice.below(4),
    () => dice.make([words, encodedWord, link]) + dice.pick([' ', '', '\r\n ']),
  )
}

function listBody(dice: Dice): string {
  return dice.make([
    () => `${words(dice)} <list.example.com>`,
    () => `<${link(dice)}>, <mailto:leave@example.com?subject=leave>`,
    () => '<mailto:list@example.com>',
    () => 'List-Unsubscribe=One-Click',
    () => 'bulk',
    () => '<'.repeat(dice.count(50_000)),
  ])
}
