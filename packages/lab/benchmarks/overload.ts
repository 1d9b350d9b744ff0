/**
 * Five times as many messages a second as the service can judge, for a minute: whether each is
 * answered or refused, how soon it is refused, and how many verdicts there still are.
 *
 * Service and generator share the cores, as on a mail host.
 */
import { percent, table } from '../evaluation/markdown.ts'
import { commit, type Given, MEASURED_ON, type Measured, reportOf } from './benchmark.ts'
import type { Times } from './load/generator.ts'
import { type OverloadResult, overload } from './load/overload-run.ts'
import { messagesOf } from './message-sets.ts'

const GOODPUT_SHARE_MIN = 0.85

/** From when a request was sent to the end of its refusal: its client knows that it must do without a verdict. */
const REFUSAL_MS_MAX = 1_000

const CAPACITY_SECONDS = 8
const WARM_UP_SECONDS = 6

interface Options extends Given {
  readonly seconds: number
  readonly times: number
  readonly workers: number
}

export async function measureOverload(options: Options): Promise<Measured> {
  const { corpora, seconds, times, workers } = options
  const result = await overload({
    messages: messagesOf(corpora, 200).messages,
    path: '/classify-stream',
    capacitySeconds: CAPACITY_SECONDS,
    warmUpSeconds: WARM_UP_SECONDS,
    seconds,
    times,
    workers,
    environment: { TAMIS_LOG_LEVEL: 'info' },
  })
  return reportOf('reports/speed/overload.md', report(options, result), isWithinLimits(result))
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

function report({ corpora, seconds, times, workers, command }: Options, of: OverloadResult) {
  return `# Under overload

Made by \`${command}\` at ${commit()}: ${times} times as many messages a second as the service
can judge, for ${seconds} s, sent at exponential intervals whether or not earlier ones are answered, from a process of its own
over up to 4,000 kept connections. Capacity: the same messages just before, as fast as they are answered, 32 in flight.
The service as \`npm start\` runs it: server processes ${workers}, a queue of 1,000, a queue timeout of 5 s.
${MEASURED_ON}
Messages: ${messagesOf(corpora, 200).text}.

${figures(of)}

The generator takes more of the two cores under the load than for the capacity, and what it takes the service has not:
the second share is of the capacity times (cores - its cores now) / (cores - its cores then).

Times in milliseconds. From the moment when a request was due they are what its client sees: the wait for one of its
connections to be free is part of them, which grows for as long as more is due than all connections can bring, and so is
what the generator is late itself (last row). From when it was sent is what the service takes. Aimed at: none unanswered,
goodput at least ${percent(GOODPUT_SHARE_MIN)} of capacity, no refusal later than ${REFUSAL_MS_MAX} ms after it was sent.
`
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
