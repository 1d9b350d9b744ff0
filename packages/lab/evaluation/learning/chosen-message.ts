/**
 * How far invented users move one message that they have chosen, where nobody contradicts them.
 *
 * Each makes one harmless correction. From two days later on each corrects, twice a week, a message with the words of the
 * chosen one, under a Message-ID of its own and from a domain that nobody else names: always the whole text, or a random half of its
 * features among as many of other mail, so that no two are nearly the same. They drive the log by themselves, as one caller
 * with a key can.
 */
import type { SparseVector } from '../../../mail/features/sparse-vector.ts'
import { withDeltas } from '../../../mail/learning/deltas.ts'
import { Learner } from '../../../mail/learning/learn.ts'
import type { Canary } from '../../../mail/models/canary.ts'
import type { Models } from '../../../mail/models/models.ts'
import { logit } from '../../../mail/models/prediction.ts'
import { randomSource, shuffledIndices } from '../../training/random.ts'
import { correctionOf, fused, type Letter } from '../letters.ts'
import { present } from './attacks.ts'

/** `same`: every correction has the text of the chosen message. `varied`: half of its features, and others'. */
export type Wording = 'same' | 'varied'

export interface ChosenMessageAttack {
  readonly base: Models
  readonly canary: Canary
  /** The message that is to be judged otherwise. */
  readonly chosen: Letter
  /** Mail that harmless corrections and other words are taken from. */
  readonly others: readonly Letter[]
  readonly ids: number
  readonly days: number
  readonly wording: Wording
  /** Whether the receiving server vouches for the domains of the malicious accounts. */
  readonly authenticated: boolean
}

const DAY_MS = 24 * 60 * 60 * 1000
const START_MS = Date.UTC(2026, 0, 5)

/** As many as count. */
const PER_WEEK = 2

/** From the harmless corrections to the first poisoned correction. */
const WAIT_DAYS = 2

/** By how much the fused logit of the chosen message has moved towards the poisoned label in the end. */
export function movedBy(attack: ChosenMessageAttack): number {
  const { base, canary, chosen } = attack
  const learner = new Learner(base, canary, { mode: 'users' })
  for (const report of reportsOf(attack)) learner.take(correctionOf(report))
  const learned = withDeltas(base, learner.learned().deltas)
  const moved = fused(learned, chosen).logit - fused(base, chosen).logit
  return chosen.spam ? -moved : moved
}

/** The message of `letters` that is nearest to the threshold on its right side, and the one that is farthest from it. */
export function chosenFrom(base: Models, letters: readonly Letter[], spam: boolean): Letter[] {
  const threshold = logit(base.fusion.thresholds.balanced)
  const beyond = letters
    .filter((letter) => letter.spam === spam)
    .map((letter) => ({
      letter,
      beyond: (fused(base, letter).logit - threshold) * (spam ? 1 : -1),
    }))
    .filter((each) => each.beyond > 0)
    .sort((a, b) => a.beyond - b.beyond)
  return [beyond[0]!.letter, beyond.at(-1)!.letter]
}

function reportsOf({ chosen, others, ids, days, wording, authenticated }: ChosenMessageAttack) {
  const random = randomSource(ids * 1_000 + days)
  const another = () => others[Math.floor(random() * others.length)]!
  const harmless = Array.from({ length: ids }, (_, i) => ({
    letter: another(),
    user: i,
    at: START_MS,
    isPoisoned: false,
  }))
  // Whoever has a day corrects at once; a week has room for two.
  const rounds = Math.max(1, Math.floor(days / 7)) * PER_WEEK
  const poisoned = Array.from({ length: ids * rounds }, (_, i) => {
    const round = Math.floor(i / ids)
    const id = `lie ${i}`
    // Where nobody vouches for the sender, several ids have to name the same domain.
    const domain = authenticated ? `l${i}.example` : `l${round}.example`
    const text = wording === 'same' ? chosen.text : mixed(chosen.text, another().text, random)
    return {
      letter: { ...chosen, id, domain, text },
      user: i % ids,
      at: START_MS + (WAIT_DAYS + (round / rounds) * days) * DAY_MS + i,
      isPoisoned: true,
    }
  })
  return [...harmless, ...poisoned].map(({ letter, user, at, isPoisoned }, i) => ({
    id: `${i}`,
    letter,
    spam: isPoisoned ? !letter.spam : letter.spam,
    userId: `id ${user}`,
    authority: 'user' as const,
    at: new Date(at),
    authenticated,
  }))
}

/** A random half of the features of `text`, and as many of `other`, each as large as in a text of as many. */
function mixed(text: SparseVector, other: SparseVector, random: () => number): SparseVector {
  const half = Math.ceil(text.indices.length / 2)
  const some = ({ indices }: SparseVector) =>
    Array.from(shuffledIndices(indices.length, random).subarray(0, half), (at) => indices[at]!)
  const indices = Uint32Array.from(new Set([...some(text), ...some(other)])).sort()
  return present(indices, text.size)
}
