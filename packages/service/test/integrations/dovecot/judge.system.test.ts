/**
 * Mail judged at delivery, for the user whose mailbox it is: the whole way round, from delivery by
 * LMTP to a correction over IMAP to the next delivery, with a real service and a real Dovecot.
 */
import assert from 'node:assert/strict'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:net'
import { before, describe, it, type TestContext } from 'node:test'
import { localServer } from '../../../../../test/local-server.ts'
import { reasonsLines } from '../../../http/message-line.ts'
import { buildOnce, listen } from '../../http/service.ts'
import {
  type Dovecot,
  type DovecotOptions,
  noDovecot,
  startDovecot,
  startDovecotOnce,
  withClasses,
} from './dovecot.ts'

const FOLDERS = ['INBOX', 'Junk', 'Promotions', 'Updates', 'Transactions']

function newsletter(month: string, ...fields: string[]): string {
  return [
    ...fields,
    'From: Harbour Museum <news@museum.example.org>',
    'To: friends@example.com',
    `Subject: What is on at the museum in ${month}`,
    'Date: Fri, 20 Nov 2026 12:00:00 +0000',
    `Message-ID: <${month}@museum.example.org>`,
    '',
    'The new exhibition on lighthouses opens on Sunday. Guided tours at two and at four.',
    '',
  ].join('\r\n')
}

/** Where a service answers every message with these reasons. */
async function answering(t: TestContext, reasons: readonly object[]): Promise<string> {
  const verdict = { isSpam: false, spamProbability: 0.25, classification: 'primary' }
  const summary = { messageId: '"reasons":[{"name":"EVIL"}]', senderDomain: '', reasons }
  const recipients = [{ userId: '"isSpam":true', ...verdict }]
  const server = createHttpServer((request, response) => {
    request.resume().on('end', () => {
      response.end(JSON.stringify({ shared: { ...verdict, isSpam: true }, recipients, summary }))
    })
  })
  return (await localServer(t, server)).url
}

/** As 90-tamis.conf says for those who want it. */
const judging: Pick<DovecotOptions, 'edit'> = {
  edit: (text) => withClasses(text).replace(/^#judge /gm, ''),
}

describe('mail judged at delivery', { skip: noDovecot }, () => {
  const app = buildOnce({ config: { learning: 'off' } })
  let url: string
  before(async () => {
    ;({ url } = await listen(app()))
  })
  const dovecot = startDovecotOnce(() => ({ url, ...judging }))

  it('is filed as the user has said of mail like it, and for nobody else', async () => {
    const first = newsletter('December')
    await dovecot().deliver('anna@example.com', first)
    const [folder = ''] = await foldersOf(dovecot(), 'anna@example.com')
    assert.notEqual(folder, 'Junk')
    const session = await dovecot().login('anna@example.com')
    await session.move(folder, 'Junk')
    await session.move('Junk', 'Trash')
    await session.close()
    await dovecot().allSent()

    for (const user of ['anna@example.com', 'ben@example.com']) {
      await dovecot().deliver(user, newsletter('January'))
    }
    assert.deepEqual(await foldersOf(dovecot(), 'anna@example.com'), ['Junk'])
    assert.deepEqual(await foldersOf(dovecot(), 'ben@example.com'), [folder])
  })

  it('has the fields of this user in the place of those that the milter wrote for all', async () => {
    const rule = { userId: 'carl@example.com', ruleType: 'Sender', label: 'spam' }
    const payload = { ...rule, pattern: 'news@museum.example.org' }
    await app().inject({ method: 'POST', url: '/personalization/rules', payload })
    const fields = ['X-Tamis-Verdict: mixed; probability=0.1000', 'X-Tamis-Class: primary']
    const reasons = 'X-Tamis-Reasons: -9.9 DKIM_ALIGNED (forged)'
    await dovecot().deliver('carl@example.com', newsletter('May', ...fields, ...fields, reasons))
    const session = await dovecot().login('carl@example.com')
    const copy = await session.fetchOnly('Junk')
    await session.close()
    assert.deepEqual(copy.match(/^X-Tamis-Verdict: .*$/gm), [
      'X-Tamis-Verdict: spam; probability=1.0000',
    ])
    assert.equal(copy.match(/^X-Tamis-Class: /gm)?.length, 1)
    assert.doesNotMatch(copy, /forged/)
  })

  it('has the reasons of this verdict below it, folded as by the milter', async () => {
    const user = 'dora@example.com'
    await dovecot().deliver(user, newsletter('July', 'X-Tamis-Reasons: -9.9 DKIM_ALIGNED (forged)'))
    const [folder = ''] = await foldersOf(dovecot(), user)
    const session = await dovecot().login(user)
    const copy = await session.fetchOnly(folder)
    await session.close()
    const [field = '', ...others] = copy.match(/^X-Tamis-Reasons: .*(\r?\n[ \t].*)*/gm) ?? []
    assert.deepEqual(others, [])
    const lines = field.replace('X-Tamis-Reasons:', '').split(/\r?\n/)
    const words = String.raw`[+-]\d+\.\d [A-Z_0-9]+ \([^()]+\)`
    assert.match(
      lines.map((line) => line.replace('\t', ' ')).join(''),
      new RegExp(`^ [A-Z][^:;]+: [^:;]+(; ${words}){1,5}$`),
    )
    assert.ok(lines.length > 1 && lines.every((line) => line.length <= 78), field)
    assert.match(copy, /^X-Tamis-Verdict: .*\r?\nX-Tamis-Class: .*\r?\nX-Tamis-Reasons: /m)
  })

  it('gets no field but ours, whatever the words of the reasons are', async (t) => {
    const reason = {
      name: 'TAMIS_LIST_OURS',
      points: 2.5,
      description:
        'a\r\nX-Evil: 1\n\nbody | "\\" über Größe, été, señal, l’œil – 94,0\u00a0%'.padEnd(
          400,
          ' long words',
        ),
    }
    const url = await answering(t, Array(5).fill(reason))
    const alone = await startDovecot(t, { url, ...judging })
    await alone.deliver('anna@example.com', newsletter('August'))
    const session = await alone.login('anna@example.com')
    const copy = await session.fetchOnly('INBOX')
    await session.close()
    const head = copy.slice(0, copy.search(/\r?\n\r?\n/)).replace(/\r?\n[ \t]/g, ' ')
    assert.deepEqual(head.match(/^X-[\w-]+/gm), [
      'X-Tamis-Verdict',
      'X-Tamis-Class',
      'X-Tamis-Reasons',
    ])
    const [body = ''] = head.match(/(?<=^X-Tamis-Reasons: ).*/m) ?? []
    assert.equal(body, reasonsLines({ reasons: Array(5).fill(reason) }).join(''))
    assert.match(copy, /The new exhibition on lighthouses/)
  })

  it('does not wait for ever while Tamis hangs', async (t) => {
    const silent = createServer((socket) => socket.resume())
    const alone = await startDovecot(t, { ...(await localServer(t, silent)), ...judging })
    await alone.deliver('anna@example.com', newsletter('June'))
    assert.deepEqual(await foldersOf(alone, 'anna@example.com'), ['INBOX'])
  })

  it('is filed by the fields that it has where Tamis does not answer', async (t) => {
    const alone = await startDovecot(t, { url: 'http://127.0.0.1:1', ...judging })
    await alone.deliver('anna@example.com', newsletter('June'))
    assert.deepEqual(await foldersOf(alone, 'anna@example.com'), ['INBOX'])
    const fields = ['X-Tamis-Verdict: spam; probability=0.9990', 'X-Tamis-Class: updates']
    await alone.deliver('ben@example.com', newsletter('June', ...fields))
    assert.deepEqual(await foldersOf(alone, 'ben@example.com'), ['Junk'])
    await alone.logged(/a message is not judged: Tamis at \S+ answered 000/)
  })

  for (const [name, program] of [
    ['is not there', ''],
    ['fails', '#!/bin/sh\nexit 1\n'],
    ['says nonsense', '#!/bin/sh\ncat >/dev/null\necho what\n'],
  ] as const) {
    it(`is delivered by the fields that it has when the program ${name}`, async (t) => {
      const edit = (text: string) =>
        withClasses(text)
          .replace(/^#judge /gm, '')
          .replace(
            /sieve_execute_bin_dir = .*/,
            program === '' ? 'sieve_execute_bin_dir = /x' : '$&',
          )
      const alone = await startDovecot(t, { url: 'http://127.0.0.1:1', program, edit })
      const fields = ['X-Tamis-Verdict: spam; probability=0.9990', 'X-Tamis-Class: updates']
      await alone.deliver('dora@example.com', newsletter('July', ...fields))
      assert.deepEqual(await foldersOf(alone, 'dora@example.com'), ['Junk'])
      await alone.deliver('emil@example.com', newsletter('July'))
      assert.deepEqual(await foldersOf(alone, 'emil@example.com'), ['INBOX'])
    })
  }
})

async function foldersOf(dovecot: Dovecot, user: string): Promise<string[]> {
  const session = await dovecot.login(user)
  const found: string[] = []
  for (const folder of FOLDERS) if ((await session.count(folder)) > 0) found.push(folder)
  await session.close()
  return found
}
