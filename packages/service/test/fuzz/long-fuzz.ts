/**
 * The fuzzer in its long form: messages made up by the grammar of MIME and mutated from real ones,
 * texts for single parsers, requests for the interface, until the time is over.
 *
 *   npm run fuzz -- [--seconds 60] [--inputs N] [--seed 1] [--first 0] [--examine-every 1]
 *                   [--corpora DIR] [--out DIR]
 *   npm run fuzz -- --idle-connections 10000
 *
 * Prints how many inputs there were, and what faults were found; exit
 * status 1 when there was one. With --corpora the messages of all its sets are mutated, the odd
 * ones half of the time. With --out each fault's input is written there once it is found, minimised:
 * for a person to rewrite, since it may hold text of the corpora. A run is repeated by its seed and
 * continued by the number of its next input (--first). With --examine-every 8 seven of eight messages
 * are only read once, which is three times as fast.
 *
 * With --idle-connections so many clients connect to a service, say nothing, and the service is
 * asked whether it answers others meanwhile.
 */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Finding, type FuzzSummary, fuzz } from '../../../mail/test/fuzz/fuzz.ts'
import { Examiner } from '../../../mail/test/fuzz/message-properties.ts'
import { openJudge } from '../../../mail/test/fuzz/readings.ts'
import { openFuzzedService } from './http-requests.ts'
import { SERVICE_PARSERS } from './parsers.ts'

const MS_PER_SECOND = 1_000
const KIB = 1024

/** The set of messages that are malformed already. */
const ODD_SET = 'malformed_and_odd'

/** Messages taken from each other set, evenly spread. SOURCE_BYTES_MAX bounds their size, since all are kept in memory. */
const SET_SIZE = 300
const SOURCE_BYTES_MAX = 512 * KIB

async function main(): Promise<void> {
  const options = readOptions()
  const sources = options.corpora === undefined ? [] : readSources(options.corpora)
  const examiner = new Examiner(await openJudge())
  const service = await openFuzzedService()
  const { seed, first, examineEvery, out } = options
  const end = performance.now() + options.seconds * MS_PER_SECOND
  try {
    const summary = await fuzz({
      seed,
      first,
      examiner,
      examineEvery,
      sources,
      request: service.request,
      parsers: SERVICE_PARSERS,
      goOn: (inputs) => inputs < options.inputs && performance.now() < end,
      onProgress: (summary) => console.error(countsLine(summary, seed)),
      ...(out === undefined ? {} : { onFinding: (finding) => writeFinding(out, seed, finding) }),
    })
    console.log(report(summary, seed))
    process.exitCode = summary.findings.length === 0 ? 0 : 1
  } finally {
    examiner.close()
    await service.close()
  }
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '60' },
      inputs: { type: 'string', default: 'Infinity' },
      seed: { type: 'string', default: '1' },
      first: { type: 'string', default: '0' },
      'examine-every': { type: 'string', default: '1' },
      corpora: { type: 'string' },
      out: { type: 'string' },
    },
  })
  const numbers = {
    seconds: Number(values.seconds),
    inputs: Number(values.inputs),
    seed: Number(values.seed),
    first: Number(values.first),
    examineEvery: Number(values['examine-every']),
  }
  for (const [name, value] of Object.entries(numbers)) {
    if (Number.isNaN(value)) throw new TypeError(`--${name} has to be a number`)
  }
  return { ...numbers, corpora: values.corpora, out: values.out }
}

/** The messages to mutate: as many odd ones, repeated, as others. */
function readSources(corpora: string): Buffer[] {
  const folders = readdirSync(corpora, { withFileTypes: true }).filter((it) => it.isDirectory())
  const sets = folders.map(({ name }) => name).sort()
  const others = sets.filter((set) => set !== ODD_SET)
  const sources = others.flatMap((set) => readSet(join(corpora, set), SET_SIZE))
  const odd = sets.includes(ODD_SET)
    ? readSet(join(corpora, ODD_SET), Number.POSITIVE_INFINITY)
    : []
  const times = Math.max(1, Math.round(sources.length / Math.max(1, odd.length)))
  return [...sources, ...Array.from({ length: times }, () => odd).flat()]
}

function readSet(folder: string, size: number): Buffer[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && !/\.(?:jsonl|tsv)$/.test(file.name))
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => statSync(path).size <= SOURCE_BYTES_MAX)
    .sort()
  const step = Math.max(1, files.length / size)
  const count = Math.min(files.length, size)
  return Array.from({ length: count }, (_, at) => readFileSync(files[Math.floor(at * step)]!))
}

function report(summary: FuzzSummary, seed: number): string {
  const { findings } = summary
  return [
    countsLine(summary, seed),
    '',
    findings.length === 0 ? 'No fault.' : 'Faults:',
    ...findings.map(findingLine),
  ].join('\n')
}

function countsLine(summary: FuzzSummary, seed: number): string {
  const { messages, mutated, refused, texts, requests, findings } = summary
  return [
    `Seed ${seed}: ${messages} messages, ${mutated} of them mutated, ${refused} of them none`,
    `${texts} texts for parsers, ${requests} requests`,
    `${findings.length} faults`,
  ].join('; ')
}

function findingLine({ fault, input, count, bytes }: Finding): string {
  return `${count} times, first input ${input}, minimised to ${bytes.length} bytes: ${fault}`
}

/** Writes the minimised input, and beside it what is wrong with it. */
function writeFinding(folder: string, seed: number, finding: Finding): void {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `${seed}-${finding.input}`)
  writeFileSync(`${path}.eml`, finding.bytes)
  writeFileSync(`${path}.txt`, `${findingLine(finding)}\n`)
}

await main()
