/** Whose mailbox messages are judged for: asked once, and kept as long as the tab is open. */

const NAME = 'tamis-mailbox'

/** Empty before somebody has said it. */
export function keptMailbox(): string {
  return sessionStorage.getItem(NAME) ?? ''
}

export function keepMailbox(userId: string): void {
  sessionStorage.setItem(NAME, userId)
}
