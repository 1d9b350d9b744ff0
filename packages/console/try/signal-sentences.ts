/** Signals in words. The page has clauses for some; other signals are told by their description, which the service has. */
import { signalClause as clauseOf, type SenderStanding } from '../../mail/signals/clauses.ts'

/** What is true of a message with the signal `name`, to stand after a colon. */
export function signalClause(name: string, standing?: SenderStanding): string {
  return clauseOf(name, descriptions?.[name] ?? name, standing)
}

/** What each signal says; undefined before it is loaded. */
let descriptions: Readonly<Record<string, string>> | undefined

/** Has signals told by their descriptions, which come from the service once. */
export async function loadSignalDescriptions(): Promise<void> {
  if (descriptions !== undefined) return
  const answer = await fetch('./signals.json')
  if (!answer.ok) throw new Error(`The service has no signals.json: ${answer.status}`)
  setSignalDescriptions(await answer.json())
}

export function setSignalDescriptions(known: Readonly<Record<string, string>>): void {
  descriptions = known
}
