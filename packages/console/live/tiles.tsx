/** The numbers of the last half hour at a glance: tiles, shares of the classes, what was learned from users. */
import { CLASSES } from '../../mail/models/prediction.ts'
import { tamis } from '../api.ts'
import { count, milliseconds, percent } from '../format.ts'
import { Bar } from '../try/why-panels.tsx'
import { Fact, Panel } from '../ui/parts.tsx'
import { useAnswer } from '../ui/use-answer.ts'
import { type Step, totalOf } from './recent.ts'

/** Steps that 'now' is the mean of: half a minute. */
const NOW_STEPS = 6

interface TilesProps {
  readonly steps: readonly Step[]
  readonly stepSeconds: number
}

export function Tiles({ steps, stepSeconds }: TilesProps) {
  const now = totalOf(steps.slice(-NOW_STEPS))
  const total = totalOf(steps)
  const latest = steps.findLast((step) => step.latencyMs !== null)
  const verdicts = total.spam + total.ham
  return (
    <dl class="tiles">
      <Tile
        name="messages per second"
        value={(now.messages / (NOW_STEPS * stepSeconds)).toFixed(1)}
        note="mean of the last half minute"
      />
      <Tile
        name="99 % answered within"
        value={latest?.latencyMs ? milliseconds(latest.latencyMs.p99) : '–'}
        note="in the last step"
      />
      <Tile
        name="waiting"
        value={count(steps.at(-1)?.queueDepth ?? 0)}
        note={total.refused === 0 ? 'none refused' : `${count(total.refused)} refused`}
      />
      <Tile
        name="spam"
        value={verdicts === 0 ? '–' : percent(total.spam / verdicts)}
        note={`of ${count(verdicts)} verdicts`}
      />
      <Tile
        name="escalated"
        value={verdicts === 0 ? '–' : percent(total.escalated / verdicts)}
        note={`${count(total.escalated)} escalated`}
      />
    </dl>
  )
}

function Tile({ name, value, note }: { name: string; value: string; note: string }) {
  return (
    <div class="tile">
      <dt>{name}</dt>
      <dd>
        <strong class="number">{value}</strong>
        <small>{note}</small>
      </dd>
    </div>
  )
}

export function ClassShares({ steps }: { readonly steps: readonly Step[] }) {
  const counts = CLASSES.map((name) => ({
    name,
    messages: steps.reduce((sum, step) => sum + step.classes[name], 0),
  }))
  const all = counts.reduce((sum, { messages }) => sum + messages, 0)
  return (
    <Panel title="Classes">
      <ul class="classes with-numbers">
        {counts.map(({ name, messages }) => (
          <li key={name} class="chosen">
            <span>{name}</span>
            <Bar share={all === 0 ? 0 : messages / all} />
            <span class="number">{count(messages)}</span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

export function Corrected() {
  const [answer] = useAnswer('stats', () => tamis().get('/stats'))
  const { value } = answer
  if (value === undefined) return null
  return (
    <Panel title="Corrections so far">
      <dl class="facts-list">
        <Fact name="users with corrections" class="number">
          {count(value.users)}
        </Fact>
        <Fact name="rules made by hand" class="number">
          {count(value.rules)}
        </Fact>
        <Fact name="corrections of spam" class="number">
          {value.corrections.spam === null ? 'not in the licence' : count(value.corrections.spam)}
        </Fact>
        <Fact name="corrections of classes" class="number">
          {count(value.corrections.tabs)}
        </Fact>
        <Fact name="models">{value.models}</Fact>
      </dl>
    </Panel>
  )
}
