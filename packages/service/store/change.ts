/** A change, as those see it who follow the log of changes (changes.ts). */

/** Where a reader of the changes stands: after the change of this number in this transaction. */
export interface ChangeCursor {
  readonly transaction: number
  readonly seq: number
}

export interface Change extends ChangeCursor {
  /** What changed: one user or all, a user's correspondents, the promoted model, keys, or the operator's rules. */
  readonly topic: 'user' | 'correspondents' | 'models' | 'keys' | 'rules'
  /** The key of the user, for the topics `user` and `correspondents`; see `userKeyOf`. Absent for all users. */
  readonly userKey?: Uint8Array
}

export interface ChangesPage {
  readonly changes: readonly Change[]
  readonly cursor: ChangeCursor
}
