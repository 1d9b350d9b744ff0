/** The figures of the report on the models: outcomes -> tables. */
import type { Thresholds } from '../../mail/models/models.ts'
import { CLASSES } from '../../mail/models/prediction.ts'
import { MODERN_SOURCES } from '../corpora/sets.ts'
import { bootstrapInterval } from './bootstrap.ts'
import { headlineFigures, macroF1Of } from './headline.ts'
import {
  auc,
  BY_GROUP,
  calledSpamShare,
  householdAgainstPhishing,
  isAcceptableClass,
  isRightClass,
  isSpam,
  isUnthreadedOrSpam,
  isWrong,
  type MeasureOutcomes,
  outcomesFor,
  scoredByLogit,
  scoredByProbability,
  spamMeasurements,
  tabsMeasurements,
} from './measurements.ts'
import {
  calibrationError,
  meanOf,
  oneMinusAuc,
  type Scored,
  shareOf,
  spamCaughtAt,
} from './metrics.ts'
import type { Outcome } from './outcome.ts'
import { MESSAGES_MAX, type PeerResult, peerKey } from './peers.ts'
import type { Values } from './report.ts'

export interface Evaluated {
  readonly measures: MeasureOutcomes
  /** Empty when they were not asked for. */
  readonly peers: readonly PeerResult[]
  readonly featureVersion: string
}

export function modelFigures({ measures, peers, featureVersion }: Evaluated): Values {
  const versions = new Map(peers.map(({ name, version }) => [name, version ?? 'not installed']))
  return {
    featureVersion,
    headline: headlineFigures(measures),
    sources: sources(measures),
    modernSources: MODERN_SOURCES.join(', '),
    presets: presets(measures),
    languages: languages(measures),
    tabs: tabs(measures),
    installed: [...versions].map((each) => each.join(' ')).join(', '),
    messagesMax: MESSAGES_MAX,
    comparisons: peers.length === 0 ? [] : comparisons(measures, peers),
  }
}

/** By source: how both models and their fusion rank, and what is caught and lost at thresholds of its own and at the shipped one. */
function sources(measures: MeasureOutcomes): Values[] {
  return spamMeasurements(measures).map(({ title, outcomes }) => {
    const by = (score: 'textProbability' | 'metaProbability') =>
      oneMinusAuc(outcomes.map((one) => ({ score: one[score], spam: isSpam(one) })))
    const { ham, spam } = byLabel(outcomes)
    return {
      title,
      ham: ham.length,
      spam: spam.length,
      text: by('textProbability'),
      meta: by('metaProbability'),
      fused: auc(outcomes),
      interval: bootstrapInterval(outcomes, auc, BY_GROUP),
      ece: calibrationError(scoredByProbability(outcomes)),
      ...caughtAt(scoredByLogit(outcomes)),
      hamLost: calledSpamShare(ham),
      spamCaught: calledSpamShare(spam),
      escalated: shareOf(outcomes, ({ escalated }) => escalated),
      errorsHeld: shareOf(outcomes.filter(isWrong), ({ escalated }) => escalated),
    }
  })
}

/** Of the spam, where so much of the ham is lost; NaN without either. */
function caughtAt(scored: readonly Scored[]): Values {
  const at = (loss: number) =>
    scored.every(({ spam }) => spam) ? Number.NaN : spamCaughtAt(scored, loss)
  return { caught01: at(0.001), caught1: at(0.01), caught5: at(0.05) }
}

/** What each preset loses and catches of the modern source that fares worst, and in the mean of modern sources. */
function presets(measures: MeasureOutcomes): Values[] {
  const modern = MODERN_SOURCES.map((name) => ({ name, ...byLabel(outcomesFor(measures, name)) }))
  const measured = modern.filter(({ ham, spam }) => ham.length + spam.length > 0)
  if (measured.length === 0) return []
  const shares = (preset: keyof Thresholds, label: 'ham' | 'spam') =>
    measured
      .map(({ name, [label]: own }) => ({
        name,
        share: shareOf(own, ({ calledSpamBy }) => calledSpamBy[preset]),
      }))
      .sort((a, b) => (label === 'spam' ? 1 : -1) * (a.share - b.share))
  return (['cautious', 'balanced', 'strict'] as const).map((preset) => {
    const [ham, spam] = [shares(preset, 'ham'), shares(preset, 'spam')]
    return {
      preset,
      hamWorst: ham[0]!.share,
      hamWorstOf: ham[0]!.name,
      hamLost: meanOf(ham.map(({ share }) => share)),
      spamWorst: spam[0]!.share,
      spamWorstOf: spam[0]!.name,
      spamCaught: meanOf(spam.map(({ share }) => share)),
    }
  })
}

/** Written mail by language: with its kinds left out in folds, and with half of its language left out. */
function languages(measures: MeasureOutcomes): Values[] {
  const languageOf = ({ language = 'en' }: Outcome) => language
  const folds = Map.groupBy(outcomesFor(measures, 'written'), languageOf)
  const halves = Map.groupBy(outcomesFor(measures, 'languages'), languageOf)
  return [...new Set([...folds.keys(), ...halves.keys()])].sort().map((language) => {
    const [own, half] = [byLabel(folds.get(language) ?? []), byLabel(halves.get(language) ?? [])]
    const counted = folds.has(language) ? own : half
    return {
      language,
      ham: counted.ham.length,
      lostFolds: calledSpamShare(own.ham),
      lostHalf: calledSpamShare(half.ham),
      spam: counted.spam.length,
      caughtFolds: calledSpamShare(own.spam),
      caughtHalf: calledSpamShare(half.spam),
    }
  })
}

function tabs(measures: MeasureOutcomes): Values[] {
  const acceptable = (drawn: readonly Outcome[]) => shareOf(drawn, isAcceptableClass)
  return tabsMeasurements(measures).map(({ title, outcomes }) => ({
    title,
    messages: outcomes.length,
    accuracy: shareOf(outcomes, isRightClass),
    acceptable: acceptable(outcomes),
    interval: bootstrapInterval(outcomes, acceptable, BY_GROUP),
    macroF1: macroF1Of(outcomes),
    confusion: CLASSES.map((label) => {
      const own = outcomes.filter(({ messageClass }) => messageClass === label)
      const taken = CLASSES.map((name) => [
        name,
        own.filter(({ predictedClass }) => predictedClass === name).length,
      ])
      return { label, ...Object.fromEntries(taken) }
    }),
  }))
}

/** A message as one filter judged it. */
interface Judged extends Scored {
  readonly calledSpam: boolean
  readonly group: string
}

/** Our models and the peers, on the messages that all were asked about. */
function comparisons(measures: MeasureOutcomes, peers: readonly PeerResult[]): Values[] {
  const asked = new Set(peers.flatMap(({ verdicts }) => [...verdicts.keys()]))
  const compared = {
    household_2025: outcomesFor(measures, 'household_2025'),
    'household_2025 ham, phishing_pot spam': householdAgainstPhishing(measures),
    'lists, first posts and patches': outcomesFor(measures, 'lists').filter(isUnthreadedOrSpam),
  }
  return Object.entries(compared).flatMap(([title, all]) => {
    const outcomes = all.filter((outcome) => asked.has(peerKey(outcome)))
    if (outcomes.length === 0) return []
    const { ham, spam } = byLabel(outcomes)
    const ours = outcomes.map((one) => judged(one, one.spamLogit, one.calledSpam))
    const filters = [
      comparison('**Tamis**', ours),
      ...peers.map((peer) => {
        const theirs = outcomes.flatMap((one) => {
          const verdict = peer.verdicts.get(peerKey(one))
          return verdict === undefined ? [] : [judged(one, verdict.score, verdict.calledSpam)]
        })
        if (theirs.length === outcomes.length) return comparison(peer.name, theirs)
        return comparison(`${peer.name} (${absence(peer)})`, [])
      }),
    ]
    return [{ title, ham: ham.length, spam: spam.length, filters }]
  })
}

function judged(outcome: Outcome, score: number, calledSpam: boolean): Judged {
  return { score, calledSpam, spam: isSpam(outcome), group: outcome.group }
}

function absence({ version, failure }: PeerResult): string {
  if (version === undefined) return 'not installed'
  return failure === undefined ? 'not run' : 'failed'
}

function comparison(filter: string, own: readonly Judged[]): Values {
  const { ham, spam } = byLabel(own)
  return {
    filter,
    auc: oneMinusAuc(own),
    rocAuc: 1 - oneMinusAuc(own),
    interval: bootstrapInterval(own, oneMinusAuc, { groupOf: ({ group }) => group }),
    ...caughtAt(own),
    hamLost: calledSpamShare(ham),
    spamCaught: calledSpamShare(spam),
  }
}

function byLabel<T extends { readonly spam: boolean | undefined }>(messages: readonly T[]) {
  const spam = messages.filter((message) => message.spam === true)
  return { spam, ham: messages.filter((message) => message.spam !== true) }
}
