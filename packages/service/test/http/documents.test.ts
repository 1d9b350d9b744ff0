/** What the service serves beside its operations: their description, which its examples keep to, and the files of the console. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { Validator } from '@seriousme/openapi-schema-validator'
import { PAGE_HEADERS } from '../../http/console-files.ts'
import { MESSAGE } from '../../http/openapi/document.ts'
import { embedderBy } from '../encoder/fake-encoder.ts'
import { checker, documentOf, type Named, operationsOf } from './api-document.ts'
import { build, buildOnce, listen } from './service.ts'

/** The description of the interface: valid and complete. And the page at /docs that shows it. */
describe('the description', () => {
  const app = buildOnce()

  describe('GET /openapi.json', () => {
    it('is valid OpenAPI 3.1', async () => {
      const document = await documentOf(app())
      const { valid, errors } = await new Validator().validate({ ...document })
      assert.ok(valid, JSON.stringify(errors))
      assert.equal(document.openapi, '3.1.0')
    })

    it('has an example, true to its schema, of every body and required parameter', async () => {
      const document = await documentOf(app())
      const check = checker(document)
      const wrong: string[] = []
      for (const [path, methods] of Object.entries(document.paths)) {
        for (const [method, operation] of Object.entries(methods)) {
          const at = ['paths', path, method]
          for (const [type, media] of Object.entries(operation.requestBody?.content ?? {})) {
            const pointer = [...at, 'requestBody', 'content', type, 'schema']
            wrong.push(check(pointer, media.example))
          }
          for (const [index, parameter] of (operation.parameters ?? []).entries()) {
            if (parameter.example === undefined) {
              if (parameter.required) wrong.push(`${path} ${parameter.name} has no example`)
              continue
            }
            wrong.push(check([...at, 'parameters', `${index}`, 'schema'], parameter.example))
          }
        }
      }
      assert.deepEqual(
        wrong.filter((each) => each !== ''),
        [],
      )
    })

    it('gives generators of clients a name for every body and answer, and a message as bytes', async () => {
      const unnamed: string[] = []
      for (const { operation } of operationsOf(await documentOf(app()))) {
        assert.match(operation.operationId, /^[a-z][A-Za-z]+$/)
        const { requestBody, responses } = operation
        const bodies = [requestBody, ...Object.values(responses)].flatMap((each) =>
          Object.entries(each?.content ?? {}),
        )
        for (const [type, { schema }] of bodies) {
          if (type === 'message/rfc822') assert.equal(schema['format'], 'binary')
          else if (schema['$ref'] === undefined) unnamed.push(`${operation.operationId} ${type}`)
        }
      }
      assert.deepEqual(unnamed, ['metrics text/plain', 'openApi application/json'])
    })
  })

  describe('GET /docs', () => {
    const loadedBy = (page: string) =>
      [...page.matchAll(/<(?:script|link)\b[^>]*(?:src|href)="([^"]*)"/g)].map((match) => match[1]!)

    it('loads files of the service alone, compressed, and none of them again before it has changed', async () => {
      const files = ['/docs', ...loadedBy((await app().inject('/docs')).body)]
      assert.equal(files.length, 8)
      for (const file of files) {
        const url = new URL(file, 'http://localhost/docs').pathname
        const headers = { 'accept-encoding': 'gzip' }
        const answer = await app().inject({ url, headers })
        assert.equal(answer.statusCode, 200, url)
        if (!url.endsWith('.png')) assert.equal(answer.headers['content-encoding'], 'gzip', url)
        const known = { 'if-none-match': `${answer.headers.etag}` }
        assert.equal((await app().inject({ url, headers: known })).statusCode, 304, url)
      }
    })

    it('has nothing inline, and the policy of the console', async () => {
      const { body, headers } = await app().inject('/docs')
      assert.equal(headers['content-type'], 'text/html; charset=utf-8')
      const policy = PAGE_HEADERS['content-security-policy']
      assert.equal(headers['content-security-policy'], policy)
      assert.doesNotMatch(policy, /unsafe|https?:|\*/)
      assert.doesNotMatch(body, /<style\b|\bstyle=|\bon\w+="|<script\b[^>]*>\s*[^<\s]/)
    })
  })
})

/** The examples in the description of the interface: each is sent to a whole service, which answers as described. */
describe('its examples', () => {
  const PATH = '/var/mail/incoming/1.eml'
  const FEEDBACK_ID = '2d94fd2c-e957-4b3b-94ff-3982fd104fb2'
  const JOB_ID = '60a2572b-44b0-491d-8871-f85196c17e50'

  it('the examples are answered as the document says', async (t) => {
    const { url, file, document } = await serviceWithFile(t)
    const check = checker(document)
    // What the service makes up itself stands in later requests.
    const known = new Map([[PATH, file]])
    for (const { name, operation } of inOrder(operationsOf(document))) {
      const { operationId, responses } = operation
      const response = await sent(url, { name, operation }, known)
      const text = await response.text()
      const [type = ''] = Object.keys(responses[response.status]?.content ?? {})
      assert.ok(response.ok, `${name} answered ${response.status}: ${text}`)
      const answer = text.startsWith('{') ? JSON.parse(text) : text
      const [method = '', path = ''] = name.split(' ')
      const at = ['paths', path, method.toLowerCase(), 'responses', `${response.status}`]
      assert.equal(check([...at, 'content', type, 'schema'], answer), '')
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
    const { app } = await build(t, {
      config: { pathRoots: [folder], historyDays: 1 },
      modules: { embedder: embedderBy({}) },
    })
    const { url } = await listen(app)
    return { file, url, document: await documentOf(app) }
  }
})

/** The console's files as they are served. How the pages behave is shown in packages/console/test/. */
describe('console files', () => {
  const BUILT = existsSync(join(import.meta.dirname, '../../../console/dist/index.html'))

  describe('the console', {
    skip: BUILT ? false : 'the console is not built (npm run build:console)',
  }, () => {
    const app = buildOnce()

    it('lets nothing run or load but what comes with it, and keeps what changes its name', async () => {
      const page = await app().inject('/')
      assert.equal(page.statusCode, 200)
      assert.equal(page.headers['content-type'], 'text/html; charset=utf-8')
      assert.equal(
        page.headers['content-security-policy'],
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
      )
      assert.equal(page.headers['referrer-policy'], 'no-referrer')
      assert.equal(page.headers['cache-control'], 'no-cache')
      const [, path = ''] = /src="\.(\/assets\/[^"]+)"/.exec(page.body) ?? []
      const plain = await app().inject(path)
      assert.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable')
      assert.equal(plain.headers['content-encoding'], undefined)
      const refused = await app().inject({ url: path, headers: { 'accept-encoding': 'gzip;q=0' } })
      assert.equal(refused.headers['content-encoding'], undefined)
      const packed = await app().inject({ url: path, headers: { 'accept-encoding': 'br, gzip' } })
      assert.equal(packed.headers['content-encoding'], 'gzip')
      assert.deepEqual(gunzipSync(packed.rawPayload), plain.rawPayload)
    })

    it('has no other files', async () => {
      for (const url of ['/assets/none.js', '/assets/../../package.json', '/assets/%2e%2e/x']) {
        assert.equal((await app().inject(url)).statusCode, 404, url)
      }
    })
  })
})
