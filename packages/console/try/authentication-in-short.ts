/** What is known of the sender: authenticated, not authenticated, or not checked. */
import type { DiagnosticAnswer } from '../api.ts'

export function authenticationInShort({
  email,
  result,
}: Pick<DiagnosticAnswer, 'email' | 'result'>): string {
  if (result.senderAuthenticated) return 'authenticated'
  return email.authentication === null ? 'not checked' : 'not authenticated'
}
