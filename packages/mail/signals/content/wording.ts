/** Signals from set phrases: footers, greetings, requests, the signature. */
import type { SignalDeclarations } from '../aspect.ts'
import { type Signal, signal } from '../signal.ts'
import { type Content, matchesOf, pushPhrase } from './phrases-found.ts'

export const WORDING_SIGNALS = {
  UNSUBSCRIBE_TEXT: {
    description: 'The small print says how to unsubscribe.',
    example: 'Unsubscribe from this newsletter',
    since: '0.1.0',
  },
  COPYRIGHT_TEXT: {
    description: 'The small print claims copyright.',
    example: '\u00a9 2025 Example',
    since: '0.1.0',
  },
  VIEW_IN_BROWSER: {
    description: 'The text offers to be seen in a browser.',
    example: 'View this email in your browser',
    since: '0.1.0',
  },
  GREETING_GENERIC: {
    description: 'The reader is addressed without a name.',
    example: 'Dear customer',
    since: '0.1.0',
  },
  ACCOUNT_CONFIRMATION: {
    description: 'The reader is asked to confirm an account or a password.',
    example: 'Verify your account',
    since: '0.1.0',
  },
  SENT_FROM_PHONE: {
    description: 'The text says that it was written on a phone.',
    example: 'Sent from my phone',
    since: '0.1.0',
  },
  SIGNATURE_DELIMITER: {
    description: 'The text has a signature set off by two hyphens.',
    example: '-- and a name below',
    since: '0.1.0',
  },
} satisfies SignalDeclarations

export function wordingSignals(content: Content): Signal[] {
  const found: Signal[] = []
  pushPhrase(found, 'UNSUBSCRIBE_TEXT', content, 'unsubscribe')
  pushPhrase(found, 'COPYRIGHT_TEXT', content, 'copyright')
  pushPhrase(found, 'VIEW_IN_BROWSER', content, 'viewInBrowser')
  pushPhrase(found, 'GREETING_GENERIC', content, 'genericGreeting')
  pushPhrase(found, 'ACCOUNT_CONFIRMATION', content, 'accountConfirmation')
  if (matchesOf(content, 'sentFromPhone').some(({ start }) => isLineStart(content.text, start))) {
    found.push(signal('SENT_FROM_PHONE'))
  }
  // Two hyphens and a space on a line of their own (RFC 3676 §4.3); the space is often lost.
  if (content.text.includes('\n-- \n') || content.text.includes('\n--\n')) {
    found.push(signal('SIGNATURE_DELIMITER'))
  }
  return found
}

function isLineStart(text: string, start: number): boolean {
  return start === 0 || text[start - 1] === '\n'
}
