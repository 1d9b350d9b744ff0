/** Which kinds of attachments rules are told of. */

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { attachmentKinds } from '../../signals/attachments.ts'
import { parsed } from '../helpers/parsed.ts'

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
  return attachmentKinds(parsed(lines.join('\r\n')))
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
  const cases = {
    exe: 'setup.exe|SETUP.EXE. .|invoice.pdf.scr|setup.exe::$DATA|setup.exe:a:$data .|update.msu',
    script: 'invoice.js|run.sh|a.sct|a.wsc|a.pyw|a.pyz|a.ksh|a.theme|a.diagcab',
    iso: 'scan.iso',
    lnk: 'invoice.lnk|a.url|a.website|a.rdp|a.appref-ms',
    macro: 'plan.docm|a.iqy|a.slk|a.onepkg|a.accde',
    none: 'plan.docx|plan.doc|report.pdf|exe|page.html::$DATA',
  }
  for (const [kind, names] of Object.entries(cases)) {
    it(`are ${kind} for ${names}`, () => {
      const expected = kind === 'none' ? [] : [kind]
      for (const name of names.split('|')) assert.deepEqual(kindsOf([name]), expected, name)
    })
  }

  it('know a program by each of its names', () => {
    for (const fields of [
      'Content-Type: application/octet-stream; name="a.exe"\nContent-Disposition: attachment; filename="a.pdf"',
      'Content-Type: application/octet-stream; name="a.pdf"\nContent-Disposition: attachment; filename="a.exe"',
      'Content-Type: application/pdf\nContent-Disposition: attachment; filename="a.exe"; filename*=utf-8\'\'a.pdf',
      'Content-Type: application/octet-stream; filename="a.exe"',
    ]) {
      const message = parsed(`${fields}\n\nx`)
      assert.deepEqual(attachmentKinds(message), ['exe'], fields)
    }
  })

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
