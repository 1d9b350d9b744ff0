/** Live: what the service does now and has done in the last half hour. It follows by itself. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { RecentMessages } from '../../client/client.ts'
import { tamis } from '../api.ts'
import { SAMPLES } from '../try/samples.ts'
import { Connect } from '../ui/connect.tsx'
import { Button, Empty, ErrorNote, Loading, Panel } from '../ui/parts.tsx'
import { useAttempt } from '../ui/use-answer.ts'
import { Reasons, Senders, Verdicts } from './lists.tsx'
import { plotsOf } from './plots.ts'
import { columnsOf, joined, type Step, totalOf } from './recent.ts'
import { ClassShares, Corrected, Tiles } from './tiles.tsx'
import { TimePlot } from './time-plot.tsx'

/** How often it looks. */
const LOOK_MS = 2_000

interface Watched {
  readonly steps: readonly Step[]
  readonly stepSeconds: number
  /** Undefined until the first answer. */
  readonly recent: RecentMessages | undefined
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
          Mail of this tenant in the last half hour, {isPaused ? 'paused' : 'updated automatically'}
        </p>
        <Button aria-pressed={isPaused} onClick={() => setIsPaused(!isPaused)}>
          {isPaused ? 'Resume' : 'Pause'}
        </Button>
      </div>
      {watched?.error !== undefined && (
        <ErrorNote error={watched.error} retry={() => setAttempt(attempt + 1)} />
      )}
      {watched === undefined ? <Loading what="Loading figures" /> : <Watch {...watched} />}
    </div>
  )
}

/** Undefined until the first answer. */
function useRecent(isPaused: boolean, attempt: number): Watched | undefined {
  const [watched, setWatched] = useState<Watched>()
  const known = useRef<Watched>({ steps: [], stepSeconds: 5, recent: undefined })
  useEffect(() => {
    if (isPaused) return
    const leaving = new AbortController()
    const look = async () => {
      // The last step was not over, so it is asked for again.
      const after = known.current.steps.at(-2)?.at
      const { signal } = leaving
      try {
        const [{ steps, stepSeconds }, recent] = await Promise.all([
          tamis().get('/stats/recent', {
            params: { query: { signal, ...(after !== undefined && { after }) } },
          }),
          tamis().get('/stats/recent/messages', { signal }),
        ])
        known.current = { steps: joined(known.current.steps, steps), stepSeconds, recent }
        setWatched(known.current)
      } catch (error) {
        if (signal.aborted) return
        setWatched({ ...known.current, error })
        // A person without a key is asked for one, and not every two seconds.
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

function Watch({ steps, stepSeconds, recent }: Watched) {
  const total = totalOf(steps)
  const columns = useMemo(() => {
    // What is not over would look like a fall; at the very beginning there is nothing else.
    const over = steps.length > 1 ? steps.slice(0, -1) : steps
    return columnsOf(over, stepSeconds)
  }, [steps, stepSeconds])
  if (total.messages + total.refused === 0) return <NothingYet />
  return (
    <>
      <Tiles steps={steps} stepSeconds={stepSeconds} />
      <div class="plots">
        <div class="column">
          {plotsOf(columns.steps, stepSeconds).map((plot) => (
            <TimePlot key={plot.title} {...plot} times={columns.times} />
          ))}
          <ClassShares steps={steps} />
          <Corrected />
        </div>
        <div class="column">
          {recent !== undefined && (
            <>
              <Verdicts recent={recent} />
              <Reasons recent={recent} />
              <Senders recent={recent} />
            </>
          )}
        </div>
      </div>
    </>
  )
}

/** So that a newcomer sees it move. */
function NothingYet() {
  const [error, attempt] = useAttempt()
  const send = () =>
    attempt(async () => {
      for (const { text } of SAMPLES) await tamis().message('/classify-stream', new Blob([text]))
    })
  return (
    <Panel title="Mail">
      <Empty title="No mail in the last half hour">
        <p>
          Messages sent to <code>/classify-stream</code> appear here within two seconds. Messages
          under Try are not counted.
        </p>
        <p class="actions centred">
          <Button class="button primary" onClick={() => void send()}>
            Classify the samples
          </Button>
        </p>
      </Empty>
      {error !== undefined && <ErrorNote error={error} />}
      <Connect />
    </Panel>
  )
}
