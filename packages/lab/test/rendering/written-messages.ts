/** Written messages for the tests of rendering: one of each layout, in the form of written/*.jsonl. */
import type { WrittenMessage } from '../../rendering/written-message.ts'

const SALE: WrittenMessage = {
  id: 'sale',
  spam: false,
  class: 'promotions',
  lang: 'en',
  kind: 'shoe sale',
  from_name: 'Żółw & Sons, Ltd.',
  from_addr: 'offers@news.walkwell.example',
  reply_to: 'care@walkwell.example',
  to_name: 'Marcus',
  subject: 'Walk again – 20% off by Sunday',
  bulk: true,
  body: '# First step\n\nGet **one pair** for $39, save 20%.\n\n- blue\n- brown\n\n[Shop now](https://shop.walkwell.example/one?a=1&b=2)\n\n| Item | Price |\n|---|---|\n| Boots | $39 |\n\n[Unsubscribe](https://walkwell.example/u) · 4 Mill Lane',
}

const NOTICE: WrittenMessage = {
  ...SALE,
  id: 'notice',
  class: 'transactions',
  kind: 'order',
  from_name: 'Walkwell',
  from_addr: 'orders@walkwell.example',
  reply_to: null,
  to_name: null,
  subject: 'Your order 48213 is on its way',
  body: 'Hello,\n\nyour order **48213** left our warehouse.\n\n[Track it](https://walkwell.example/t)',
}

const LETTER: WrittenMessage = {
  ...SALE,
  id: 'letter',
  class: 'primary',
  kind: 'reply',
  from_name: 'Nora Quist',
  from_addr: 'nora@quist-architects.example',
  reply_to: null,
  subject: 'Re: Window seven',
  bulk: false,
  body: 'Dear Marcus,\n\nthe café drawing is attached: 5 < 7 & all that.\n\nNora\n\nOn Mon, 3 Mar 2025 at 09:10, Marcus wrote:\n\n> Which window?\n>\n> M.',
}

const POST: WrittenMessage = {
  ...LETTER,
  id: 'post',
  class: 'updates',
  kind: 'mailing list patch',
  from_addr: 'anselm@gmail.example',
  subject: '[PATCH 1/2] fix the lock',
  bulk: true,
  body: 'It hangs.\n\n    +static int lock;\n\n-- \n2.43.0',
}

const BOUNCE: WrittenMessage = {
  ...LETTER,
  id: 'bounce',
  class: 'updates',
  kind: 'bounce notice',
  from_name: 'Mail Delivery System',
  from_addr: 'MAILER-DAEMON@relay.example',
  subject: 'Undelivered Mail Returned to Sender',
  body: '<anna@nowhere.example>: unknown user',
}

export const WRITTEN = { SALE, NOTICE, LETTER, POST, BOUNCE }
