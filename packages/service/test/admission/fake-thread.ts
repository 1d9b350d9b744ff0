/**
 * Stands in for packages/service/admission/analysis-in-thread.ts where a test is about the pool and not about mail. The
 * first word of the body says what it does; its Analysis tells what reached it.
 */

import { TamisError } from '../../../errors/errors.ts'
import type { Analysis } from '../../../mail/verdict/analysis.ts'
import { NO_SUMMARY } from '../../../mail/verdict/summary.ts'
import type { AnalyseTask } from '../../admission/analyse-task.ts'
import { answerCalls } from '../../threads/calls.ts'

answerCalls({ start: () => {}, analyse: analyseTask })

function analyseTask(task: AnalyseTask): Analysis {
  const text = bodyText(task)
  const [command, argument] = text.split(/\s+/)
  const { headerOnly = false } = task.options
  if (command === 'SLEEP') sleep(Number(argument))
  if (command === 'REFUSE') throw new TamisError('NOT_A_MESSAGE', 'No message')
  if (command === 'THROW') throw new TamisError('INTERNAL', 'Broken')
  if (command === 'EXIT' && !headerOnly) process.exit(1)
  if (command === 'LOOP' && !headerOnly) sleep(Number.POSITIVE_INFINITY)
  if (command === 'HOG' && !headerOnly) hog()
  if (command === 'LOOP-ALWAYS') sleep(Number.POSITIVE_INFINITY)
  return analysisOf(text.length, headerOnly)
}

/** Bytes that reached the worker are in `timing.parse`. */
function analysisOf(bytes: number, headerOnly: boolean): Analysis {
  const prediction = { logit: 0, probability: 0.5 }
  return {
    text: prediction,
    meta: prediction,
    spam: prediction,
    wholeSpam: prediction,
    fromDomain: 'other',
    tabs: { primary: 1, promotions: 0, updates: 0, transactions: 0 },
    feedHits: [],
    summary: NO_SUMMARY,
    limitsReached: [],
    bodyUnread: headerOnly,
    textUnread: false,
    timing: { parse: bytes, signals: 0, features: 0, models: 0 },
  }
}

function bodyText({ body }: AnalyseTask): string {
  return body.kind === 'memory' ? Buffer.from(body.bytes).toString('latin1') : ''
}

/** Busy, as a regular expression without end would be. */
function sleep(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}

/** Takes all the memory it can have. */
function hog(): never {
  const held: number[][] = []
  while (true) held.push(Array.from({ length: 100_000 }, (_, index) => index + 0.5))
}
