/**
 * Answers shown in documents: a JSON block below a comment that says which answer it is,
 *
 *     <!-- npm run docs: verdict of examples/phishing.eml from bounce@example.net -->
 *
 * `verdict` is that of `/classify-stream`, `class` that of `/tabs/classify-stream`, `line` the line of the
 * log; `from` is the envelope sender.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { decide, decideClass } from '../packages/mail/verdict/decide.ts'
import { NO_EVIDENCE } from '../packages/mail/verdict/evidence.ts'
import { ENGLISH } from '../packages/mail/verdict/languages/languages.ts'
import { reasonsTold } from '../packages/mail/verdict/told-reasons.ts'
import type { Verdict } from '../packages/mail/verdict/verdict.ts'
import { judgedAs, messageLine } from '../packages/service/http/message-line.ts'
import { summaryIn } from '../packages/service/http/told-message.ts'
import { type JudgedExample, judgedExample, shown } from './judged-example.ts'

const ROOT = join(import.meta.dirname, '..')

const BLOCK =
  /(<!-- npm run docs: (verdict|class|line) of (\S+)(?: from (\S+))? -->\n+```json\n)[^`]*(```)/g

/** The time that is shown: the actual one differs from run to run. */
const ELAPSED_MS = 4
const LOGGED_AT_MS = 1_795_415_080_000

/** `text` with each answer as it is now. */
export async function withAnswers(text: string): Promise<string> {
  let rendered = ''
  let end = 0
  for (const {
    0: block,
    1: before,
    2: kind,
    3: message,
    4: mailFrom,
    5: after,
    index,
  } of text.matchAll(BLOCK)) {
    const judged = await judgedExample(readFileSync(join(ROOT, message!)), mailFrom)
    const answer =
      kind === 'line'
        ? JSON.stringify(lineOf(judged))
        : JSON.stringify(shown(kind === 'class' ? classOf(judged) : verdictOf(judged)), null, 2)
    rendered += `${text.slice(end, index)}${before}${answer}\n${after}`
    end = index + block.length
  }
  return rendered + text.slice(end)
}

/** As server.ts writes it, without the process and the machine. */
function lineOf(judged: JudgedExample): object {
  const { analysis, policy } = judged
  const verdict = verdictOf(judged)
  const reasons = reasonsTold(analysis, NO_EVIDENCE, policy, verdict)
  const judgedBy = { ...verdict, threshold: policy.threshold }
  const summary = summaryIn(ENGLISH, { ...analysis.summary, judged: judgedBy, reasons })
  return {
    level: 30,
    time: LOGGED_AT_MS,
    reqId: '1f',
    route: '/classify-stream',
    method: 'POST',
    status: 200,
    ...messageLine(summary, judgedAs([verdict], verdict)),
    ms: ELAPSED_MS,
    msg: 'request',
  }
}

function verdictOf({ analysis, policy }: JudgedExample): Verdict {
  return decide(analysis, NO_EVIDENCE, policy)
}

function classOf({ analysis, policy }: JudgedExample): object {
  return { ...decideClass(analysis, NO_EVIDENCE, policy), elapsedMs: ELAPSED_MS }
}
