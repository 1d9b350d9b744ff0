/**
 * The fuzzer in its long form: messages made up by the grammar of MIME and mutated from real ones,
 * texts for single parsers, requests for the interface, until the time is over.
 *
 *   npm run fuzz -- [--seconds 60] [--inputs N] [--seed 1] [--first 0] [--examine-every 1]
 *                   [--corpora DIR] [--out DIR]
 *
 * Prints how many inputs there were, and what faults were found; exit status 1 when there was one.
 * With --corpora the messages of all its sets are mutated. With --out each fault's input is written
 * there once it is found, minimised: for a person to rewrite, since it may hold text of the corpora.
 * A run is repeated by its seed and continued by the number of its next input (--first). With
 * --examine-every 8 seven of eight messages are only read once, which is three times as fast.
 */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Finding, fuzz } from '../../../mail/test/fuzz/fuzz.ts'
import { Examiner } from '../../../mail/test/fuzz/message-properties.ts'
import { openJudge } from '../../../mail/test/fuzz/readings.ts'
import { openFuzzedService } from './http-requests.ts'
import { SERVICE_PARSERS } from './parsers.ts'

const MS_PER_SECOND = 1_000
const KIB = 1024

/** Messages taken from each set, evenly spread. SOURCE_BYTES_MAX bounds their size, since all are kept in memory. */
const SET_SIZE = 300
const SOURCE_BYTES_MAX = 512 * KIB

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
const seed = Number(values.seed)
const end = performance.now() + Number(values.seconds) * MS_PER_SECOND
const { out } = values
if (out !== undefined) mkdirSync(out, { recursive: true })

const examiner = new Examiner(await openJudge())
const service = await openFuzzedService()
try {
  const { inputs, findings } = await fuzz({
    seed,
    first: Number(values.first),
    examiner,
    examineEvery: Number(values['examine-every']),
    ...(values.corpora !== undefined && { sources: readSources(values.corpora) }),
    request: service.request,
    parsers: SERVICE_PARSERS,
    goOn: (inputs) => inputs < Number(values.inputs) && performance.now() < end,
    onFinding: (finding) => {
      console.log(findingLine(finding))
      if (out !== undefined) writeFinding(out, finding)
    },
  })
  console.log(`Seed ${seed}: ${inputs} inputs, ${findings.length} faults`)
  process.exitCode = findings.length === 0 ? 0 : 1
} finally {
  examiner.close()
  await service.close()
}

/** Messages of each set in `corpora`, evenly spread. */
function readSources(corpora: string): Buffer[] {
  const folders = readdirSync(corpora, { withFileTypes: true }).filter((it) => it.isDirectory())
  return folders.flatMap(({ name }) => {
    const files = readdirSync(join(corpora, name), { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile() && !/\.(?:jsonl|tsv)$/.test(file.name))
      .map((file) => join(file.parentPath, file.name))
      .filter((path) => statSync(path).size <= SOURCE_BYTES_MAX)
      .sort()
    const step = Math.max(1, Math.floor(files.length / SET_SIZE))
    return files.filter((_, at) => at % step === 0).map((path) => readFileSync(path))
  })
}

function findingLine({ fault, input, bytes }: Finding): string {
  return `first input ${input}, minimised to ${bytes.length} bytes: ${fault}`
}

/** Writes the minimised input, and beside it what is wrong with it. */
function writeFinding(folder: string, finding: Finding): void {
  const path = join(folder, `${seed}-${finding.input}`)
  writeFileSync(`${path}.eml`, finding.bytes)
  writeFileSync(`${path}.txt`, `${findingLine(finding)}\n`)
}
