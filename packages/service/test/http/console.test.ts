/** The console's files as they are served. How the pages behave is shown in packages/console/test/. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { fastify } from 'fastify'
import { readConsoleFiles } from '../../http/console-files.ts'
import type { Services } from '../../http/route.ts'
import { consoleRoutes } from '../../http/routes/console.ts'
import { serve } from '../../http/serve-routes.ts'
import { buildOnce } from './service.ts'

const BUILT = existsSync(join(import.meta.dirname, '../../../console/dist/index.html'))

describe('the console', {
  skip: BUILT ? false : 'the console is not built (npm run build:console)',
}, () => {
  const app = buildOnce()

  async function assets(): Promise<string[]> {
    const { body } = await app().inject('/')
    return [...body.matchAll(/(?:src|href)="\.(\/assets\/[^"]+)"/g)].map((match) => match[1]!)
  }

  it('lets nothing run or load but what comes with it', async () => {
    const { statusCode, headers } = await app().inject('/')
    assert.equal(statusCode, 200)
    assert.equal(headers['content-type'], 'text/html; charset=utf-8')
    assert.equal(
      headers['content-security-policy'],
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    )
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['referrer-policy'], 'no-referrer')
    assert.equal(headers['cache-control'], 'no-cache')
  })

  it('has files whose names change with their content kept for ever', async () => {
    for (const path of await assets()) {
      const { statusCode, headers } = await app().inject(path)
      assert.equal(statusCode, 200)
      assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
      assert.equal(headers['x-content-type-options'], 'nosniff')
    }
  })

  it('sends what is compressed to those who take it, and the same to all', async () => {
    const [path = ''] = await assets()
    const plain = await app().inject(path)
    assert.equal(plain.headers['content-encoding'], undefined)
    const refused = await app().inject({ url: path, headers: { 'accept-encoding': 'gzip;q=0' } })
    assert.equal(refused.headers['content-encoding'], undefined)
    const packed = await app().inject({ url: path, headers: { 'accept-encoding': 'br, gzip' } })
    assert.equal(packed.headers['content-encoding'], 'gzip')
    assert.deepEqual(gunzipSync(packed.rawPayload), plain.rawPayload)
    assert.equal(packed.headers['vary'], 'accept-encoding')
  })

  it('sends a page again only when it has changed', async () => {
    const { headers } = await app().inject('/')
    const again = await app().inject({
      url: '/',
      headers: { 'if-none-match': String(headers.etag) },
    })
    assert.deepEqual([again.statusCode, again.body], [304, ''])
  })

  it('answers HEAD, and refuses other methods with what is allowed', async () => {
    const head = await app().inject({ method: 'HEAD', url: '/' })
    assert.deepEqual([head.statusCode, head.body], [200, ''])
    const post = await app().inject({ method: 'POST', url: '/' })
    assert.deepEqual([post.statusCode, post.headers.allow], [405, 'GET, HEAD, OPTIONS'])
  })

  it('has no other files', async () => {
    for (const url of [
      '/assets/none.js',
      '/assets/../../package.json',
      '/assets/%2e%2e/index.html',
    ]) {
      const { statusCode } = await app().inject(url)
      assert.equal(statusCode, 404, url)
    }
  })
})

describe('a console that is not built', () => {
  it('says so, and what to do', async (t) => {
    const app = fastify()
    t.after(() => app.close())
    for (const route of consoleRoutes([], [])) serve(app, route, {} as Services)
    const { body } = await app.inject('/')
    assert.match(body, /npm run build:console/)
  })

  it('has no files', () => {
    assert.deepEqual(readConsoleFiles('/nowhere'), [])
  })

  it('reads files of known types only', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'tamis-console-'))
    t.after(() => rm(folder, { recursive: true }))
    await mkdir(join(folder, 'assets'))
    await writeFile(join(folder, 'index.html'), '<!doctype html>')
    await writeFile(join(folder, 'assets/a.js'), '')
    await writeFile(join(folder, 'assets/a.js.map'), '')
    const paths = readConsoleFiles(folder).map(({ path, immutable }) => [path, immutable])
    assert.deepEqual(paths.toSorted(), [
      ['/', false],
      ['/assets/a.js', true],
    ])
  })
})
