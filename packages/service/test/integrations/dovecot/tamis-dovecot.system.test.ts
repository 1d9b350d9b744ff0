/** deploy/dovecot/tamis-dovecot by itself, as Dovecot and cron run it, against a real service. */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { before, describe, it } from 'node:test'
import { eventually } from '../../../../../test/eventually.ts'
import { temporaryFolder } from '../../../../../test/temporary-folder.ts'
import { probabilityText, reasonsLines } from '../../../http/message-line.ts'
import { buildOnce, listen } from '../../http/service.ts'

const PROGRAM = join(import.meta.dirname, '../../../../../deploy/dovecot/tamis-dovecot')

const KEY = 'k'.repeat(40)

const MESSAGE = [
  'From: Harbour Museum <news@museum.example.org>',
  'Subject: What is on at the museum in December',
  'Message-ID: <4711@museum.example.org>',
  '',
  'The new exhibition on lighthouses opens on Sunday.',
  '',
].join('\r\n')

/** Nothing listens there. */
const _NOBODY = 'http://127.0.0.1:1'

const DAY_NS = 86_400_000_000_000n

const _notRoot = process.getuid?.() !== 0 && 'only root can give a folder away'

const missing = ['curl', 'flock'].find((name) => spawnSync(name, ['--version']).status !== 0)

describe('tamis-dovecot', { skip: missing !== undefined && `${missing} is not installed` }, () => {
  const keyFolder = temporaryFolder()
  const keyFile = join(keyFolder, 'key')
  writeFileSync(keyFile, `${KEY}\n`)
  const app = buildOnce({ config: { apiKeyFile: keyFile } })
  let url: string
  before(async () => {
    ;({ url } = await listen(app()))
  })

  it('sends what the labels say about the message, with the key, in the name of the user', async () => {
    const client = open({ url, key_file: keyFile })
    assert.equal((await client.run(['ham promotions', 'Anna@Example.com'])).code, 0)
    await client.allSent()
    assert.deepEqual(await memoryOf('anna@example.com'), ['ham', 'promotions'])
    assert.deepEqual(await rulesOf('anna@example.com'), ['news@museum.example.org'])
  })

  it('keeps corrections while the key is not accepted, and says so', async () => {
    const client = open({ url })
    await client.run(['spam', 'gerd@example.com'])
    assert.equal(await client.flush(), 1)
    assert.match(client.log(), /corrections are kept: Tamis at \S+ answered 401/)
    client.set({ url, key_file: keyFile })
    assert.equal(await client.flush(), 0)
    assert.deepEqual(await memoryOf('gerd@example.com'), ['spam'])
  })

  it('loses none of many at once', async () => {
    const client = open({ url, key_file: keyFile })
    const users = Array.from({ length: 20 }, (_, i) => `many-${i}@example.com`)
    await Promise.all(users.map((user) => client.run(['spam', user])))
    await client.allSent()
    for (const user of users) assert.deepEqual(await memoryOf(user), ['spam'], user)
  })

  for (const [description, user] of [
    ['a user', 'otto@example.com'],
    ['a user whose name has quotes', `o'brien"\\$(id)@example.com`],
  ] as const) {
    it(`writes the verdict for ${description}, with the reasons as the milter folds them`, async () => {
      const client = open({ url, key_file: keyFile, user_of: 'as-is' })
      const headers = {
        authorization: `Bearer ${KEY}`,
        'content-type': 'message/rfc822',
        'x-user-ids': JSON.stringify([user]),
        'x-summary': 'true',
      }
      const path = '/classify-stream/recipients'
      const asked = await app().inject({ method: 'POST', url: path, headers, payload: MESSAGE })
      const { recipients, summary } = asked.json()
      const { spamProbability, classification } = recipients[0]
      const [verdict = '', name, ...reasons] = (await client.judge(user)).split('|')
      assert.match(verdict, /^ham; probability=0\.\d{4}(; escalate=yes)?$/)
      assert.ok(verdict.includes(`=${probabilityText(spamProbability)}`), verdict)
      assert.equal(name, classification)
      assert.deepEqual(reasons.join('|').split('\n'), reasonsLines(summary))
    })
  }

  async function memoryOf(userId: string): Promise<string[]> {
    const { items } = await get('/personalization/memory', userId)
    return items.map(({ label }: { label: string }) => label).toSorted()
  }

  async function rulesOf(userId: string): Promise<string[]> {
    const { rules } = await get('/personalization/rules', userId)
    return rules.map(({ pattern }: { pattern: string }) => pattern)
  }

  async function get(path: string, userId: string) {
    const headers = { authorization: `Bearer ${KEY}` }
    return (await app().inject({ url: path, query: { userId }, headers })).json()
  }
})

/** The program with settings and a spool of its own. */
function open(settings: Record<string, string>): FeedbackClient {
  const folder = temporaryFolder()
  return new FeedbackClient(folder, settings)
}

class FeedbackClient {
  readonly #folder: string
  readonly spool: string
  readonly #ended: Promise<unknown>[] = []
  #log = ''

  constructor(folder: string, settings: Record<string, string>) {
    this.#folder = folder
    this.spool = join(folder, 'spool')
    mkdirSync(this.spool)
    this.set(settings)
  }

  /** Writes the file of settings anew. */
  set(settings: Record<string, string>): void {
    const lines = Object.entries({ spool: this.spool, syslog: '', ...settings })
    const text = lines.map(([name, value]) => `${name}='${value}'\n`).join('')
    writeFileSync(join(this.#folder, 'conf'), text)
  }

  /** Its exit code, and whether it has read all of `message`. */
  async run(args: readonly string[], message = MESSAGE): Promise<{ code: number; wrote: boolean }> {
    const child = this.#start(['correct', ...args])
    let wrote = true
    child.stdin.on('error', () => {
      wrote = false
    })
    child.stdin.end(message)
    const [code] = await once(child, 'exit')
    return { code, wrote }
  }

  /** What it says of the message at the delivery to `user`. */
  async judge(user: string): Promise<string> {
    const child = this.#start(['judge'], { USER: user })
    child.stdin.end(MESSAGE)
    return await text(child.stdout)
  }

  /** Its exit code, once what it was told before is done: who finds another at work leaves it to that one. */
  async flush(): Promise<number> {
    await Promise.all(this.#ended)
    const [code] = await once(this.#start(['flush']), 'close')
    return code
  }

  #start(args: readonly string[], environment: Record<string, string> = {}) {
    const env = { ...environment, TAMIS_DOVECOT_CONF: join(this.#folder, 'conf') }
    const child = spawn(PROGRAM, args, { env })
    // What works in the background still holds standard error.
    this.#ended.push(once(child, 'close'))
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#log += text
    })
    return child
  }

  /** What it has written to standard error, having no syslog. */
  log(): string {
    return this.#log
  }

  spooled(): string[] {
    return readdirSync(this.spool).filter((name) => /^\d/.test(name))
  }

  /** The spool is empty, and what emptied it has ended: all it had to say is in the log. */
  async allSent(): Promise<void> {
    await eventually(() => this.spooled().length === 0, 'They are not sent')
    await Promise.all(this.#ended)
  }

  /** Makes the spool another user's. */
  giveAway(): void {
    chownSync(this.spool, 65534, 65534)
  }

  /** Makes what is in the spool so many days older. */
  age(days: number): void {
    for (const name of this.spooled()) {
      const [made = '', pid] = name.split('.')
      const older = BigInt(made) - BigInt(days) * DAY_NS
      renameSync(join(this.spool, name), join(this.spool, `${older}.${pid}`))
    }
  }
}
