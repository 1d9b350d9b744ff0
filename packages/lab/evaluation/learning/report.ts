/** The report on corrections and lies, README.md. */
import { AGREEING_MAX, AGREEING_MIN } from '../../../mail/learning/agreement.ts'
import { CROWD_REACH } from '../../../mail/learning/deltas.ts'
import { LIMITS } from '../../../mail/learning/learning-limits.ts'
import { table } from '../markdown.ts'
import type { Wording } from './chosen-message.ts'
import type {
  ChosenMeasured,
  CrowdMeasured,
  LearningEvaluation,
  Measured,
  SmallMeasured,
} from './evaluate-learning.ts'

/** `command` is what gives it again. */
export function renderLearningReport(evaluation: LearningEvaluation, command: string): string {
  const { base, crowdHonest, crowd, small, alone, chosen, target, mail } = evaluation
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

The users of a service all lie, once a day for a month. What is said by ${AGREEING_MIN - 1} or fewer, or by any number of users who were
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

## One chosen message

So many ids of one caller, each known for two days by a harmless correction, correct the chosen message twice a week over so
many days, under Message-IDs and from domains of their own, and nobody contradicts them. In log-odds, towards the lie: the
farthest that any of four messages was moved (a ham and a spam nearest to the threshold \`balanced\`, and the surest of
each), authenticated or not. A message can be moved by ${CROWD_REACH} at most, whoever says what; with the same text every time, none moves.
\`packages/mail/test/learning/chosen-message.test.ts\` tries it on the models that ship.

${chosenTable(chosen)}

## The defences

- **Agreement**: a word moves when so many users have corrected it the same way since it moved last, in as many texts that
  are not nearly the same: ${AGREEING_MIN}, and in a tenant with more than 500 active users one in a hundred of them, up to ${AGREEING_MAX}.
  Each was first heard of more than a day before.
- **Limits**: ${LIMITS.userWeekMax} corrections a user and week, ${LIMITS.domainDayMax} a sender domain and day, ${LIMITS.dayMax} a day in all; mail that was not
  authenticated once as many known users agree about it or its domain.
- **Reach**: what was learned from users moves no message by more than ${CROWD_REACH} in log-odds, and a message that is moved so far moves no
  word any more. Only words move, and of these only such as stand in at most a fiftieth of the canary set; how a message is made and
  the bias never move.
- **Pull**: of the squared error of the probability, which lets go where the model is sure of the opposite.
- **Canary set**: what loses more than a hundredth more of its ham, misses more than a hundredth more of its spam, or has more than
  a hundredth more in the wrong class than the shipped models, is not put to work and not built on.

Tried, when written down (seeds 101; 1 and 2; the shipped model has 1-AUC 7.24 %, 6.15 % of ham lost, 68.2 % of spam caught):

| reach | texts | agreeing of 1,000 | steps; a word moves by at most | 1,000 honest: 1-AUC, ham lost, spam caught | 100 honest: 1-AUC | 60 liars alone: shift |
|---|---|--:|---|---|--:|--:|
| none | not compared | 5 | 0.1; 0.3 | 4.87 %, 2.2 %, 61.8 % (in use until 24 November 2026) | 6.20 % | 3.1 |
| none | compared | 5 | 0.1; 0.3 | 5.17 %, 2.2 %, 61.3 % | 6.25 % | |
| 0.5, words move on | compared | 5 | 0.1; 0.3 | 6.96 %, 3.6 %, 63.3 % | 6.77 % | 0.5 |
| 1, words move on | compared | 5 | 0.1; 0.3 | 6.29 %, 2.4 %, 60.8 % | 6.32 % | 1 |
| 0.5 | compared | 5 | 0.1; 0.3 | 5.06 %, 3.9 %, 70.0 % | 6.38 % | 0.5 |
| 0.5 | compared | 10 | 0.1; 0.3 | 5.60 %, 4.1 %, 68.1 % | 6.38 % | 0.5 |
| 0.5 | compared | 20 | 0.2; 0.3 | 6.07 %, 4.0 %, 67.1 % | 6.11 % | |
| **0.5** | **compared** | **10** | **0.2; 0.6** | **5.07 %, 3.8 %, 70.5 % (in use)** | **5.94 %** | **0.5** |

What is in use keeps 92 % of what a thousand honest users gained in 1-AUC without a bound, and a hundred gain a quarter more. The
verdicts move less towards ham: fewer of the lost ham are saved, and more spam is caught.

What this does not withstand: users who exist only to lie move any mail by up to ${CROWD_REACH}, if they write enough different texts. A message
nearer to the threshold than that is then judged otherwise, unless rules or memory of the user decide first.
`
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
  const figures = (each: Measured) => [
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
