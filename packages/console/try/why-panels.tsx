/** What spoke for and against, and what each of the two models made of it. */

import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { SenderStanding } from '../../mail/verdict/clauses.ts'
import type { Contribution, DiagnosticAnswer } from '../api.ts'
import { percent, signed } from '../format.ts'
import { Badge, Button, Fact, Panel } from '../ui/parts.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { featureKey, featureName, isMeasurement } from './features.ts'

type Explanation = NonNullable<DiagnosticAnswer['explanation']>

/** Terms shown at first, of each side. */
const SHOWN_AT_FIRST = 6

export function WhyPanel({
  explanation,
  overruled,
  expert,
}: {
  readonly explanation: Explanation
  /** Whether something else decided than the models, whose reasons these are. */
  readonly overruled: boolean
  readonly expert: boolean
}) {
  const [whole, setWhole] = useState(false)
  const count = whole ? Number.POSITIVE_INFINITY : SHOWN_AT_FIRST
  const all = [...explanation.for, ...explanation.against]
  const start = sum(all.filter(isStart))
  const reasons = all.filter((term) => !isStart(term) && !isOther(term, expert))
  const [speakFor, speakAgainst] = [
    reasons.filter(({ logit }) => logit > 0),
    reasons.filter(({ logit }) => logit < 0),
  ]
  const others = all.filter((term) => isOther(term, expert))
  const strongest = Math.max(...reasons.map(({ logit }) => Math.abs(logit)), 0.01)
  const hidden =
    Math.max(0, speakFor.length - SHOWN_AT_FIRST) +
    Math.max(0, speakAgainst.length - SHOWN_AT_FIRST)
  return (
    <Panel
      title="Why"
      note={`${overruled ? 'The models gave these reasons, but were overruled. ' : ''}Points are log-odds and add up: +0.7 doubles the odds of spam.`}
    >
      <Terms
        title="For spam"
        tone="for"
        terms={speakFor.slice(0, count)}
        strongest={strongest}
        sender={explanation.sender}
      />
      <Terms
        title="Against"
        tone="against"
        terms={speakAgainst.slice(0, count)}
        strongest={strongest}
        sender={explanation.sender}
      />
      {hidden > 0 && (
        <Button class="link" onClick={() => setWhole(!whole)}>
          {whole ? 'Show only the strongest' : `Show ${hidden} more`}
        </Button>
      )}
      <dl class="sum">
        <Fact name="Every message starts at">{signed(start)}</Fact>
        <Fact name="For spam" class="for">
          {signed(sum(speakFor))}
        </Fact>
        <Fact name="Against" class="against">
          {signed(sum(speakAgainst))}
        </Fact>
        {others.length > 0 && (
          <>
            <dt>{expert ? 'Everything weaker' : 'Counts, shares and everything weaker'}</dt>
            <dd>{signed(sum(others))}</dd>
          </>
        )}
        <dt>Total, or {percent(explanation.probability)}</dt>
        <dd class="total">{signed(explanation.logit)}</dd>
      </dl>
    </Panel>
  )
}

/** What is the same for every message is no reason. */
function isStart({ kind }: Contribution): boolean {
  return kind === 'baseline' || kind === 'prior'
}

/** What is told in one sum. Measurements say little to a person: only experts see them one by one. */
function isOther(term: Contribution, expert: boolean): boolean {
  return term.kind === 'rest' || (!expert && isMeasurement(term))
}

function sum(terms: readonly Contribution[]): number {
  return terms.reduce((total, { logit }) => total + logit, 0)
}

function Terms({
  title,
  tone,
  terms,
  strongest,
  sender,
}: {
  readonly title: string
  readonly tone: 'for' | 'against'
  readonly terms: readonly Contribution[]
  readonly strongest: number
  readonly sender: SenderStanding
}) {
  if (terms.length === 0) return null
  return (
    <>
      <h3>{title}</h3>
      <ul class={`terms ${tone}`}>
        {terms.map((term) => (
          <li key={featureKey(term)}>
            <FeatureLabel term={term} sender={sender} />
            <Bar share={Math.abs(term.logit) / strongest} />
            <span class="number">{signed(term.logit)}</span>
          </li>
        ))}
      </ul>
    </>
  )
}

function FeatureLabel({
  term,
  sender,
}: {
  readonly term: Contribution
  readonly sender: SenderStanding
}) {
  const { label, quoted = [], code } = featureName(term, sender)
  return (
    <span class="feature" {...(code === undefined ? {} : { title: code })}>
      {label}
      {quoted.map((text, i) => (
        <>
          {i === 0 ? ': ' : ', '}
          <q key={text}>
            <PlainText text={text} />
          </q>
        </>
      ))}
    </span>
  )
}

/** A bar over a share of its row; the number beside it says the same. */
export function Bar({ share }: { readonly share: number }) {
  const width = Math.max(0.5, Math.min(100, share * 100))
  return (
    <svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
      <rect class="groove" width="100" height="8" />
      <rect class="fill" width={width} height="8" />
    </svg>
  )
}

/** Features shown of each model. */
const OF_EACH = 4

export function ModelsPanel({ answer }: { readonly answer: DiagnosticAnswer }) {
  const { result, explanation } = answer
  if (explanation === null) return null
  const terms = [...explanation.for, ...explanation.against].toSorted(
    (a, b) => Math.abs(b.logit) - Math.abs(a.logit),
  )
  const words = terms.flatMap((term) => (term.kind === 'wording' ? term.words : []))
  return (
    <Panel
      title="Two models, side by side"
      aside={
        <Badge tone={result.disagreement > 0.5 ? 'warn' : 'plain'}>
          they differ by {(result.disagreement * 100).toFixed(1)} points
        </Badge>
      }
    >
      <div class="models">
        <ModelColumn
          title="What it says"
          note="words that mean something, and all others"
          probability={result.textSpamScore}
        >
          {words.slice(0, OF_EACH).map(({ span, logit }) => (
            <Weighed key={span.text} logit={logit}>
              <q>
                <PlainText text={span.text} />
              </q>{' '}
              <span class="quiet">{VIEWS[span.view] ?? span.view}</span>
            </Weighed>
          ))}
        </ModelColumn>
        <ModelColumn
          title="How it is made"
          note="header, structure, links"
          probability={result.metaSpamScore}
        >
          {terms
            .filter(({ kind }) => kind === 'meta')
            .slice(0, OF_EACH)
            .map((term) => (
              <Weighed key={featureKey(term)} logit={term.logit}>
                <FeatureLabel term={term} sender={explanation.sender} />
              </Weighed>
            ))}
        </ModelColumn>
      </div>
    </Panel>
  )
}

const VIEWS: Readonly<Record<string, string>> = {
  message: 'in the text',
  subject: 'in the subject',
  from: 'in the name of the sender',
  anchor: 'as the text of a link',
}

function ModelColumn({
  title,
  note,
  probability,
  children,
}: {
  readonly title: string
  readonly note: string
  readonly probability: number
  readonly children: ComponentChildren
}) {
  return (
    <div class="model-column">
      <h3>{title}</h3>
      <p class="quiet">{note}</p>
      <p class="model-number">{percent(probability)}</p>
      <Bar share={probability} />
      <ul>{children}</ul>
    </div>
  )
}

function Weighed({
  logit,
  children,
}: {
  readonly logit: number
  readonly children: ComponentChildren
}) {
  return (
    <li class={logit > 0 ? 'for' : 'against'}>
      <span class="number">{signed(logit)}</span> {children}
    </li>
  )
}
