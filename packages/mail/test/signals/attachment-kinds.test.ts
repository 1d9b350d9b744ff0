/** Which kinds of attachments rules are told of. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { memoryOctets } from '../../message/octets.ts'
import { parseMessage } from '../../message/parse.ts'
import { attachmentKinds } from '../../signals/attachments.ts'

/** A message with attachments of these names, and of these bytes in base64. */
function kindsOf(...attachments: (readonly [fileName: string, base64?: string])[]): string[] {
  const parts = attachments.flatMap(([fileName, base64 = 'eA==']) => [
    '--b',
    'Content-Type: application/octet-stream',
    `Content-Disposition: attachment; filename="${fileName}"`,
    'Content-Transfer-Encoding: base64',
    '',
    base64,
  ])
  const lines = ['Content-Type: multipart/mixed; boundary=b', '', ...parts, '--b--', '']
  return attachmentKinds(parseMessage(memoryOctets(Buffer.from(lines.join('\r\n')))))
}

/** The first bytes of a ZIP archive whose first file has this name. */
function zipWith(fileName: string, flags = 0): string {
  const header = Buffer.alloc(30)
  header.write('PK\x03\x04', 'latin1')
  header.writeUInt16LE(flags, 6)
  header.writeUInt16LE(fileName.length, 26)
  return Buffer.concat([header, Buffer.from(fileName)]).toString('base64')
}

describe('attachmentKinds', () => {
  const cases: readonly (readonly [name: string, kinds: string[]])[] = [
    ['setup.exe', ['exe']],
    ['SETUP.EXE. .', ['exe']],
    ['invoice.pdf.scr', ['exe']],
    ['invoice.js', ['script']],
    ['run.sh', ['script']],
    ['scan.iso', ['iso']],
    ['invoice.lnk', ['lnk']],
    ['plan.docm', ['macro']],
    ['plan.docx', []],
    ['plan.doc', []],
    ['report.pdf', []],
    ['exe', []],
  ]
  for (const [name, kinds] of cases) {
    it(`are ${kinds.join(', ') || 'none'} for ${name}`, () => {
      assert.deepEqual(kindsOf([name]), kinds)
    })
  }

  it('know a program by its first bytes', () => {
    assert.deepEqual(kindsOf(['invoice.pdf', Buffer.from('MZ\x90').toString('base64')]), ['exe'])
  })

  it('look at the first file of an archive, and whether it has a password', () => {
    assert.deepEqual(kindsOf(['a.zip', zipWith('invoice.js')]), ['script'])
    assert.deepEqual(kindsOf(['a.zip', zipWith('invoice.exe', 1)]), ['exe', 'encrypted'])
    assert.deepEqual(kindsOf(['a.zip', zipWith('photo.jpg')]), [])
  })

  it('are those of all attachments, also of the hundredth', () => {
    const photos = Array.from({ length: 99 }, (_, i) => [`${i}.jpg`] as const)
    assert.deepEqual(kindsOf(...photos, ['setup.msi'], ['a.lnk']), ['exe', 'lnk'])
  })
})
