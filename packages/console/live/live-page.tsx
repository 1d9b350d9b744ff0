/** Live: what the service does now and has done in the last half hour. It follows by itself. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { CLASSES } from '../../mail/models/prediction.ts'
import { tamis } from '../api.ts'
import { age, count, milliseconds, percent } from '../format.ts'
import { SAMPLES } from '../try/samples.ts'
import { Bar } from '../try/why-panels.tsx'
import { Empty, ErrorNote, Loading, Panel } from '../ui/parts.tsx'
import { useAnswer } from '../ui/use-answer.ts'
import { columnsOf, joined, type Step, totalOf } from './recent.ts'
import { type Line, TimePlot } from './time-plot.tsx'

/** How often it looks. */
const LOOK_MS = 2_000

/** Steps that 'now' is the mean of: half a minute. */
const NOW_STEPS = 6

interface Watched {
  readonly steps: readonly Step[]
  readonly stepSeconds: number
  readonly error?: unknown
}

export function LivePage() {
  const [isPaused, setIsPaused] = useState(false)
  const [attempt, setAttempt] = useState(0)
  const watched = useRecent(isPaused, attempt)
  return (
    <div class="page">
      <div class="page-head">
        <h1>Live</h1>
        <p class="quiet">
          {isPaused ? 'Paused' : 'Follows by itself'}; the mail of this tenant in the last half hour
        </p>
        <button
          type="button"
          class="button"
          aria-pressed={isPaused}
          onClick={() => setIsPaused(!isPaused)}
        >
          {isPaused ? 'Go on' : 'Pause'}
        </button>
      </div>
      {watched?.error !== undefined && (
        <ErrorNote error={watched.error} retry={() => setAttempt(attempt + 1)} />
      )}
      {watched === undefined ? <Loading what="Looking" /> : <Watch {...watched} />}
    </div>
  )
}

/** Undefined until the first answer. */
function useRecent(isPaused: boolean, attempt: number): Watched | undefined {
  const [watched, setWatched] = useState<Watched>()
  const known = useRef<readonly Step[]>([])
  useEffect(() => {
    if (isPaused) return
    const leaving = new AbortController()
    const look = async () => {
      // The last step was not over, so it is asked for again.
      const after = known.current.at(-2)?.at
      try {
        const { steps, stepSeconds } = await tamis().recentStats({
          signal: leaving.signal,
          ...(after !== undefined && { after }),
        })
        known.current = joined(known.current, steps)
        setWatched({ steps: known.current, stepSeconds })
      } catch (error) {
        if (leaving.signal.aborted) return
        setWatched({ steps: known.current, stepSeconds: 5, error })
        // Whoever has no key is asked for one, and not every two seconds.
        const { status } = error as { status?: number }
        if (status === 401 || status === 403) clearInterval(timer)
      }
    }
    const timer = setInterval(() => {
      if (!document.hidden) void look()
    }, LOOK_MS)
    void look()
    return () => {
      clearInterval(timer)
      leaving.abort()
    }
  }, [isPaused, attempt])
  return watched
}

function Watch({ steps, stepSeconds }: Watched) {
  const total = totalOf(steps)
  const columns = useMemo(() => {
    // What is not over would look like a fall; at the very beginning there is nothing else.
    const over = steps.length > 1 ? steps.slice(0, -1) : steps
    return columnsOf(over, stepSeconds)
  }, [steps, stepSeconds])
  if (total.messages + total.refused === 0) return <NothingYet />
  const { times } = columns
  const rate = (value: (step: Step) => number) =>
    columns.steps.map((step) => (step === undefined ? 0 : value(step) / stepSeconds))
  const latency = (name: 'p50' | 'p95' | 'p99') =>
    columns.steps.map((step) => step?.latencyMs?.[name] ?? null)
  const feeds = feedLines(columns.steps)
  return (
    <>
      <Tiles steps={steps} stepSeconds={stepSeconds} />
      <div class="plots">
        <TimePlot
          title="Throughput"
          times={times}
          format={perSecond}
          lines={[
            line(
              'messages',
              'accent',
              rate((step) => step.messages),
              { filled: true },
            ),
            line(
              'refused',
              'spam',
              rate((step) => step.refused),
              { dash: [4, 3] },
            ),
          ]}
        />
        <TimePlot
          title="Latency"
          times={times}
          format={milliseconds}
          lines={[
            line('p50', 'ham', latency('p50')),
            line('p95', 'accent', latency('p95'), { dash: [6, 3] }),
            line('p99', 'spam', latency('p99'), { dash: [2, 3] }),
          ]}
        />
        <TimePlot
          title="Verdicts"
          times={times}
          format={perSecond}
          lines={[
            line(
              'not spam',
              'ham',
              rate((step) => step.ham),
              { filled: true },
            ),
            line(
              'spam',
              'spam',
              rate((step) => step.spam),
              { dash: [6, 3] },
            ),
            line(
              'by rule, memory or feed',
              'ink-soft',
              rate((step) => step.overridden),
              { dash: [2, 3] },
            ),
          ]}
        />
        <TimePlot
          title="For a person to look at"
          times={times}
          format={perSecond}
          lines={[
            line(
              'escalated',
              'warn',
              rate((step) => step.escalated),
              { filled: true },
            ),
          ]}
        />
        <TimePlot
          title="Waiting for a worker"
          whole
          times={times}
          format={count}
          lines={[
            line(
              'requests',
              'accent',
              columns.steps.map((step) => step?.queueDepth ?? 0),
              {
                filled: true,
              },
            ),
          ]}
        />
        {feeds.length > 0 && (
          <TimePlot title="Age of feeds" times={times} format={age} lines={feeds} />
        )}
        <div class="column">
          <ClassShares steps={steps} />
          <Taught />
        </div>
      </div>
    </>
  )
}

function line(
  label: string,
  colour: string,
  values: Line['values'],
  look: Pick<Line, 'dash' | 'filled'> = {},
): Line {
  return { label, colour, values, ...look }
}

const FEED_LOOKS = [
  { colour: 'accent' },
  { colour: 'ham', dash: [6, 3] },
  { colour: 'spam', dash: [2, 3] },
  { colour: 'warn', dash: [8, 2, 2, 2] },
] as const

function feedLines(steps: readonly (Step | undefined)[]): Line[] {
  const names = new Set(steps.flatMap((step) => Object.keys(step?.feeds ?? {})))
  return [...names].map((label, i) => ({
    label,
    ...FEED_LOOKS[i % FEED_LOOKS.length]!,
    values: steps.map((step) => step?.feeds[label] ?? null),
  }))
}

function perSecond(value: number): string {
  if (value === 0) return '0 /s'
  return `${value >= 10 ? count(value) : value.toFixed(1)} /s`
}

/** What a glance is for. */
function Tiles({ steps, stepSeconds }: Pick<Watched, 'steps' | 'stepSeconds'>) {
  const now = totalOf(steps.slice(-NOW_STEPS))
  const total = totalOf(steps)
  const latest = steps.findLast((step) => step.latencyMs !== null)
  const verdicts = total.spam + total.ham
  return (
    <dl class="tiles">
      <Tile
        name="messages a second"
        value={(now.messages / (NOW_STEPS * stepSeconds)).toFixed(1)}
        note="mean of half a minute"
      />
      <Tile
        name="99 % answered within"
        value={latest?.latencyMs ? milliseconds(latest.latencyMs.p99) : '–'}
        note="the last step"
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
        name="for a person"
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

function ClassShares({ steps }: { readonly steps: readonly Step[] }) {
  const counts = CLASSES.map((name) => ({
    name,
    messages: steps.reduce((sum, step) => sum + step.classes[name], 0),
  }))
  const all = counts.reduce((sum, { messages }) => sum + messages, 0)
  return (
    <Panel title="Classes">
      <ul class="classes">
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

function Taught() {
  const [answer] = useAnswer('stats', () => tamis().stats())
  const { value } = answer
  if (value === undefined) return null
  return (
    <Panel title="Taught so far">
      <dl class="facts-list">
        <dt>users who have taught</dt>
        <dd class="number">{count(value.users)}</dd>
        <dt>rules of their own</dt>
        <dd class="number">{count(value.rules)}</dd>
        <dt>corrections of spam</dt>
        <dd class="number">
          {value.corrections.spam === null ? 'not in the licence' : count(value.corrections.spam)}
        </dd>
        <dt>corrections of classes</dt>
        <dd class="number">{count(value.corrections.tabs)}</dd>
        <dt>models</dt>
        <dd>{value.models}</dd>
      </dl>
    </Panel>
  )
}

/** So that a newcomer sees it move. */
function NothingYet() {
  const [error, setError] = useState<unknown>()
  const send = async () => {
    setError(undefined)
    try {
      for (const { text } of SAMPLES) await tamis().classifyStream(new Blob([text]))
    } catch (failure) {
      setError(failure)
    }
  }
  return (
    <Panel title="Mail">
      <Empty title="No mail in the last half hour">
        <p>
          What comes to <code>/classify-stream</code> is seen here within two seconds. Looking at a
          message under Try does not count.
        </p>
        <p class="actions centred">
          <button type="button" class="button primary" onClick={() => void send()}>
            Send the samples through
          </button>
        </p>
      </Empty>
      {error !== undefined && <ErrorNote error={error} />}
    </Panel>
  )
}
