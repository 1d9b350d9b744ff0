/** What is known of senders and hosts as a page: packages/lab/reports/known/README.md. */
import { knownAspect } from '../../../mail/signals/known.ts'
import type { SignalName } from '../../../mail/signals/signals.ts'
import { type Column, page, percent, table, tableOf } from '../markdown.ts'
import type { KnownCounts, KnownEvaluation } from './evaluate-known.ts'
import { KNOWN_SENDERS } from './sender.ts'
import type { VerdictsBySender } from './verdicts.ts'

/** Corpora have no sending address (docs/data.md), so that these are raised nowhere. */
const WITHOUT_ADDRESS: readonly string[] = ['KNOWN_NETWORK', 'KNOWN_FROM_OUTSIDE_NETWORKS']

export function renderKnownReport(evaluation: KnownEvaluation, command: string): string {
  const { domains, counts, verdicts, forged } = evaluation
  const names = Object.values(domains).reduce((sum, of) => sum + of, 0)
  const kinds = Object.entries(domains).map(([kind, of]) => `${number(of)} ${kind}`)
  return page('known', {
    ...evaluation,
    command,
    names,
    kinds: kinds.join(', '),
    senders: tableOf(counts, [
      ['', labelOf],
      ['messages', ({ messages }) => number(messages)],
      ...KNOWN_SENDERS.map(
        (sender): Column<KnownCounts> => [
          sender.replace(' ', ', '),
          ({ senders }) => number(senders[sender]),
        ],
      ),
    ]),
    verdicts: table(
      ['sender', 'signatures', 'ham', 'ham lost', 'spam', 'spam caught'],
      verdictRows(verdicts),
    ),
    letters: forged.letters,
    strangerCaught: forged.stranger,
    otherStrangers: forged.otherStrangers.join(' and '),
    forged: tableOf(forged.names, [
      ['in the name of', ({ name }) => name],
      ['no checks, unsigned', ({ unchecked }) => number(unchecked)],
      ['no checks, a signature claimed', ({ claiming }) => number(claiming)],
      [
        `checks, of ${forged.stranger} caught from a stranger`,
        ({ checkedOfCaught }) => number(checkedOfCaught),
      ],
      [
        `checks, of the other ${forged.letters - forged.stranger}`,
        ({ checkedOfRest }) => number(checkedOfRest),
      ],
    ]),
    withoutAddress: WITHOUT_ADDRESS.map((name) => `\`${name}\``).join(' and '),
    signals: tableOf(signalNames(), [
      ['', (name) => `\`${name}\``],
      ...counts.map(
        (each): Column<SignalName> => [
          labelOf(each),
          (name) => percent((each.signals.get(name) ?? 0) / each.messages),
        ],
      ),
    ]),
    falsePositiveRate: evaluation.falsePositiveRate.toExponential(1),
  })
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
export function knownFigures({ counts, verdicts, ...sizes }: KnownEvaluation): object {
  return {
    ...sizes,
    verdicts: Object.fromEntries(verdicts),
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
