/** The message that all examples of the OpenAPI document are about, and who sent it. */

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

export const SENDER_HEADERS = {
  'X-Sender-IP': '192.0.2.25',
  'X-Sender-Email': 'orders@example.net',
} as const
