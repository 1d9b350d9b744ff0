/** The subject of the examples of several routes: one message, its sender, and one user. */

/** The raw message of all stream forms. */
export const MESSAGE = [
  'Received: from out12.example.net (out12.example.net [192.0.2.25])',
  '\tby mx.example.com with ESMTPS; Fri, 7 Nov 2025 18:03:31 +0000',
  'From: Harbour Street Books <orders@example.net>',
  'To: sam@example.com',
  'Subject: Your order 1048-77215 is confirmed',
  'Date: Fri, 7 Nov 2025 18:03:28 +0000',
  'Message-ID: <order-1048-77215@example.net>',
  'Content-Type: text/plain; charset=utf-8',
  '',
  'Thank you for your order, Sam.',
  '',
  '1 x The Salt Path, paperback    10.99',
  'Delivery                         2.95',
  'Total                           13.94',
  '',
  'We will write again when the parcel leaves our warehouse:',
  'https://www.example.net/orders/1048-77215',
  '',
].join('\r\n')

export const EXAMPLE_SENDER = {
  'X-Sender-IP': '192.0.2.25',
  'X-Sender-Email': 'orders@example.net',
} as const

export const USER_ID = 'user-4711'

export const STREAM_HEADERS = { ...EXAMPLE_SENDER, 'X-User-ID': USER_ID } as const

export const PATH = '/var/mail/incoming/1.eml'

export const FEEDBACK_ID = '2d94fd2c-e957-4b3b-94ff-3982fd104fb2'

export const JOB_ID = '60a2572b-44b0-491d-8871-f85196c17e50'

export const CREATED_AT = '2026-11-21T19:10:02.156Z'

/** What the service says of the message. */
export const VERDICT = {
  isSpam: false,
  spamProbability: 0.1068,
  classification: 'transactions',
  textSpamScore: 0.349,
  metaSpamScore: 0.1695,
  confidenceMargin: 0.8395,
  entropy: 0.4903,
  disagreement: 0.1794,
  shouldEscalate: false,
  bypassReason: null,
  senderAuthenticated: false,
}

export const SCORE = {
  score: 0,
  requiredScore: 5,
  sentence: 'Probably not spam: its wording is typical of wanted mail.',
  reasons: [
    { name: 'TAMIS_BASE', points: 2.7407, description: 'Where every message starts.' },
    {
      name: 'TAMIS_TEXT',
      points: -1.4219,
      description: 'The wording.',
      evidence: 'total, salt, path',
    },
  ],
}

export const CLASS_VERDICT = {
  classification: 'transactions',
  confidence: 0.9914,
  classificationProbabilities: {
    primary: 0.0027,
    promotions: 0.0009,
    updates: 0.005,
    transactions: 0.9914,
  },
  personalizationSource: null,
}
