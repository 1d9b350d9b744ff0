/** The report on corrections and lies, README.md. */
import { AGREEMENT_MIN } from '../../../mail/learning/agreement.ts'
import { LIMITS } from '../../../mail/learning/learning-limits.ts'
import { table } from '../markdown.ts'
import type {
  CrowdMeasured,
  LearningEvaluation,
  Measured,
  SmallMeasured,
} from './evaluate-learning.ts'

/** `command` is what gives it again. */
export function renderLearningReport(evaluation: LearningEvaluation, command: string): string {
  const { base, crowdHonest, crowd, small, alone, target, mail } = evaluation
  const worst = crowd.reduce((most, each) => (each.ratio > most.ratio ? each : most))
  return `# What corrections do to the shared model, and what lies do

\`${command}\`. Simulated: users correct ${mail.corrected.length} messages of spamassassin that fall to them at random,
over 30 days, 20 corrections each; four sender domains in five are authenticated. The model, shipped as trained without
spamassassin, then judges the ${mail.leftOut.length} other messages; near-copies stand on one side. 1-AUC, ham
lost and spam caught (at the threshold \`balanced\`) are of these, and so is the shift: by how much the logit of any message has changed at most.

Lies are about genuine mail under the wrong label, sent on from the liars' own authenticated domains, so that nobody
contradicts them and no limit of a domain is reached. Liars have said something before, so from the second day on they are
known. "In doubt" takes the mail on which a lie is least unbelievable to the shipped model. "Dictionary" is mail of the
commonest words of ham, called spam (Nelson et al., LEET 2008).

Rules and memories, which decide first for the user who corrects, have no part in this.

## Nobody but liars

The users of a service all lie, once a day for a month. What is said by ${AGREEMENT_MIN - 1} or fewer, or by any number of users who were
all first heard of within a day, moves no weight: the models are bit for bit as they were shipped (\`packages/service/test/http/liars-sqlite.system.test.ts\`).

${aloneTable(base, alone)}

## 1,000 users, 10 of them liars

Three seeds. A liar lies once a day, of which ${LIMITS.userWeekMax} a week count. The ratio is 1-AUC by that of the same seed without
liars. The one sender has ${target.corrected} messages among those to correct and ${target.leftOut} left out.

${crowdTable(base, crowdHonest, crowd)}

Worst in the mean: ${worst.name}, ${(100 * (worst.ratio - 1)).toFixed(1)} %. Ten honest users fewer, in whose place the
liars are, change the ratio by some hundredths by themselves.

## 100 users, with the defences and without

Two seeds. Without: every word is believed as the operator's is. With: mode \`users\`. Liars take the place of
honest users; those against one sender call a message of its spam each day.

${smallTable(small)}

## The defences

- **Agreement**: a word moves when ${AGREEMENT_MIN} users have taught it the same way since it moved last, each first heard of more than a day
  before.
- **Limits**: ${LIMITS.userWeekMax} corrections a user and week, ${LIMITS.domainDayMax} a sender domain and day, ${LIMITS.dayMax} a day in all; mail that was not
  authenticated once ${LIMITS.agreementMin} known users agree about it or its domain.
- **Reach**: only words, and of these only such as stand in at most a fiftieth of the canary set; each weight moves by at most 0.3; how a
  message is made and the bias never move.
- **Pull**: of the squared error of the probability, which lets go where the model is sure of the opposite.
- **Canary set**: what loses more than a hundredth more of its ham, misses more than a hundredth more of its spam, or has more than
  a hundredth more in the wrong class than the shipped models, is not put to work and not built on.

Tried, when written down, without the canary set's refusals, one seed, 1-AUC and ham lost; the shipped model has 7.69 % and 2.85 %. Twelve liars
are all the users there are, and call ham spam for a month.

| moved | weight moves by at most | 1,000 honest | 100 honest | 12 liars |
|---|--:|--:|--:|--:|
| words and make | 0.3; 0.02 | 2.54 %, 0.38 % (refusals on) | 5.17 %, 0.89 % (refusals on) | 8.44 %, 12.61 % |
| words | 0.3 | 3.26 %, 0.44 % | 5.44 %, 0.95 % (refusals on) | 7.84 %, 6.78 % |
| words | 0.15 | 4.77 %, 0.89 % | 6.03 %, 1.33 % (refusals on) | 7.77 %, 5.39 % |
| words of at most a twentieth of the canary set, and make | 0.3; 0.1 | 2.88 %, 0.44 % | 5.02 %, 0.76 % | 8.40 %, 5.07 % |
| words of at most a twentieth | 0.3 | 3.65 %, 0.76 % | 5.63 %, 0.95 % | 8.09 %, 3.99 % |
| words of at most a fiftieth, and make | 0.3; 0.1 | 3.36 %, 0.57 % | 5.49 %, 0.95 % | 8.17 %, 4.18 % |
| **words of at most a fiftieth** (in use) | **0.3** | **3.97 %, 0.70 %** | **5.87 %, 1.20 %** | **8.07 %, 3.68 %** |
| words of at most a fiftieth | 1 | 2.67 %, 0.38 % | 5.42 %, 1.01 % | 8.07 %, 3.68 % |
| words of at most a fiftieth, steps twice as large | 0.5 | 2.59 %, 0.38 % | 4.81 %, 0.82 % | 8.47 %, 4.88 % |

Until 22 November 2026 every correction within the limits moved the model by itself. A thousand honest users then came to a 1-AUC of
0.24 %; but in a service with few users the first to correct moved everybody's verdicts as far as they liked. What the many gain less in the
shared model they have in their own rules and memories.

What this does not withstand: ${AGREEMENT_MIN} or more people, or as many names made up by one in good time, against a sender of whom
nobody else says anything. Their reach is bounded, and the rules and memory of each user still decide first.
`
}

function aloneTable(base: LearningEvaluation['base'], alone: readonly Measured[]): string {
  return table(
    ['', '1-AUC', 'ham lost', 'spam caught', 'shift', 'refused'],
    [
      [base.name, share(base.oneMinusAuc), share(base.hamLost), share(base.spamCaught), '', ''],
      ...alone.map(({ name, oneMinusAuc, hamLost, spamCaught, shift, refused }) => [
        name,
        share(oneMinusAuc),
        share(hamLost),
        share(spamCaught),
        shift.toFixed(1),
        refused.toFixed(0),
      ]),
    ],
  )
}

function crowdTable(
  base: LearningEvaluation['base'],
  honest: LearningEvaluation['crowdHonest'],
  crowd: readonly CrowdMeasured[],
): string {
  const head = ['', '1-AUC', 'ham lost', 'spam caught', "the sender's ham lost", 'shift', 'refused']
  const figures = (each: Measured & Pick<CrowdMeasured, 'targetLost'>) => [
    each.name,
    share(each.oneMinusAuc),
    share(each.hamLost),
    share(each.spamCaught),
    share(each.targetLost),
    each.shift.toFixed(1),
    each.refused.toFixed(0),
  ]
  return table(
    [...head, 'ratio', 'least', 'largest'],
    [
      [
        ...[base.name, share(base.oneMinusAuc), share(base.hamLost), share(base.spamCaught)],
        ...['', '', '', '', '', ''],
      ],
      [...figures(honest), '1', '', ''],
      ...crowd.map((each) => [
        ...figures(each),
        ...[each.ratio, each.ratioLeast, each.ratioLargest].map((ratio) => ratio.toFixed(2)),
      ]),
    ],
  )
}

function smallTable(small: readonly SmallMeasured[]): string {
  const names = [...new Set(small.map(({ name }) => name))]
  const find = (name: string, mode: SmallMeasured['mode']) =>
    small.find((each) => each.name === name && each.mode === mode)!
  const rows = names.map((name) => {
    const [without, withDefences] = [find(name, 'operator'), find(name, 'users')]
    return [
      name,
      ...[without, withDefences].flatMap(({ oneMinusAuc, hamLost, targetLost }) => [
        share(oneMinusAuc),
        share(hamLost),
        share(targetLost),
      ]),
    ]
  })
  const columns = ['1-AUC', 'ham lost', "the sender's ham lost"]
  const head = ['without', 'with'].flatMap((mode) => columns.map((name) => `${mode}: ${name}`))
  return table(['', ...head], rows)
}

/** Two digits behind the point: the differences are of that size. */
function share(value: number): string {
  return `${(100 * value).toFixed(2)} %`
}
