/** The examples in the description of the interface: each is sent to a whole service, which answers as described. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { FEEDBACK_ID, JOB_ID, MESSAGE, PATH } from '../../http/openapi/examples.ts'
import { checker, documentOf, type Named, operationsOf } from './api-document.ts'
import { build, listen } from './service.ts'

/** Answers whose fields depend on what the service has. */
const OPTIONAL = ['openApi', 'ready', 'job', 'metrics', 'history']

it('the examples are answered as the document says', async (t) => {
  const { url, file, document } = await serviceWithFile(t)
  const check = checker(document)
  // What the service makes up itself stands in later requests.
  const known = new Map([[PATH, file]])
  for (const { name, operation } of inOrder(operationsOf(document))) {
    const { operationId, responses } = operation
    const response = await sent(url, { name, operation }, known)
    const text = await response.text()
    const [[type, { example }] = ['', { example: undefined }]] = Object.entries(
      responses[response.status]?.content ?? {},
    )
    assert.ok(response.ok, `${name} answered ${response.status}: ${text}`)
    const answer = text.startsWith('{') ? JSON.parse(text) : text
    const [method = '', path = ''] = name.split(' ')
    const at = ['paths', path, method.toLowerCase(), 'responses', `${response.status}`]
    assert.equal(check([...at, 'content', type, 'schema'], answer), '')
    if (example !== undefined && !OPTIONAL.includes(operationId)) {
      assert.deepEqual(Object.keys(answer).sort(), Object.keys(example as object).sort())
    }
    if (operationId === 'feedbackStream') known.set(FEEDBACK_ID, answer.feedbackId)
    if (operationId === 'deleteData') known.set(JOB_ID, answer.jobId)
  }
})

/** Sends the example of an operation, with what is `known` in the place of what stands there. */
function sent(
  service: string,
  { name, operation: { parameters = [], requestBody } }: Named,
  known: ReadonlyMap<string, string>,
): Promise<Response> {
  const real = (text: string) =>
    [...known].reduce((so, [shown, made]) => so.replace(shown, made), text)
  const given = (place: string) =>
    parameters
      .filter((each) => each.in === place && each.example !== undefined)
      .map((each): [string, string] => [each.name, real(`${each.example}`)])
  const [method = '', path = ''] = name.split(' ')
  const url = new URL(
    given('path').reduce((so, [at, id]) => so.replace(`{${at}}`, id), path),
    service,
  )
  url.search = `${new URLSearchParams(given('query'))}`
  const [[type, { example }] = [undefined, { example: undefined }]] = Object.entries(
    requestBody?.content ?? {},
  )
  if (type === undefined) return fetch(url, { method, headers: given('header') })
  const body = typeof example === 'string' ? example : real(JSON.stringify(example))
  return fetch(url, { method, headers: [...given('header'), ['content-type', type]], body })
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
  const { url } = await listen(app)
  return { file, url, document: await documentOf(app) }
}
