/** The verdict: one plain sentence, and how sure it is. */
import type { DiagnosticAnswer } from '../api.ts'
import { percent } from '../format.ts'
import { Badge, Icon } from '../ui/parts.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { authenticationInShort } from './authentication-in-short.ts'
import { CLASS_ABOUT } from './classes.ts'
import { overruling } from './overruling.ts'
import { ProbabilityScale } from './probability-scale.tsx'
import { WordScale } from './word-scale.tsx'

export function VerdictPanel({
  answer,
  expert,
}: {
  readonly answer: DiagnosticAnswer
  readonly expert: boolean
}) {
  const { result, explanation } = answer
  const tone = result.isSpam ? 'spam' : 'ham'
  return (
    <section class={`verdict-panel ${tone}`} aria-label="Verdict" aria-live="polite">
      <div class="verdict-words">
        <VerdictSentence answer={answer} />
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
        <WordScale spam={result.spamProbability} threshold={explanation.threshold} />
      )}
      {explanation !== null && expert && (
        <ProbabilityScale
          spam={result.spamProbability}
          text={result.textSpamScore}
          meta={result.metaSpamScore}
          threshold={explanation.threshold}
        />
      )}
    </section>
  )
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
        <Icon name={answer.result.isSpam ? 'spam' : 'ham'} />
        <span>
          <strong>{verdict}</strong>: {reasons}.
        </span>
      </p>
      {overruled !== undefined && (
        <p class="quiet">
          {overruled.by} <PlainText text={overruled.quoted} />. {overruled.models}
        </p>
      )}
    </>
  )
}

/** A verdict in a few words: 'Probably spam, spam probability 98.9 %'. */
export function VerdictInShort({ answer }: { readonly answer: DiagnosticAnswer }) {
  const { explanation, result } = answer
  const { isSpam, spamProbability, classification } = result
  return (
    <span class={isSpam ? 'standing spam' : 'standing ham'}>
      <Icon name={isSpam ? 'spam' : 'ham'} />
      {(explanation?.sentence ?? NOT_CHECKED).verdict}
      {!isSpam && `, ${classification}`}{' '}
      <span class="quiet">
        (spam probability <b>{percent(spamProbability)}</b>)
      </span>
    </span>
  )
}
