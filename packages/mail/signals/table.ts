/**
 * Every signal there is: what it says, and what a person expects of it (signals.tsv).
 *
 * The order of rows is that of the aspects that raise them and, within an aspect, that in which training numbers them.
 * Names are stable: rules, stored reasons and models refer to them. A signal may become more exact under its name;
 * when it comes to mean something else it gets another.
 *
 * Weights are learned and may disagree with what is expected, because signals come together: most newsletters have a
 * tracking pixel, and most are ham. A weight against the expectation still counts, but no person believes such a
 * reason, so none is listed with it (verdict/explain.ts).
 */
import {
  oneOf,
  optionalNumber,
  optionalText,
  type RowOf,
  readTable,
  requiredText,
} from '../data-table.ts'

const COLUMNS = {
  name: signalName,
  /** The key of the aspect in signals.ts that raises it. */
  aspect: requiredText,
  /** `spam`: its description is a mark against the message; `ham`: in its favour; `either`: neither, alone. */
  direction: oneOf('spam', 'ham', 'either'),
  /** The weight from which training starts, in log-odds, and the bounds within which it stays; empty for the default. */
  prior: optionalNumber,
  min: optionalNumber,
  max: optionalNumber,
  /** Reads on after a colon; empty for what a sender claims of itself (verdict/texts.ts). */
  clause: optionalText,
  /** One sentence that is true of a message where the signal is raised. */
  description: sentence,
  /** What raises it. */
  example: requiredText,
  /** Why it has its prior and bounds, and where they come from. */
  why: optionalText,
}

export type SignalRow = RowOf<typeof COLUMNS>

/** The name of a signal, which is in the table. */
export type SignalName = string

export const SIGNALS: readonly SignalRow[] = readTable(
  new URL('signals.tsv', import.meta.url),
  COLUMNS,
  { unique: 'name', check: checkBounds },
)

export const SIGNAL_NAMES: readonly SignalName[] = SIGNALS.map(({ name }) => name)

const BY_NAME: ReadonlyMap<string, SignalRow> = new Map(SIGNALS.map((row) => [row.name, row]))

/** The row of the signal `name`; undefined for what is no signal, or one of another version. */
export function signalNamed(name: string): SignalRow | undefined {
  return BY_NAME.get(name)
}

/** The names of the signals that `aspects` raise. */
export function signalsOfAspects(aspects: readonly string[]): SignalName[] {
  return SIGNALS.filter(({ aspect }) => aspects.includes(aspect)).map(({ name }) => name)
}

/** The set of these signals. @throws RangeError for a name that is not in the table. */
export function signalSet(...names: readonly SignalName[]): ReadonlySet<SignalName> {
  for (const name of names) if (!BY_NAME.has(name)) throw new RangeError(`${name} is no signal`)
  return new Set(names)
}

function signalName(text: string): SignalName {
  if (/^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(text)) return text
  throw new RangeError(`"${text}" is not a name in capitals`)
}

function sentence(text: string): string {
  if (/^[A-Z].*\.$/.test(text)) return text
  throw new RangeError('is not a sentence')
}

/** Bounds that are out of order, and a prior beyond them. */
function checkBounds({
  prior = 0,
  min = Math.min(0, prior),
  max = Number.POSITIVE_INFINITY,
}: SignalRow): ['prior' | 'max', string] | undefined {
  if (min > max) return ['max', `${max} is less than min, ${min}`]
  if (prior < min || prior > max) return ['prior', `${prior} is not within the bounds`]
  return undefined
}
