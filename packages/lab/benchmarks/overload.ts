/**
 * Five times as many messages a second as the service can judge, for a minute: whether each is
 * answered or refused, how soon it is refused, and how many verdicts there still are.
 *
 * Service and generator share the cores, as on a mail host.
 */
import { percent, table } from '../evaluation/markdown.ts'
import { type Given, type Measured, reportOf } from './benchmark.ts'
import type { Times } from './load/generator.ts'
import { type OverloadResult, overload } from './load/overload-run.ts'
import { messagesOf } from './message-sets.ts'

const GOODPUT_SHARE_MIN = 0.85

/** From when a request was sent to the end of its refusal: its client knows that it must do without a verdict. */
const REFUSAL_MS_MAX = 1_000

const CAPACITY_SECONDS = 8
/** Until V8 has compiled the hot code: a refusal costs what it did before then, and a verdict half. */
const WARM_UP_SECONDS = 30

interface Options extends Given {
  readonly seconds: number
  readonly times: number
  readonly workers: number
}

export async function measureOverload(options: Options): Promise<Measured> {
  const { corpora, seconds, times, workers } = options
  const { messages, text } = messagesOf(corpora, 200)
  const result = await overload({
    messages,
    path: '/classify-stream',
    capacitySeconds: CAPACITY_SECONDS,
    warmUpSeconds: WARM_UP_SECONDS,
    seconds,
    times,
    workers,
    environment: { TAMIS_LOG_LEVEL: 'info' },
  })
  const limits = { GOODPUT_SHARE_MIN, REFUSAL_MS_MAX }
  const values = { ...options, ...limits, messages: text, figures: figures(result) }
  return reportOf('overload', values, isWithinLimits(result))
}

function isWithinLimits({ capacityLeft, goodput, load }: OverloadResult): boolean {
  return (
    load.broken + load.unanswered === 0 &&
    latestRefusalMs(load) <= REFUSAL_MS_MAX &&
    goodput >= GOODPUT_SHARE_MIN * capacityLeft
  )
}

function latestRefusalMs({ outcomes }: OverloadResult['load']): number {
  const refused = Object.entries(outcomes).filter(([kind]) => kind !== '200')
  return Math.max(0, ...refused.map(([, { fromSending }]) => fromSending.max))
}

function figures({ capacity, capacityLeft, offered, goodput, load }: OverloadResult): string {
  const outcomes = Object.entries(load.outcomes).flatMap(([kind, outcome]) => [
    [`${kind}: count, p50 / p99 / latest`, `${outcome.count}: ${timesText(outcome)}`],
    [`${kind}: the same from when it was sent`, timesText(outcome.fromSending)],
  ])
  return table(
    ['', ''],
    [
      ['capacity', `${capacity.toFixed(0)}/s`],
      ['sent', `${offered.toFixed(0)}/s`],
      ['verdicts meanwhile', `${goodput.toFixed(0)}/s`],
      ['goodput, of capacity', percent(goodput / capacity)],
      [
        'goodput, of capacity with the cores that the generator leaves',
        percent(goodput / capacityLeft),
      ],
      ['unanswered, broken off', `${load.unanswered}, ${load.broken}`],
      ['never sent, for want of a connection', `${load.unsent}`],
      ...outcomes,
      ['connections busy at most', `${load.connections}`],
      ['cores that the generator used', load.ownCores.toFixed(2)],
      [
        'generator late: p99 / latest',
        `${load.ownLag.p99.toFixed(0)} / ${load.ownLag.max.toFixed(0)}`,
      ],
    ],
  )
}

function timesText({ p50, p99, max }: Times): string {
  return `${p50.toFixed(0)} / ${p99.toFixed(0)} / ${max.toFixed(0)}`
}
