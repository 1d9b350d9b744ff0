/** JSON bodies that are too large, no UTF-8, or name a user by what is no text. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { buildOnce } from './service.ts'

const KIB = 1024

const app = buildOnce({ config: { pathRoots: [temporaryFolder()], learning: 'off' } })

type Route = readonly [method: 'POST' | 'DELETE', path: string, bytesMax: number, rest: object]

const RULE = { ruleType: 'Sender', label: 'spam' }

/** Every route that takes JSON, with its limit and what it asks for beside a user. */
const ROUTES: readonly Route[] = [
  ['POST', '/classify/embed-text', 4 * KIB * KIB, {}],
  ['POST', '/classify', 32 * KIB, { path: '/nowhere' }],
  ['POST', '/tabs/classify', 32 * KIB, { path: '/nowhere' }],
  ['POST', '/classify/diagnostic', 32 * KIB, { path: '/nowhere' }],
  ['POST', '/feedback', 32 * KIB, { path: '/nowhere', isSpam: true }],
  ['POST', '/tabs/feedback', 32 * KIB, { path: '/nowhere', correctClassification: 'updates' }],
  ['POST', '/personalization/rules/create', 32 * KIB, { path: '/nowhere', ...RULE }],
  ['POST', '/personalization/rules', 16 * KIB, { ...RULE, pattern: 'ann@example.com' }],
  [
    'DELETE',
    '/personalization/rules/remove',
    16 * KIB,
    { ruleType: 'Sender', pattern: 'a.example' },
  ],
  ['DELETE', '/personalization/data', 16 * KIB, {}],
  ['DELETE', '/personalization/tabs/data', 16 * KIB, {}],
]

async function send([method, url]: Route, payload: string | Buffer) {
  const headers = { 'content-type': 'application/json' }
  const response = await app().inject({ method, url, headers, payload })
  const { code, field } = response.json()
  return { status: response.statusCode, code, field }
}

describe('a JSON body', () => {
  for (const route of ROUTES) {
    const [method, path, bytesMax, rest] = route
    it(`to ${method} ${path} is refused from ${bytesMax + 1} bytes on`, async () => {
      const large = `{"text":"${'a'.repeat(bytesMax - 10)}"}`
      assert.deepEqual(await send(route, large), {
        status: 413,
        code: 'MESSAGE_TOO_LARGE',
        field: undefined,
      })
      assert.notEqual((await send(route, large.replace('aa', 'a'))).status, 413)
    })

    it(`to ${method} ${path} that is not UTF-8, or names a user by half a character, is refused`, async () => {
      const invalid = Buffer.concat([
        Buffer.from('{"userId":"'),
        Buffer.from([0xff]),
        Buffer.from('"}'),
      ])
      // JSON.stringify writes a lone surrogate as an escape.
      const half = JSON.stringify({ ...rest, userId: 'user-\ud800' })
      for (const body of path === '/classify/embed-text' ? [invalid] : [invalid, half]) {
        const { status, code } = await send(route, body)
        assert.deepEqual([status, code], [400, 'FIELD_INVALID'])
      }
    })
  }
})

describe('a user id in a query', () => {
  for (const query of ['userId=user-%ff', 'userId=user-%f', 'userId=user-%ed%a0%80']) {
    it(`such as ${query} is refused`, async () => {
      const { statusCode, body } = await app().inject(`/personalization/rules?${query}`)
      assert.equal(statusCode, 400)
      assert.match(body, /"code":"FIELD_INVALID"/)
    })
  }
})
