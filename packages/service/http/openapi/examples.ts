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
