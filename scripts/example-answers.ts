/** packages/service/http/openapi/example-answers.ts: the service's answers about the example of the OpenAPI document. */
import { decide, decideClass } from '../packages/mail/verdict/decide.ts'
import { diagnostic, explanationOf } from '../packages/mail/verdict/diagnostic.ts'
import { NO_EVIDENCE } from '../packages/mail/verdict/evidence.ts'
import { pointsOf, REQUIRED_POINTS, reasonsOf } from '../packages/mail/verdict/points.ts'
import { sentenceText } from '../packages/mail/verdict/sentence.ts'
import { EXAMPLE_SENDER, MESSAGE } from '../packages/service/http/openapi/examples.ts'
import { judgedExample, shown } from './judged-example.ts'

/** First entries of a list that are shown, and how much of inputs and of a text: there are dozens. */
const ENTRIES_MAX = 2
const INPUTS_MAX = 3

const HEADING = `/**
 * What the service says of the example, shortened. Written by \`npm run docs\`, from the shipped
 * models.
 */`

export async function exampleAnswers(): Promise<string> {
  const { analysis, policy } = await judgedExample(
    Buffer.from(MESSAGE),
    EXAMPLE_SENDER['X-Sender-Email'],
  )
  const verdict = decide(analysis, NO_EVIDENCE, policy)
  const explanation = explanationOf(analysis, NO_EVIDENCE, policy)
  const {
    timing: _,
    result: _result,
    tabs: _tabs,
    ...details
  } = diagnostic(analysis, NO_EVIDENCE, policy)
  return `${[
    HEADING,
    constant('VERDICT', verdict),
    constant('SCORE', {
      score: pointsOf(verdict),
      requiredScore: REQUIRED_POINTS,
      sentence: sentenceText(explanation.sentence),
      reasons: reasonsOf(verdict, explanation).slice(0, ENTRIES_MAX),
    }),
    constant('CLASS_VERDICT', decideClass(analysis, NO_EVIDENCE, policy)),
    constant('DETAILS', shortened(details) as object),
  ].join('\n\n')}\n`
}

function constant(name: string, value: object): string {
  return `export const ${name} = ${JSON.stringify(shown(value), null, 2)}`
}

function shortened(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.slice(0, ENTRIES_MAX).map((each) => shortened(each))
  if (typeof value === 'string') return name === 'text' ? value.split('\n', 1)[0] : value
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).slice(0, name === 'inputs' ? INPUTS_MAX : undefined)
  return Object.fromEntries(entries.map(([key, each]) => [key, shortened(each, key)]))
}
