/** Honest mail on which the models are sure on little evidence, and the fraud in the same dress, with the models that ship. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readKnowledge, readModels } from '../../../artifact-files/artifact-files.ts'
import { analyse } from '../../analyse.ts'
import { memoryOctets } from '../../message/octets.ts'
import { ALLOWANCE_LOGITS } from '../../verdict/allowances.ts'
import { decide } from '../../verdict/decide.ts'
import { explanationOf } from '../../verdict/diagnostic.ts'
import { type Evidence, NO_EVIDENCE } from '../../verdict/evidence.ts'
import { policyFor } from '../../verdict/policy.ts'
import { reasonsTold } from '../../verdict/told-reasons.ts'

const models = await readModels()
const knowledge = await readKnowledge()
const policy = policyFor(models, { threshold: 'balanced', spamPrior: 0.5, spamEntitled: true })
const now = new Date('2026-10-15T12:00:00Z')

const BASE64 = `${'hQEMA5kz7u'.repeat(6)}ABCD\n`.repeat(6)
const ARMOR = `-----BEGIN PGP MESSAGE-----\n\n${BASE64}=a1B2\n-----END PGP MESSAGE-----\n`
const JPEG = Buffer.concat([Buffer.from('ffd8ffe1', 'hex'), Buffer.alloc(1_500)]).toString('base64')

/** A message from `from`, signed as it claims, with the `fields` and the body that follow. */
function message(from: string, subject: string, fields: string, body: string): string {
  const domain = /@([^>]*)/.exec(from)?.[1]
  return `Received: from mx.${domain} (mx.${domain} [203.0.113.9]) by mail.reader.example with ESMTPS; Thu, 15 Oct 2026 09:12:44 +0200
From: ${from}
To: Ines Okafor <ines@reader.example>
Subject: ${subject}
Date: Thu, 15 Oct 2026 09:12:40 +0200
Message-ID: <20261015071240.GA2217@${domain}>
DKIM-Signature: v=1; a=rsa-sha256; d=${domain}; s=s1; h=from:to:subject:date; bh=g3zL; b=VnlF
MIME-Version: 1.0
${fields}

${body}
`.replaceAll('\n', '\r\n')
}

const UNSUBSCRIBE = (domain: string) =>
  `List-Unsubscribe: <https://${domain}/u/8812>\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\nContent-Type: text/plain`

/** A file beside a text in a multipart/mixed. */
function mixed(text: string, type: string, fileName: string): [string, string] {
  const file = `Content-Type: ${type}; name="${fileName}"\nContent-Disposition: attachment; filename="${fileName}"\nContent-Transfer-Encoding: base64\n\n${JPEG}`
  return ['Content-Type: multipart/mixed; boundary=b', `--b\n${text}\n--b\n${file}\n--b--`]
}

/** A page with one button, as services send it. */
function button(words: string, label: string, href: string, small = ''): [string, string] {
  const page = `<table width="600"><tr><td><p>${words}</p><a href="${href}" style="padding:12px 24px;color:#fff;background:#1a56db">${label}</a></td></tr><tr><td style="font-size:12px">${small}</td></tr></table>`
  return ['Content-Type: text/html; charset=utf-8', page]
}

const EMPTY = 'Content-Type: text/plain\n\n'

const PHOTO = message(
  'Marta Lindqvist <marta@sender.example>',
  'Photo',
  ...mixed(EMPTY, 'image/jpeg', 'IMG_2041.jpeg'),
)

const HAM: readonly (readonly [string, string])[] = [
  ['a photo without text', PHOTO],
  [
    'photos without subject, from a free mailbox',
    message(
      'Ana Roux <ana.roux@gmail.com>',
      '',
      ...mixed(EMPTY, 'image/jpeg', '20261015_181233.jpg'),
    ),
  ],
  [
    'a photo with the line of a phone',
    message(
      'Paul <paul@sender.example>',
      'photos',
      ...mixed(
        'Content-Type: text/plain; charset=utf-8\n\n\nEnvoyé de mon iPhone',
        'image/heic',
        'IMG_0012.HEIC',
      ),
    ),
  ],
  [
    'a photo with the line and the link of a phone',
    message(
      'Leila <leila@outlook.com>',
      'Screenshot',
      ...mixed(
        'Content-Type: text/html\n\n<div>Get <a href="https://aka.ms/o0ukef">Outlook for iOS</a></div>',
        'image/png',
        'Screenshot.png',
      ),
    ),
  ],
  [
    'a recording',
    message(
      'Ana <ana@sender.example>',
      'Video',
      ...mixed(EMPTY, 'video/quicktime', 'IMG_2210.MOV'),
    ),
  ],
  [
    'S/MIME about a salary',
    message(
      'Marta Lindqvist <marta@sender.example>',
      'Salary review',
      'Content-Type: application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m',
      BASE64,
    ),
  ],
  [
    'OpenPGP about a payment',
    message(
      'Alice <alice@sender.example>',
      'Urgent: bank transfer approval',
      'Content-Type: multipart/encrypted; boundary=b',
      `--b\nContent-Type: application/pgp-encrypted\n\nVersion: 1\n--b\nContent-Type: application/octet-stream; name=encrypted.asc\n\n${ARMOR}\n--b--`,
    ),
  ],
  [
    'armour about a wallet',
    message(
      'Carol <carol@sender.example>',
      'wallet password',
      'Content-Type: text/plain',
      `Hi Ines,\n\n${ARMOR}`,
    ),
  ],
  [
    'a confirmation with one button',
    message(
      'Torus Learning <no-reply@mail.torus-learning.org>',
      'Confirm your email address',
      ...button(
        'Confirm your email address to finish your registration with Torus Learning.',
        'Confirm my account',
        'https://mail.torus-learning.org/confirm/8f2a91',
        'You receive this message because an account was created with this address.',
      ),
    ),
  ],
  [
    'the same in German',
    message(
      'Radhaus <konto@radhaus-shop.de>',
      'Anmeldung',
      ...button(
        'Vielen Dank für Ihre Registrierung. Bitte bestätigen Sie Ihre E-Mail-Adresse.',
        'E-Mail bestätigen',
        'https://radhaus-shop.de/aktivieren/991',
      ),
    ),
  ],
  [
    'the activation of a product by its name',
    message(
      'DevBoard <support@devboard.example>',
      'Verify your DevBoard account',
      ...button(
        'You recently created a DevBoard account. Verify your account to start posting.',
        'Verify account',
        'https://app.devboard.example/verify',
      ),
    ),
  ],
  [
    "a charity's appeal",
    message(
      'Hilltop Foodbank <news@hilltopfoodbank.example>',
      '400 families need you this month',
      UNSUBSCRIBE('hilltopfoodbank.example'),
      'Dear Ines,\n\nthis month 400 families came to us for food. A gift of £20 feeds a family for a week. Please give today: https://hilltopfoodbank.example/donate\n\nThank you for standing with us.',
    ),
  ],
  [
    'the same in French',
    message(
      'Secours du Nord <dons@secoursdunord.example>',
      'Cet hiver, personne ne doit dormir dehors',
      `${UNSUBSCRIBE('secoursdunord.example')}; charset=utf-8`,
      'Chère Ines,\n\navec 40 EUR, vous offrez une nuit au chaud à quatre personnes. Donnez maintenant : https://secoursdunord.example/don\n\nMerci !',
    ),
  ],
]

const SPAM: readonly (readonly [string, string])[] = [
  [
    'a picture that is a link',
    message(
      'Best Meds <offers@qzmeds-shop.com>',
      'Cheap pills today only',
      ...mixed(
        'Content-Type: text/html\n\n<a href="https://qzmeds-shop.com/buy"><img src="cid:x"></a>',
        'image/png',
        'offer.png',
      ),
    ),
  ],
  [
    'a picture of an invoice',
    message(
      'Geek Squad <renew@gs-renewals.com>',
      'Your plan was renewed: $449.99',
      ...mixed(EMPTY, 'image/jpeg', 'invoice.jpg'),
    ),
  ],
  [
    'a program that looks like a photo',
    message(
      'Photo <j8821@sender.example>',
      'my photo',
      ...mixed(EMPTY, 'application/octet-stream', 'photo.jpg.exe'),
    ),
  ],
  [
    'a link to an encrypted message',
    message(
      'Secure Mail <notify@secure-msg-center.com>',
      'You have received an encrypted message',
      ...button(
        'You have received an encrypted message. Sign in with your email password to decrypt it.',
        'Click to read the message',
        'https://secure-msg-center.com/read',
      ),
    ),
  ],
  [
    'a letter in place of armour',
    message(
      'Lotto <win@lotto-intl.com>',
      'You won the lottery',
      'Content-Type: text/plain',
      '-----BEGIN PGP MESSAGE-----\n\nDear beneficiary, you have won 5 million dollars in the lottery. Send your bank details and password to receive the funds today.\n-----END PGP MESSAGE-----',
    ),
  ],
  [
    'an account that will be closed',
    message(
      'Account Team <noreply@account-center-mail.com>',
      'Verify your account',
      ...button(
        'Dear user, please verify your account to avoid suspension.',
        'Verify my account',
        'https://account-center-mail.com/v',
      ),
    ),
  ],
  [
    'a mailbox that was signed up for a migration',
    message(
      'Webmail <noreply@webmail-services-desk.com>',
      'Confirm your account for the new webmail',
      ...button(
        'Welcome to Webmail 9. Your mailbox has been selected for migration. Confirm your account.',
        'Confirm account',
        'https://webmail-services-desk.com/a',
        'If you did not request this, ignore it.',
      ),
    ),
  ],
  [
    'a confirmation that leads elsewhere',
    message(
      'Netflix <info@nf-members.com>',
      'Confirm your account',
      ...button(
        'Thanks for signing up. Confirm your account.',
        'Confirm my account',
        'https://login-forms.top/v',
      ),
    ),
  ],
  [
    'a charity that takes cryptocurrency',
    message(
      'Children Relief <help@children-relief-fund.org>',
      'Save the children now',
      UNSUBSCRIBE('children-relief-fund.org'),
      'Dear friend,\n\nchildren are dying. Donate now with Bitcoin: bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq or USDT. Every donation is doubled. https://children-relief-fund.org/btc',
    ),
  ],
]

function analysed(text: string) {
  return analyse(memoryOctets(Buffer.from(text)), { now }, models, { detail: true, knowledge })
}

const isSpam = (text: string) => decide(analysed(text), NO_EVIDENCE, policy).isSpam

describe('allowances', () => {
  for (const [what, text] of HAM) {
    it(`${what} is ham`, () => assert.equal(isSpam(text), false))
  }

  for (const [what, text] of SPAM) {
    it(`${what} is spam`, () => assert.equal(isSpam(text), true))
  }

  it('take no more than their bounds, and nothing of a message that the models find honest', () => {
    for (const [, text] of HAM) {
      const { reason, logit: taken } = analysed(text).allowance!
      assert.ok(taken <= 0 && taken >= ALLOWANCE_LOGITS[reason])
    }
    const letter = message(
      'Ben <ben@sender.example>',
      'Friday',
      'Content-Type: text/plain',
      'Hello Ines, shall we meet on Friday at six, as always? Bring the maps.\n\nBen',
    )
    assert.equal(analysed(letter).allowance, undefined)
  })

  it('are a term of an explanation that adds up, and a reason', () => {
    const analysis = analysed(PHOTO)
    const explained = explanationOf(analysis, NO_EVIDENCE, policy)
    const { for: pro, against } = explained
    assert.ok(against.some((term) => term.kind === 'allowance' && term.reason === 'NO_TEXT'))
    const sum = [...pro, ...against].reduce((total, term) => total + term.logit, 0)
    assert.ok(Math.abs(sum - explained.logit) < 1e-6)
    assert.ok(
      reasonsTold(analysis, NO_EVIDENCE, policy).some(({ name }) => name === 'TAMIS_NO_TEXT'),
    )
  })

  it('count for nothing where the sender is not who it claims to be', () => {
    const failed: Evidence = { ...NO_EVIDENCE, sender: { result: 'failed', policy: 'reject' } }
    const { against } = explanationOf(analysed(PHOTO), failed, policy)
    assert.ok(!against.some((term) => term.kind === 'allowance'))
  })

  it('leave what cannot be read to a person', () => {
    const [, encrypted] = HAM.find(([what]) => what.startsWith('S/MIME'))!
    assert.equal(decide(analysed(encrypted), NO_EVIDENCE, policy).shouldEscalate, true)
    assert.equal(decide(analysed(PHOTO), NO_EVIDENCE, policy).shouldEscalate, false)
  })
})
