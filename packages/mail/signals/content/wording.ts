/** Signals from set phrases: footers, greetings, requests, the signature. */
import { type Signal, signal } from '../signal.ts'
import { type Content, matchesOf, pushPhrase } from './phrases-found.ts'

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
