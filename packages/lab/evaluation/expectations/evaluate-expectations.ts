/** What training would have given each signal, and what its expectation made of that (mail/signals/expectations.ts). */
import { META_FEATURE_NAMES } from '../../../mail/features/meta-features.ts'
import { PURPOSE_SIGNALS } from '../../../mail/signals/content/purposes.ts'
import { EXPECTATIONS, type Expectation } from '../../../mail/signals/expectations.ts'
import type { SignalName } from '../../../mail/signals/signals.ts'
import { readCorpora } from '../../corpora/read.ts'
import { type MetaWeights, metaWeights } from '../../training/meta-weights.ts'
import { readExamples } from '../left-out-models.ts'

/** A signal, its weights in log-odds of the verdict. */
export interface WeighedSignal {
  readonly name: SignalName
  readonly expectation: Expectation
  /** Ham and spam of training that have it. */
  readonly ham: number
  readonly spam: number
  /** What the data alone say. */
  readonly free: number
  /** What it got. */
  readonly given: number
}

export interface ExpectationsEvaluation {
  readonly signals: number
  /** Those whose data lie beyond a bound, the furthest first. */
  readonly fought: readonly WeighedSignal[]
  /** Those that no message of training has. */
  readonly silent: readonly WeighedSignal[]
}

/** How far data have to lie beyond a bound to be listed, in log-odds: less is noise of a few messages. */
const FOUGHT_MIN = 0.1

/** @throws TamisError CORPUS_INVALID when there is nothing to train on. */
export function evaluateExpectations(corpora: string): ExpectationsEvaluation {
  const examples = readExamples(readCorpora(corpora, 'train'))
  const weighed = weighedSignals(metaWeights(examples), examples)
  const distance = ({ free, given }: WeighedSignal) => Math.abs(free - given)
  return {
    signals: weighed.length,
    fought: weighed
      .filter((one) => one.ham + one.spam > 0 && isBeyond(one))
      .toSorted((a, b) => distance(b) - distance(a)),
    silent: weighed.filter(({ ham, spam }) => ham + spam === 0),
  }
}

function weighedSignals(
  { free, given }: MetaWeights,
  examples: readonly {
    readonly spam: boolean | undefined
    readonly meta: { indices: Uint32Array }
  }[],
): WeighedSignal[] {
  const counts = { ham: new Map<number, number>(), spam: new Map<number, number>() }
  for (const { spam, meta } of examples) {
    if (spam === undefined) continue
    const own = counts[spam ? 'spam' : 'ham']
    for (const index of meta.indices) own.set(index, (own.get(index) ?? 0) + 1)
  }
  return META_FEATURE_NAMES.flatMap((name, index) => {
    const expectation = (EXPECTATIONS as Readonly<Record<string, Expectation | undefined>>)[name]
    // From what a message is for, the spam model does not learn.
    if (expectation === undefined || name in PURPOSE_SIGNALS) return []
    return [
      {
        name: name as SignalName,
        expectation,
        ham: counts.ham.get(index) ?? 0,
        spam: counts.spam.get(index) ?? 0,
        free: free[index]!,
        given: given[index]!,
      },
    ]
  })
}

function isBeyond({ expectation: { direction, least, most }, free }: WeighedSignal): boolean {
  const low = least ?? (direction === 'spam' ? 0 : Number.NEGATIVE_INFINITY)
  const high = most ?? (direction === 'ham' ? 0 : Number.POSITIVE_INFINITY)
  return free < low - FOUGHT_MIN || free > high + FOUGHT_MIN
}
