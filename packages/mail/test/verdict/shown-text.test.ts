/**
 * An offer that is spam as it stands is spam in each form in which mail programs show it, and what
 * somebody else's message or an encrypted one says is not held against who sends it.
 */
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { readModels } from '../../../artifact-files/artifact-files.ts'
import { analyse } from '../../analyse.ts'
import { memoryOctets } from '../../message/octets.ts'
import type { Models } from '../../models/models.ts'
import { decide } from '../../verdict/decide.ts'
import { NO_EVIDENCE } from '../../verdict/evidence.ts'
import { policyFor } from '../../verdict/policy.ts'
import {
  base64Lines,
  mapiProperties,
  signedData,
  streamedSignedData,
  tnef,
} from '../helpers/containers.ts'

const OFFER =
  'Congratulations! Your email address has won 1,500,000 USD in our online lottery. ' +
  'To claim your prize, send your full name, your address and your bank details to the claims agent ' +
  'today, and pay the transfer fee of 250 USD by Western Union. The prize is lost after 48 hours.'
const PAGE = `<html><body><p>${OFFER}</p></body></html>`

const HEADER = `Received: from mx.sender.example (mx.sender.example [203.0.113.9])
\tby mail.reader.example with ESMTPS id 4C1F2A
\tfor <ines@reader.example>; Thu, 15 Oct 2026 09:12:44 +0200
From: Claims <claims@sender.example>
To: ines@reader.example
Subject: Your prize
Date: Thu, 15 Oct 2026 09:12:40 +0200
Message-ID: <20261015071240.GA2217@mx.sender.example>
MIME-Version: 1.0
`

const NOTE = 'Content-Type: text/plain\n\nHello, please see below.\n'

function mixed(...parts: readonly string[]): string {
  const body = parts.map((part) => `--b\n${part}\n`).join('')
  return `Content-Type: multipart/mixed; boundary=b\n\n${body}--b--\n`
}

function base64(type: string, content: string | Uint8Array, more = ''): string {
  const lines = base64Lines(Buffer.from(content))
  return `Content-Type: ${type}\n${more}Content-Transfer-Encoding: base64\n\n${lines}`
}

const ENTITY = `Content-Type: text/html\r\n\r\n${PAGE}`
const EVENT = `BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:Your prize\nDESCRIPTION:${OFFER.replaceAll(',', '\\,').replace(/.{60}/g, '$&\n ')}\nEND:VEVENT\nEND:VCALENDAR\n`
const PADDED = PAGE.match(/.{1,55}/g)!
  .map((line) => btoa(line))
  .join('\n')

const FORMS: Readonly<Record<string, string>> = {
  'a page': base64('text/html', PAGE),
  'a text of another kind under a file name': mixed(
    NOTE,
    base64('text/x-notes; name="a.log"', OFFER),
  ),
  'a page whose type says nothing': mixed(
    NOTE,
    base64('application/octet-stream; name="a.html"', PAGE),
  ),
  'an event that is attached': mixed(
    NOTE,
    base64('text/calendar; name="a.ics"', EVENT, 'Content-Disposition: attachment\n'),
  ),
  'a signed message': base64('application/pkcs7-mime; smime-type=signed-data', signedData(ENTITY)),
  'a signed message in pieces': base64('application/pkcs7-mime', streamedSignedData(ENTITY)),
  'a winmail.dat': mixed(
    NOTE,
    base64(
      'application/ms-tnef; name="winmail.dat"',
      tnef([0x00069003, mapiProperties([0x102, 0x1013, Buffer.from(PAGE)])]),
    ),
  ),
  'the first piece of a message': `Content-Type: message/partial; number=1; total=2; id=a\n\n${base64('text/html', PAGE)}`,
  'base64 with a dash': base64('text/html', PAGE).replace('\n\n', '\n\n-'),
  'base64 with an underscore': base64('text/html', PAGE).replace('\n\n', '\n\n_'),
  'base64 in padded lines with another character': `Content-Type: text/html\nContent-Transfer-Encoding: base64\n\n${PADDED.replace('=\n', '=\n!')}`,
  'an encoding that is spelled with a blank': `Content-Type: text/html\nContent-Transfer-Encoding: quoted printable\n\n${PAGE.replaceAll('p', '=70')}`,
  'plain text above a long page': mixed(
    `Content-Type: text/plain\n\n${OFFER}`,
    `Content-Type: text/html\n\n<p>${'Half past ten suits me better, I have to take Jonas to the dentist first. The front is closed while they do the paving. '.repeat(4)}</p>`,
  ),
  'an attached message beside nothing': `Content-Type: message/rfc822\n\nSubject: x\n${base64('text/html', PAGE)}`,
}

describe('an offer', () => {
  let models: Models
  before(async () => {
    models = await readModels()
  })

  function judged(header: string, body: string) {
    const octets = memoryOctets(Buffer.from((header + body).replaceAll(/\r?\n/g, '\r\n'), 'latin1'))
    const analysis = analyse(octets, { now: new Date('2026-11-17T09:00:00Z') }, models)
    const policy = policyFor(models, {
      threshold: 'balanced',
      spamPrior: 0.5,
      spamEntitled: true,
    })
    const { isSpam, shouldEscalate } = decide(analysis, NO_EVIDENCE, policy)
    return { isSpam, shouldEscalate }
  }

  for (const [name, body] of Object.entries(FORMS)) {
    it(`is spam as ${name}`, () => assert.equal(judged(HEADER, body).isSpam, true))
  }

  const person = HEADER.replace('Claims <claims@', 'Marta Lindqvist <marta@')
    .replace('To: ines@', 'To: Ines Okafor <ines@')
    .replace('ines@reader.example\nSubject', 'ines@reader.example>\nSubject')
    .replace('Subject: Your prize', 'Subject: A strange message')

  it('that somebody attaches to a question is looked at, and no spam of theirs', () => {
    const question =
      'Content-Type: text/plain\n\nHello Ines, I got this message this morning and have not clicked anything. Is it dangerous, and should I delete it?\n\nMarta'
    const attached = `Content-Type: message/rfc822\n\nSubject: Your prize\n${FORMS['a page']}`
    assert.deepEqual(judged(person, mixed(question, attached)), {
      isSpam: false,
      shouldEscalate: true,
    })
  })
  it('may be in an encrypted message, which is looked at and no spam for that', () => {
    const encrypted = base64(
      'application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m',
      Buffer.alloc(900, 0xa7),
    )
    assert.deepEqual(judged(person, encrypted), { isSpam: false, shouldEscalate: true })
  })
})
