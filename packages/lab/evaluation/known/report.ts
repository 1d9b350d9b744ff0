/** What is known of senders and hosts as a page: packages/lab/reports/known/README.md. */
import { knownAspect } from '../../../mail/signals/known.ts'
import type { SignalName } from '../../../mail/signals/signals.ts'
import { percent, table } from '../markdown.ts'
import type { KnownCounts, KnownEvaluation } from './evaluate-known.ts'
import { KNOWN_SENDERS } from './sender.ts'
import type { VerdictsBySender } from './verdicts.ts'

/** Corpora have no sending address (docs/data.md), so that these are raised nowhere. */
const WITHOUT_ADDRESS: readonly string[] = ['KNOWN_NETWORK', 'KNOWN_FROM_OUTSIDE_NETWORKS']

export function renderKnownReport(evaluation: KnownEvaluation, command: string): string {
  const { version, domains, networks, counts, cost } = evaluation
  const names = Object.values(domains).reduce((sum, of) => sum + of, 0)
  const kinds = Object.entries(domains).map(([kind, of]) => `${number(of)} ${kind}`)
  return `# What is known of senders and hosts

Made by \`${command}\`; artifact \`known-domains\` ${version}: ${number(names)} names (${kinds.join(', ')}) and
${number(networks)} networks. What each kind means: \`packages/mail/knowledge/domain-table.ts\`.

## Who sends, and what vouches for them

Messages by the domain of From and the signatures that are claimed: From's own, others' alone, none. Known are
organisations that exist; stranger is what anybody may write from (mailbox providers, hosting, networks of people, mailing
services). Nothing is verified here: a claim can be forged, and then fails where DKIM is checked.

${table(
  ['', 'messages', ...KNOWN_SENDERS.map((sender) => sender.replace(' ', ', '))],
  counts.map((each) => [
    labelOf(each),
    number(each.messages),
    ...KNOWN_SENDERS.map((sender) => number(each.senders[sender])),
  ]),
)}

About thirty of the strike-outs were added after a look at the known domains that the spam here is from. Elsewhere more
spam will come from platforms that no list has than these counts say.

## How it is judged

The household, the lists and one fold in five of the written mail, each left out of training, with phishing_pot, which is never
trained on, at the threshold \`balanced\`. Spam in a known name has no signature of that name: it must be caught as often as
spam of others. Whether a signature holds is no feature (docs/decisions/0010).

${table(
  ['sender', 'signatures', 'ham', 'ham lost', 'spam', 'spam caught'],
  verdictRows(evaluation.verdicts),
)}

## Signals

Share of the messages of each source in which a signal is raised. ${WITHOUT_ADDRESS.map((name) => `\`${name}\``).join(' and ')}
need X-Sender-IP, which corpora do not have.

${table(
  ['', ...counts.map(labelOf)],
  signalNames().map((name) => [
    `\`${name}\``,
    ...counts.map(({ signals, messages }) => percent((signals.get(name) ?? 0) / messages)),
  ]),
)}

## What it costs

| | |
|---|--:|
| artifact, bytes | ${number(cost.artifactBytes)} |
| memory, bytes, shared by all threads | ${number(cost.memoryBytes)} |
| look-up of a name that is in no list, CPU | ${cost.domainNs.toFixed(0)} ns |
| look-up of an address, CPU | ${cost.networkNs.toFixed(0)} ns |
| names in no list taken for one that is, computed | ${evaluation.falsePositiveRate.toExponential(1)} |
| the same, of ${number(cost.madeUp)} made-up names | ${cost.falsePositives} |
| look at a message that other aspects have read, CPU | ${cost.aspectUs.toFixed(1)} µs |
| analysis of a message without it, CPU, least of rounds in turn | ${cost.withoutUs.toFixed(0)} µs |
| the same with it | ${cost.withUs.toFixed(0)} µs |
`
}

function verdictRows(verdicts: VerdictsBySender): string[][] {
  return KNOWN_SENDERS.map((sender) => {
    const counts = verdicts.get(sender) ?? { ham: 0, lost: 0, spam: 0, caught: 0 }
    const { ham, lost, spam, caught } = counts
    const shares = [number(ham), percent(lost / ham), number(spam), percent(caught / spam)]
    return [...sender.split(' '), ...shares]
  })
}

/** Figures for programs. */
export function knownFigures({
  counts,
  verdicts,
  cost,
  falsePositiveRate,
}: KnownEvaluation): object {
  return {
    falsePositiveRate,
    verdicts: Object.fromEntries(verdicts),
    ...cost,
    sources: counts.map(({ signals, ...each }) => ({
      ...each,
      signals: Object.fromEntries(signals),
    })),
  }
}

function signalNames(): SignalName[] {
  return (Object.keys(knownAspect.declares) as (keyof typeof knownAspect.declares)[]).filter(
    (name) => !WITHOUT_ADDRESS.includes(name),
  )
}

function labelOf({ source, spam }: KnownCounts): string {
  return `${source}, ${spam ? 'spam' : 'ham'}`
}

function number(value: number): string {
  return value.toLocaleString('en-US')
}
