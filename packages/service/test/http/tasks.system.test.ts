/**
 * The tasks of /docs work as they stand: each sample is run against a service, with nothing changed
 * but its address.
 */
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { BASE_URL } from '../../http/openapi/samples.ts'
import { type ReadyTask, tasksWith } from '../../http/openapi/tasks.ts'
import { OPERATIONS } from '../../http/operations.ts'
import { buildOnce, listen } from './service.ts'

const ROOT = join(import.meta.dirname, '../../../..')

const TASKS = tasksWith(OPERATIONS)

/** What the answers of each task have, in the order of its steps. */
const ANSWERS: Readonly<Record<string, readonly RegExp[]>> = {
  'judge-a-message': [/"?isSpam"?: ?true/],
  'judge-for-several-recipients': [/kim@example\.com/],
  'explain-a-verdict': [/requiredScore/],
  'sort-by-class': [/classificationProbabilities/],
  'correct-a-verdict': [/feedbackId/, /removed/],
  'correct-a-class': [/promotions/, /reset/],
  'allow-or-block-a-sender': [/createdAt/, /explicit/, /removed/],
  'forget-a-user': [/items"?: ?\[\]/, /jobId/],
  'embed-a-text': [/-?0\.\d+/],
  'watch-the-service': [/status"?: ?["']ready["']/, /corrections/, /tamis_verdicts_total/],
}

const run = promisify(execFile)

const app = buildOnce()

let url: string | undefined
async function serviceUrl(): Promise<string> {
  url ??= (await listen(app())).url
  return url
}

function missing(program: string): string | false {
  return spawnSync(program, ['--version']).error ? `${program} is not installed` : false
}

function assertAnswered({ id }: ReadyTask, output: string): void {
  let rest = output
  for (const expected of ANSWERS[id] ?? assert.fail(`${id} is not expected`)) {
    const match = expected.exec(rest)
    assert.ok(match, `${id}: ${expected} is not in ${rest.slice(0, 2_000)}`)
    rest = rest.slice(match.index + match[0].length)
  }
}

/** The client of the sources, where a sample names the package. */
function withSources(program: string): string {
  const client = pathToFileURL(join(ROOT, 'packages/client/client.ts')).href
  return program.replace("'tamis-client'", `'${client}'`)
}

describe('the tasks of /docs', () => {
  for (const task of TASKS) {
    it(`"${task.title}" works with curl`, { skip: missing('curl') }, async () => {
      const commands = task.curl
        .replaceAll(BASE_URL, await serviceUrl())
        .replace(/^curl /gm, 'curl --silent --show-error --fail-with-body ')
      const { stdout } = await run('sh', ['-e', '-c', commands])
      assertAnswered(task, stdout)
    })

    it(`"${task.title}" works with the client`, async () => {
      const program = withSources(task.typeScript).replaceAll(BASE_URL, await serviceUrl())
      const { stdout } = await run(process.execPath, [
        '--input-type=module-typescript',
        '-e',
        program,
      ])
      assertAnswered(task, stdout)
    })

    it(`"${task.title}" works with Python`, { skip: missing('python3') }, async () => {
      const program = task.python.replaceAll(BASE_URL, await serviceUrl())
      const { stdout } = await run('python3', ['-c', program])
      assertAnswered(task, stdout)
    })
  }

  it('are right in their types', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'tamis-tasks-'))
    t.after(() => rm(folder, { recursive: true }))
    for (const { id, typeScript } of TASKS) {
      await writeFile(join(folder, `${id}.ts`), typeScript)
    }
    const compilerOptions = {
      noEmit: true,
      types: [],
      typeRoots: [join(ROOT, 'node_modules/@types')],
      lib: ['es2024', 'dom'],
      paths: { 'tamis-client': [join(ROOT, 'packages/client/client.ts')] },
    }
    const options = { extends: join(ROOT, 'tsconfig.json'), compilerOptions, include: ['*.ts'] }
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(options))
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
    const compiler = join(ROOT, 'node_modules/.bin/tsc')
    const { status, stdout } = spawnSync(compiler, ['-p', folder], { encoding: 'utf8' })
    assert.equal(status, 0, stdout)
  })
})
