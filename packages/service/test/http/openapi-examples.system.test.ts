/**
 * The examples in the description of the interface: each is sent to a whole service, as the
 * command and as the call of the client that stand beside it.
 */
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { TamisClient } from '../../../client/client.ts'
import { FEEDBACK_ID, JOB_ID, MESSAGE, PATH, SITE_RULE_ID } from '../../http/openapi/examples.ts'
import { checker, documentOf, type Named, operationsOf } from './api-document.ts'
import { build, buildOnce, listen } from './service.ts'

const app = buildOnce()

describe('the examples', () => {
  it('do as commands for curl what the document says they do', async (t) => {
    if (spawnSync('curl', ['--version']).error) return t.skip('curl is not installed')
    const { folder, url } = await serviceWithFile(t)
    await eachExample((source) => curl(source, folder, url), 'Shell')
  })

  it('do as calls of the client what the document says they do', async (t) => {
    const { url, file } = await serviceWithFile(t)
    const tamis = new TamisClient({ url })
    const message = new TextEncoder().encode(MESSAGE)
    await eachExample(async (source) => {
      const call = new AsyncFunction('tamis', 'message', `return ${source.replace(PATH, file)}`)
      return { answer: await call(tamis, message) }
    }, 'TypeScript')
  })
})

const AsyncFunction = (async () => {}).constructor as new (
  ...parameters: string[]
) => (...given: unknown[]) => Promise<unknown>

interface Outcome {
  readonly status?: number
  readonly answer: unknown
}

/** Runs the examples in an order in which each finds what it is about, and holds the answers against the document. */
async function eachExample(run: (source: string) => Promise<Outcome>, lang: string) {
  const document = await documentOf(app())
  const check = checker(document)
  // What the service makes up itself stands in later commands.
  const ids = new Map<string, string>()
  for (const { name, operation } of inOrder(operationsOf(document))) {
    const { operationId, responses } = operation
    const sample = operation['x-codeSamples'].find((each) => each.lang === lang)!.source
    const source = [...ids].reduce((text, [shown, real]) => text.replace(shown, real), sample)
    const { status, answer } = await run(source)
    const [shown] = Object.keys(responses).filter((each) => /^2/.test(each))
    const documented = status === undefined ? shown! : `${status}`
    const media = responses[documented]?.content ?? {}
    const [[type, { example }] = ['', { example: undefined }]] = Object.entries(media)
    assert.ok(example !== undefined, `${name} answered ${status}: ${JSON.stringify(answer)}`)
    if (operationId === 'embedText' && lang === 'TypeScript') continue
    const [method = '', path = ''] = name.split(' ')
    const at = ['paths', path, method.toLowerCase(), 'responses', documented, 'content', type]
    assert.equal(check([...at, 'schema'], answer), '')
    const optional = ['openApi', 'ready', 'job', 'metrics', 'history']
    if (!optional.includes(operationId)) {
      assert.deepEqual(Object.keys(answer as object).sort(), Object.keys(example as object).sort())
    }
    if (operationId === 'feedbackStream') ids.set(FEEDBACK_ID, field(answer, 'feedbackId'))
    if (operationId === 'createSiteRule') ids.set(SITE_RULE_ID, field(answer, 'id'))
    if (operationId === 'deleteData') ids.set(JOB_ID, field(answer, 'jobId'))
  }
}

function field(answer: unknown, name: string): string {
  return (answer as Record<string, string>)[name]!
}

/** Files are read before the user who is in all examples is forgotten; else as in the document. */
function inOrder(operations: readonly Named[]): Named[] {
  const later = (name: string) =>
    / \/(jobs|models)/.test(name) ? 2 : / .*\/data$/.test(name) ? 1 : 0
  return operations.toSorted((a, b) => later(a.name) - later(b.name))
}

async function serviceWithFile(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'tamis-examples-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'message.eml')
  await writeFile(file, MESSAGE)
  const { app } = await build(t, { config: { pathRoots: [folder], historyDays: 1 } })
  return { folder, file, url: (await listen(app)).url }
}

async function curl(source: string, folder: string, url: string): Promise<Outcome> {
  const command = source
    .replace('http://127.0.0.1:8025', url)
    .replace(PATH, join(folder, 'message.eml'))
    .replace('curl', "curl --silent --show-error -w '\\n%{http_code}'")
  const { stdout } = await promisify(execFile)('sh', ['-c', command], { cwd: folder })
  const end = stdout.lastIndexOf('\n')
  const body = stdout.slice(0, end)
  return {
    status: Number(stdout.slice(end + 1)),
    answer: body.startsWith('{') ? JSON.parse(body) : body,
  }
}
