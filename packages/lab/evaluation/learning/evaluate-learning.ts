/**
 * What honest corrections and data poisoning do to the shared model, with the defences and without: simulations
 * on spamassassin from the model trained without it, three fifths of its mail for users to correct,
 * the rest left out.
 */
import { AGREEING_MAX, AGREEING_MIN } from '../../../mail/learning/agreement.ts'
import { CROWD_REACH } from '../../../mail/learning/deltas.ts'
import { LIMITS } from '../../../mail/learning/learning-limits.ts'
import type { Canary } from '../../../mail/models/canary.ts'
import type { Models } from '../../../mail/models/models.ts'
import { startProgress } from '../../../terminal/progress.ts'
import { readCorpora } from '../../corpora/read.ts'
import { foldOf } from '../../training/folds.ts'
import { modelsWithoutSource, readExamples } from '../left-out-models.ts'
import { type Letter, lettersOf } from '../letters.ts'
import { meanOf } from '../metrics.ts'
import type { Values } from '../report.ts'
import { ATTACKS, type Attack, focusedOn } from './attacks.ts'
import { chosenFrom, movedBy, type Wording } from './chosen-message.ts'
import { type Damage, judge, type Mail, type Simulation, simulate } from './simulate.ts'

const SOURCE = 'spamassassin'

/** How many of the five FOLDS are left out. */
const LEFT_OUT_FOLDS = 2

const DAYS = 30

/** Corrections of an honest user, in all. */
const CORRECTIONS = 20

/** The community of the requirement, and how many of it are malicious. */
const CROWD = 1_000
const CROWD_MALICIOUS = 10
const CROWD_SEEDS = 3

/** First seed of the large service; the limits were chosen with lower seeds. */
const CROWD_SEED_FIRST = 201

/** Services with malicious accounts alone, known from the second day on: one too few, just enough, and a dozen names. */
const ALONE_USERS = [4, 5, 12]

/** Ids of one caller against a chosen message, and for how many days. */
const CHOSEN_IDS = [5, 6, 12, 30, 200]
const CHOSEN_DAYS = [1, 7, 14, 60]

/** The sender that is slandered: as much mail as this, at least, on both sides. */
const TARGET_LETTERS_MIN = 20

/** Some ten minutes. */
export function evaluateLearning(corpora: string, canary: Canary): Values {
  const samples = readCorpora(corpora, 'train')
  const examples = readExamples(samples)
  const base = modelsWithoutSource(examples, SOURCE)
  const campaigns = new Map(
    examples.map(({ source, id, campaign }) => [`${source} ${id}`, campaign]),
  )
  const letters = lettersOf(samples, examples, SOURCE)
  // Copies of one message stand on one side.
  const isLeftOut = ({ id }: { id: string }) =>
    foldOf(String(campaigns.get(`${SOURCE} ${id}`))) < LEFT_OUT_FOLDS
  const mail: Mail = {
    corrected: letters.filter((letter) => !isLeftOut(letter)),
    leftOut: letters.filter(isLeftOut),
  }
  const progress = startProgress('simulate', undefined)
  const run: Run = (simulation) => {
    const damage = simulate({ base, mail, canary, ...simulation })
    progress.advance()
    return damage
  }
  const shipped = { ...NO_SIMULATION, ...judge(base, mail.leftOut), name: 'the shipped model' }
  const { crowd, ...target } = crowdMeasures(mail, run)
  const worst = crowd.reduce((most, each) => (each.ratio > most.ratio ? each : most))
  const values = {
    ...LIMITS,
    agreeingMin: AGREEING_MIN,
    agreeingMax: AGREEING_MAX,
    crowdReach: CROWD_REACH,
    tooFew: AGREEING_MIN - 1,
    correctable: mail.corrected.length,
    judged: mail.leftOut.length,
    ...target,
    worst: worst.name,
    worstRatio: 100 * (worst.ratio - 1),
    alone: [shipped, ...aloneMeasures(run)],
    crowd: [shipped, ...crowd],
    chosen: chosenMeasures(base, mail, canary, () => progress.advance()),
  }
  progress.end()
  return values
}

/** What the model has that nobody has corrected. */
const NO_SIMULATION = {
  ...{ targetLost: NaN, shift: NaN, refused: NaN },
  ...{ ratio: NaN, ratioLeast: NaN, ratioLargest: NaN },
}

type Run = (simulation: Omit<Simulation, 'base' | 'mail' | 'canary'>) => Damage

function crowdMeasures(mail: Mail, run: Run) {
  const domain = targetOf(mail)
  const seeds = Array.from({ length: CROWD_SEEDS }, (_, i) => CROWD_SEED_FIRST + i)
  const common = {
    corrections: CORRECTIONS,
    days: DAYS,
    watched: isHamOf(domain),
  } as const
  const honest = seeds.map((seed) => run({ ...common, users: CROWD, seed }))
  const attacks: readonly (readonly [string, Attack | undefined])[] = [
    ['no malicious account', undefined],
    ...Object.entries(ATTACKS),
    ['one sender called spam', focusedOn(domain)],
  ]
  const crowd = attacks.map(([name, attack]) => {
    const damages =
      attack === undefined
        ? honest
        : seeds.map((seed) => {
            const malicious = { attack, users: CROWD_MALICIOUS, perDay: 1 }
            return run({ ...common, users: CROWD, malicious, seed })
          })
    const ratios = damages.map(({ oneMinusAuc }, i) => oneMinusAuc / honest[i]!.oneMinusAuc)
    return {
      ...meanDamage(name, damages),
      ratio: meanOf(ratios),
      ratioLeast: Math.min(...ratios),
      ratioLargest: Math.max(...ratios),
    }
  })
  const count = (letters: Mail['leftOut']) => letters.filter(isHamOf(domain)).length
  return {
    crowd,
    targetCorrected: count(mail.corrected),
    targetLeftOut: count(mail.leftOut),
  }
}

/** The sender with the least ham that is enough on both sides: focused attacks hit the small. */
function targetOf({ corrected, leftOut }: Mail): string {
  const count = (letters: Mail['leftOut'], domain: string) =>
    letters.filter((letter) => letter.domain === domain && !letter.spam).length
  const domains = [...new Set(leftOut.map(({ domain }) => domain))]
    .map((domain) => ({
      domain,
      least: Math.min(count(corrected, domain), count(leftOut, domain)),
    }))
    .filter(({ least }) => least >= TARGET_LETTERS_MIN)
    .sort((a, b) => a.least - b.least || (a.domain < b.domain ? -1 : 1))
  const [first] = domains
  if (first === undefined) throw new RangeError(`No sender has ${TARGET_LETTERS_MIN} ham twice`)
  return first.domain
}

function isHamOf(domain: string): (letter: Letter) => boolean {
  return (letter) => letter.domain === domain && !letter.spam
}

function aloneMeasures(run: Run) {
  return (['ham called spam', 'spam called ham'] as const).flatMap((name) =>
    ALONE_USERS.map((users) => {
      const malicious = { attack: ATTACKS[name], users, perDay: 1 }
      const damage = run({ users, corrections: 0, days: DAYS, malicious, seed: 1 })
      return meanDamage(`${users} users, ${name}`, [damage])
    }),
  )
}

function chosenMeasures(
  base: Models,
  mail: Mail,
  canary: Canary,
  onSimulated: () => void,
): Values[] {
  const [ham = [], spam = []] = [false, true].map((label) => chosenFrom(base, mail.leftOut, label))
  const others = mail.corrected
  return (['same', 'varied'] as const).flatMap((wording) =>
    CHOSEN_IDS.map((ids) => {
      const moved = CHOSEN_DAYS.flatMap((days) => {
        const most = (letters: readonly Letter[]) =>
          Math.max(
            ...letters.flatMap((chosen) =>
              [true, false].map((authenticated) =>
                movedBy({ base, canary, chosen, others, ids, days, wording, authenticated }),
              ),
            ),
          )
        onSimulated()
        return [
          [`ham${days}`, most(ham)],
          [`spam${days}`, most(spam)],
        ]
      })
      return { ids, wording: WORDINGS[wording], ...Object.fromEntries(moved) }
    }),
  )
}

const WORDINGS: Readonly<Record<Wording, string>> = {
  same: 'its text',
  varied: 'half of its words among others',
}

/** Means over seeds. */
function meanDamage(name: string, damages: readonly Damage[]) {
  const mean = (figure: (damage: Damage) => number) => meanOf(damages.map(figure))
  return {
    name,
    oneMinusAuc: mean((damage) => damage.oneMinusAuc),
    hamLost: mean(({ hamLost }) => hamLost),
    spamCaught: mean(({ spamCaught }) => spamCaught),
    shift: mean(({ shift }) => shift),
    refused: mean(({ refused }) => refused),
    targetLost: mean(({ watchedLost }) => watchedLost),
  }
}
