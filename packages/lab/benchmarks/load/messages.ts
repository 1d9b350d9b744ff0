/** Messages of 5 KB, each one different: what a small message of a shop looks like. */

export const SHOP_WORDS =
  'your parcel from the garden shop is on its way and will be there on friday before noon thank you'

const LINES = 60

export function shopMessages(count: number): Buffer[] {
  return Array.from({ length: count }, (_, i) => Buffer.from(shopMessage(i)))
}

export function shopMessage(i: number): string {
  const lines = Array.from(
    { length: LINES },
    (_, line) => `${SHOP_WORDS.slice(line % 40)} ${i * line}`,
  )
  return [
    `From: Shop <orders-${i}@shop-${i % 50}.example.com>`,
    `Subject: Your order ${i}`,
    `Message-ID: <${i}@shop.example.com>`,
    '',
    ...lines,
  ].join('\r\n')
}
