/**
 * Writes down all that the service says, so that a change that is meant to change nothing can be compared
 * with the commit before it.
 *
 *   node scripts/goldens.ts FOLDER --corpora DIR    then, of two commits: diff -r FOLDER FOLDER
 *
 * verdicts.tsv has two hashes for each message of DIR: of its verdict (result, class, outputs of the models, signals, logit), and
 * of the whole diagnostic. The other files have the OpenAPI document, the names of metrics, the fields of log lines, and what the
 * milter, spamd and Rspamd's interface answer, byte by byte.
 * What depends on the clock is left out. Compare runs of the same day: a verdict knows how old a message is.
 */
import { createHash } from 'node:crypto'
import { globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { TestContext } from 'node:test'
import { parseArgs } from 'node:util'
import { ORDER, open, PILLS, post } from '../packages/service/test/http/service.ts'
import { Mta, testMilter } from '../packages/service/test/integrations/milter/milter.ts'
import { ask, openSpamd, request } from '../packages/service/test/integrations/spamd/spamd.ts'

/** Larger messages are analysed on a thread, and may meet its time limit: which, depends on the machine. */
const MESSAGE_BYTES_MAX = 2 * 1024 * 1024

/** Fields whose values come from the clock. */
const OF_THE_CLOCK = new Set([
  'timing',
  'receivedAt',
  'processingTimeMs',
  'scan_time',
  'time_real',
  'time_virtual',
])

/** Of an error none of these is there. */
interface Diagnostic {
  readonly result?: unknown
  readonly tabs?: unknown
  readonly models?: Record<'text' | 'meta' | 'tabs', { outputs: unknown } | undefined>
  readonly explanation?: { signals: { name: string; evidence?: unknown }[]; logit: number }
}

const { values, positionals } = parseArgs({
  options: { corpora: { type: 'string' } },
  allowPositionals: true,
})
const [folder] = positionals
if (folder === undefined || values.corpora === undefined) {
  throw new Error('Usage: node scripts/goldens.ts FOLDER --corpora DIR')
}
mkdirSync(folder, { recursive: true })

const ends: (() => unknown)[] = []
const context = { after: (end: () => unknown) => ends.push(end) } as unknown as TestContext
const lines: Record<string, unknown>[] = []
const log = {
  level: 'info' as const,
  stream: { write: (line: string) => lines.push(JSON.parse(line)) },
}
const { app, close } = await open({ log, config: { learning: 'off', rspamdEndpoints: 'on' } })
ends.push(close)

write('verdicts.tsv', await verdicts(values.corpora))
write('openapi.json', (await app.inject('/openapi.json')).body)
write('metrics.txt', namesOf((await app.inject('/metrics')).body))
write('rspamd.txt', await rspamd())
write('spamd.txt', await spamd())
write('milter.txt', await milter())
write('log-fields.txt', fieldsOf(lines))
for (const end of ends.toReversed()) await end()

function write(name: string, text: string): void {
  writeFileSync(join(folder!, name), text)
}

async function verdicts(corpora: string): Promise<string> {
  const rows: string[] = []
  const files = globSync('**/*', { cwd: corpora }).map((path) => join(corpora, path))
  for (const file of files.sort()) {
    const { size, mode } = statSync(file)
    if ((mode & 0o170000) !== 0o100000 || size > MESSAGE_BYTES_MAX) continue
    const bytes = readFileSync(file)
    const { statusCode, body } = await post(app, '/classify/diagnostic-stream', bytes)
    const diagnostic: Diagnostic = JSON.parse(body)
    const hashes = [verdictIn(diagnostic), diagnostic].map((value) =>
      sha256(JSON.stringify(value, leaveOut) ?? ''),
    )
    rows.push([relative(corpora, file), statusCode, ...hashes].join('\t'))
  }
  return `${rows.join('\n')}\n`
}

/** What of a diagnostic no change of its layout may touch. */
function verdictIn({ result, tabs, models, explanation }: Diagnostic): unknown {
  const outputs = [models?.text?.outputs, models?.meta?.outputs, models?.tabs?.outputs]
  const signals = explanation?.signals.map(({ name, evidence }) => [name, evidence])
  return [result, tabs, outputs, signals, explanation?.logit]
}

function leaveOut(name: string, value: unknown): unknown {
  return OF_THE_CLOCK.has(name) ? undefined : value
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** A page of metrics without the values, and without what happens to be open. */
function namesOf(page: string): string {
  return page.replace(/^([^#\n].*) \S+$/gm, '$1').replace(/^nodejs_active_.*\n/gm, '')
}

async function rspamd(): Promise<string> {
  const answers = await Promise.all(
    [ORDER, PILLS].map((message) =>
      post(app, '/checkv2', message, { 'content-type': 'text/plain' }),
    ),
  )
  return answers.map(({ body }) => JSON.stringify(JSON.parse(body), leaveOut)).join('\n')
}

async function spamd(): Promise<string> {
  const { port, spamd } = await openSpamd(app)
  ends.push(() => spamd.close())
  let text = ''
  for (const command of ['CHECK', 'SYMBOLS', 'REPORT', 'REPORT_IFSPAM', 'PROCESS', 'HEADERS']) {
    for (const message of [ORDER, PILLS]) text += await ask(port, request(command, message))
  }
  return text
}

async function milter(): Promise<string> {
  const { port } = await testMilter(context, app)
  const mta = await Mta.connect(context, { port })
  const answers: unknown[] = [await mta.negotiate()]
  mta.client()
  for (const message of [ORDER, PILLS]) answers.push(await mta.message(message.split('\r\n')))
  return answers.map((answer) => `${JSON.stringify(answer)}\n`).join('')
}

/** The names of the fields of log lines, by what a line says. */
function fieldsOf(logged: readonly Record<string, unknown>[]): string {
  const rows = logged.map(
    (line) => `${String(line['msg']).replace(/\d+/g, 'N')}\t${Object.keys(line).sort().join(' ')}`,
  )
  return `${[...new Set(rows)].sort().join('\n')}\n`
}
