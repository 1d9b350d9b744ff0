/** One judged message in the history: in a line or two, and opened with its reasons in words. */

import type { HistoryResult } from '../../client/client.ts'
import { isInDoubt } from '../../mail/verdict/standing.ts'
import { dayTime, milliseconds, percent, signed } from '../format.ts'
import { Badge, Fact, Icon } from '../ui/parts.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { TONE_ICONS, toneOf } from '../ui/tone.ts'
import { WithdrawCorrection } from '../ui/withdraw-correction.tsx'

type Entry = HistoryResult['entries'][number]

export function HistoryEntry({
  entry,
  isOpen,
}: {
  readonly entry: Entry
  /** Whether its reasons are shown at first: to who asks for one message. */
  readonly isOpen: boolean
}) {
  const { shouldEscalate, userId, judgedAt } = entry
  const tone = toneOf(entry)
  return (
    <li>
      <details open={isOpen}>
        <summary>
          <span class={`standing ${tone}`}>
            <Icon name={TONE_ICONS[tone]} /> {standingWords(entry)}
          </span>
          <span>
            <Sender entry={entry} />{' '}
            {userId !== undefined && (
              <span class="quiet">
                to <PlainText text={userId} />
              </span>
            )}{' '}
            {shouldEscalate && (
              <Badge tone="warn">
                <Icon name="look" /> needs review
              </Badge>
            )}
          </span>
          <time class="time" dateTime={judgedAt}>
            {dayTime(judgedAt)}
          </time>
          <span class="history-short note">{shortText(entry)}</span>
        </summary>
        <Why entry={entry} />
      </details>
    </li>
  )
}

/** What a row tells before it is opened: probability, class, and the sentence of the verdict. */
function shortText(entry: Entry): string {
  const { spamProbability, isSpam, classification, sentence } = entry
  return [
    isByModels(entry) ? percent(spamProbability) : undefined,
    isSpam ? undefined : classification,
    sentence,
  ]
    .filter((fact) => fact !== undefined)
    .join(' · ')
}

/** Whether the probability is that of the models, and not of a rule or the memory. */
function isByModels({ bypassReason }: Entry): boolean {
  return bypassReason === null || bypassReason === 'parse_error'
}

function standingWords(entry: Entry): string {
  if (entry.isSpam) return 'spam'
  return isInDoubt(entry) ? 'suspicious' : 'not spam'
}

function Sender({ entry: { sender, senderDomain, envelopeSender } }: { readonly entry: Entry }) {
  const named = sender ?? senderDomain ?? envelopeSender ?? ''
  return named === '' ? <span class="quiet">no sender</span> : <PlainText text={named} />
}

function Why({ entry }: { readonly entry: Entry }) {
  const { spamProbability, threshold, reasons, messageId, envelopeSender, isSpam } = entry
  return (
    <div class="stack history-why">
      {isByModels(entry) && (
        <p>
          Spam probability {percent(spamProbability)}; above {percent(threshold)} it is spam.
        </p>
      )}
      <ul class="reasons" aria-label="Strongest reasons">
        {reasons.map(({ name, points, description, correction }) => (
          <li key={name} class={points > 0 ? 'for' : 'against'} title={name}>
            <span class="number">{signed(points, 1)}</span>
            <span>
              {description ?? name}{' '}
              {correction !== undefined && <WithdrawCorrection correction={correction} />}
            </span>
          </li>
        ))}
      </ul>
      <dl class="facts-list">
        {messageId !== undefined && (
          <Fact name="Message-ID">
            <code>{messageId}</code>
          </Fact>
        )}
        {envelopeSender !== undefined && (
          <Fact name="Envelope sender">
            {envelopeSender === '' ? 'none (a bounce)' : <PlainText text={envelopeSender} />}
          </Fact>
        )}
        {!isSpam && <Fact name="Class">{entry.classification}</Fact>}
        <Fact name="Judged in">{milliseconds(entry.elapsedMs)}</Fact>
      </dl>
    </div>
  )
}
