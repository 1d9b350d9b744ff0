import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { readMailbox } from '../../cli/mailbox.ts'

/** What a stream of a file reads at once. */
const READ_BYTES = 64 * 1024

function folder(files: Record<string, string>): string {
  const path = temporaryFolder()
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(path, name, '..'), { recursive: true })
    writeFileSync(join(path, name), text)
  }
  return path
}

async function messages(path: string, root: string): Promise<[name: string, text: string][]> {
  const found: [string, string][] = []
  for await (const { name, bytes } of readMailbox(path)) {
    found.push([name.replace(`${root}/`, ''), Buffer.from(bytes).toString()])
  }
  return found
}

describe('readMailbox', () => {
  it('reads a folder with all below it, in order, but for hidden files', async () => {
    const root = folder({ 'b.eml': 'B: 1', 'x/a.eml': 'A: 1', '.hidden': 'H: 1' })
    assert.deepEqual(await messages(root, root), [
      ['b.eml', 'B: 1'],
      ['x/a.eml', 'A: 1'],
    ])
  })

  it('reads cur and new of a Maildir, not tmp', async () => {
    const root = folder({
      'cur/1:2,S': 'A: 1',
      'new/2': 'B: 1',
      'tmp/3': 'C: 1',
      'dovecot.index': 'x',
    })
    assert.deepEqual(await messages(root, root), [
      ['cur/1:2,S', 'A: 1'],
      ['new/2', 'B: 1'],
    ])
  })

  it('reads what gzip has compressed: a message, and an mbox', async () => {
    const mbox =
      'From a@example.com Sun Jun  1 12:00:00 2025\nSubject: 1\n\n' +
      'From b@example.com Sun Jun  1 12:00:01 2025\nSubject: 2\n\n'
    const root = folder({})
    writeFileSync(join(root, 'a.eml.gz'), gzipSync('Subject: a\n\n'))
    writeFileSync(join(root, 'box.gz'), gzipSync(mbox))
    assert.deepEqual(await messages(root, root), [
      ['a.eml.gz', 'Subject: a\n\n'],
      ['box.gz#1', 'Subject: 1\n\n'],
      ['box.gz#2', 'Subject: 2\n\n'],
    ])
  })

  it('refuses a compressed file that unpacks to more than a message has', async () => {
    const root = folder({})
    writeFileSync(join(root, 'bomb.gz'), gzipSync(Buffer.alloc(65 * 1024 * 1024)))
    await assert.rejects(messages(root, root), {
      code: 'NOT_A_MESSAGE',
      message: /bomb\.gz cannot be decompressed: it has a message of more than 67108864 bytes$/,
    })
  })

  it('splits an mbox at From lines after an empty line, and unquotes the others', async () => {
    const mbox =
      'From a@example.com Sun Jun  1 12:00:00 2025\nSubject: 1\n\nFrom here\nit goes\n>From there\n\n' +
      'From b@example.com Sun Jun  1 12:00:01 2025\r\nSubject: 2\r\n\r\nend\r\n'
    const root = folder({ box: mbox })
    assert.deepEqual(await messages(join(root, 'box'), root), [
      ['box#1', 'Subject: 1\n\nFrom here\nit goes\nFrom there\n\n'],
      ['box#2', 'Subject: 2\r\n\r\nend\r\n'],
    ])
  })

  it('splits at a From line wherever the reads of the file cut it, also without a last line end', async () => {
    const line = 'From b@example.com Sun Jun  1 12:00:01 2025'
    for (let cut = 0; cut <= line.length + 4; cut += 1) {
      const first = 'From a@example.com Sun Jun  1 12:00:00 2025\r\nSubject: 1\r\n\r\n'
      const filled = `${first}${'x'.repeat(READ_BYTES - first.length - cut)}\r\n\r\n`
      const root = folder({ box: `${filled}${line}\r\nSubject: 2\r\n\r\nend` })
      const found = await messages(join(root, 'box'), root)
      assert.deepEqual(
        found.map(([name, { length }]) => [name, length]),
        [
          ['box#1', READ_BYTES - cut + 4 - first.indexOf('Subject')],
          ['box#2', 'Subject: 2\r\n\r\nend'.length],
        ],
      )
    }
  })
})
