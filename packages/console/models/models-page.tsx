/** Models: what is at work, what corrections have taught, and how good it is. */
import { useId, useState } from 'preact/hooks'
import type { ModelCards, ModelsResult } from '../../client/types.ts'
import { tamis } from '../api.ts'
import { count, dayTime } from '../format.ts'
import { Bar } from '../try/why-panels.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Markdown } from '../ui/markdown.tsx'
import { Badge, Empty, ErrorNote, Icon, Loading, Panel, Table } from '../ui/parts.tsx'
import { useAnswer } from '../ui/use-answer.ts'
import { plotAddress, REPORTS, reportText } from './reports.ts'

export function ModelsPage() {
  return (
    <div class="page">
      <div class="page-head">
        <h1>Models</h1>
        <p class="quiet">
          The models in use, what was learned from corrections, and how good the models are
        </p>
      </div>
      <Learned />
      <Cards />
      <Reports />
    </div>
  )
}

type Step = 'promote' | 'rollback'

const QUESTIONS = {
  promote: {
    title: 'Use what has been learned so far?',
    text: 'The service does this by itself when its checks pass. This does it at once, also after a rollback.',
    confirm: 'Promote',
  },
  rollback: {
    title: 'Go back to the previous version?',
    text: 'The version in use is rejected. Rules and memories of users do not change.',
    confirm: 'Roll back',
  },
} as const

function Learned() {
  const [answer, again] = useAnswer('models', () => tamis().models())
  const [asked, setAsked] = useState<Step>()
  const [failure, setFailure] = useState<unknown>()
  const [said, setSaid] = useState('')
  const go = async (step: Step) => {
    setAsked(undefined)
    setFailure(undefined)
    try {
      const { version } =
        step === 'promote' ? await tamis().promoteModels() : await tamis().rollbackModels()
      setSaid(
        version === null ? 'Only the shipped models are in use.' : `Version ${version} is in use.`,
      )
      again()
    } catch (error) {
      setFailure(error)
    }
  }
  const { value } = answer
  return (
    <Panel
      title="Learned from corrections"
      aside={value !== undefined && <Badge tone="accent">shipped models {value.base}</Badge>}
      note="Changes to the shipped weights, learned from the corrections of this tenant's users."
    >
      {answer.step === 'failed' && <ErrorNote error={answer.error} retry={again} />}
      {failure !== undefined && <ErrorNote error={failure} />}
      {value === undefined && answer.step === 'asking' && <Loading what="Loading versions" />}
      {value !== undefined && value.learning.refused > 0 && (
        <p>
          Refused {count(value.learning.refused)} times, because what was learned from users makes
          verdicts on the canary set worse.
        </p>
      )}
      {value !== undefined && <Versions versions={value.versions} />}
      <div class="actions">
        <button type="button" class="button" onClick={() => setAsked('promote')}>
          <Icon name="plus" /> Promote what was learned
        </button>
        <button
          type="button"
          class="button"
          disabled={value?.versions.some(({ state }) => state === 'promoted') !== true}
          onClick={() => setAsked('rollback')}
        >
          <Icon name="undo" /> Roll back
        </button>
        <span role="status" class="quiet">
          {said}
        </span>
      </div>
      {asked !== undefined && (
        <Dialog
          title={QUESTIONS[asked].title}
          confirm={QUESTIONS[asked].confirm}
          onConfirm={() => void go(asked)}
          onClose={() => setAsked(undefined)}
        >
          <p>{QUESTIONS[asked].text}</p>
        </Dialog>
      )}
    </Panel>
  )
}

const STATES = {
  promoted: { tone: 'ham', text: 'in use' },
  candidate: { tone: 'warn', text: 'candidate' },
  rejected: { tone: 'spam', text: 'rejected' },
  retired: { tone: 'plain', text: 'retired' },
} as const

function Versions({ versions }: Pick<ModelsResult, 'versions'>) {
  if (versions.length === 0) {
    return (
      <Empty title="No version has been saved yet">
        <p>The shipped models are in use, with what was learned from the corrections so far.</p>
      </Empty>
    )
  }
  // Of several that were promoted the newest is at work.
  const current = versions.find(({ state }) => state === 'promoted')
  return (
    <Table label="Versions">
      <thead>
        <tr>
          <th scope="col">Version</th>
          <th scope="col">State</th>
          <th scope="col" class="right">
            Corrections
          </th>
          <th scope="col" class="right">
            Promotions
          </th>
          <th scope="col">Base</th>
          <th scope="col">Made</th>
        </tr>
      </thead>
      <tbody>
        {versions.map((version) => {
          const { tone, text } = STATES[version.state]
          const { corrections, promotions } = version.metrics as Record<string, number | undefined>
          return (
            <tr key={version.version}>
              <td>
                <strong>{version.version}</strong>
              </td>
              <td>
                <Badge tone={tone}>
                  {text === 'in use' && version !== current ? 'was in use' : text}
                </Badge>
              </td>
              <td class="right">{corrections === undefined ? '–' : count(corrections)}</td>
              <td class="right">{promotions === undefined ? '–' : count(promotions)}</td>
              <td>{version.base}</td>
              <td>{dayTime(version.createdAt)}</td>
            </tr>
          )
        })}
      </tbody>
    </Table>
  )
}

const NAMES: Readonly<Record<string, string>> = {
  text: 'What it says',
  meta: 'How it is made',
  fusion: 'Both together',
  tabs: 'Class',
  'tamis-static': 'What it is about',
}

function Cards() {
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
            <button
              key={name}
              type="button"
              class="choice"
              aria-pressed={i === chosen}
              onClick={() => setChosen(i)}
            >
              {NAMES[name] ?? name}
            </button>
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
          <dt>name</dt>
          <dd>{name}</dd>
          <dt>version</dt>
          <dd>{version === '' ? '–' : version}</dd>
          {featureVersion !== undefined && (
            <>
              <dt>features</dt>
              <dd>
                <code>{featureVersion}</code>
              </dd>
            </>
          )}
          {seed !== undefined && (
            <>
              <dt>seed</dt>
              <dd class="number">{seed}</dd>
            </>
          )}
        </dl>
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
      <h3>Trained on, messages</h3>
      <ul class="terms">
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

function Reports() {
  const [name, setName] = useState(REPORTS[0]?.name ?? '')
  const [answer, again] = useAnswer(name, () => reportText(name))
  const id = useId()
  return (
    <Panel
      title="Reports"
      note="Measured with the models of this version."
      aside={
        <span class="class-choice">
          <label for={id}>Report</label>
          <select id={id} value={name} onChange={(event) => setName(event.currentTarget.value)}>
            {REPORTS.map((report) => (
              <option key={report.name} value={report.name}>
                {report.title}
              </option>
            ))}
          </select>
        </span>
      }
    >
      {answer.step === 'failed' && <ErrorNote error={answer.error} retry={again} />}
      {answer.step === 'asking' && <Loading what="Opening the report" />}
      {answer.step === 'answered' && (
        <Markdown source={answer.value} pictures={(picture) => plotAddress(name, picture)} />
      )}
    </Panel>
  )
}
