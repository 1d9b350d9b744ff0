/** Signals from set phrases: footers, greetings, requests, the signature. */
import type { SignalDeclarations } from '../aspect.ts'
import { type Signal, signal } from '../signal.ts'
import { type Content, matchesOf, pushPhrase } from './phrases-found.ts'

export const WORDING_SIGNALS = {
  UNSUBSCRIBE_TEXT: `The small print says how to unsubscribe.
    Unsubscribe from this newsletter`,
  COPYRIGHT_TEXT: `The small print claims copyright.
    \u00a9 2025 Example`,
  VIEW_IN_BROWSER: `The text offers to be seen in a browser.
    View this email in your browser`,
  GREETING_GENERIC: `The reader is addressed without a name.
    Dear customer`,
  ACCOUNT_CONFIRMATION: `The reader is asked to confirm an account or a password.
    Verify your account`,
  SENT_FROM_PHONE: `The text says that it was written on a phone.
    Sent from my phone`,
  SIGNATURE_DELIMITER: `The text has a signature set off by two hyphens.
    -- and a name below`,
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
