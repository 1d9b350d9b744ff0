/** The card of each model in use, and what it was trained on. */
import { useState } from 'preact/hooks'
import type { ModelCards } from '../../client/types.ts'
import { tamis } from '../api.ts'
import { count } from '../format.ts'
import { Bar } from '../try/why-panels.tsx'
import { Markdown } from '../ui/markdown.tsx'
import { Button, ErrorNote, Fact, Loading, Panel } from '../ui/parts.tsx'
import { useAnswer } from '../ui/use-answer.ts'

const NAMES: Readonly<Record<string, string>> = {
  text: 'What it says',
  meta: 'How it is made',
  fusion: 'Both together',
  tabs: 'Class',
  'multilingual-e5-small': 'The encoder',
  'tamis-static': 'What it is about',
}

export function CardsPanel() {
  const [answer, again] = useAnswer('cards', () => tamis().modelCards())
  const [chosen, setChosen] = useState(0)
  const models = answer.value?.models
  const model = models?.[chosen]
  return (
    <Panel
      title="Cards"
      note="What each model is, what it was trained on, and its known weaknesses."
    >
      {answer.step === 'failed' && <ErrorNote error={answer.error} retry={again} />}
      {models === undefined && answer.step === 'asking' && <Loading what="Loading cards" />}
      {models !== undefined && (
        <fieldset class="choices">
          <legend class="for-readers">Model</legend>
          {models.map(({ name }, i) => (
            <Button
              key={name}
              class="choice"
              aria-pressed={i === chosen}
              onClick={() => setChosen(i)}
            >
              {NAMES[name] ?? name}
            </Button>
          ))}
        </fieldset>
      )}
      {model !== undefined && <Card {...model} />}
    </Panel>
  )
}

type Card = ModelCards['models'][number]

function Card({ name, version, card, manifest }: Card) {
  const { corpora, featureVersion, seed } = manifest as {
    corpora?: Record<string, { samples?: number }>
    featureVersion?: string
    seed?: number
  }
  return (
    <div class="card-columns">
      {card === null ? <p class="quiet">This model has no card.</p> : <Markdown source={card} />}
      <div>
        <dl class="facts-list">
          <Fact name="name">{name}</Fact>
          <Fact name="version">{version === '' ? '–' : version}</Fact>
        </dl>
        {featureVersion !== undefined && (
          <details class="folded">
            <summary>To make it again</summary>
            <dl class="facts-list">
              <Fact name="features">
                <code>{featureVersion}</code>
              </Fact>
              {seed !== undefined && (
                <Fact name="seed" class="number">
                  {seed}
                </Fact>
              )}
            </dl>
          </details>
        )}
        {corpora !== undefined && <Corpora corpora={corpora} />}
      </div>
    </div>
  )
}

function Corpora({ corpora }: { readonly corpora: Record<string, { samples?: number }> }) {
  const sizes = Object.entries(corpora).map(([name, { samples = 0 }]) => ({ name, samples }))
  const largest = Math.max(1, ...sizes.map(({ samples }) => samples))
  return (
    <>
      <h3>Training messages by corpus</h3>
      <ul class="terms corpora">
        {sizes
          .toSorted((a, b) => b.samples - a.samples)
          .map(({ name, samples }) => (
            <li key={name}>
              <span class="feature">{name}</span>
              <Bar share={samples / largest} />
              <span class="number">{count(samples)}</span>
            </li>
          ))}
      </ul>
    </>
  )
}
