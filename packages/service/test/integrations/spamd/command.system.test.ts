/** `tamis spamd` as the command that it is: settings, start and end. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, it } from 'node:test'
import { buildOnce, listen, ORDER } from '../../http/service.ts'
import { run } from '../programs.ts'
import { ask, request } from './spamd.ts'

const TAMIS = new URL('../../../cli/tamis.ts', import.meta.url).pathname

const app = buildOnce({ config: { learning: 'off' } })

const refusalOf = async (...args: string[]) => {
  const { status, stderr } = await run(process.execPath, [TAMIS, 'spamd', ...args])
  assert.notEqual(status, 0)
  return stderr
}

describe('tamis spamd', () => {
  it('refuses other machines the address unless they are named', async () => {
    assert.match(
      await refusalOf('--listen', 'inet:0@0.0.0.0'),
      /--listen is inet:0@0\.0\.0\.0; allowed without --allow-from: localhost, 127\.0\.0\.1, ::1 or a Unix socket/,
    )
  })

  it('says what is allowed where a setting is not', async () => {
    assert.match(await refusalOf('--listen', '783'), /Allowed: inet:PORT@HOST or unix:\/PATH/)
    assert.match(
      await refusalOf('--buffer-bytes', '1', '--message-bytes', '2'),
      /--buffer-bytes is 1; allowed: at least --message-bytes \(2\)/,
    )
  })

  it('answers, and ends when it is told to', async (t) => {
    const { url } = await listen(app())
    const args = [TAMIS, 'spamd', '--listen', 'inet:0@127.0.0.1', '--url', url]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    t.after(() => child.kill('SIGKILL'))
    const [line] = await once(child.stdout.setEncoding('utf8'), 'data')
    const port = Number(/inet:(\d+)@127\.0\.0\.1/.exec(line)?.[1])
    assert.match(await ask(port, request('CHECK', ORDER)), /^SPAMD\/1\.1 0 EX_OK\r\nSpam: False ; /)
    const tell = ['User: ann@example.com', 'Message-class: spam', 'Set: local']
    assert.equal(
      await ask(port, request('TELL', ORDER, { fields: tell })),
      'SPAMD/1.1 69 EX_UNAVAILABLE TELL is off; turn it on with tamis spamd --allow-tell\r\n',
    )
    child.kill('SIGTERM')
    const [status] = await once(child, 'exit')
    assert.equal(status, 0)
  })
})
