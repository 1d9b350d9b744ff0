/** What the form of the history asks for, as it is typed and as the service takes it. */
import { nameIn } from '../ui/page-address.ts'

export interface Search {
  readonly messageId: string
  readonly sender: string
  readonly recipient: string
  readonly verdict: '' | 'spam' | 'ham' | 'escalated'
  /** How far back; 0 for all that is kept. */
  readonly hours: number
  /** When it was asked, in milliseconds since 1970. */
  readonly at: number
}

/** Empty fields are not searched for. */
export const EVERYTHING: Search = {
  messageId: '',
  sender: '',
  recipient: '',
  verdict: '',
  hours: 0,
  at: 0,
}

/** The search for one message, by the address of which `hash` is the fragment. */
export function searchIn(hash: string): Search {
  return { ...EVERYTHING, messageId: nameIn(hash, 'history') ?? '' }
}

const HOUR_MS = 60 * 60 * 1000

export function isEverything({ at: _, ...fields }: Search): boolean {
  return Object.values(fields).every((value) => value === '' || value === 0)
}

export function questionOf({ messageId, sender, recipient, verdict, hours, at }: Search) {
  const known = (value: string) => (value.trim() === '' ? undefined : value.trim())
  return {
    messageId: known(messageId),
    sender: known(sender),
    recipient: known(recipient),
    verdict: verdict === 'spam' || verdict === 'ham' ? verdict : undefined,
    escalated: verdict === 'escalated' ? ('true' as const) : undefined,
    since: hours === 0 ? undefined : new Date(at - hours * HOUR_MS).toISOString(),
  }
}
