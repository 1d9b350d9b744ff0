/** Address lists (RFC 5322 §3.4) and Message-IDs, well formed, malformed, and made of the syntax alone. */
import { type Dice, repeated } from './dice.ts'
import { encodedWord, oddBytes, words } from './texts.ts'

// biome-ignore format: many short pieces
const MAILBOXES = [
  'ada@example.com', '<ada@example.com>', 'Ada <ada@example.com>', '"Ada, B." <ada@example.com>',
  '"ada@example.org" <eve@example.com>', 'ada@example.com (Ada)',
  'Friends: ada@example.com, bob@example.org;', 'undisclosed-recipients:;',
  '<@example.net:ada@example.com>', 'ada@[192.0.2.1]', 'ada@[IPv6:2001:db8::1]', 'a b@example.com',
  'ada@example.com@example.org', 'ada', '@example.com', '<>',
  'j\xc3\xbcrgen@m\xc3\xbcller.example', '"\\"" <"a\\ b"@example.com>',
  'MAILER-DAEMON@example.com',
]

// biome-ignore format: many short pieces
const SYNTAX = [
  '(', ')', '<', '>', '@', ',', ';', ':', '\\', '"', '.', '[', ']', ' ', 'a', '=?', '\r\n ', '(a',
  '<a', 'a@b',
]

export function addresses(dice: Dice): string {
  if (dice.chance(0.2)) return repeated(dice.count(20_000), () => dice.pick(SYNTAX))
  return Array.from({ length: 1 + dice.count(2_000) }, () => mailbox(dice)).join(
    dice.pick([', ', ', ', ',', ';', ' ', ',\r\n ']),
  )
}

function mailbox(dice: Dice): string {
  const plain = dice.pick(MAILBOXES)
  if (dice.chance(0.7)) return plain
  return dice.make([
    () => `${encodedWord(dice)} <${plain}>`,
    () => `"${words(dice)}" <${plain}>`,
    () => `${'('.repeat(dice.count(3_000))}${plain}${')'.repeat(dice.count(3_000))}`,
    () => plain + oddBytes(dice),
  ])
}

export function messageIds(dice: Dice): string {
  return repeated(1 + dice.count(3_000), (at) =>
    dice.pick([
      `<${at}@example.com> `,
      `<${at}.${dice.below(1e9)}@mail.example.org>`,
      '<>',
      '<a@b@c>',
      `<${'x'.repeat(600)}@example.com>`,
      'no brackets ',
      '<',
      '<\xe9@example.com>',
    ]),
  )
}
