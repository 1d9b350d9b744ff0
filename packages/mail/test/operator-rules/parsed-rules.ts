import { type ParsedRules, parseRules } from '../../operator-rules/grammar.ts'

/** The rules of `text`, read at once. */
export function parsedRules(text: string, source = 'file'): ParsedRules {
  const steps = parseRules(text, source)
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}
