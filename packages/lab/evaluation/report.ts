/**
 * Outcomes -> a report that a person reads: Markdown, plots, and the outcomes as data. The same
 * outcomes give the same bytes.
 */
import { CLASSES } from '../../mail/models/prediction.ts'
import { MODERN_SOURCES } from '../corpora/sets.ts'
import { bootstrapInterval } from './bootstrap.ts'
import { type Figure, headlineFigures, macroF1Of } from './headline.ts'
import { householdErrors } from './household-errors.ts'
import { percent, percentInterval, table } from './markdown.ts'
import {
  isAcceptableClass,
  isRightClass,
  isSpam,
  outcomesFor,
  type SpamMeasurement,
  spamMeasurements,
  type TabsMeasurement,
  tabsMeasurements,
} from './measurements.ts'
import { shareOf } from './metrics.ts'
import { outcomesTable } from './outcomes-table.ts'
import { comparisonSeries, comparisons, comparisonTable } from './peer-tables.ts'
import { MESSAGES_MAX, type PeerResult } from './peers.ts'
import { confusionPlot } from './plots/confusion.ts'
import { reliabilityPlot } from './plots/reliability.ts'
import { rocPlot } from './plots/roc.ts'
import { BY_GROUP, scoredByLogit, scoredByProbability } from './rankings.ts'
import type { RenderingLeak } from './rendering-leak.ts'
import { languageTable, operatingTable, presetTable, sourceTable } from './spam-tables.ts'
import type { MeasureOutcomes } from './trainings.ts'

export interface ReportInput {
  readonly measures: MeasureOutcomes
  /** Empty when they were not asked for. */
  readonly peers: readonly PeerResult[]
  /** Neutral words for the kinds of the household's messages, by file. */
  readonly kinds: ReadonlyMap<string, string>
  /** Absent when no written mail was measured. */
  readonly leak?: RenderingLeak
  readonly featureVersion: string
  /** The command that makes the report again. */
  readonly command: string
}

/** File names to contents. */
export function renderReport(input: ReportInput): ReadonlyMap<string, string> {
  const spam = spamMeasurements(input.measures)
  const tabs = tabsMeasurements(input.measures)
  const files: [string, string][] = [
    ['README.md', readme(input, spam, tabs)],
    ...spamPlots(spam),
    ...tabs.map(({ title, outcomes }): [string, string] => [
      confusionFile(title),
      confusionPlot(
        `Classes, ${title}`,
        CLASSES,
        outcomes.map((one) => ({ label: one.messageClass, predicted: one.predictedClass })),
      ),
    ]),
    ...comparisons(input.measures, input.peers)
      .slice(0, 1)
      .map((one): [string, string] => [
        'roc-peers.svg',
        rocPlot(`Side by side, ${one.title}`, comparisonSeries(one, input.peers)),
      ]),
    ['outcomes.tsv', outcomesTable(input.measures)],
  ]
  return new Map(files)
}

function readme(
  input: ReportInput,
  spam: readonly SpamMeasurement[],
  tabs: readonly TabsMeasurement[],
): string {
  const sections = [
    `# How good the models are

Made by \`${input.command}\` on features ${input.featureVersion}; how, and with what limits:
[docs/evaluation.md](../../../../docs/evaluation.md). Every figure is for mail that was left out of
training, calibration and the choice of thresholds: its whole source, for written mail its kind, for
finds its collection. Authentication is unknown throughout, as in a default installation. Intervals are 95 %,
by bootstrap over groups (a sender's domain, a kind of written message). Means over sources
weigh each source measured alike.

## Headline

${headlineTable(headlineFigures(input.measures))}

What it costs is measured apart (\`npm run bench classify\`).`,
    spamSection(spam),
    presetSection(input.measures),
    languageSection(input.measures),
    leakSection(input.leak),
    tabsSection(tabs),
    peersSection(input),
    errorsSection(input),
    `## The outcomes as data

[outcomes.tsv](outcomes.tsv) has a line for each message and training: what was left out, file,
labels, both models' probabilities, fused log-odds, verdict. No text, no address. Where the whole
would be above a megabyte, the sources of 2002-2010 are left away.`,
  ]
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`
}

function headlineTable(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => [
    figure.measure,
    String(figure.messages),
    `**${percent(figure.value)}**`,
    percentInterval(figure.interval),
    targetText(figure, figure.reach),
    figure.beyond === undefined ? '' : targetText(figure, figure.beyond),
    standing(figure),
  ])
  return table(['measure', 'messages', 'result', '95 %', 'reach', 'beyond', ''], rows)
}

function targetText({ better }: Figure, target: number): string {
  return `${better === 'lower' ? '≤' : '≥'} ${Number((100 * target).toFixed(2))} %`
}

function standing({ better, value, reach, beyond }: Figure): string {
  const meets = (target: number) => (better === 'lower' ? value <= target : value >= target)
  if (beyond !== undefined && meets(beyond)) return 'beyond'
  return meets(reach) ? 'reached' : 'missed'
}

function spamSection(spam: readonly SpamMeasurement[]): string {
  if (spam.length === 0) return ''
  return `## Spam, by source

1-AUC is the probability that a random ham scores above a random spam; ECE the expected
calibration error, spam and ham reweighted to 50:50.

${sourceTable(spam)}

Caught at 0.1, 1 and 5 %: the threshold is set on the source itself so that no more of its ham is
lost (of few ham, 0.1 % and 1 % are none or one). Ham lost and spam caught: at the shipped threshold
(\`balanced\`), which never saw the source. Errors held: share of the errors that are escalated.

${operatingTable(spam)}

![ROC curves](roc.svg)

![Reliability](reliability.svg)`
}

function presetSection(measures: MeasureOutcomes): string {
  const wanted = MODERN_SOURCES.some((name) => measures.has(name))
  if (!wanted) return ''
  return `## Presets, on modern sources

Each source left out of training and of the choice of its thresholds. Worst: of the sources
${MODERN_SOURCES.join(', ')}.

${presetTable(measures)}`
}

function languageSection(measures: MeasureOutcomes): string {
  const languages = languageTable(measures)
  if (!measures.has('written') && !measures.has('languages')) return ''
  return `## Written mail, by language

At the shipped threshold. Folds: a fifth of all written mail left out by kind. Half: half of the
mail in other languages than English left out, by kind.

${languages}`
}

function leakSection(leak: RenderingLeak | undefined): string {
  if (leak === undefined) return ''
  const areas = `${leak.bulk.toFixed(2)} for mail sent to many, ${leak.personal.toFixed(2)} for mail to one reader`
  return `## Whether the rendering of written mail betrays its label

A model that sees how a written message is made and nothing of what it says, kinds left out: area
under the curve ${areas}. Chance is 0.50; beyond it are the habits in which real spam differs
(\`packages/lab/rendering/label-habits.ts\`).`
}

function tabsSection(tabs: readonly TabsMeasurement[]): string {
  if (tabs.length === 0) return ''
  const rows = tabs.map(({ title, outcomes }) => {
    const interval = bootstrapInterval(
      outcomes,
      (drawn) => shareOf(drawn, isAcceptableClass),
      BY_GROUP,
    )
    return [
      title,
      String(outcomes.length),
      percent(shareOf(outcomes, isRightClass)),
      percent(shareOf(outcomes, isAcceptableClass)),
      percentInterval(interval),
      percent(macroF1Of(outcomes)),
    ]
  })
  const head = ['left out', 'messages', 'accuracy', 'counting also acceptable', '95 %', 'macro-F1']
  return `## Classes (tabs)

Of ham only: spam belongs in no tab.

${table(head, rows)}

${tabs.map(({ title }) => `![Confusion, ${title}](${confusionFile(title)})`).join('\n\n')}`
}

function confusionFile(title: string): string {
  return `confusion-${title.replace(/\W.*$/, '')}.svg`
}

function spamPlots(spam: readonly SpamMeasurement[]): [string, string][] {
  const withBothLabels = spam.filter(
    ({ rankings }) => rankings.length === 1 && new Set(rankings[0]!.map(isSpam)).size === 2,
  )
  const sources = withBothLabels.filter(({ wholeSource }) => wholeSource)
  return [
    [
      'roc.svg',
      rocPlot(
        'Spam caught against ham lost, by source left out',
        withBothLabels.map(({ title, rankings }) => ({
          name: title,
          scored: scoredByLogit(rankings[0]!),
        })),
      ),
    ],
    [
      'reliability.svg',
      reliabilityPlot(
        'What probabilities are worth, by source left out',
        sources.map(({ title, rankings }) => ({
          name: title,
          scored: scoredByProbability(rankings[0]!),
        })),
      ),
    ],
  ]
}

function peersSection({ measures, peers }: ReportInput): string {
  if (peers.length === 0) return ''
  const found = comparisons(measures, peers)
  const versions = Map.groupBy(peers, ({ name }) => name)
  const installed = [...versions].map(
    ([name, [peer]]) => `${name} ${peer!.version ?? 'not installed'}`,
  )
  return `## Side by side

${installed.join(', ')}; Debian's packages as they are configured, on the same files.

What is fair: all saw the same messages with the same header fields, those of the receiving side
and of the collector taken out (\`packages/lab/peers/received-message.ts\` lists them), and what
learns was trained on the same mail as our models, the source left out for all. What is unfair to
the peers: they are made to ask the network (blocklists, URI lists, fuzzy hashes, SPF, DKIM and
DMARC by DNS), which is off here, since lists of today say nothing about mail of last year; they are
made to learn from the mailbox that they guard; their rules read Received fields as a trusted
chain that nobody configured for these corpora; and our models were tuned, by their authors, on
these sources. What is unfair to us: rules and scores of SpamAssassin were fitted on mail that
includes its public corpus. Own threshold: Rspamd "add header" (6), SpamAssassin 5, bogofilter 0.99.
At most ${MESSAGES_MAX} messages of a label and source are compared.

${found.map((one) => comparisonTable(one, peers)).join('\n\n')}${found.length === 0 ? '' : '\n\n![ROC curves side by side](roc-peers.svg)'}`
}

function errorsSection({ measures, kinds }: ReportInput): string {
  const outcomes = outcomesFor(measures, 'household_2025')
  return outcomes.length === 0
    ? ''
    : `## The errors on household_2025\n\n${householdErrors(outcomes, kinds)}`
}
