/** Says what is wrong with a weighted rule that somebody has written, and brings the others to the form that is compared. */
import { ATTACHMENT_KINDS } from '../signals/attachment-kind.ts'
import { comparedWords } from './compared-text.ts'
import { compilePattern, PATTERN_SIZE_MAX } from './text-pattern.ts'
import {
  CONDITIONS_MAX,
  type Condition,
  PATTERN_LENGTH_MAX,
  RULE_NAME,
  WEIGHT_MAX,
  type WeightedRule,
  WORDS_LENGTH_MAX,
} from './weighted-rule.ts'

/** The name of a header field (RFC 5322 §3.6.8); RFC 5322 §2.1.1 leaves 77 characters of a line. */
const FIELD_NAME = /^[!-9;-~]{1,77}$/

/** What is wrong with a rule. */
export interface RuleFault {
  /** 'weight', or 'conditions/0/matches'. */
  readonly field: string
  /** 'must be ...'. */
  readonly fault: string
}

/** `rule` as it is compared and kept, or what is wrong with it. */
export function checkWeightedRule({
  name,
  weight,
  conditions,
}: WeightedRule): WeightedRule | RuleFault {
  if (!RULE_NAME.test(name)) {
    const fault = 'must be at most 40 capital letters, digits and _, the first a letter'
    return { field: 'name', fault }
  }
  if (!(Math.abs(weight) <= WEIGHT_MAX) || weight === 0) {
    return { field: 'weight', fault: `must be between -${WEIGHT_MAX} and ${WEIGHT_MAX}, and not 0` }
  }
  if (conditions.length === 0 || conditions.length > CONDITIONS_MAX) {
    return { field: 'conditions', fault: `must be 1 to ${CONDITIONS_MAX}` }
  }
  const checked: Condition[] = []
  for (const [at, condition] of conditions.entries()) {
    const result = checkCondition(condition)
    if ('fault' in result) return { ...result, field: `conditions/${at}/${result.field}` }
    checked.push(result)
  }
  return { name, weight, conditions: checked }
}

/** The same of one condition; the field is one of its own. */
export function checkCondition(condition: Condition): Condition | RuleFault {
  const { part, field, contains, matches, kind } = condition
  if (part === 'attachment') return checkKind(condition)
  if (kind !== undefined) return { field: 'kind', fault: 'is for attachment alone' }
  if (part !== 'header' && field !== undefined) {
    return { field: 'field', fault: 'is for header alone' }
  }
  if (part === 'header' && !FIELD_NAME.test(field ?? '')) {
    return { field: 'field', fault: 'must be the name of a header field, such as X-Mailer' }
  }
  const where = { part, ...(field !== undefined && { field: field.toLowerCase() }) }
  if (contains !== undefined && matches === undefined) return checkWords(where, contains)
  if (matches !== undefined && contains === undefined) return checkPattern(where, matches)
  return { field: 'contains', fault: 'or matches must be given, and not both' }
}

function checkKind({ part, field, contains, matches, kind }: Condition): Condition | RuleFault {
  if (field !== undefined) return { field: 'field', fault: 'is for header alone' }
  if (contains !== undefined) return { field: 'contains', fault: 'is not for attachment' }
  if (matches !== undefined) return { field: 'matches', fault: 'is not for attachment' }
  if (kind === undefined || !ATTACHMENT_KINDS.includes(kind)) {
    return { field: 'kind', fault: `must be one of ${ATTACHMENT_KINDS.join(', ')}` }
  }
  return { part, kind }
}

type Where = Pick<Condition, 'part' | 'field'>

function checkWords(where: Where, contains: string): Condition | RuleFault {
  const words = comparedWords(contains)
  if (words === '' || contains.length > WORDS_LENGTH_MAX) {
    return { field: 'contains', fault: `must be words of at most ${WORDS_LENGTH_MAX} characters` }
  }
  return { ...where, contains: words }
}

function checkPattern(where: Where, matches: string): Condition | RuleFault {
  const field = 'matches'
  if (matches === '' || matches.length > PATTERN_LENGTH_MAX) {
    return { field, fault: `must be a pattern of at most ${PATTERN_LENGTH_MAX} characters` }
  }
  try {
    const { size } = compilePattern(matches)
    if (size <= PATTERN_SIZE_MAX) return { ...where, matches }
    return {
      field,
      fault: `compiles to ${size} instructions, more than ${PATTERN_SIZE_MAX}; use shorter repetitions`,
    }
  } catch (error) {
    return { field, fault: `is not a pattern of RE2: ${patternFault(error)}` }
  }
}

/** What the engine says, with the pattern as it was written: it is told to read lines. */
function patternFault(error: unknown): string {
  return (error as Error).message.replace('error parsing regexp: ', '').replace('`(?m)', '`')
}
