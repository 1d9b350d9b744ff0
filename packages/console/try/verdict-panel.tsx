/** The verdict: one plain sentence, and how sure it is. */

import type { DiagnosticAnswer } from '../api.ts'
import { percent } from '../format.ts'
import { Badge, Icon } from '../ui/parts.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { TONE_ICONS, type Tone, toneOf } from '../ui/tone.ts'
import { type ShownCorrection, WithdrawCorrection } from '../ui/withdraw-correction.tsx'
import { authenticationInShort } from './authentication-in-short.ts'
import { CLASS_ABOUT } from './classes.ts'
import { overruling } from './overruling.ts'
import { ProbabilityScale } from './probability-scale.tsx'
import { WordScale } from './word-scale.tsx'

export function VerdictPanel({
  answer,
  expert,
  onWithdrawn,
}: {
  readonly answer: DiagnosticAnswer
  readonly expert: boolean
  /** A correction that was behind the verdict is withdrawn. */
  readonly onWithdrawn: () => void
}) {
  const { result, explanation } = answer
  const corrections = correctionsBehind(answer)
  const tone = toneOfAnswer(answer)
  return (
    <section class={`verdict-panel ${tone}`} aria-label="Verdict" aria-live="polite">
      <div class="verdict-words">
        <VerdictSentence answer={answer} />
        {corrections.map((correction) => (
          <p key={correction.feedbackId}>
            <WithdrawCorrection correction={correction} onWithdrawn={onWithdrawn} />
          </p>
        ))}
        <p class="badges">
          {!result.isSpam && (
            <Badge tone="accent" title={CLASS_ABOUT[result.classification]}>
              class: {result.classification}
            </Badge>
          )}
          {result.shouldEscalate && (
            <Badge tone="warn">
              <Icon name="look" /> needs review
            </Badge>
          )}
          <Badge tone={result.senderAuthenticated ? 'ham' : 'plain'}>
            sender {authenticationInShort(answer)}
          </Badge>
        </p>
      </div>
      {explanation !== null && (
        <WordScale spam={result.spamProbability} threshold={explanation.threshold} tone={tone} />
      )}
      {explanation !== null && expert && (
        <ProbabilityScale
          spam={result.spamProbability}
          text={result.textSpamScore}
          meta={result.metaSpamScore}
          threshold={explanation.threshold}
          tone={tone}
        />
      )}
    </section>
  )
}

/** What of the user's corrections is behind the verdict: the one that decided, else what the user's own models add most of. */
function correctionsBehind({ result, personalization }: DiagnosticAnswer): ShownCorrection[] {
  const { memory, learned } = personalization
  if (result.bypassReason === 'knn_memory' && memory !== null) return [memory.decidedBy]
  return result.bypassReason === null ? learned.map(({ correction }) => correction) : []
}

/** Where nothing is said of spam. */
const NOT_CHECKED = {
  verdict: 'Not checked for spam',
  reasons: 'the licence includes only message classes',
}

function VerdictSentence({ answer }: { readonly answer: DiagnosticAnswer }) {
  const { verdict, reasons } = answer.explanation?.sentence ?? NOT_CHECKED
  const overruled = overruling(answer)
  return (
    <>
      <p class="verdict-sentence">
        <Icon name={TONE_ICONS[toneOfAnswer(answer)]} />
        <span>
          <strong>{verdict}</strong>: {reasons}.
        </span>
      </p>
      {overruled !== undefined && (
        <p class="quiet">
          {overruled.by}
          {overruled.quoted !== '' && ' '}
          <PlainText text={overruled.quoted} />. {overruled.models}
        </p>
      )}
    </>
  )
}

/** Where nothing is said of spam there is no tone. */
function toneOfAnswer({ result, explanation }: DiagnosticAnswer): Tone {
  if (explanation === null) return 'plain'
  return toneOf({ ...result, threshold: explanation.threshold })
}

/** A verdict in a few words: 'Probably spam, spam probability 98.9 %'. */
export function VerdictInShort({ answer }: { readonly answer: DiagnosticAnswer }) {
  const { explanation, result } = answer
  const { isSpam, spamProbability, classification } = result
  const tone = toneOfAnswer(answer)
  return (
    <span class={`standing ${tone}`}>
      <Icon name={TONE_ICONS[tone]} />
      {(explanation?.sentence ?? NOT_CHECKED).verdict}
      {!isSpam && `, ${classification}`}{' '}
      <span class="quiet">
        (spam probability <b>{percent(spamProbability)}</b>)
      </span>
    </span>
  )
}
