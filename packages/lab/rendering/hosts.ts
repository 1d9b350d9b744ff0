/**
 * Host names as mail really has them, for the written mail: names under the reserved top-level
 * domains (RFC 2606), which nearly all written spam has and no real mail, move to ordinary ones.
 *
 * They spread over top-level domains as those of real spam do, the same way for both labels. Names
 * that are ordinary already stay as they were written. The look-alikes of free-mail providers
 * ('gmail.example') become the providers.
 */
import { Dice, type Shares } from './dice.ts'
import { drawsOf } from './templates.ts'
import type { WrittenMessage } from './written-message.ts'

/**
 * Where domains seen in spam are registered, in percent: after the counts of Spamhaus (Domain
 * Reputation Update, 2023-2025) and SURBL by top-level domain, rounded. Half are in com; the new
 * cheap ones together have a quarter.
 */
const TOP_LEVELS = drawsOf<Shares<string>>('top levels')

/** The country's own domain, for a text in its language; English is everywhere. */
const LANGUAGE_TOP_LEVELS =
  drawsOf<Readonly<Record<string, readonly string[]>>>('top levels by language')

/** The share of names in a text of such a language that are in a domain of the country. */
const LANGUAGE_SHARE = 0.45

/** Stand-ins of free-mail providers, by the label before the reserved top-level domain. */
const FREE_MAIL = drawsOf<Readonly<Record<string, string>>>('free mail')

/** Lazy at the front, since a name may end in several of them. */
const RESERVED_HOST =
  /\b([a-z0-9](?:[a-z0-9.-]{0,200}?[a-z0-9])??)(?:\.(?:example|invalid|test))+(?:\.(?:com|org|net))?\b/gi

/** `message` with ordinary host names throughout; in another variant they are others. */
export function withOrdinaryHosts(message: WrittenMessage, variant: number): WrittenMessage {
  const move = hostMover(message, variant)
  return {
    ...message,
    from_name: move(message.from_name),
    from_addr: move(message.from_addr),
    reply_to: message.reply_to === null ? null : move(message.reply_to),
    to_name: message.to_name === null ? null : move(message.to_name),
    subject: move(message.subject),
    body: move(message.body),
  }
}

function hostMover(message: WrittenMessage, variant: number): (text: string) => string {
  const topLevelOf = (label: string) => topLevel(label, message.lang, variant)
  return (text) =>
    text.replace(RESERVED_HOST, (_, name: string) => {
      const label = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
      return name === label && label in FREE_MAIL
        ? FREE_MAIL[label]!
        : `${name}.${topLevelOf(label)}`
    })
}

function topLevel(label: string, language: string, variant: number): string {
  const dice = new Dice('host', label, variant)
  const own = LANGUAGE_TOP_LEVELS[language]
  const isOwn = dice.chance(LANGUAGE_SHARE)
  return own !== undefined && isOwn ? dice.pick(own) : dice.draw(TOP_LEVELS)
}

const STRANGER_FIRST = drawsOf<readonly string[]>('stranger, first word')
const STRANGER_SECOND = drawsOf<readonly string[]>('stranger, second word')

/** A domain of somebody else: a small firm's whose server was broken into, or one taken for the purpose. */
export function strangerDomain(dice: Dice): string {
  const joint = dice.pick(['', '', '-'])
  return `${dice.pick(STRANGER_FIRST)}${joint}${dice.pick(STRANGER_SECOND)}.${dice.draw(TOP_LEVELS)}`
}
