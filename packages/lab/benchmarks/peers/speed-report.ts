/** packages/lab/reports/speed/: the tables, and what it was measured with. */
import { type Column, page, percent, tableOf } from '../../evaluation/markdown.ts'
import { LOAD_BEFORE, MACHINE } from '../benchmark.ts'
import type { MessageSet } from '../message-sets.ts'
import { figureText, type Spread, spreadOf, spreadText } from '../spread.ts'
import { type ColdResult, type Phase, type RoundResult, SHARES } from './measure.ts'
import { OURS, OURS_WITHOUT_READER } from './servers.ts'

/** All rounds of one layout. */
export interface LayoutResults {
  readonly workers: number
  readonly results: readonly RoundResult[]
  readonly cold: readonly ColdResult[]
  /** MiB after the last round, by server. */
  readonly memory: ReadonlyMap<string, number>
}

export interface SpeedInput {
  readonly rounds: number
  readonly warmUpSeconds: number
  readonly command: string
  readonly programs: readonly { readonly name: string; readonly version: string }[]
  readonly sets: readonly MessageSet[]
  /** Server and generator on a core each. */
  readonly apart: LayoutResults
  /** Both on all cores. */
  readonly together: LayoutResults
}

const MS_PER_SECOND = 1_000

export function speedReport(input: SpeedInput): string {
  const { apart, together, programs, sets } = input
  return page('speed', {
    ...input,
    LOAD_BEFORE,
    MACHINE,
    programs: programs.map(({ name, version }) => `${name} ${version}`).join(', '),
    sets: sets.map(setText).join('; '),
    apart: apartTable(apart, sets),
    cold: coldTable(apart),
    together: togetherTable(together, sets),
    workersApart: apart.workers,
    workersTogether: together.workers,
  })
}

function setText({ name, messages }: MessageSet): string {
  const sizes = messages.map(({ length }) => length).sort((a, b) => a - b)
  const mean = sizes.reduce((sum, size) => sum + size, 0) / sizes.length
  const kilobytes = (bytes: number) => (bytes / 1_000).toFixed(1)
  const median = sizes[Math.floor(sizes.length / 2)]!
  return `${name}: ${sizes.length} messages, ${kilobytes(mean)} kB on average, median ${kilobytes(median)} kB, largest ${kilobytes(sizes.at(-1)!)} kB`
}

/** Columns of both layouts. */
function columnsOf({ results, memory }: LayoutResults) {
  return {
    name: ['server, messages', ({ server, set }) => `${server}, ${set}`],
    cpu: ['CPU ms', ({ rounds }) => spreadText(cpuSpread(rounds))],
    ratio: ['times ours', ({ set, rounds }) => figureText(timesOf(results, OURS, set, rounds))],
    bareRatio: [
      'times ours without reader',
      ({ set, rounds }) => figureText(timesOf(results, OURS_WITHOUT_READER, set, rounds)),
    ],
    rate: [
      'messages/s',
      ({ rounds }) => spreadText(spreadOf(rounds.map(({ full }) => full.perSecond))),
    ],
    memory: ['memory', ({ server }) => figureText(memory.get(server) ?? NaN)],
    missed: ['no verdict', ({ rounds }) => noVerdictText(rounds)],
  } satisfies Record<string, Column<Row>>
}

function apartTable(layout: LayoutResults, sets: readonly MessageSet[]): string {
  const { name, cpu, ratio, bareRatio, rate, memory, missed } = columnsOf(layout)
  const atHalf = (round: RoundResult) => round.shares[0]?.cpuMsPerMessage ?? NaN
  return tableOf(rowsOf(layout.results, sets), [
    name,
    cpu,
    ratio,
    bareRatio,
    ['CPU ms at 50 %', ({ rounds }) => spreadText(spreadOf(rounds.map(atHalf)))],
    rate,
    ['busy', ({ rounds }) => percent(spreadOf(rounds.map(({ busy = NaN }) => busy)).min)],
    ...SHARES.map(
      (share, i): Column<Row> => [
        `latency at ${100 * share} %`,
        ({ rounds }) => latencyText(rounds.flatMap(({ shares }) => shares[i] ?? [])),
      ],
    ),
    memory,
    missed,
  ])
}

function togetherTable(layout: LayoutResults, sets: readonly MessageSet[]): string {
  const { name, cpu, ratio, bareRatio, rate, memory, missed } = columnsOf(layout)
  return tableOf(rowsOf(layout.results, sets), [name, cpu, ratio, bareRatio, rate, memory, missed])
}

function coldTable({ cold, results }: LayoutResults): string {
  const warm = ({ server, set }: ColdResult) => cpuSpread(roundsOf(results, server, set)).median
  return tableOf(cold, [
    ['server, messages', ({ server, set }) => `${server}, ${set}`],
    ['start, s', ({ startCpuMs }) => figureText(startCpuMs / MS_PER_SECOND)],
    ['first', ({ messages }) => String(messages)],
    ['CPU ms each', ({ cpuMsPerMessage }) => figureText(cpuMsPerMessage)],
    ['times warm', (row) => figureText(row.cpuMsPerMessage / warm(row))],
  ])
}

interface Row {
  readonly server: string
  readonly set: string
  readonly rounds: readonly RoundResult[]
}

/** By set, and in it by server. */
function rowsOf(results: readonly RoundResult[], sets: readonly MessageSet[]): Row[] {
  const servers = [...new Set(results.map(({ server }) => server))]
  return sets.flatMap(({ name }) =>
    servers.map((server) => ({ server, set: name, rounds: roundsOf(results, server, name) })),
  )
}

function roundsOf(results: readonly RoundResult[], server: string, set: string): RoundResult[] {
  return results.filter((result) => result.server === server && result.set === set)
}

function cpuSpread(rounds: readonly RoundResult[]): Spread {
  return spreadOf(rounds.map(({ full }) => full.cpuMsPerMessage))
}

function timesOf(
  results: readonly RoundResult[],
  server: string,
  set: string,
  rounds: readonly RoundResult[],
): number {
  return cpuSpread(rounds).median / cpuSpread(roundsOf(results, server, set)).median
}

/** '1.2 / 3.4 / 5.6 (5.1–6.0)'. */
function latencyText(phases: readonly Phase[]): string {
  if (phases.length === 0) return '–'
  const [p50, p95] = [phases.map((phase) => phase.p50), phases.map((phase) => phase.p95)].map(
    (figures) => figureText(spreadOf(figures).median),
  )
  return `${p50} / ${p95} / ${spreadText(spreadOf(phases.map(({ p99 }) => p99)))}`
}

/** '0 of 12345'. */
function noVerdictText(rounds: readonly RoundResult[]): string {
  const phases = rounds.flatMap(({ full, shares }) => [full, ...shares])
  const unanswered = phases.reduce((sum, phase) => sum + phase.unanswered, 0)
  const answered = phases.reduce((sum, phase) => sum + phase.answered, 0)
  return `${unanswered} of ${unanswered + answered}`
}
