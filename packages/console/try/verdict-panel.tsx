/** The verdict: the word, the probability, and where the threshold is. */
import type { ComponentChildren } from 'preact'
import type { DiagnosticAnswer } from '../api.ts'
import { percent } from '../format.ts'
import { Badge, Icon } from '../ui/parts.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { ProbabilityScale } from './probability-scale.tsx'

export function VerdictPanel({ answer }: { readonly answer: DiagnosticAnswer }) {
  const { result, explanation } = answer
  const tone = result.isSpam ? 'spam' : 'ham'
  return (
    <section class={`verdict-panel ${tone}`} aria-label="Verdict" aria-live="polite">
      <div class="verdict-words">
        <p class="verdict-word">
          <Icon name={tone} />
          {result.isSpam ? 'Spam' : 'Not spam'}
        </p>
        <p class="verdict-number">{percent(result.spamProbability)}</p>
        <p class="verdict-sentence">{sentence(answer)}</p>
        <p class="badges">
          <Badge tone="accent">{result.classification}</Badge>
          {result.shouldEscalate && (
            <Badge tone="warn" title="shouldEscalate">
              <Icon name="look" /> a person should look
            </Badge>
          )}
          <Badge tone={result.senderAuthenticated ? 'ham' : 'plain'}>
            sender {result.senderAuthenticated ? 'authenticated' : 'not authenticated'}
          </Badge>
          {result.bypassReason !== null && <Badge tone="warn">{result.bypassReason}</Badge>}
        </p>
      </div>
      {explanation !== null && (
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

/** Who decided, in words. */
function sentence({
  result,
  explanation,
  personalization,
  urlScanner,
}: DiagnosticAnswer): ComponentChildren {
  if (explanation === null)
    return 'The licence includes only message classes, so Tamis does not detect spam.'
  const models = <>The models alone give {percent(explanation.probability)}.</>
  if (result.bypassReason === 'phishtank_match') {
    return (
      <>
        A link is in the feed {urlScanner.match?.feed ?? ''}. {models}
      </>
    )
  }
  if (result.bypassReason === 'user_rule') {
    return (
      <>
        A {personalization.rule?.ruleType} rule of the{' '}
        {personalization.rule?.source === 'site' ? 'site' : 'user'} decided:{' '}
        <PlainText text={personalization.rule?.pattern ?? ''} />. {models}
      </>
    )
  }
  if (result.bypassReason === 'knn_memory') {
    const same = personalization.memory?.sameMessage
    return (
      <>
        {same
          ? 'The user has corrected this very message.'
          : 'The user has corrected similar mail.'}{' '}
        {models}
      </>
    )
  }
  const partly =
    result.bypassReason === 'parse_error' ? ' Only part of the message could be read.' : ''
  const side = result.isSpam ? 'above' : 'not above'
  return `It is ${side} the threshold of ${percent(explanation.threshold)}.${partly}`
}
