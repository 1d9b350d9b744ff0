/**
 * Breaks the code on purpose, one line at a time, and asks the tests whether they notice. Where
 * a verdict, a rule, a memory, a key, the queue or learning can be broken without a red test, the
 * next change may break it too.
 *
 *   npm run mutants [-- --only packages/mail/verdict] [--one-in 3] [--jobs 2] [--report]
 *
 * --one-in 3 tries a third of them, another third with each commit: all take half an hour on a slow machine. CI runs none.
 *
 * Mutants that may survive, since they change nothing that can be seen, are listed in
 * mutants/survivors.tsv, each with its reason. Exit status 1 for any other survivor, and for a line of
 * that file that no mutant matches any more. --report writes reports/mutants/.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { percent, table } from '../packages/lab/evaluation/markdown.ts'
import { type Mutant, mutantsOf } from './mutants/mutate.ts'

const ROOT = join(import.meta.dirname, '..')

const LOADER = join(import.meta.dirname, 'mutants/loader.ts')

const REPORTER = join(import.meta.dirname, 'mutants/first-failure.ts')

const SURVIVORS = join(import.meta.dirname, 'mutants/survivors.tsv')

const REPORT_FOLDER = join(ROOT, 'packages/lab/reports/mutants')

/** Time limit for a run, since some mutants never end. The tests of an area take some seconds. */
const RUN_MS_MAX = 60_000

/** Heap limit, since some mutants fill the memory: 22 GB within a minute were seen. */
const HEAP_MIB_MAX = 1_024

/** Files with the tests written for them, the fastest first; other tests that happen to run them are left out. */
interface Area {
  readonly name: string
  readonly sources: readonly string[]
  readonly tests: readonly string[]
}

const AREAS: readonly Area[] = [
  {
    name: 'verdict',
    sources: ['packages/mail/verdict/decide.ts', 'packages/mail/verdict/policy.ts'],
    tests: ['packages/mail/test/verdict/*.test.ts'],
  },
  {
    name: 'readings',
    sources: ['packages/mail/models/worst-reading.ts'],
    tests: ['packages/mail/test/models/worst-reading.test.ts'],
  },
  {
    name: 'rules',
    sources: ['packages/mail/personalization/rules.ts'],
    tests: [
      'packages/mail/test/personalization/rule*.test.ts',
      'packages/mail/test/verdict/rules-and-authentication.test.ts',
      'packages/mail/test/personalization/*.test.ts',
    ],
  },
  {
    name: 'users',
    sources: ['packages/service/store-cache.ts', 'packages/service/users/users.ts'],
    tests: [
      'packages/service/test/store-cache.test.ts',
      'packages/service/test/users/users.test.ts',
      'packages/service/test/tenants/tenants.test.ts',
    ],
  },
  {
    name: 'judging',
    sources: [
      'packages/service/judge.ts',
      'packages/service/correct.ts',
      'packages/service/policies.ts',
      'packages/service/users/user-evidence.ts',
      'packages/service/users/rebuilding.ts',
    ],
    tests: [
      'packages/service/test/users/rebuilding.test.ts',
      'packages/service/test/users/user-evidence.test.ts',
      'packages/service/test/judge.test.ts',
      'packages/service/test/correct.test.ts',
      'packages/service/test/policies.test.ts',
    ],
  },
  {
    name: 'memory',
    sources: [
      'packages/mail/personalization/memory.ts',
      'packages/mail/personalization/memory-votes.ts',
    ],
    tests: ['packages/mail/test/personalization/memory*.test.ts'],
  },
  {
    name: 'access',
    sources: [
      'packages/service/access/access.ts',
      'packages/service/access/caller.ts',
      'packages/service/access/loopback.ts',
      'packages/service/access/rate-limits.ts',
      'packages/service/access/route-terms.ts',
      'packages/service/users/message-keys.ts',
    ],
    tests: [
      'packages/service/test/users/message-keys.test.ts',
      'packages/service/test/access/caller.test.ts',
      'packages/service/test/access/rate-limits.test.ts',
      'packages/service/test/access/route-terms.test.ts',
      'packages/service/test/access/loopback.test.ts',
      'packages/service/test/access/access-terms.test.ts',
    ],
  },
  {
    name: 'queue',
    sources: ['packages/service/admission/queue.ts'],
    tests: ['packages/service/test/admission/queue.test.ts'],
  },
  {
    name: 'learning',
    sources: ['packages/mail/learning/*.ts'],
    tests: ['packages/mail/test/learning/*.test.ts'],
  },
]

/** One mutant of one file. */
interface Wrong extends Mutant {
  readonly area: Area
  /** Path from the root of the repository. */
  readonly file: string
}

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    'one-in': { type: 'string', default: '1' },
    jobs: { type: 'string', default: String(availableParallelism()) },
    report: { type: 'boolean', default: false },
  },
})

if (values.report && values['one-in'] !== '1') throw new Error('A report is of all mutants')

const scratch = mkdtempSync(join(tmpdir(), 'tamis-mutants-'))
process.on('exit', () => rmSync(scratch, { recursive: true }))

const wrongs = AREAS.flatMap(wrongsOf).filter(({ file }) => file.startsWith(values.only))
await refuseRed()
const survivors: Wrong[] = []
// One iterator for all jobs, so that each mutant is taken once.
const tried = partOf(wrongs, Number(values['one-in']))
const left = tried.values()
await Promise.all(Array.from({ length: Number(values.jobs) }, (_, job) => work(job, left)))
const excuses = readExcuses()
const unexcused = survivors.filter((wrong) => !excuses.has(keyOf(wrong)))
const known = new Set(wrongs.map(keyOf))
const stale = [...excuses.keys()].filter((key) => key.startsWith(values.only) && !known.has(key))
for (const wrong of unexcused) console.log(`survived: ${keyOf(wrong).replaceAll('\t', ' | ')}`)
for (const key of stale)
  console.log(`in survivors.tsv, and no mutant: ${key.replaceAll('\t', ' | ')}`)
console.log(
  `${tried.length} of ${wrongs.length} mutants, ${survivors.length} survived, ${unexcused.length} of them not in survivors.tsv`,
)
if (values.report) writeReport()
process.exitCode = unexcused.length + stale.length === 0 ? 0 : 1

/** Every `count`th of `all`; from which on, the commit decides. */
function partOf(all: readonly Wrong[], count: number): readonly Wrong[] {
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, encoding: 'utf8' })
  const first = Number.parseInt(commit.slice(0, 8), 16) % count
  return all.filter((_, i) => i % count === first)
}

function wrongsOf(area: Area): Wrong[] {
  return filesOf(area.sources).flatMap((file) =>
    mutantsOf(readFileSync(join(ROOT, file), 'utf8')).map((mutant) => ({ ...mutant, area, file })),
  )
}

function filesOf(patterns: readonly string[]): string[] {
  return globSync([...patterns], { cwd: ROOT }).sort()
}

/** Refuses to start when tests fail without a mutant, since they would notice every mutant. */
async function refuseRed(): Promise<void> {
  for (const area of new Set(wrongs.map((wrong) => wrong.area))) {
    if (await notices(area, {}))
      throw new Error(`The tests of ${area.name} fail without any mutant`)
  }
}

async function work(job: number, left: Iterable<Wrong>): Promise<void> {
  const path = join(scratch, `${job}.ts`)
  for (const wrong of left) {
    writeFileSync(path, wrong.source)
    const mutant = {
      NODE_OPTIONS: `--import=${LOADER}`,
      MUTANT_FILE: join(ROOT, wrong.file),
      MUTANT_SOURCE: path,
    }
    if (!(await notices(wrong.area, mutant))) survivors.push(wrong)
  }
}

/** Whether a test of the area fails, or does not end. */
async function notices(area: Area, environment: NodeJS.ProcessEnv): Promise<boolean> {
  const args = [
    '--test',
    '--test-isolation=none',
    `--max-old-space-size=${HEAP_MIB_MAX}`,
    `--test-reporter=${REPORTER}`,
    ...area.tests.flatMap((pattern) => filesOf([pattern])),
  ]
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, ...environment },
    stdio: 'ignore',
    timeout: RUN_MS_MAX,
    killSignal: 'SIGKILL',
  })
  const [status] = (await once(child, 'exit')) as [number | null]
  return status !== 0
}

/** Known survivors and why they may survive: file, line, mutated line -> reason. */
function readExcuses(): Map<string, string> {
  const lines = readFileSync(SURVIVORS, 'utf8').trimEnd().split('\n')
  return new Map(
    lines
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => {
        const [file, was, is, reason] = line.split('\t')
        if (!reason) throw new TypeError(`survivors.tsv gives no reason: ${line}`)
        return [`${file}\t${was}\t${is}`, reason]
      }),
  )
}

function keyOf({ file, was, is }: Wrong): string {
  return `${file}\t${was}\t${is}`
}

function writeReport(): void {
  const files = [...new Set(wrongs.map(({ file }) => file))]
  const rows = files.map((file) => {
    const all = wrongs.filter((wrong) => wrong.file === file).length
    const left = survivors.filter((wrong) => wrong.file === file).length
    return [`\`${file}\``, String(all), String(all - left), String(left), percent(1 - left / all)]
  })
  const all = wrongs.length
  const noticed = all - survivors.length
  const sum = [
    '**together**',
    String(all),
    String(noticed),
    String(survivors.length),
    percent(noticed / all),
  ]
  const listed = survivors.map((wrong) => [
    `\`${wrong.file}:${wrong.line}\``,
    cell(wrong.was),
    cell(wrong.is),
    excuses.get(keyOf(wrong)) ?? 'not known',
  ])
  mkdirSync(REPORT_FOLDER, { recursive: true })
  writeFileSync(
    join(REPORT_FOLDER, 'README.md'),
    `# What the tests notice

Made by \`npm run mutants -- --report\`: one line after the other is broken on purpose (a comparison turned round, a
guard never taken, a limit one higher, a call left out), and the tests of its area are run. A survivor
that is not listed below with its reason is a fault.

${table(['file', 'broken', 'noticed', 'survived', 'share noticed'], [...rows, sum])}

## What survives

${table(['where', 'as it stands', 'broken', 'why it may'], listed)}
`,
  )
}

function cell(code: string): string {
  return `\`\` ${code.replaceAll('|', '\\|')} \`\``
}
