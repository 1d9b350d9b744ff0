/**
 * The latest verdicts, the strongest reasons and the loudest senders. A message keeps its place in the page
 * while others come, so that nothing flickers or is read aloud again.
 */

import type { RecentMessages } from '../../client/client.ts'
import { count, counted, milliseconds, percent } from '../format.ts'
import { Bar } from '../try/why-panels.tsx'
import { pageAddress } from '../ui/page-address.ts'
import { Badge, Icon, Panel } from '../ui/parts.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { TONE_ICONS } from '../ui/tone.ts'
import {
  messageTone,
  movedWords,
  type RecentMessage,
  type RecentReason,
  reasonWords,
  verdictWords,
} from './words.ts'

interface ListsProps {
  readonly recent: RecentMessages
}

const TIME = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium', hourCycle: 'h23' })
const CLOCK = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })

export function Verdicts({ recent: { messages } }: ListsProps) {
  return (
    <Panel
      title="Latest verdicts"
      note="Newest first; the number is the spam probability. A verdict leads to its entry in the history."
    >
      <ol class="verdicts">
        {keyed(messages).map(([key, message]) => (
          <Message key={key} message={message} />
        ))}
      </ol>
    </Panel>
  )
}

function Message({ message }: { readonly message: RecentMessage }) {
  const {
    at,
    messageId,
    verdict,
    spamProbability,
    classification,
    shouldEscalate,
    senderDomain,
    sentence,
    ms,
  } = message
  const isSpam = verdict === 'spam' || verdict === 'mixed'
  const tone = messageTone(message)
  return (
    <li>
      <p class="verdicts-head">
        <strong class={tone}>
          <Icon name={TONE_ICONS[tone]} />{' '}
          {messageId === undefined || verdict === null ? (
            verdictWords(message)
          ) : (
            <a href={pageAddress('history', messageId)}>{verdictWords(message)}</a>
          )}
        </strong>
        {spamProbability !== null && (
          <span class="number">
            <span class="for-readers">spam probability </span>
            {percent(spamProbability)}
          </span>
        )}
        <span class="verdicts-mail">
          {!isSpam && <span>{classification}</span>} <Domain domain={senderDomain} />
        </span>
        <span class="time">
          <time dateTime={at}>{TIME.format(new Date(at))}</time>, {milliseconds(ms)}
        </span>
      </p>
      {sentence !== undefined && <p class="quiet">{sentence}</p>}
      {shouldEscalate && (
        <Badge tone="warn">
          <Icon name="look" /> needs review
        </Badge>
      )}
    </li>
  )
}

export function Reasons({ recent: { reasons, since } }: ListsProps) {
  const most = Math.max(...reasons.map(({ forSpam, againstSpam }) => forSpam + againstSpam))
  return (
    <Panel
      title="Strongest reasons"
      note={`Since ${clock(since)}. The first one moved verdicts most.`}
    >
      <ol class="loudest">
        {reasons.map((reason) => (
          <li key={reason.name} title={reason.name}>
            <span>
              {reasonWords(reason)}
              <small>{movedWords(reason)}</small>
            </span>
            <MovedBar reason={reason} most={most} />
          </li>
        ))}
      </ol>
      {reasons.length === 0 && <p class="quiet">There are no verdicts on spam.</p>}
    </Panel>
  )
}

/** The messages that a reason moved towards spam, and beside them the others. */
function MovedBar({ reason, most }: { readonly reason: RecentReason; readonly most: number }) {
  const width = (messages: number) => (100 * messages) / most
  const [towards, away] = [width(reason.forSpam), width(reason.againstSpam)]
  return (
    <svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
      <rect class="groove" width="100" height="8" />
      <rect class="fill spam" width={towards} height="8" />
      <rect class="fill ham" x={towards} width={away} height="8" />
    </svg>
  )
}

export function Senders({ recent: { senders, since } }: ListsProps) {
  const most = senders[0]?.messages ?? 1
  return (
    <Panel title="Top senders" note={`Since ${clock(since)}, by the domain in From.`}>
      <ol class="loudest">
        {senders.map(({ domain, messages, spam, ham }) => (
          <li key={domain}>
            <span>
              <Domain domain={domain} />
              <small>
                {counted(messages, 'message')}
                {spam + ham > 0 && `, ${count((100 * spam) / (spam + ham))} % spam`}
              </small>
            </span>
            <Bar share={messages / most} />
          </li>
        ))}
      </ol>
    </Panel>
  )
}

function Domain({ domain }: { readonly domain: string }) {
  return domain === '' ? <span class="quiet">no domain</span> : <PlainText text={domain} />
}

/** Each message with a name that it keeps; those of one moment and sender are told apart by their order. */
function keyed(messages: readonly RecentMessage[]): (readonly [string, RecentMessage])[] {
  const met = new Map<string, number>()
  return messages
    .toReversed()
    .map((message) => {
      const moment = `${message.at} ${message.ms} ${message.senderDomain}`
      const turn = met.get(moment) ?? 0
      met.set(moment, turn + 1)
      return [`${moment} ${turn}`, message] as const
    })
    .toReversed()
}

function clock(iso: string): string {
  return CLOCK.format(new Date(iso))
}
