/** The report of what is expected of signals, in Markdown. */
import { page, tableOf } from '../markdown.ts'
import type { ExpectationsEvaluation, WeighedSignal } from './evaluate-expectations.ts'

export function renderExpectationsReport(
  { signals, fought, silent }: ExpectationsEvaluation,
  command: string,
): string {
  return page('expectations', {
    command,
    signals,
    foughtCount: fought.length,
    silentCount: silent.length,
    fought: tableOf(fought, [
      ['signal', ({ name }) => name],
      ['ham', ({ ham }) => String(ham)],
      ['spam', ({ spam }) => String(spam)],
      ['data alone', ({ free }) => free.toFixed(2)],
      ['bounds', bounds],
      ['weight', ({ given }) => given.toFixed(2)],
    ]),
    silent: tableOf(silent, [
      ['signal', ({ name }) => name],
      ['weight', ({ given }) => given.toFixed(2)],
      ['why', ({ expectation: { direction, why } }) => why ?? `its direction: ${direction}`],
    ]),
  })
}

function bounds({ expectation: { direction, least, most } }: WeighedSignal): string {
  const low = least ?? (direction === 'spam' ? 0 : undefined)
  const high = most ?? (direction === 'ham' ? 0 : undefined)
  return `${low ?? ''} …${high === undefined ? '' : ` ${high}`}`.trim()
}
