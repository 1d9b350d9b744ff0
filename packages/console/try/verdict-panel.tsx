/** The verdict: one plain sentence, and how sure it is. */
import { LEVELS, standingOf } from '../../mail/verdict/standing.ts'
import type { DiagnosticAnswer } from '../api.ts'
import { percent } from '../format.ts'
import { Badge, Icon } from '../ui/parts.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { TONE_ICONS, type Tone, toneOf } from '../ui/tone.ts'
import { type ShownCorrection, WithdrawCorrection } from '../ui/withdraw-correction.tsx'
import { authenticationInShort, CLASS_ABOUT } from './facts-panels.tsx'

/** Where nothing is said of spam. */
const NOT_CHECKED = {
  verdict: 'Not checked for spam',
  reasons: 'the licence includes only message classes',
}

export function VerdictPanel({
  answer,
  onWithdrawn,
}: {
  readonly answer: DiagnosticAnswer
  /** A correction that was behind the verdict is withdrawn. */
  readonly onWithdrawn: () => void
}) {
  const { result, explanation } = answer
  const { verdict, reasons } = explanation?.sentence ?? NOT_CHECKED
  const tone = toneOfAnswer(answer)
  return (
    <section class={`panel columns verdict ${tone}`} aria-label="Verdict" aria-live="polite">
      <div class="stack">
        <p class="verdict-sentence">
          <Icon name={TONE_ICONS[tone]} />
          <span>
            <strong>{verdict}</strong>: {reasons}.
          </span>
        </p>
        <Overruling answer={answer} />
        {correctionsBehind(answer).map((correction) => (
          <p key={correction.feedbackId}>
            <WithdrawCorrection correction={correction} onWithdrawn={onWithdrawn} />
          </p>
        ))}
        <p class="row">
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
        <WordScale spam={result.spamProbability} threshold={explanation.threshold} />
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

/** Whether something else decided than the models. */
export function isOverruled({ result, explanation }: DiagnosticAnswer): boolean {
  return (
    explanation !== null &&
    ['phishtank_match', 'user_rule', 'knn_memory'].includes(result.bypassReason ?? '')
  )
}

/** Who overruled the models, and what they say alone. */
function Overruling({ answer }: { readonly answer: DiagnosticAnswer }) {
  const { explanation } = answer
  if (explanation === null || !isOverruled(answer)) return null
  const [by, quoted = ''] = overruledBy(answer)
  const { level } = standingOf(explanation.probability, explanation.threshold)
  return (
    <p class="quiet">
      {by}
      {quoted !== '' && ' '}
      <PlainText text={quoted} />. The models alone say: {level}.
    </p>
  )
}

/** 'The rule is for the sender', and a pattern or a name that was not written here. */
function overruledBy({
  result: { bypassReason },
  personalization: { rule, memory },
  urlScanner,
}: DiagnosticAnswer): readonly [by: string, quoted?: string | undefined] {
  if (bypassReason === 'phishtank_match') return ['The feed is', urlScanner.match?.feed]
  if (bypassReason === 'knn_memory') {
    return [`The correction was of ${memory?.sameMessage ? 'this message' : 'similar mail'}`]
  }
  if (rule === null || rule.ruleType === 'Template') return ['The rule is for this kind of mail']
  if (rule.ruleType === 'Operator') return ['The rule of the operator is', rule.pattern]
  return [`The rule is for the ${rule.ruleType.toLowerCase()}`, rule.pattern]
}

/** Levels from here on are spam. */
const FIRST_OF_SPAM = LEVELS.indexOf('probably spam')

/** The spam probability on a scale of words, so that the number cannot be taken for that of the verdict. */
function WordScale({ spam, threshold }: { readonly spam: number; readonly threshold: number }) {
  const { level, position } = standingOf(spam, threshold)
  const side = (i: number) =>
    i >= FIRST_OF_SPAM ? 'spam' : i === FIRST_OF_SPAM - 1 ? 'warn' : 'ham'
  return (
    <div>
      <p class="row">
        <span>Spam probability</span> <strong class="figure">{percent(spam)}</strong>
        <span class="note end">Above {percent(threshold)} it is spam.</span>
      </p>
      <div class="track">
        <ol>
          {LEVELS.map((name, i) => (
            <li key={name} class={`${side(i)} ${name === level ? 'here' : ''}`}>
              {name}
              {name === level && <span class="for-readers"> (this message)</span>}
            </li>
          ))}
        </ol>
        <span
          class="marker"
          style={{ left: `clamp(9px, ${100 * position}%, 100% - 9px)` }}
          aria-hidden="true"
        />
      </div>
    </div>
  )
}

/** Where nothing is said of spam there is no tone. */
function toneOfAnswer({ result, explanation }: DiagnosticAnswer): Tone {
  if (explanation === null) return 'plain'
  return toneOf({ ...result, threshold: explanation.threshold })
}

/** A verdict in a few words: 'Probably spam, spam probability 98.9 %'. */
export function VerdictInShort({ answer }: { readonly answer: DiagnosticAnswer }) {
  const { isSpam, spamProbability, classification } = answer.result
  const tone = toneOfAnswer(answer)
  return (
    <span class={`standing ${tone}`}>
      <Icon name={TONE_ICONS[tone]} /> {(answer.explanation?.sentence ?? NOT_CHECKED).verdict}
      {!isSpam && `, ${classification}`}{' '}
      <span class="quiet">
        (spam probability <b>{percent(spamProbability)}</b>)
      </span>
    </span>
  )
}
