/**
 * Rspamd's own client against the endpoints that speak like Rspamd: a process of its own, from
 * Debian's package `rspamd` (scripts/ci-services). Of Rspamd itself nothing runs.
 */
import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { buildOnce, listen, ORDER } from '../../http/service.ts'
import { programOf, run } from '../programs.ts'

const rspamc = programOf('rspamc')

const app = buildOnce({ config: { rspamdEndpoints: 'on', learning: 'off' } })

let address = ''
beforeEach(async () => {
  if (!app().server.listening) address = `127.0.0.1:${(await listen(app())).port}`
})

let users = 0
const newUser = () => `user-${++users}@example.com`

function client(args: readonly string[], input = ORDER) {
  return run(rspamc.path, ['-h', address, ...args], input)
}

async function scoreFor(userId: string): Promise<number> {
  const { stdout } = await client(['--json', '-d', userId])
  return jsonOf(stdout).score
}

/** Without the line that names the input. */
function jsonOf(stdout: string) {
  return JSON.parse(stdout.slice(stdout.indexOf('{')))
}

describe('rspamc', { skip: rspamc.missing }, () => {
  it('shows action, score and symbols', async () => {
    const { stdout, status } = await client([])
    assert.equal(status, 0)
    assert.match(stdout, /^Action: no action$/m)
    assert.match(stdout, /^Spam: false$/m)
    assert.match(stdout, /^Score: -?\d+\.\d\d \/ 5\.00$/m)
    assert.match(stdout, /^Symbol: TAMIS_TEXT \(-?\d+\.\d\d\)\[\p{L}{3,}/mu)
    assert.match(stdout, /^Symbol: TAMIS_CLASS_TRANSACTIONS \(0\.00\)$/m)
    assert.match(stdout, /^Message-ID: 4711@shop\.example\.com$/m)
  })

  it('writes its fields into the message', async () => {
    const userId = newUser()
    await client(['-d', userId, 'learn_spam'])
    const { stdout, status } = await client(['--mime', '-d', userId])
    assert.equal(status, 0)
    assert.match(stdout, /^X-Spam: yes\r?$/m)
    assert.match(stdout, /^X-Spam-Action: add header\r?$/m)
    assert.match(stdout, /^X-Spam-Score: 25\.00 \/ 5\.00\r?$/m)
    assert.match(stdout, /^Thank you for your order 4711\./m)
  })

  it('corrects the user it names: spam, ham, and what was known before', async () => {
    const [userId, other] = [newUser(), newUser()]
    const before = await scoreFor(other)

    const spam = await client(['-d', userId, 'learn_spam'])
    assert.equal(spam.status, 0)
    assert.match(spam.stdout, /success = true/)
    assert.equal(await scoreFor(userId), 25)

    const again = await client(['-d', userId, 'learn_spam'])
    assert.equal(again.status, 0)
    assert.match(again.stdout, /This user has already made this correction \(spam\)/)

    const ham = await client(['-d', userId, 'learn_ham'])
    assert.equal(ham.status, 0)
    assert.equal(await scoreFor(userId), -15)
    assert.equal(await scoreFor(other), before)
  })
})
