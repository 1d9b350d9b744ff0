/** What the service has stored about a user. */
import type { ClassRule, MemoryResult, SpamRule } from '../../client/client.ts'

export type Rule = (SpamRule & { readonly kind: 'spam' }) | (ClassRule & { readonly kind: 'class' })
export type Correction = MemoryResult['items'][number]
