/**
 * Answers shown in documents: a JSON block below a comment that says which answer it is,
 *
 *     <!-- npm run docs: verdict of examples/phishing.eml from bounce@example.net -->
 *
 * `verdict` is that of `/classify-stream`, `class` that of `/tabs/classify-stream`; `from` is the
 * envelope sender.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { decide, decideClass } from '../packages/mail/verdict/decide.ts'
import { NO_EVIDENCE } from '../packages/mail/verdict/evidence.ts'
import { type JudgedExample, judgedExample, shown } from './judged-example.ts'

const ROOT = join(import.meta.dirname, '..')

const BLOCK =
  /(<!-- npm run docs: (verdict|class) of (\S+)(?: from (\S+))? -->\n+```json\n)[^`]*(```)/g

/** The time that is shown: the actual one differs from run to run. */
const ELAPSED_MS = 4

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
    const answer = JSON.stringify(
      shown(kind === 'class' ? classOf(judged) : verdictOf(judged)),
      null,
      2,
    )
    rendered += `${text.slice(end, index)}${before}${answer}\n${after}`
    end = index + block.length
  }
  return rendered + text.slice(end)
}

function verdictOf({ analysis, policy }: JudgedExample): object {
  return decide(analysis, NO_EVIDENCE, policy)
}

function classOf({ analysis }: JudgedExample): object {
  return { ...decideClass(analysis, NO_EVIDENCE), elapsedMs: ELAPSED_MS }
}
