/** The report on corrections and data poisoning, README.md. */
import { AGREEING_MAX, AGREEING_MIN } from '../../../mail/learning/agreement.ts'
import { CROWD_REACH } from '../../../mail/learning/deltas.ts'
import { LIMITS } from '../../../mail/learning/learning-limits.ts'
import { type Column, page, table, tableOf } from '../markdown.ts'
import type { Wording } from './chosen-message.ts'
import type {
  ChosenMeasured,
  CrowdMeasured,
  LearningEvaluation,
  Measured,
} from './evaluate-learning.ts'

/** `command` is what gives it again. */
export function renderLearningReport(evaluation: LearningEvaluation, command: string): string {
  const { base, crowdHonest, crowd, alone, chosen, target, mail } = evaluation
  const worst = crowd.reduce((most, each) => (each.ratio > most.ratio ? each : most))
  return page('learning', {
    ...LIMITS,
    AGREEING_MIN,
    AGREEING_MAX,
    CROWD_REACH,
    command,
    correctable: mail.corrected.length,
    judged: mail.leftOut.length,
    tooFew: AGREEING_MIN - 1,
    targetCorrected: target.corrected,
    targetLeftOut: target.leftOut,
    worst: worst.name,
    worstRatio: 100 * (worst.ratio - 1),
    alone: aloneTable(base, alone),
    crowd: crowdTable(base, crowdHonest, crowd),
    chosen: chosenTable(chosen),
  })
}

function chosenTable(chosen: readonly ChosenMeasured[]): string {
  const days = [...new Set(chosen.map((each) => each.days))]
  const rows = [...new Set(chosen.map(({ wording, ids }) => `${wording} ${ids}`))].map((row) => {
    const [wording, ids] = row.split(' ')
    const cells = days.map((day) => {
      const each = chosen.find(
        (one) => one.wording === wording && one.ids === Number(ids) && one.days === day,
      )!
      return `${each.ham.toFixed(2)}; ${each.spam.toFixed(2)}`
    })
    return [`${ids} ids, ${WORDINGS[wording as Wording]}`, ...cells]
  })
  return table(
    [
      'ham called spam; spam called ham',
      ...days.map((day) => (day === 1 ? 'one day' : `${day} days`)),
    ],
    rows,
  )
}

const WORDINGS: Readonly<Record<Wording, string>> = {
  same: 'its text',
  varied: 'half of its words among others',
}

type Shares = Pick<Measured, 'name' | 'oneMinusAuc' | 'hamLost' | 'spamCaught'> & Partial<Measured>

const NAME_AND_SHARES: readonly Column<Shares>[] = [
  ['', ({ name }) => name],
  ['1-AUC', ({ oneMinusAuc }) => share(oneMinusAuc)],
  ['ham lost', ({ hamLost }) => share(hamLost)],
  ['spam caught', ({ spamCaught }) => share(spamCaught)],
]

/** Of a simulation; the base model has none. */
const SHIFT_AND_REFUSED: readonly Column<Shares>[] = [
  ['shift', ({ shift }) => shift?.toFixed(1) ?? ''],
  ['refused', ({ refused }) => refused?.toFixed(0) ?? ''],
]

function aloneTable(base: LearningEvaluation['base'], alone: readonly Measured[]): string {
  return tableOf<Shares>([base, ...alone], [...NAME_AND_SHARES, ...SHIFT_AND_REFUSED])
}

function crowdTable(
  base: LearningEvaluation['base'],
  honest: LearningEvaluation['crowdHonest'],
  crowd: readonly CrowdMeasured[],
): string {
  const rows: readonly (Shares & { readonly ratios?: readonly string[] })[] = [
    base,
    { ...honest, ratios: ['1', '', ''] },
    ...crowd.map((each) => ({
      ...each,
      ratios: [each.ratio, each.ratioLeast, each.ratioLargest].map((ratio) => ratio.toFixed(2)),
    })),
  ]
  return tableOf(rows, [
    ...NAME_AND_SHARES,
    [
      "the sender's ham lost",
      ({ targetLost }) => (targetLost === undefined ? '' : share(targetLost)),
    ],
    ...SHIFT_AND_REFUSED,
    ...['ratio', 'least', 'largest'].map(
      (head, i) => [head, ({ ratios }: (typeof rows)[number]) => ratios?.[i] ?? ''] as const,
    ),
  ])
}

/** Two digits behind the point: the differences are of that size. */
function share(value: number): string {
  return `${(100 * value).toFixed(2)} %`
}
