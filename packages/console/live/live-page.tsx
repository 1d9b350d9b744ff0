/** Live: what the service does while the page is open. The page asks for counts and shows their differences. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { CLASSES } from '../../mail/models/prediction.ts'
import { tamis } from '../api.ts'
import { count, milliseconds, percent } from '../format.ts'
import { Asked, Bar, Button, Connect, Empty, Page, Panel } from '../ui/parts.tsx'
import { useAnswer } from '../ui/use-answer.ts'
import { type Look, latencyOf, ratePerSecond } from './figures.ts'

const LOOK_MS = 5_000

interface Coded {
  readonly code?: string
}

interface Watched {
  readonly first: Look
  readonly last: Look
  readonly perSecond: number
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
      about={`All mail since this page was opened, ${isPaused ? 'paused' : 'updated automatically'}`}
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
  const perSecond = before && ratePerSecond(before.last, look)
  if (before === undefined || perSecond === undefined) {
    return { first: look, last: look, perSecond: 0 }
  }
  return { ...before, last: look, perSecond }
}

function Watch({ first, last, perSecond }: Watched) {
  const { judged, queueDepth } = last.stats
  if (judged.messages === 0) return <NothingYet />
  const old = first.stats.judged
  const spam = (judged.verdicts?.spam ?? 0) - (old.verdicts?.spam ?? 0)
  const verdicts = spam + (judged.verdicts?.ham ?? 0) - (old.verdicts?.ham ?? 0)
  const classes = CLASSES.map((name) => ({ name, seen: judged.classes[name] - old.classes[name] }))
  const ofClasses = Math.max(1, ...classes.map(({ seen }) => seen))
  const within = (share: number) => {
    const ms = latencyOf(share, old, judged)
    return ms === undefined ? '–' : milliseconds(ms)
  }
  return (
    <>
      <dl class="tiles">
        <Tile
          name="messages per second"
          value={`${perSecond >= 10 ? count(perSecond) : perSecond.toFixed(1)}`}
          note={`${count(judged.messages - old.messages)} in all`}
        />
        <Tile
          name="99 % answered within"
          value={within(0.99)}
          note={`half within ${within(0.5)}`}
        />
        <Tile name="waiting" value={count(queueDepth)} />
        <Tile
          name="spam"
          value={verdicts === 0 ? '–' : percent(spam / verdicts)}
          note={`of ${count(verdicts)} verdicts`}
        />
      </dl>
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
