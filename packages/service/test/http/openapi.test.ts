/**
 * The description of the interface, and its reference page: valid, complete, and true. Every
 * example is sent to a whole service, as the command and as the call of the client that stand
 * beside it.
 */
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { TamisClient } from '../../../client/client.ts'
import { ERRORS } from '../../../mail/errors.ts'
import type { MediaType, OpenApiDocument, Operation } from '../../http/openapi/document.ts'
import { FEEDBACK_ID, JOB_ID, MESSAGE, PATH } from '../../http/openapi/examples.ts'
import { build, buildOnce, listen } from './service.ts'

const app = buildOnce()

async function documentOf(): Promise<OpenApiDocument> {
  return (await app().inject('/openapi.json')).json()
}

interface Named {
  readonly name: string
  readonly operation: Operation
}

function operationsOf({ paths }: OpenApiDocument): Named[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  )
}

/** Says what is wrong with a value by the schema at a place of the document. */
function checker(document: OpenApiDocument) {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  formats.default(ajv)
  ajv.addSchema({ ...document, $id: 'document' })
  return (pointer: string[], value: unknown): string => {
    const path = pointer.map((each) => each.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')
    const validate = ajv.compile({ $ref: `document#/${encodeURI(path)}` })
    return validate(value) ? '' : `${pointer.join(' ')}: ${ajv.errorsText(validate.errors)}`
  }
}

describe('GET /openapi.json', () => {
  it('is valid OpenAPI 3.1', async () => {
    const document = await documentOf()
    const { valid, errors } = await new Validator().validate({ ...document })
    assert.ok(valid, JSON.stringify(errors))
    assert.equal(document.openapi, '3.1.0')
  })

  it('says of every operation what it is called, what it is for, and what it needs', async () => {
    const operations = operationsOf(await documentOf())
    for (const { name, operation } of operations) {
      assert.ok(operation.summary.length > 0, name)
      assert.ok(operation.description.length > 0, name)
      assert.equal(operation.tags.length, 1, name)
    }
    const ids = operations.map(({ operation }) => operation.operationId)
    assert.equal(new Set(ids).size, ids.length)
  })

  it('names operations as the client names its methods', async () => {
    const ids = operationsOf(await documentOf()).map(({ operation }) => operation.operationId)
    const classes = [TamisClient.prototype, Object.getPrototypeOf(TamisClient.prototype)]
    const methods = [...new Set(classes.flatMap((each) => Object.getOwnPropertyNames(each)))]
    const others = ['constructor', 'embedTexts']
    assert.deepEqual(ids.toSorted(), methods.filter((each) => !others.includes(each)).toSorted())
  })

  it('has an example, true to its schema, of every request, parameter, answer and error', async () => {
    const document = await documentOf()
    const check = checker(document)
    const wrong: string[] = []
    const checkMedia = (pointer: string[], media: MediaType) => {
      const values = Object.keys(media.examples ?? {}).map(
        (name) => document.components.examples[name]?.value,
      )
      const examples = media.example === undefined ? values : [media.example]
      if (examples.length === 0) wrong.push(`${pointer.join(' ')} has no example`)
      wrong.push(...examples.map((each) => check([...pointer, 'schema'], each)))
    }
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        const at = ['paths', path, method]
        for (const [type, media] of Object.entries(operation.requestBody?.content ?? {})) {
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

  it('gives every error a text that is that of its code', async () => {
    const { examples } = (await documentOf()).components
    for (const [code, { value }] of Object.entries(examples)) {
      if (code === 'message') continue
      assert.equal((value as { error: string }).error, ERRORS[code as keyof typeof ERRORS])
    }
  })
})

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
  const document = await documentOf()
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
    const optional = ['openApi', 'ready', 'job', 'metrics']
    if (!optional.includes(operationId)) {
      assert.deepEqual(Object.keys(answer as object).sort(), Object.keys(example as object).sort())
    }
    if (operationId === 'feedbackStream') ids.set(FEEDBACK_ID, field(answer, 'feedbackId'))
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
  const { app } = await build(t, { config: { pathRoots: [folder] } })
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

describe('GET /docs', () => {
  const page = async () => (await app().inject('/docs')).body

  it('has every operation, with an anchor that the list of operations leads to', async () => {
    const text = await page()
    for (const { operation } of operationsOf(await documentOf())) {
      assert.ok(text.includes(`<section id="${operation.operationId}"`), operation.operationId)
      assert.ok(text.includes(`<li><a href="#${operation.operationId}">`), operation.operationId)
    }
  })

  it('leads nowhere that is not there', async () => {
    const text = await page()
    const ids = new Set([...text.matchAll(/ id="([^"]+)"/g)].map((match) => match[1]))
    const targets = [...text.matchAll(/ href="#([^"]+)"/g)].map((match) => match[1])
    assert.deepEqual(
      targets.filter((target) => !ids.has(target)),
      [],
    )
    assert.equal(ids.size, [...text.matchAll(/ id="/g)].length, 'an id is there twice')
  })

  it('loads nothing from anywhere, and its policy says so', async () => {
    const response = await app().inject('/docs')
    assert.equal(response.headers['content-type'], 'text/html; charset=utf-8')
    assert.match(
      String(response.headers['content-security-policy']),
      /^default-src 'none'; style-src 'sha256-[\w+/=]{44}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    )
    assert.doesNotMatch(
      response.body,
      /<(script|link|img|iframe|object|embed)\b|\bstyle=|\bon\w+=|@import|url\(/,
    )
  })

  it('has the style that its policy allows, and no other', async () => {
    const { body, headers } = await app().inject('/docs')
    const styles = [...body.matchAll(/<style>([^<]*)<\/style>/g)].map((match) => match[1]!)
    assert.equal(styles.length, 1)
    const hash = createHash('sha256').update(styles[0]!).digest('base64')
    assert.ok(String(headers['content-security-policy']).includes(`style-src 'sha256-${hash}'`))
  })

  it('needs no key where keys are configured, unlike the document', async (t) => {
    const { app } = await build(t, { config: { host: '0.0.0.0' } })
    assert.equal((await app.inject('/docs')).statusCode, 200)
    assert.equal((await app.inject('/openapi.json')).statusCode, 401)
  })
})
