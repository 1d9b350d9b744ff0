/**
 * What the operator's rules are compared with. It is drawn beside the analysis, where the message is, and is plain data
 * and small whatever the message holds: what it claims and has (claims.ts), and which rules' texts stand in it.
 */
import type { Message } from '../message/message.ts'
import {
  type ComparedText,
  type ComparedTexts,
  comparedTexts,
  containsWords,
} from '../personalization/compared-text.ts'
import { type Correspondence, unsafeIn } from '../personalization/correspondence.ts'
import { compilePattern, type TextPattern } from '../personalization/text-pattern.ts'
import type { Signal } from '../signals/signal.ts'
import type { Rule, TextCondition } from './rule.ts'

/** The texts of a rule that is to be compared with a message, and its place in the index. */
export interface TextRule extends Pick<Rule, 'texts'> {
  readonly at: number
}

export interface TextMatches {
  /** The places of the rules whose texts all stand in the message. */
  readonly held: readonly number[]
  /** Why no rule speaks against spam: an attachment that runs or hides what it is, or parts that were not read. */
  readonly unsafe?: Correspondence['unsafe']
  /** True when the time was used up before all were compared. */
  readonly isCut?: true
}

/**
 * Milliseconds for the texts of one message: two hundred rules take 3, and 60 where each is a pattern that names no word.
 * Stops patterns, and a message that is slow to compare with them, from holding up other mail.
 */
const TEXTS_MS_MAX = 200

/** Compiled patterns that are kept: twice what two texts of rules may have, since a thread gets copies of rules. */
const PATTERNS_KEPT_MAX = 1_000

const compiled = new Map<string, TextPattern>()

/**
 * @param found the signals of the message and of all its readings that were judged.
 * @param now a clock in milliseconds.
 */
export function textMatches(
  message: Message,
  found: readonly Signal[],
  rules: readonly TextRule[],
  now: () => number,
): TextMatches {
  const texts = comparedTexts(message)
  const unsafe = unsafeIn(message, found)
  const held: number[] = []
  const end = now() + TEXTS_MS_MAX
  for (const rule of rules) {
    let holds = true
    for (const condition of cheapestFirst(rule.texts)) {
      // Before each condition, not each rule: a pattern may take a quarter of a second.
      if (now() > end) return { held, ...(unsafe && { unsafe }), isCut: true }
      holds = standsIn(texts, condition)
      if (!holds) break
    }
    if (holds) held.push(rule.at)
  }
  return { held, ...(unsafe && { unsafe }) }
}

function cheapestFirst(conditions: readonly TextCondition[]): readonly TextCondition[] {
  if (conditions.length < 2) return conditions
  return conditions.toSorted(
    (a, b) => Number(a.words === undefined) - Number(b.words === undefined),
  )
}

function standsIn(texts: ComparedTexts, condition: TextCondition): boolean {
  const text = textOf(texts, condition)
  if (text === undefined) return false
  const { words, pattern } = condition
  return words === undefined ? patternOf(pattern!).isIn(text.lines) : containsWords(text, words)
}

function textOf(
  texts: ComparedTexts,
  { part, field = '' }: TextCondition,
): ComparedText | undefined {
  switch (part) {
    case 'subject':
      return texts.subject()
    case 'body':
      return texts.text()
    case 'link':
      return texts.links()
    case 'header':
      return texts.header(field)
  }
}

function patternOf(text: string): TextPattern {
  const known = compiled.get(text)
  if (known !== undefined) return known
  if (compiled.size >= PATTERNS_KEPT_MAX) compiled.clear()
  const pattern = compilePattern(text)
  compiled.set(text, pattern)
  return pattern
}
