/** What spoke for spam and against it, with what in the message it was. */
import { useState } from 'preact/hooks'
import type { Contribution, DiagnosticAnswer } from '../api.ts'
import { percent, signed } from '../format.ts'
import { Bar, Button, Fact, Panel } from '../ui/parts.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { isOverruled } from './verdict-panel.tsx'

type Explanation = NonNullable<DiagnosticAnswer['explanation']>

/** Terms shown at first, of each side. */
const SHOWN_AT_FIRST = 6

export function WhyPanel({
  answer,
  explanation,
}: {
  readonly answer: DiagnosticAnswer
  readonly explanation: Explanation
}) {
  const [whole, setWhole] = useState(false)
  const all = [...explanation.for, ...explanation.against]
  // What is the same for every message is no reason.
  const isStart = ({ kind }: Contribution) => kind === 'baseline' || kind === 'prior'
  // Measurements say little to a person: they are told in one sum at first.
  const isOther = (term: Contribution) => term.kind === 'rest' || (!whole && isMeasurement(term))
  const reasons = all.filter((term) => !isStart(term) && !isOther(term))
  const others = all.filter((term) => !isStart(term) && isOther(term))
  const sides = [
    ['For spam', 'for', reasons.filter(({ logit }) => logit > 0)],
    ['Against', 'against', reasons.filter(({ logit }) => logit < 0)],
  ] as const
  const strongest = Math.max(...reasons.map(({ logit }) => Math.abs(logit)), 0.01)
  const { textSpamScore, metaSpamScore } = answer.result
  return (
    <Panel
      title="Why"
      note={`${isOverruled(answer) ? 'The models gave these reasons, but were overruled. ' : ''}Points are log-odds and add up: +0.7 doubles the odds of spam.`}
    >
      {sides.map(([title, tone, terms]) => (
        <>
          {terms.length > 0 && <h3>{title}</h3>}
          <ul class={`bars ${tone}`}>
            {terms.slice(0, whole ? undefined : SHOWN_AT_FIRST).map((term) => (
              <li key={nameOf(term)}>
                <span title={nameOf(term)}>
                  {term.description}
                  <Evidence text={term.evidence} />
                </span>
                <Bar share={Math.abs(term.logit) / strongest} />
                <span class="number">{signed(term.logit)}</span>
              </li>
            ))}
          </ul>
        </>
      ))}
      {whole && <OtherSignals {...explanation} />}
      <Button class="link" onClick={() => setWhole(!whole)}>
        {whole ? 'Show only the strongest' : 'Show everything'}
      </Button>
      <dl class="sum">
        <Fact name="Every message starts at">{signed(sum(all.filter(isStart)))}</Fact>
        {sides.map(([title, tone, terms]) => (
          <Fact key={tone} name={title} class={tone}>
            {signed(sum(terms))}
          </Fact>
        ))}
        {others.length > 0 && (
          <Fact name={whole ? 'Everything weaker' : 'Counts, shares and everything weaker'}>
            {signed(sum(others))}
          </Fact>
        )}
        <Fact name={`Total, or ${percent(explanation.probability)}`} class="total">
          {signed(explanation.logit)}
        </Fact>
      </dl>
      {whole && (
        <p class="quiet">
          Text model alone {percent(textSpamScore)}, structure model alone {percent(metaSpamScore)}.
        </p>
      )}
    </Panel>
  )
}

function sum(terms: readonly Contribution[]): number {
  return terms.reduce((total, { logit }) => total + logit, 0)
}

/** The name that rules, documents and reports know it by; no two terms have the same. */
function nameOf(term: Contribution): string {
  return 'name' in term ? term.name : 'list' in term ? term.list : term.kind
}

/** True for what is no signal but a measurement: a share, a count, a length. */
function isMeasurement(term: Contribution): boolean {
  return term.kind === 'meta' && term.name !== term.name.toUpperCase()
}

/** Signals that are no terms of the sum, or too weak ones. */
function OtherSignals({ signals, ...terms }: Explanation) {
  const named = new Set([...terms.for, ...terms.against].map(nameOf))
  const others = signals.filter(({ name }) => !named.has(name))
  if (others.length === 0) return null
  return (
    <>
      <h3>Signals of no weight</h3>
      <ul>
        {others.map(({ name, description, evidence }) => (
          <li key={name} title={name}>
            {description}
            <Evidence text={evidence} />
          </li>
        ))}
      </ul>
    </>
  )
}

function Evidence({ text }: { readonly text: string | undefined }) {
  if (text === undefined) return null
  return (
    <code class="evidence">
      <PlainText text={text} />
    </code>
  )
}
