/** Debian's miltertest, which speaks libmilter's own protocol code, against the milter. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { build, listen } from '../../http/service.ts'
import { programOf } from '../programs.ts'
import { testMilter } from './milter.ts'

const { path, missing: skip } = programOf('miltertest')

/** Fails with what the script has to say against the milter. */
async function miltertest(script: string, port: number): Promise<void> {
  const file = join(import.meta.dirname, script)
  const options = ['-D', `port=${port}`, '-s', file]
  await promisify(execFile)(path, options, { timeout: 60_000 }).catch(({ stdout }) =>
    assert.fail(`${script}: ${stdout}`),
  )
}

describe('miltertest', { skip }, () => {
  it('leads a session of three messages', async (t) => {
    const { app } = await build(t)
    const { port } = await testMilter(t, (await listen(app)).url)
    await miltertest('session.lua', port)
  })

  it('speaks version 2', async (t) => {
    const { app } = await build(t)
    const { port } = await testMilter(t, (await listen(app)).url)
    await miltertest('old-version.lua', port)
  })

  it('is refused what ann blocks', async (t) => {
    const { app } = await build(t, { config: { learning: 'off' } })
    const rule = { userId: 'ann@example.com', ruleType: 'Sender', label: 'spam' }
    const payload = { ...rule, pattern: 'bob@example.net' }
    await app.inject({ method: 'POST', url: '/personalization/rules', payload })
    const { port } = await testMilter(t, (await listen(app)).url, { policy: { rejectAt: 0.9 } })
    await miltertest('refusal.lua', port)
  })
})
