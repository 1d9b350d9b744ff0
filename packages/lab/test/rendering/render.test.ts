/**
 * Each written message is rendered many times, so that every mail program, provider and template
 * has its turn; what must hold of one rendering is checked of all.
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { memoryOctets } from '../../../mail/message/octets.ts'
import { parseMessage } from '../../../mail/message/parse.ts'
import { mailboxesOf } from '../../../mail/signals/fields.ts'
import { signals } from '../../../mail/signals/signals.ts'
import { readerText } from '../../../mail/signals/text.ts'
import { CORPUS_FACTS } from '../../corpora/facts.ts'
import { withOrdinaryHosts } from '../../rendering/letter.ts'
import { renderWritten } from '../../rendering/render.ts'
import type { WrittenMessage } from '../../rendering/written-message.ts'
import { WRITTEN } from './written-messages.ts'

/** Enough for nearly all programs: the rarest are drawn once in a hundred renderings. */
const VARIANTS = 100

function renderings(message: WrittenMessage) {
  return Array.from({ length: VARIANTS }, (_, variant) => {
    const bytes = renderWritten(message, variant)
    const raw = Buffer.from(bytes).toString('latin1')
    return { message: parseMessage(memoryOctets(bytes)), raw }
  })
}

const ALL = Object.values(WRITTEN).map((written) => ({ written, messages: renderings(written) }))

/** Signals of a message that is not made as programs make it. */
const BROKEN =
  /MALFORMED|UNREADABLE|REPEATED|_INVALID|DATE_(?!.*PAST)|BACKWARDS|CHARSET_MISMATCH|ALTERNATIVES_DIFFER|UNKNOWN_TAGS/

/** Words of the Markdown, without its signs and without addresses, which are counted links. */
function wordsOf({ body }: WrittenMessage): string[] {
  return body
    .replace(/\]\([^)]*\)/g, ' ')
    .replace(/[a-z-]+@\S+|https?:\S+/g, ' ')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}

describe('renderWritten', () => {
  for (const { written, messages } of ALL) {
    it(`makes well-formed messages of a ${written.id}, with its sender, its subject and every word`, () => {
      for (const { message, raw } of messages) {
        assert.deepEqual([...message.oddities, ...message.limitsReached], [])
        const found = signals(message, CORPUS_FACTS).map(({ name }) => name)
        assert.deepEqual(
          found.filter((name) => BROKEN.test(name)),
          [],
        )
        assert.equal(message.subject, written.subject)
        const from = mailboxesOf(message, 'from')[0]!
        assert.equal(from.displayName, written.from_name)
        // An announcement may come from the address of its list.
        if (!from.domain.startsWith('lists.')) {
          assert.equal(from.localPart, written.from_addr.split('@')[0])
        }
        const unfolded = raw.replace(/=\r\n/g, '').replace(/<style[\s\S]*?<\/style>/g, '')
        assert.doesNotMatch(unfolded, /[a-z0-9]\.(?:example|invalid|test)\b/i)
        assert.doesNotMatch(unfolded, /undefined|\{\{|\{\w+(?::\d+)?\}/)
        // The text bodies behind the first are HTML, or what a bounce reports for machines.
        const html = message.texts.filter((body) => body.kind === 'html')
        const bodies = [message.texts[0]!, ...html].map((body) => body.visible)
        for (const text of [readerText(message), ...bodies]) {
          const seen = new Set(text.toLowerCase().split(/[^\p{L}\p{N}]+/u))
          const lost = wordsOf(written).filter((word) => !seen.has(word.toLowerCase()))
          assert.deepEqual(lost, [])
        }
      }
    })
  }

  it('moves reserved host names to ordinary ones, alike in every field, and look-alike free mail to the provider', () => {
    const moved = (variant: number, more: Partial<WrittenMessage>) =>
      withOrdinaryHosts({ ...WRITTEN.LETTER, ...more }, variant)
    const lantern = moved(0, { from_addr: 'a@mail.quiet-lantern.example.test' })
    assert.match(lantern.from_addr, /^a@mail\.quiet-lantern\.(?!example|test)[a-z.]+$/)
    const body = 'See https://www.kestrel.invalid/x or kestrel.invalid.'
    const kestrel = moved(5, { from_addr: 'a@kestrel.invalid', body })
    const domain = kestrel.from_addr.split('@')[1]!
    assert.equal(kestrel.body, `See https://www.${domain}/x or ${domain}.`)
    assert.equal(moved(1, WRITTEN.POST).from_addr, 'anselm@gmail.com')
  })
})
