/** The measurements of rules and memory as a page: packages/lab/reports/memory/README.md. */
import { percent, table } from '../markdown.ts'
import { reachAt, reachOf, templateReach } from './campaigns.ts'
import type { MemoryEvaluation, Speed } from './evaluate-memory.ts'
import { campaignsOf, HALVES, type Half, type MemorySample } from './samples.ts'
import { type Flips, flipsAt, flipsOf, randomConfusions, templateConfusions } from './unlike.ts'

/** Similarities tried. */
const FLOORS = [0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8]

/** `command` is what gives it again. */
export function memoryReport({ samples, speed }: MemoryEvaluation, command: string): string {
  const sections = [
    introduction(samples, command),
    `## Rules by template\n\n${templateTable(samples)}`,
    `## One correction of a campaign\n\n${reachTable(samples)}`,
    `## Unlike mail\n\n${flipsTable(samples)}`,
    `## How the similarities were chosen\n\n${choiceTable(samples)}`,
    `## Speed\n\n${speedTable(speed)}`,
  ]
  return `${sections.join('\n\n')}\n`
}

function introduction(samples: readonly MemorySample[], command: string): string {
  const count = HALVES.map((half) => campaignsOf(samples, half).length)
  return `# A user's rules and memory, measured

Made by \`${command}\` from ${samples.length} messages: the corpora of
docs/data.md, written mail in one rendering. A campaign is a group of at least three
near-duplicates within one source (packages/lab/training/near-duplicates.ts): shingles of three words, half of
them in common, chains included, so that some are different mail over one footer. Of ${count[0]! + count[1]!}
campaigns, ${count[0]} served to choose thresholds and ${count[1]} are reported on. No model takes part in these
figures: mail that memory and rules leave undecided goes to the models.

The embedding has been trained on texts of these corpora (without labels), phishing_pot left aside.`
}

function spamCampaigns(samples: readonly MemorySample[], half: Half): MemorySample[][] {
  return campaignsOf(samples, half).filter((members) => members.every(({ spam }) => spam))
}

function templateTable(samples: readonly MemorySample[]): string {
  const rows = HALVES.map((half) => {
    const ofHalf = samples.filter((sample) => sample.half === half)
    const all = templateReach(campaignsOf(samples, half))
    const spam = templateReach(spamCampaigns(samples, half))
    const confused = templateConfusions(ofHalf)
    const random = randomConfusions(ofHalf)
    return [
      half,
      `${percent(all.matched)} (${all.campaigns})`,
      `${percent(spam.matched)} (${spam.campaigns})`,
      `${confused.matched} of ${confused.pairs}`,
      `${random.matched} of ${random.pairs}`,
    ]
  })
  return `${table(['half', "pairs of one campaign and one sender's domain that match (campaigns)", 'of spam campaigns', 'pairs of one domain, different groups, that match', 'random pairs that match'], rows)}

Means over campaigns.`
}

function reachTable(samples: readonly MemorySample[]): string {
  const rows = HALVES.flatMap((half) =>
    [
      { name: `${half}, spam`, campaigns: spamCampaigns(samples, half) },
      { name: `${half}, all`, campaigns: campaignsOf(samples, half) },
    ].map(({ name, campaigns }) => {
      const reach = reachOf(campaigns)
      return [
        name,
        String(reach.campaigns),
        percent(reach.memory),
        percent(reach.memoryOrTemplate),
        percent(reach.withRules),
      ]
    }),
  )
  return `The share of the rest of a campaign that one spam correction decides. "All" also takes campaigns that
are no spam: newsletters, bug reports, bounces that a user calls spam.

${table(['half', 'campaigns', 'memory', 'memory and Template', 'with the Sender rule too'], rows)}`
}

function flipsTable(samples: readonly MemorySample[]): string {
  const sources = [...new Set(samples.map(({ source }) => source))]
  const scopes = [
    { name: 'all sources', of: samples },
    ...sources.map((name) => ({ name, of: samples.filter(({ source }) => source === name) })),
  ]
  const rows = scopes.flatMap(({ name, of }) => {
    const reported = of.filter(({ half }) => half === 'reporting')
    const found = flipsOf(reported)
    return found.messages < 1_000 ? [] : [[name, ...flipCells(found)]]
  })
  return `Reporting half. Memories of 100 corrections, labelled as the corpora label them, asked about mail of other
groups and other senders' domains; memory and mail from one source each, then from all.

${table(['source', 'messages', 'good called spam', 'spam called good', 'decided at all'], rows)}`
}

function flipCells({ messages, hamToSpam, spamToHam, decided }: Flips): string[] {
  const share = (count: number) => percent(count / messages)
  return [String(messages), share(hamToSpam), share(spamToHam), share(decided)]
}

function choiceTable(samples: readonly MemorySample[]): string {
  const chosen = samples.filter(({ half }) => half === 'choosing')
  const campaigns = spamCampaigns(samples, 'choosing')
  const written = chosen.filter(({ source }) => source === 'written')
  const rows = FLOORS.map((floor) => [
    String(floor),
    percent(reachAt(campaigns, floor)),
    ...flipCells(flipsAt(chosen, floor)).slice(1, 3),
    ...flipCells(flipsAt(written, floor)).slice(1, 3),
  ])
  return `Choosing half, by the nearest item alone: the share of a spam campaign reached, and unlike mail flipped.

${table(['similarity from', 'reached', 'all: good called spam', 'all: spam called good', 'written: good called spam', 'written: spam called good'], rows)}`
}

function speedTable({ cpu, load, searchUs, packMs, memoryBytes, patternsUs }: Speed): string {
  return `${cpu}, one thread, CPU time, as it was with whatever else the machine did (load average ${load.toFixed(0)}).

${table(
  ['', ''],
  [
    ['one vote of a memory of 2,000 items', `${searchUs.toFixed(0)} µs`],
    ['packing 2,000 items', `${packMs.toFixed(0)} ms`],
    ['size of that memory', `${(memoryBytes / 2 ** 20).toFixed(1)} MiB`],
    ['patterns of a message, template included', `${patternsUs.toFixed(0)} µs`],
  ],
)}`
}
