/**
 * Written mail -> raw messages as real senders make them: a person's letter as a mail program sends
 * it, a notice or campaign as a mailing provider does, posts and bounces as plain text.
 *
 * All that is not written is drawn, by seed, id and variant, and for both labels from the same
 * shares given the layout; the exceptions are in layout.ts, where real spam is made otherwise.
 */
import { bulkMessage, type Sending } from './bulk.ts'
import { Dice, type Shares } from './dice.ts'
import { partedMessage, shownBody } from './hidden-part.ts'
import { type Layout, labelOf, layoutOf, OWN_SERVER_SHARE, UNENCRYPTED_SHARE } from './layout.ts'
import { letterOf, withOrdinaryHosts } from './letter.ts'
import { bounceMessage, listMessage, personalMessage } from './personal.ts'
import { drawsOf, MAILING_PROVIDERS, type MailingProvider, platformOf } from './programs.ts'
import type { WrittenMessage } from './written-message.ts'

/** Letters from an office's system or a sales tool rather than from a mail program. */
const OFFICE_SHARE = 0.08

/** Notices that somebody sends from a mail program, where they are not for many. */
const TYPED_NOTICE_SHARE = 0.2

/** Notices made by the tool for campaigns, and campaigns by the one for notices. */
const OTHER_TOOL_SHARE = 0.12

/** Mail to many that goes through a mailing list, in plain text: clubs, schools, projects. */
const LISTED_SHARE = 0.06

/** Notices whose text is about machines are plain text mostly, as who reads them wants it. */
const MACHINE_TEXT =
  /\b(?:commit|build|cron|server|backup|host|pull request|merge|ticket|bug|issue|log|disk|deploy\w*|alert|uptime|node|pipeline|repository|kernel|patch|branch|component|severity|assignee|status|version|release|test(?:s|ed)?|error|config\w*)\b/gi
const MACHINE_WORDS_MIN = 4
const PLAIN_MACHINE_SHARE = 0.75

/** The raw message of a text: the same octets for the same message and variant. */
export function renderWritten(message: WrittenMessage, variant: number): Uint8Array {
  const dice = new Dice('rendering', message.id, variant)
  const moved = withOrdinaryHosts(message, variant)
  const isOpen = dice.chance(UNENCRYPTED_SHARE[labelOf(message.spam)])
  const written = partedMessage(isOpen ? withUnencryptedLinks(moved) : moved, variant)
  const letter = letterOf(written, variant)
  const shown = { ...message, body: shownBody(message.body) }
  const layout = sentAs(shown, written.hidden !== undefined, dice)
  const isPlain = layout === 'notice' && isForMachinists(shown, dice)
  const isForged = written.forged === true
  const sendingBy = (providers: 'campaign' | 'notice' | 'office'): Sending => {
    const platform = isForged ? undefined : platformOf(letter.fromHost)
    const isOwn = dice.chance(OWN_SERVER_SHARE[labelOf(message.spam)])
    const drawn = drawnProvider(isForged ? 'forging' : providers, dice)
    const own = drawnProvider('own', dice)
    const usual = isOwn && !isForged ? own : drawn
    return { provider: platform ?? usual, isPlatform: platform !== undefined, isPlain }
  }
  switch (layout) {
    case 'personal':
      return dice.chance(OFFICE_SHARE)
        ? bulkMessage(written, letter, 'personal', sendingBy('office'), dice)
        : personalMessage(written, letter, dice)
    case 'notice':
      return bulkMessage(written, letter, 'notice', sendingBy('notice'), dice)
    case 'campaign':
      return bulkMessage(written, letter, 'campaign', sendingBy('campaign'), dice)
    case 'list':
      return message.bulk
        ? listMessage(written, letter, dice)
        : personalMessage(written, letter, dice, 'plain')
    case 'bounce':
      return bounceMessage(written, letter, dice)
  }
}

/**
 * What carries campaigns (by customers of the services and by volume, roughly), notices, and letters of offices' systems and sales
 * tools; mail of senders without a service; and mail with the address of a company that did not send it: scripts on servers that
 * were broken into or hired, and accounts with services, which sign for themselves.
 */
function drawnProvider(
  of: 'campaign' | 'notice' | 'office' | 'own' | 'forging',
  dice: Dice,
): MailingProvider {
  return MAILING_PROVIDERS[dice.draw(drawsOf<Shares<string>>(`${of} providers`))]!
}

function withUnencryptedLinks(message: WrittenMessage): WrittenMessage {
  return { ...message, body: message.body.replaceAll('](https://', '](http://') }
}

function isForMachinists({ body }: WrittenMessage, dice: Dice): boolean {
  const isPlain = dice.chance(PLAIN_MACHINE_SHARE)
  return isPlain && (body.match(MACHINE_TEXT)?.length ?? 0) >= MACHINE_WORDS_MIN
}

/** The layout of the text, or in some cases another that is used for the like. */
function sentAs(message: WrittenMessage, isHiding: boolean, dice: Dice): Layout {
  const layout = layoutOf(message)
  const isTyped = dice.chance(TYPED_NOTICE_SHARE)
  const isOtherTool = dice.chance(OTHER_TOOL_SHARE)
  const isListed = dice.chance(LISTED_SHARE)
  if (layout === 'notice' && !message.bulk && isTyped) return 'personal'
  if (isListed && message.bulk && layout !== 'bounce' && !isHiding) return 'list'
  if (layout === 'notice' && message.bulk && isOtherTool) return 'campaign'
  if (layout === 'campaign' && isOtherTool) return 'notice'
  return layout
}
