/** What is known of corpus mail beside its bytes: it comes from a folder, whatever day it is. */
import { readKnowledge } from '../../artifact-files/artifact-files.ts'
import type { Knowledge } from '../../mail/knowledge/knowledge.ts'
import type { Facts } from '../../mail/signals/signal.ts'

/**
 * Instead of the clock, by which training on another day would give other bytes: no corpus is
 * newer, and what is dated later bears a wrong date.
 */
const CORPORA_READ_AT = new Date('2027-01-01T00:00:00Z')

export const CORPUS_FACTS: Facts = { now: CORPORA_READ_AT, arrivalFallback: 'date' }

/** What is known of senders and hosts when models are trained and measured: what they are served with. */
export const CORPUS_KNOWLEDGE: Knowledge = await readKnowledge()
