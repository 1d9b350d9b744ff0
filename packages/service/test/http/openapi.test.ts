/** The description of the interface: valid and complete. And the page at /docs that shows it. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { Validator } from '@seriousme/openapi-schema-validator'
import { PAGE_HEADERS } from '../../http/routes/console.ts'
import { checker, documentOf, type MediaType, operationsOf } from './api-document.ts'
import { buildOnce } from './service.ts'

const app = buildOnce()

describe('GET /openapi.json', () => {
  it('is valid OpenAPI 3.1', async () => {
    const document = await documentOf(app())
    const { valid, errors } = await new Validator().validate({ ...document })
    assert.ok(valid, JSON.stringify(errors))
    assert.equal(document.openapi, '3.1.0')
  })

  it('says of every operation what it is called, what it is for, and what it needs', async () => {
    const operations = operationsOf(await documentOf(app()))
    for (const { name, operation } of operations) {
      assert.ok(operation.summary.length > 0, name)
      assert.ok(operation.description.length > 0, name)
      assert.equal(operation.tags.length, 1, name)
    }
    const ids = operations.map(({ operation }) => operation.operationId)
    assert.equal(new Set(ids).size, ids.length)
  })

  it('has an example, true to its schema, of every request and parameter, and of answers', async () => {
    const document = await documentOf(app())
    const check = checker(document)
    const wrong: string[] = []
    const checkMedia = (pointer: string[], media: MediaType) => {
      if (media.example !== undefined) wrong.push(check([...pointer, 'schema'], media.example))
    }
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        const at = ['paths', path, method]
        for (const [type, media] of Object.entries(operation.requestBody?.content ?? {})) {
          if (media.example === undefined) wrong.push(`${path} ${method} has no example`)
          checkMedia([...at, 'requestBody', 'content', type], media)
        }
        for (const [status, { content }] of Object.entries(operation.responses)) {
          for (const [type, media] of Object.entries(content)) {
            checkMedia([...at, 'responses', status, 'content', type], media)
          }
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

  it('sends its largest file compressed unless the client says that it does not take that', async () => {
    const url = '/docs/static/swagger-ui-bundle.js'
    const unsaid = await app().inject(url)
    assert.equal(unsaid.headers['content-encoding'], 'gzip')
    const plain = await app().inject({ url, headers: { 'accept-encoding': 'identity' } })
    assert.equal(plain.headers['content-encoding'], undefined)
    assert.deepEqual(gunzipSync(unsaid.rawPayload), plain.rawPayload)
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
