/** Live: what the service does while the page is open. The page asks for counts and keeps their differences. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { CLASSES } from '../../mail/models/prediction.ts'
import { tamis } from '../api.ts'
import { count, milliseconds, percent } from '../format.ts'
import { Connect } from '../ui/connect.tsx'
import { Asked, Bar, Button, Empty, Page, Panel } from '../ui/parts.tsx'
import { useAnswer } from '../ui/use-answer.ts'
import { type Look, type Step, stepOf } from './figures.ts'
import { TimePlot } from './time-plot.tsx'

const LOOK_MS = 5_000

/** Steps kept: half an hour. */
const STEPS_MAX = 360

interface Coded {
  readonly code?: string
}

interface Watched {
  readonly first: Look
  readonly last: Look
  readonly steps: readonly Step[]
}

export function LivePage() {
  const [isPaused, setIsPaused] = useState(false)
  const watched = useRef<Watched | undefined>(undefined)
  const [answer, again] = useAnswer('stats', async () => {
    const look = { at: Date.now(), stats: await tamis().get('/stats') }
    watched.current = watchedWith(look, watched.current)
    return watched.current
  })
  useEffect(() => {
    // A service that starts again is asked again; a key that is refused is not.
    const isOver = answer.step === 'failed' && (answer.error as Coded).code !== 'UNREACHABLE'
    if (isPaused || isOver || answer.step === 'asking') return
    const timer = setTimeout(again, LOOK_MS)
    return () => clearTimeout(timer)
  }, [isPaused, answer])
  return (
    <Page
      title="Live"
      about={`All mail, ${isPaused ? 'paused' : 'updated automatically'}`}
      action={
        <Button class="button end" onClick={() => setIsPaused(!isPaused)}>
          {isPaused ? 'Resume' : 'Pause'}
        </Button>
      }
    >
      <Asked answer={answer} again={again}>
        {(known) => <Watch {...known} />}
      </Asked>
    </Page>
  )
}

/** Begins again where the service was started again. */
function watchedWith(look: Look, before: Watched | undefined): Watched {
  const step = before && stepOf(before.last, look)
  if (before === undefined || step === undefined) return { first: look, last: look, steps: [] }
  return { ...before, last: look, steps: [...before.steps, step].slice(-STEPS_MAX) }
}

function Watch({ first, last, steps }: Watched) {
  const { judged, queueDepth } = last.stats
  if (judged.messages === 0) return <NothingYet />
  const old = first.stats.judged
  const spam = (judged.verdicts?.spam ?? 0) - (old.verdicts?.spam ?? 0)
  const verdicts = spam + (judged.verdicts?.ham ?? 0) - (old.verdicts?.ham ?? 0)
  const p99 = steps.findLast((step) => step.latencyMs.p99 !== null)?.latencyMs.p99
  const classes = CLASSES.map((name) => ({ name, seen: judged.classes[name] - old.classes[name] }))
  const ofClasses = Math.max(1, ...classes.map(({ seen }) => seen))
  const rates = (name: keyof Step['perSecond']) => steps.map(({ perSecond }) => perSecond[name])
  const latencies = (name: 'p50' | 'p99') => steps.map(({ latencyMs }) => latencyMs[name])
  return (
    <>
      <dl class="tiles">
        <Tile name="messages per second" value={perSecond(rates('messages').at(-1) ?? 0)} />
        <Tile name="99 % answered within" value={p99 == null ? '–' : milliseconds(p99)} />
        <Tile name="waiting" value={count(queueDepth)} />
        <Tile
          name="spam"
          value={verdicts === 0 ? '–' : percent(spam / verdicts)}
          note={`of ${count(verdicts)} verdicts`}
        />
      </dl>
      <div class="columns">
        <TimePlot
          title="Throughput"
          format={perSecond}
          lines={[{ label: 'messages', tone: 'accent', values: rates('messages') }]}
        />
        <TimePlot
          title="Latency"
          format={milliseconds}
          lines={[
            { label: 'p50', tone: 'ham', values: latencies('p50') },
            { label: 'p99', tone: 'spam', dash: '2 3', values: latencies('p99') },
          ]}
        />
        <TimePlot
          title="Verdicts"
          format={perSecond}
          lines={[
            { label: 'not spam', tone: 'ham', values: rates('ham') },
            { label: 'spam', tone: 'spam', dash: '6 3', values: rates('spam') },
          ]}
        />
        <Panel title="Classes">
          <ul class="bars">
            {classes.map(({ name, seen }) => (
              <li key={name}>
                <span>{name}</span>
                <Bar share={seen / ofClasses} />
                <span class="number">{count(seen)}</span>
              </li>
            ))}
          </ul>
        </Panel>
      </div>
    </>
  )
}

function Tile({ name, value, note }: { name: string; value: string; note?: string }) {
  return (
    <div class="panel">
      <dt class="note">{name}</dt>
      <dd>
        <strong class="figure">{value}</strong> <small>{note}</small>
      </dd>
    </div>
  )
}

function NothingYet() {
  return (
    <Panel title="Mail">
      <Empty title="No mail yet">
        <p>
          Messages sent to <code>/classify-stream</code> appear here within five seconds. Messages
          under Try are not counted.
        </p>
      </Empty>
      <Connect />
    </Panel>
  )
}

function perSecond(value: number): string {
  return `${value >= 10 ? count(value) : value.toFixed(1)} /s`
}
