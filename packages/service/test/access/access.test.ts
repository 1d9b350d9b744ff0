/**
 * Who may ask for what: every route, asked with every scope, in every spelling of its path that a
 * router might take for it. What a spelling answers is what the plain path answers to the same
 * caller, or that there is nothing.
 *
 * The table says what each route needs, once more and by hand: a route that is not in it fails.
 */
import assert from 'node:assert/strict'
import { Agent, request } from 'node:http'
import { after, before, describe, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { type ENTITLEMENTS, SCOPES, type Scope } from '../../access/caller.ts'
import { addKeys, bearer } from '../helpers/keys.ts'
import { listen, open } from '../http/service.ts'

type Needs = Scope | 'none' | `${Scope} and ${(typeof ENTITLEMENTS)[number]}`

const ROUTES: Readonly<Record<string, Needs>> = {
  'GET /': 'none',
  'GET /icon.svg': 'none',
  'GET /assets/*': 'none',
  'GET /docs': 'none',
  'GET /docs/json': 'none',
  'GET /docs/static/favicon-16x16.png': 'none',
  'GET /docs/static/favicon-32x32.png': 'none',
  'GET /docs/static/index.css': 'none',
  'GET /docs/static/swagger-initializer.js': 'none',
  'GET /docs/static/swagger-ui-bundle.js': 'none',
  'GET /docs/static/swagger-ui-standalone-preset.js': 'none',
  'GET /docs/static/swagger-ui.css': 'none',
  'GET /health': 'none',
  'GET /ready': 'none',
  'GET /ping': 'none',
  'GET /openapi.json': 'none',
  'POST /classify': 'classify',
  'POST /classify-stream': 'classify',
  'POST /classify/diagnostic': 'classify',
  'POST /classify/diagnostic-stream': 'classify',
  'POST /classify/embed-text': 'classify',
  'POST /tabs/classify': 'classify and classification',
  'POST /tabs/classify-stream': 'classify and classification',
  'GET /checkv2': 'classify',
  'POST /checkv2': 'classify',
  'POST /learnspam': 'feedback and spam',
  'POST /learnham': 'feedback and spam',
  'POST /feedback': 'feedback and spam',
  'POST /feedback-stream': 'feedback and spam',
  'DELETE /feedback/:feedbackId': 'feedback and spam',
  'POST /tabs/feedback': 'feedback and classification',
  'POST /tabs/feedback-stream': 'feedback and classification',
  'POST /personalization/rules': 'feedback and spam',
  'GET /personalization/rules': 'feedback and spam',
  'POST /personalization/rules/create': 'feedback and spam',
  'POST /personalization/rules/create-stream': 'feedback and spam',
  'DELETE /personalization/rules/remove': 'feedback',
  'DELETE /personalization/data': 'feedback',
  'GET /personalization/memory': 'feedback',
  'POST /personalization/tabs/rules': 'feedback and classification',
  'GET /personalization/tabs/rules': 'feedback',
  'POST /personalization/tabs/rules/create': 'feedback and classification',
  'POST /personalization/tabs/rules/create-stream': 'feedback and classification',
  'DELETE /personalization/tabs/rules/remove': 'feedback',
  'DELETE /personalization/tabs/data': 'feedback',
  'GET /rules': 'admin',
  'PUT /rules': 'admin',
  'GET /users': 'feedback',
  'POST /personalization/correspondents': 'feedback and spam',
  'GET /personalization/correspondents': 'feedback and spam',
  'DELETE /personalization/correspondents': 'feedback',
  'GET /jobs/:jobId': 'feedback',
  'GET /stats': 'admin',
  'GET /history': 'admin',
  'GET /metrics': 'admin',
  'GET /models': 'admin',
  'POST /models/promote': 'admin',
  'POST /models/rollback': 'admin',
}

/** Where Rspamd's clients may give the key as a password; HEAD stands for no more than GET. */
const PASSWORD_ROUTES = ['GET /checkv2', 'POST /checkv2', 'POST /learnspam', 'POST /learnham']

/** No route takes these: refused, or told what the path takes, whoever asks. */
const OTHER_METHODS = ['OPTIONS', 'PUT']

const NO_SPAM = 'no-spam'
const NO_CLASSES = 'no-classes'

type Headers = Readonly<Record<string, string>>

/** Everybody who may ask, by what they may do. */
const CALLERS: readonly { readonly scope: Scope | 'none'; readonly headers: Headers }[] = [
  { scope: 'none', headers: {} },
  { scope: 'none', headers: bearer('guessed') },
  ...SCOPES.map((scope) => ({ scope, headers: bearer(scope) })),
]

interface Route {
  readonly method: string
  readonly path: string
  readonly needs: Needs
}

interface Answer {
  readonly status: number
  /** Undefined of a success, and of HEAD. */
  readonly code: string | undefined
}

let app: FastifyInstance
let port: number
const agent = new Agent({ keepAlive: true, maxSockets: 8 })
const closers: (() => unknown)[] = []

before(async () => {
  const dataDir = temporaryFolder()
  await addKeys(
    { dataDir },
    {
      ...Object.fromEntries(SCOPES.map((scope) => [scope, { scopes: [scope] }])),
      [NO_SPAM]: { scopes: ['operator'], entitlements: ['classification'] },
      [NO_CLASSES]: { scopes: ['operator'], entitlements: ['spam'] },
    },
  )
  const service = await open({ config: { dataDir, rspamdEndpoints: 'on', historyDays: 1 } })
  closers.push(() => agent.destroy(), service.close)
  app = service.app
  port = (await listen(app)).port
})

after(async () => {
  for (const close of closers) await close()
})

/** Asks with no body; `path` goes over the wire as it is. */
function ask(method: string, path: string, headers: Headers): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  request({ port, host: '127.0.0.1', method, path, headers, agent }, (response) => {
    const chunks: Buffer[] = []
    response
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        const status = response.statusCode!
        const text = Buffer.concat(chunks).toString()
        const code = status >= 400 && text !== '' ? JSON.parse(text).code : undefined
        resolve({ status, code })
      })
  })
    .on('error', (error: Error & { rawPacket?: Buffer }) => {
      // What is no HTTP is told so with a body, also where it began with HEAD.
      const text = String(error.rawPacket ?? '')
      if (text.startsWith('HTTP/1.1 400 ')) resolve({ status: 400, code: 'REQUEST_MALFORMED' })
      else reject(error)
    })
    .end()
  return promise
}

/** All routes of the service, HEAD included, the console's files as one. */
function routes(): Route[] {
  const seen = new Map<string, Route>()
  for (const { method, path } of printedRoutes(app)) {
    const name = path.replace(/^\/assets\/.*/, '/assets/*')
    const needs = ROUTES[`${method === 'HEAD' ? 'GET' : method} ${name}`]
    assert.ok(needs !== undefined, `The table has no ${method} ${path}`)
    const asked = path.replace(/:\w+/, '018f4e2a-0000-7000-8000-000000000000')
    seen.set(`${method} ${name}`, { method, path: asked, needs })
  }
  return [...seen.values()]
}

/** What Fastify prints is a tree, four columns a level: `    ├── /rules (GET, HEAD)`. */
function printedRoutes(of: FastifyInstance): { method: string; path: string }[] {
  const parents: string[] = []
  return of
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const printed = /^(.*?[└├]── )(\S+)(?: \(([^)]+)\))?$/.exec(line)
      if (printed === null) return []
      const [, indent = '', part = '', methods = ''] = printed
      const level = indent.length / 4 - 1
      parents.length = level
      parents.push(part)
      const path = parents.join('').replaceAll('//', '/')
      return methods.split(', ').flatMap((method) => (method === '' ? [] : { method, path }))
    })
}

/** Ways to write `path` that some parser takes for the same. */
function spellings(path: string): string[] {
  const encode = (text: string, from = 0, to = text.length) =>
    text.slice(0, from) +
    text.slice(from, to).replace(/[^/]/g, (char) => `%${char.charCodeAt(0).toString(16)}`) +
    text.slice(to)
  const last = path.lastIndexOf('/')
  const encoded = [
    encode(path, 1, 2),
    encode(path, path.length - 1),
    encode(path, last + 1),
    encode(path),
    encode(path).toUpperCase(),
    encode(path, 1, 2).replace('%', '%25'),
    path.slice(0, last) + path.slice(last).replace('/', '%2f'),
    path.replaceAll('/', '%2F'),
    `/${path.replaceAll('/', '%2f')}`,
  ]
  const elsewhere = [
    `http://localhost${path}`,
    `HTTP://LOCALHOST:${port}${path}`,
    `http://evil.example${path}`,
    `http://evil.example${encode(path)}`,
    `http:${path}`,
    `//localhost${path}`,
    `x${path}`,
  ]
  const slashes = [`/${path}`, path.replaceAll('/', '//'), `${path}/`, `${path}//`]
  const dots = [
    `/.${path}`,
    `/x/..${path}`,
    `/health/..${path}`,
    `/assets/..${path}`,
    `/%2e${path}`,
    `/x/%2e%2e${path}`,
    `${path}/.`,
    `${path}/x/..`,
    `/\\..${path}`,
    path.replaceAll('/', '\\'),
  ]
  const ends = [
    `${path};`,
    `${path};/health`,
    `/;${path}`,
    `${path}?`,
    `${path}?/health`,
    `${path}#`,
    `${path}#/health`,
    `${path}%00`,
    `${path}%20`,
    `${path}%3f`,
    `${path}.`,
  ]
  const cased = [path.toUpperCase(), path.replace(/[a-z]/, (char) => char.toUpperCase())]
  const all = [...encoded, ...elsewhere, ...slashes, ...dots, ...ends, ...cased]
  return [...new Set(all)].filter((each) => each !== path)
}

/** What a path may answer that is no way to a route. */
function isNothing({ status, code }: Answer, method: string): boolean {
  if (status === 204) return method === 'OPTIONS'
  // The answer to HEAD has no body that could say which.
  if (method === 'HEAD' && code === undefined) return status === 404 || status === 400
  return ['PATH_UNKNOWN', 'METHOD_NOT_ALLOWED', 'REQUEST_MALFORMED'].includes(code ?? '')
}

function scopeIn(needs: Needs): Scope | 'none' {
  return needs.split(' and ')[0] as Scope | 'none'
}

describe('a route', () => {
  it('stands in the table, and all of the table is there', () => {
    const found = new Set(printedRoutes(app).map(({ method, path }) => `${method} ${path}`))
    const missing = Object.keys(ROUTES).filter(
      (name) => !found.has(name) && name !== 'GET /assets/*',
    )
    assert.deepEqual(missing, [])
    routes()
  })

  it('answers the scope that it needs, the operator, and nobody else', async () => {
    for (const { method, path, needs } of routes()) {
      const needed = scopeIn(needs)
      for (const { scope, headers } of CALLERS) {
        const { status, code } = await ask(method, path, headers)
        const told = `${method} ${path} told ${scope}: ${status} ${code}`
        const guesses = headers['authorization'] === 'Bearer guessed'
        if (guesses || (scope === 'none' && needed !== 'none')) assert.equal(status, 401, told)
        else if (needed !== 'none' && scope !== needed && scope !== 'operator') {
          assert.equal(status, 403, told)
          if (method !== 'HEAD') assert.equal(code, 'SCOPE_MISSING', told)
        } else assert.ok(status !== 401 && status !== 403, told)
      }
    }
  })

  it('answers what the licence includes', async () => {
    for (const { method, path, needs } of routes()) {
      for (const [key, lacking] of [
        [NO_SPAM, 'spam'],
        [NO_CLASSES, 'classification'],
      ] as const) {
        const { status, code } = await ask(method, path, bearer(key))
        const told = `${method} ${path} told ${key}: ${status} ${code}`
        if (needs.endsWith(` and ${lacking}`)) {
          assert.equal(status, 403, told)
          // The answer to HEAD has no body that could say so.
          if (method !== 'HEAD') assert.equal(code, 'NOT_ENTITLED', told)
        } else assert.ok(status !== 403, told)
      }
    }
  })

  it("takes a key as Rspamd's clients give it where they ask, and nowhere else", async () => {
    for (const { method, path, needs } of routes()) {
      const { status, code } = await ask(method, path, { password: 'operator' })
      const told = `${method} ${path}: ${status} ${code}`
      const lets = scopeIn(needs) === 'none' || PASSWORD_ROUTES.includes(`${method} ${path}`)
      assert.equal(status === 401, !lets, told)
    }
  })

  it('is one route however it is spelled: each answer is that of the plain path, or nothing', async () => {
    const more: string[] = []
    let asked = 0
    /** Nobody, a key that does not suffice, one that does for all, and one that not every route takes. */
    const callersOf = ({ method, needs }: Route) => {
      const [nobody] = CALLERS
      if (OTHER_METHODS.includes(method)) return [nobody!]
      const other = needs.startsWith('classify') ? 'feedback' : 'classify'
      const keys = CALLERS.filter(({ scope }) => scope === other || scope === 'operator')
      return [nobody!, ...keys, { scope: 'password', headers: { password: 'operator' } }]
    }
    const askAll = async (route: Route) => {
      const { method, path } = route
      for (const { scope, headers } of callersOf(route)) {
        const plain = await ask(method, path, headers)
        for (const spelling of spellings(path)) {
          const answer = await ask(method, spelling, headers)
          asked++
          if (answer.status === plain.status && answer.code === plain.code) continue
          if (isNothing(answer, method)) continue
          // Whoever is let in may be told that the query is wrong.
          if (answer.status === 400 && plain.status === 200) continue
          more.push(
            `${method} ${spelling} told ${scope}: ${answer.status} ${answer.code}, the plain path ${plain.status} ${plain.code}`,
          )
        }
      }
    }
    // The router has read a path before it knows whose it is: one for each scope stands for all.
    const all = [...new Map(routes().map((route) => [scopeIn(route.needs), route])).values()]
    const paths = [...new Set(all.map(({ path }) => path))]
    const others = paths.flatMap((path) =>
      OTHER_METHODS.map((method) => ({ method, path, needs: 'none' as const })),
    )
    const left = [...all, ...others]
    const work = async () => {
      for (let route = left.pop(); route !== undefined; route = left.pop()) await askAll(route)
    }
    await Promise.all(Array.from({ length: 8 }, work))
    assert.deepEqual(more, [])
    assert.ok(asked > 500, `${asked}`)
  })
})
