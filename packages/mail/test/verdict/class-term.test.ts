/** The classes that are stated, with the models that ship. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readModels } from '../../../artifact-files/artifact-files.ts'
import { analyse } from '../../analyse.ts'
import { memoryOctets } from '../../message/octets.ts'
import { decide } from '../../verdict/decide.ts'
import { NO_EVIDENCE } from '../../verdict/evidence.ts'
import { policyFor } from '../../verdict/policy.ts'

const models = await readModels()
const policy = policyFor(models, { threshold: 'balanced', spamPrior: 0.5, spamEntitled: true })
const now = new Date('2026-10-15T12:00:00Z')

function classOf(from: string, subject: string, body: string, more = ''): string {
  const message = `From: ${from}\nTo: ines@reader.example\nSubject: ${subject}\nDate: Thu, 15 Oct 2026 09:12:40 +0200\nMessage-ID: <8802@${from.split('@')[1]}\n${more}MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\n${body}\n`
  const analysis = analyse(memoryOctets(Buffer.from(message)), { now }, models)
  return decide(analysis, NO_EVIDENCE, policy).classification
}

const CLOUDHOST = 'Cloudhost <noreply@cloudhost.example>'

const UNSUBSCRIBE = 'List-Unsubscribe: <https://stopdedijk.example/u/1>\n'

describe('the class of a security notice that asks for something', () => {
  for (const [subject, body] of [
    [
      '[Action Required] Mandatory multi-factor authentication for your account',
      'All accounts with access to the Cloud Console must use multi-factor authentication. Your account does not have it yet. Turn it on before that day, or you will not be able to sign in.\n\nhttps://console.cloudhost.example/security\n\nThe Cloudhost team',
    ],
    [
      'Security alert: rotate your exposed API key',
      'Hello Ines,\n\nwe found an API key of your account in a public repository. Revoke it as soon as possible:\n\nhttps://console.cloudhost.example/keys',
    ],
    [
      'Handlungsbedarf: Zwei-Faktor-Authentifizierung',
      'Hallo Ines,\n\nab dem 1. Dezember ist die Zwei-Faktor-Authentifizierung erforderlich. Bitte richten Sie sie bis dahin ein: https://cloudhost.example/2fa',
    ],
  ] as const) {
    it(`${subject}: primary`, () => assert.equal(classOf(CLOUDHOST, subject, body), 'primary'))
  }

  for (const [subject, body] of [
    [
      'Updates to our terms of service',
      'Hello,\n\nwe are updating our terms of service and privacy policy on 1 December. You do not have to do anything. Read the new terms at https://cloudhost.example/terms.\n\nThe Cloudhost team',
    ],
    [
      'Scheduled maintenance: sign-in service',
      'The sign-in service will be unavailable on 1 November between 02:00 and 03:00 UTC. No action is required.\n\nhttps://status.cloudhost.example',
    ],
  ] as const) {
    it(`${subject}: updates`, () => assert.equal(classOf(CLOUDHOST, subject, body), 'updates'))
  }

  it('is that of news for what many receive', () => {
    const body =
      'This month in security: multi-factor authentication supports passkeys. Set up yours and read more: https://cloudhost.example/blog/security'
    const bulk = 'List-Unsubscribe: <https://cloudhost.example/u/1>\n'
    assert.equal(classOf(CLOUDHOST, 'What is new in security: October', body, bulk), 'updates')
  })
})

describe('the class of an appeal', () => {
  it('is promotions, also where it reads like a letter', () => {
    const body =
      'Beste Ines,\n\nnog vier dagen om de rechtszaak te betalen. Doneer 10 euro: https://stopdedijk.example/doneer\n\nBedankt!'
    const from = 'Stop de Dijk <info@stopdedijk.example>'
    assert.equal(classOf(from, 'Nog 4 dagen', body, UNSUBSCRIBE), 'promotions')
  })
})
