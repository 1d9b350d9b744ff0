/** What pages of other ports of this machine can make a browser send to a service without keys. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { build, listen } from '../../service/test/http/service.ts'
import { browserOnce, openPageAt, PATIENCE_MS, SKIP } from './browser.ts'

/** A page of another port that sends a form to `service`, and fetches without asking first. */
async function servePage(t: TestContext, service: string): Promise<string> {
  const page = `<!doctype html><form method="post" action="${service}/models/rollback"><button>Win</button></form>
    <a href="${service}/docs">Docs</a>`
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end(page)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

describe('a page of another port of this machine', { skip: SKIP }, () => {
  const browser = browserOnce()

  it('changes nothing by form or script, and may link to the service', async (t) => {
    const { app } = await build(t)
    const { url } = await listen(app)
    const answers: string[] = []
    const address = await servePage(t, url)
    const { page } = await openPageAt(t, browser(), address)
    page.on('response', (response) => {
      if (response.url().startsWith(url)) {
        answers.push(`${response.request().method()} ${response.status()}`)
      }
    })
    await page.goto(address)
    await page.evaluate(
      (target) => fetch(target, { method: 'POST', mode: 'no-cors', body: 'x' }),
      `${url}/models/promote`,
    )
    await page.getByRole('button').click({ timeout: PATIENCE_MS })
    await page.waitForURL(`${url}/models/rollback`)
    assert.match(await page.locator('body').innerText(), /ORIGIN_FORBIDDEN/)
    await page.goto(address)
    await page.getByRole('link').click({ timeout: PATIENCE_MS })
    await page.waitForURL(`${url}/docs`)
    assert.deepEqual(answers.slice(0, 3), ['POST 403', 'POST 403', 'GET 200'])
  })
})
