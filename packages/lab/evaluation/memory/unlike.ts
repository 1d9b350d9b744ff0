/**
 * How often does a memory decide about mail that it should have nothing to say about: mail of
 * other campaigns and other senders' domains than all of its items? Such a decision is a flip
 * where it is wrong.
 */

import { packMemory } from '../../../mail/personalization/memory.ts'
import { memoryVote } from '../../../mail/personalization/memory-votes.ts'
import { UNKNOWN_SENDER } from '../../../mail/personalization/rules.ts'
import { randomSource, shuffled } from '../../training/random.ts'
import { queryOf, storedItem } from '../memory-items.ts'
import { haveOneTemplate } from './campaigns.ts'
import type { MemorySample } from './samples.ts'

/** Corrections that the user has made. */
const MEMORY_ITEMS = 100

/** Users, each with corrections drawn anew, and messages asked about for each. */
const USERS = 30
const MESSAGES = 600

const SEED = 5

/** Messages unlike all in the memory, and how many of them were decided against their label. */
export interface Flips {
  readonly messages: number
  readonly hamToSpam: number
  readonly spamToHam: number
  /** Decided at all, rightly or wrongly. */
  readonly decided: number
}

/** By the memory's vote, as if all embeddings agreed: with them it decides about no more. */
export function flipsOf(samples: readonly MemorySample[]): Flips {
  const random = randomSource(SEED)
  const all = { messages: 0, hamToSpam: 0, spamToHam: 0, decided: 0 }
  for (let user = 0; user < USERS; user++) {
    const mail = shuffled(samples, random)
    const items = mail.slice(0, MEMORY_ITEMS)
    const memory = packMemory(items.map((item) => storedItem(item, labelOf(item))))
    for (const sample of unlike(items, mail.slice(MEMORY_ITEMS)).slice(0, MESSAGES)) {
      const query = { ...queryOf(sample), embedding: 'agrees' } as const
      const label = memoryVote(memory, query, UNKNOWN_SENDER)?.label
      all.messages++
      if (label !== undefined) all.decided++
      if (label === 'spam' && !sample.spam) all.hamToSpam++
      if (label === 'ham' && sample.spam) all.spamToHam++
    }
  }
  return all
}

function unlike(items: readonly MemorySample[], samples: readonly MemorySample[]): MemorySample[] {
  const groups = new Set(items.map(({ group }) => group))
  const domains = new Set(items.map(({ patterns }) => patterns.senderDomain))
  return samples.filter(
    ({ group, patterns }) => !groups.has(group) && !domains.has(patterns.senderDomain),
  )
}

function labelOf({ spam }: MemorySample): 'spam' | 'ham' {
  return spam ? 'spam' : 'ham'
}

/** Pairs of different campaigns of one sender's domain, and how many have one template all the same. */
export interface TemplateConfusions {
  readonly pairs: number
  readonly matched: number
}

/** Messages of a domain with which each one is compared. */
const COMPARED_MAX = 8

export function templateConfusions(samples: readonly MemorySample[]): TemplateConfusions {
  const all = { pairs: 0, matched: 0 }
  const named = samples.filter(({ patterns }) => patterns.template !== undefined)
  const bySender = Map.groupBy(named, (one) => `${one.source} ${one.patterns.senderDomain}`)
  for (const ofSender of bySender.values()) {
    ofSender.forEach((one, i) => {
      for (const other of ofSender.slice(i + 1, i + 1 + COMPARED_MAX)) {
        if (one.group === other.group) continue
        all.pairs++
        if (haveOneTemplate([one, other])) all.matched++
      }
    })
  }
  return all
}

/** The same for random pairs of any senders. */
export function randomConfusions(samples: readonly MemorySample[]): TemplateConfusions {
  const mail = shuffled(samples, randomSource(SEED))
  const all = { pairs: 0, matched: 0 }
  for (let i = 1; i < mail.length; i++) {
    const [one, other] = [mail[i - 1]!, mail[i]!]
    if (one.group === other.group) continue
    all.pairs++
    if (haveOneTemplate([one, other])) all.matched++
  }
  return all
}
