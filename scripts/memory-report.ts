/**
 * Measures a user's rules and memory on the corpora and writes packages/lab/reports/memory/README.md.
 *
 *   node_modules/.bin/node scripts/memory-report.ts --corpora DIR [--out packages/lab/reports/memory]
 */
import { writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readEmbeddingFiles } from '../packages/artifact-files/embedding-files.ts'
import { readCorpora } from '../packages/lab/corpora/read.ts'
import type { Sample } from '../packages/lab/corpora/sample.ts'
import { queryOf, storedItem } from '../packages/lab/evaluation/memory/memory-items.ts'
import { memoryReport, type Speed } from '../packages/lab/evaluation/memory/report.ts'
import { type MemorySample, memorySamples } from '../packages/lab/evaluation/memory/samples.ts'
import { staticEmbeddingFromArtifact } from '../packages/mail/embedding/embedding-artifact.ts'
import { memoryOctets } from '../packages/mail/message/octets.ts'
import { parseMessage } from '../packages/mail/message/parse.ts'
import { packMemory } from '../packages/mail/personalization/memory.ts'
import { memoryVote } from '../packages/mail/personalization/memory-votes.ts'
import { patternsOf } from '../packages/mail/personalization/patterns.ts'
import { UNKNOWN_SENDER } from '../packages/mail/personalization/rules.ts'

/** Items of a full memory. */
const MEMORY_ITEMS = 2_000

/** Messages timed, and rounds of which the last counts: the first ones compile. */
const TIMED = 1_000
const ROUNDS = 5

const { values } = parseArgs({
  options: {
    corpora: { type: 'string' },
    out: { type: 'string', default: 'packages/lab/reports/memory' },
  },
})
if (values.corpora === undefined) throw new TypeError('--corpora DIR is missing')

const model = staticEmbeddingFromArtifact(await readEmbeddingFiles())
const corpora = [
  ...readCorpora(values.corpora, 'train'),
  ...readCorpora(values.corpora, 'evaluate'),
]
const read = corpora.filter(({ source, id }) => source !== 'written' || id.endsWith('#0'))
const samples = memorySamples(read, model)
writeFileSync(join(values.out, 'README.md'), memoryReport(samples, measureSpeed(read, samples)))

function measureSpeed(messages: readonly Sample[], measured: readonly MemorySample[]): Speed {
  const every = Math.floor(measured.length / (MEMORY_ITEMS + TIMED))
  const spread = measured.filter((_, i) => i % every === 0)
  const items = spread.slice(0, MEMORY_ITEMS).map((sample) => storedItem(sample, 'spam'))
  const queries = spread.slice(MEMORY_ITEMS, MEMORY_ITEMS + TIMED).map(queryOf)
  const parsed = messages
    .filter((_, i) => i % Math.floor(messages.length / TIMED) === 0)
    .map(({ bytes }) => parseMessage(memoryOctets(bytes)))
  const memory = packMemory(items)
  return {
    cpu: cpus()[0]?.model ?? 'unknown processor',
    load: loadavg()[0] ?? 0,
    searchUs:
      cpuUs(() => queries.map((query) => memoryVote(memory, query, UNKNOWN_SENDER))) /
      queries.length,
    packMs: cpuUs(() => packMemory(items)) / 1_000,
    memoryBytes: memory.bytes,
    patternsUs: cpuUs(() => parsed.map(patternsOf)) / parsed.length,
  }
}

/** CPU time of `work` in microseconds, once it is warm. */
function cpuUs(work: () => void): number {
  let spent = 0
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage()
    work()
    spent = process.cpuUsage(before).user
  }
  return spent
}
