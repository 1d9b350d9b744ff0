/** The figures that say most about the models, read from the table at the head of their report. */
import { lexer, type Token, type Tokens } from 'marked'

/** One row of the table. Numbers are texts as the report has them: '1.9 %', '0.71 – 3.4 %'. */
export interface Figure {
  readonly result: string
  /** The 95 % interval. */
  readonly interval: string
  /** Messages that it was measured on. */
  readonly messages: number
}

export interface Figures {
  /** The share of pairs of one ham and one spam in which the ham scores higher, on one household's mail. */
  readonly mixedUp: Figure
  /** At the default threshold, on the modern source where it is highest. */
  readonly hamLost: Figure
  /** At the default threshold, mean over modern sources. */
  readonly spamCaught: Figure
  /** Of that household's ham, the share in a class that its owner accepts. */
  readonly rightClass: Figure
}

/** @throws Error when the table or one of the rows is not there: the report has changed. */
export function figuresOf(report: string): Figures {
  const table = headlineOf(lexer(report))
  const figure = (measure: string): Figure => {
    const row = table.rows.find(([first]) => first?.text === measure)
    if (row === undefined) throw new Error(`The report has no row "${measure}"`)
    const cell = (column: string) => {
      const text = row[table.header.findIndex((head) => head.text === column)]?.text
      if (text === undefined) throw new Error(`The report has no column "${column}"`)
      return text.replaceAll('**', '')
    }
    return { result: cell('result'), interval: cell('95 %'), messages: Number(cell('messages')) }
  }
  return {
    mixedUp: figure('household_2025: 1-AUC, spam against ham'),
    hamLost: figure('ham lost at the shipped threshold, worst modern source'),
    spamCaught: figure('spam caught at the shipped threshold, mean over modern sources'),
    rightClass: figure('tabs on household_2025: accuracy, counting also_acceptable'),
  }
}

function headlineOf(tokens: readonly Token[]): Tokens.Table {
  const heading = tokens.findIndex((token) => token.type === 'heading' && token.text === 'Headline')
  const table = tokens.slice(heading + 1).find(({ type }) => type === 'table')
  if (heading === -1 || table === undefined) throw new Error('The report has no headline figures')
  return table as Tokens.Table
}
