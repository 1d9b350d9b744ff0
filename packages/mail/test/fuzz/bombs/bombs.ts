/**
 * Messages made to cost more than they weigh, each by the loop that it aims at.
 *
 * All are of any size: what is linear in a thousand bytes and quadratic in a million shows when
 * they grow (bombs.system.test.ts). The fuzzer mutates them.
 */
import { FIELD_BOMBS } from './fields.ts'
import { MARKUP_BOMBS } from './markup.ts'
import { RUN_BOMBS } from './runs.ts'
import { type Bomb, STRUCTURE_BOMBS } from './structure.ts'
import { TEXT_BOMBS } from './texts.ts'

/** What is dearest of each family, one after the other in one message. */
const DEAREST = {
  header: FIELD_BOMBS['headers of many encoded words of unknown charsets']!,
  parameters: FIELD_BOMBS['parameters of unknown charsets']!,
  html: MARKUP_BOMBS['links of hosts of ligatures']!,
  text: MARKUP_BOMBS['paragraphs of a letter']!,
  lines: STRUCTURE_BOMBS['boundaries that end each other']!,
}

function allAtOnce(bytes: number): string {
  const share = bytes / 6
  const inner = [DEAREST.html(share), DEAREST.text(share), DEAREST.parameters(share)]
  const nested = inner.map((message) => `--b\nContent-Type: message/rfc822\n\n${message}\n`)
  const lines = `--b\nContent-Type: message/rfc822\n\n${DEAREST.lines(2 * share)}`
  return `${DEAREST.header(share)}\n${nested.join('')}${lines}`
}

const FAMILIES = {
  several: { 'all that is dear, one after the other': allAtOnce },
  structure: STRUCTURE_BOMBS,
  field: FIELD_BOMBS,
  text: TEXT_BOMBS,
  run: RUN_BOMBS,
  markup: MARKUP_BOMBS,
}

/** By family and name, as 'structure: boundaries inside lines'. */
export const BOMBS: ReadonlyMap<string, Bomb> = new Map(
  Object.entries(FAMILIES).flatMap(([family, bombs]) =>
    Object.entries(bombs).map(([name, bomb]): [string, Bomb] => [`${family}: ${name}`, bomb]),
  ),
)

/** The bomb of that name as bytes. */
export function bombOf(bomb: Bomb, bytes: number): Buffer {
  return Buffer.from(bomb(bytes), 'latin1')
}
