/** When a message counts as encrypted, and when what it says in the clear is judged. */

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isEncrypted } from '../../signals/encrypted.ts'
import { parsed } from '../helpers/parsed.ts'

/** Lines as wide as armour has them. */
const BASE64 = `${'hQEMA5kz7u'.repeat(6)}ABCD\n`.repeat(3)

const ARMOR = `-----BEGIN PGP MESSAGE-----\n\n${BASE64}=a1B2\n-----END PGP MESSAGE-----\n`

const VERSION = 'Content-Type: application/pgp-encrypted\n\nVersion: 1\n'

/** A type as programs for S/MIME write it, and its beginning in DER with the identifier of the content. */
const SIGNED_DATA = Buffer.from('3082010006092a864886f70d010702a0', 'hex').toString('base64')

function encrypted(type: string, body: string): boolean {
  const message = `From: Ann <ann@example.com>\nSubject: Salary\nMIME-Version: 1.0\nContent-Type: ${type}\n\n${body}`
  return isEncrypted(parsed(message))
}

const parts = (...all: string[]) => `${all.map((part) => `--b\n${part}\n`).join('')}--b--\n`

describe('isEncrypted', () => {
  for (const [what, type, body] of [
    ['S/MIME', 'application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m', BASE64],
    ['authenticated S/MIME', 'application/pkcs7-mime; smime-type=authEnveloped-data', BASE64],
    ['S/MIME of an older program', 'application/x-pkcs7-mime; name=smime.p7m', BASE64],
    ['S/MIME by its file name alone', 'application/octet-stream; name=smime.p7m', BASE64],
    ['armour in a page', 'text/html', `<pre>${ARMOR}</pre>`],
    [
      'armour in a page with breaks',
      'text/html',
      `<div>Hi Ben,</div>${ARMOR.replaceAll('\n', '<br>\n')}`,
    ],
    [
      'OpenPGP in MIME',
      'multipart/encrypted; boundary=b',
      parts(VERSION, `Content-Type: application/octet-stream\n\n${ARMOR}`),
    ],
    ['armour below a greeting', 'text/plain', `Hi Ben,\n\n${ARMOR}`],
    [
      'armour with headers',
      'text/plain',
      ARMOR.replace('\n\n', '\nVersion: Mailvelope v5\nComment: https://www.mailvelope.com\n\n'),
    ],
  ] as const) {
    it(`is true of ${what}`, () => assert.equal(encrypted(type, body), true))
  }

  for (const [what, type, body] of [
    ['a letter', 'text/plain', 'Shall we meet on Friday?'],
    [
      'a letter above the armour',
      'text/plain',
      `You have won five million dollars, send us your bank details.\n\n${ARMOR}`,
    ],
    [
      'words in place of armour',
      'text/plain',
      `-----BEGIN PGP MESSAGE-----\n\nYou have won five million dollars, send us bank details.\n-----END PGP MESSAGE-----\n`,
    ],
    [
      'one word a line in place of armour',
      'text/plain',
      `-----BEGIN PGP MESSAGE-----\n${'cheap\npills\nhere\nnow\n'.repeat(3)}-----END PGP MESSAGE-----\n`,
    ],
    ['a link beside the armour', 'text/plain', `https://pills.example/buy\n\n${ARMOR}`],
    [
      'a page in multipart/encrypted',
      'multipart/encrypted; boundary=b',
      parts(VERSION, 'Content-Type: text/html\n\n<a href="https://bank.example/">Verify</a>'),
    ],
    [
      'a picture beside S/MIME',
      'multipart/mixed; boundary=b',
      parts(
        `Content-Type: application/pkcs7-mime\n\n${BASE64}`,
        'Content-Type: text/html\n\n<img src="https://pills.example/a.png">',
      ),
    ],
    ['S/MIME that says it is signed', 'application/pkcs7-mime; smime-type=signed-data', BASE64],
    [
      'S/MIME that is signed, whatever it says',
      'application/pkcs7-mime; smime-type=enveloped-data\nContent-Transfer-Encoding: base64',
      SIGNED_DATA,
    ],
  ] as const) {
    it(`is false of ${what}`, () => assert.equal(encrypted(type, body), false))
  }
})
