/** The reasons of fifty verdicts as a page: packages/lab/reports/reasons/README.md. */
import { page, tableOf } from '../markdown.ts'
import type { ReasonsEvaluation, ToldVerdict } from './evaluate-reasons.ts'

export function renderReasonsReport(
  { verdicts, contrary }: ReasonsEvaluation,
  command: string,
): string {
  return page('reasons', {
    command,
    count: verdicts.length,
    verdicts: verdicts.map(listed).join('\n'),
    contraryCount: contrary.length,
    contrary: tableOf(contrary, [
      ['signal', ({ name }) => `\`${name}\``],
      ['describes', ({ direction }) => direction],
      ['weighs', ({ logit }) => logit.toFixed(2)],
    ]),
  })
}

/** One verdict as an item of a list. */
function listed(verdict: ToldVerdict): string {
  const { source, id, spam, spamProbability, sentence, reasons, wording } = verdict
  return [
    `- ${source}, \`${id}\`, ${spam ? 'spam' : 'ham'}, ${spamProbability.toFixed(3)}`,
    `  **${sentence}**`,
    `  ${[...reasons, ...(wording === undefined ? [] : [wording])].join('; ')}`,
  ].join('  \n')
}
