/**
 * Simulates a service with many users: over some weeks honest users correct mail that they get at random,
 * and malicious accounts do what they can. What has been learned then judges mail that nobody corrected.
 */
import { withDeltas } from '../../../mail/learning/deltas.ts'
import { Learner } from '../../../mail/learning/learn.ts'
import type { Canary } from '../../../mail/models/canary.ts'
import type { Models } from '../../../mail/models/models.ts'
import { logit } from '../../../mail/models/prediction.ts'
import { randomSource, shuffled } from '../../training/random.ts'
import { correctionOf, fused, type Letter, type Report } from '../letters.ts'
import { oneMinusAuc, shareOf } from '../metrics.ts'
import type { Attack } from './attacks.ts'

/** Letters that users correct, and letters that nobody sees before they judge the model. */
export interface Mail {
  readonly corrected: readonly Letter[]
  readonly leftOut: readonly Letter[]
}

export interface Simulation {
  readonly base: Models
  readonly mail: Mail
  readonly canary: Canary
  /** Honest ones and malicious accounts; a malicious account takes the place of an honest user. */
  readonly users: number
  /** Corrections of each honest user, over all days. */
  readonly corrections: number
  readonly days: number
  /** Accounts, and poisoned corrections of each per day. */
  readonly malicious?: { readonly attack: Attack; readonly users: number; readonly perDay: number }
  readonly seed: number
  /** Letters whose loss is also measured apart; none when absent. */
  readonly watched?: (letter: Letter) => boolean
}

export interface Damage {
  /** 1-AUC on left-out mail. */
  readonly oneMinusAuc: number
  /** Share of left-out ham above the threshold `balanced`. */
  readonly hamLost: number
  /** Share of left-out spam above it. */
  readonly spamCaught: number
  /** Share of the watched letters' ham that is lost; NaN without any. */
  readonly watchedLost: number
  /** Largest change of the logit of a left-out message, either way. */
  readonly shift: number
  /** How often what was learned was refused, because it judged the canary set worse. */
  readonly refused: number
}

const DAY_MS = 24 * 60 * 60 * 1000
const START_MS = Date.UTC(2026, 0, 1)

/** Share of domains that authenticate their mail: a domain signs all of its mail or none. */
const AUTHENTICATED_SHARE = 0.8

export function simulate(simulation: Simulation): Damage {
  const { base, mail, canary, watched = () => false } = simulation
  const learner = new Learner(base, canary, { mode: 'users' })
  const reports = [...honestReports(simulation), ...poisonedCorrections(simulation)]
  reports.sort((a, b) => a.at.getTime() - b.at.getTime())
  for (const report of reports) learner.take(correctionOf(report))
  const { deltas, refused } = learner.learned()
  const models = withDeltas(base, deltas)
  const { hamLost: watchedLost } = judge(models, mail.leftOut.filter(watched))
  const shifts = mail.leftOut.map((letter) =>
    Math.abs(fused(models, letter).logit - fused(base, letter).logit),
  )
  return {
    ...judge(models, mail.leftOut),
    watchedLost,
    shift: shifts.reduce((most, shift) => Math.max(most, shift), 0),
    refused,
  }
}

/** How `models` judge `letters`. */
export function judge(
  models: Models,
  letters: readonly Letter[],
): Pick<Damage, 'oneMinusAuc' | 'hamLost' | 'spamCaught'> {
  const threshold = logit(models.fusion.thresholds.balanced)
  const scored = letters.map((letter) => ({
    score: fused(models, letter).logit,
    spam: letter.spam,
  }))
  const called = (spam: boolean) =>
    shareOf(
      scored.filter((letter) => letter.spam === spam),
      ({ score }) => score > threshold,
    )
  return {
    oneMinusAuc: oneMinusAuc(scored),
    hamLost: called(false),
    spamCaught: called(true),
  }
}

function honestReports(simulation: Simulation): Report[] {
  const { mail, users, malicious, corrections, days, seed } = simulation
  const honestUsers = users - (malicious?.users ?? 0)
  const random = randomSource(seed)
  const authenticated = authenticatedDomains(mail.corrected, random)
  const reports = Array.from({ length: users * corrections }, (_, i): Report => {
    const letter = mail.corrected[Math.floor(random() * mail.corrected.length)]!
    const at = new Date(START_MS + random() * days * DAY_MS)
    const said = { authority: 'user', userId: `user ${i % users}`, spam: letter.spam } as const
    return {
      id: `honest ${i}`,
      letter,
      at,
      ...said,
      authenticated: authenticated.has(letter.domain),
    }
  })
  return reports.filter((_, i) => i % users < honestUsers)
}

function poisonedCorrections({ base, mail, malicious, days, seed }: Simulation): Report[] {
  if (malicious === undefined) return []
  const { attack, users, perDay } = malicious
  const random = randomSource(seed + 1)
  return attack(mail.corrected, users * perDay * days, seed, base).map((poisoned, i) => ({
    ...poisoned,
    id: `lie ${i}`,
    userId: `malicious ${i % users}`,
    authority: 'user',
    at: new Date(START_MS + (Math.floor(i / (users * perDay)) + random()) * DAY_MS),
    authenticated: true,
  }))
}

function authenticatedDomains(letters: readonly Letter[], random: () => number): Set<string> {
  const domains = [...new Set(letters.map(({ domain }) => domain))]
  const count = Math.round(domains.length * AUTHENTICATED_SHARE)
  return new Set(shuffled(domains, random).slice(0, count))
}
