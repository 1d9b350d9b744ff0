/**
 * Which weighted rules hold for a message. This is part of the analysis, where the text is: what goes on from here
 * are names and weights.
 */
import type { Message } from '../message/message.ts'
import type { AttachmentKind } from '../signals/attachment-kind.ts'
import { attachmentKinds } from '../signals/attachments.ts'
import type { Signal } from '../signals/signal.ts'
import {
  type ComparedText,
  type ComparedTexts,
  comparedTexts,
  containsWords,
} from './compared-text.ts'
import { type Correspondence, unsafeIn } from './correspondence.ts'
import { compilePattern } from './text-pattern.ts'
import type { Condition, WeightedRule } from './weighted-rule.ts'

/** What the rules of a tenant say of a message. */
export interface WeightedMatches {
  /** Those that hold, in their order. */
  readonly holding: readonly Pick<WeightedRule, 'name' | 'weight'>[]
  /** Why none of them speaks against spam: an attachment that runs or hides what it is, or parts that were not read. */
  readonly unsafe?: Correspondence['unsafe']
  /** True when the time was used up before all were compared. */
  readonly isCut?: true
}

/**
 * Milliseconds for the rules of one message: two hundred take 3, and 60 where each is a pattern that names no word. Stops a
 * tenant's patterns, and a message that is slow to compare with them, from holding up the mail of others.
 */
const RULES_MS_MAX = 200

/** What is compared while there is time. */
interface Compared {
  readonly message: Message
  readonly texts: ComparedTexts
  readonly kinds: readonly AttachmentKind[]
}

type Test = (compared: Compared) => boolean

/** Patterns are compiled once for each rule, as long as it is in use. */
const TESTS = new WeakMap<WeightedRule, readonly Test[]>()

/**
 * @param found the signals of the message and of all its readings that were judged.
 * @param now a clock in milliseconds.
 */
export function weightedMatches(
  message: Message,
  found: readonly Signal[],
  rules: readonly WeightedRule[],
  now: () => number,
): WeightedMatches {
  const compared = { message, texts: comparedTexts(message), kinds: attachmentKinds(message) }
  const unsafe = unsafeIn(message, found)
  const holding: Pick<WeightedRule, 'name' | 'weight'>[] = []
  const end = now() + RULES_MS_MAX
  for (const rule of rules) {
    let holds = true
    for (const test of testsOf(rule)) {
      // Before each condition, not each rule: one has five, and a pattern may take a quarter of a second.
      if (now() > end) return { holding, ...(unsafe && { unsafe }), isCut: true }
      holds = test(compared)
      if (!holds) break
    }
    if (holds) holding.push({ name: rule.name, weight: rule.weight })
  }
  return { holding, ...(unsafe && { unsafe }) }
}

/** What is cheap to compare comes first. */
function testsOf(rule: WeightedRule): readonly Test[] {
  const known = TESTS.get(rule)
  if (known !== undefined) return known
  const isPattern = ({ matches }: Condition) => matches !== undefined
  const tests = [
    ...rule.conditions.filter((condition) => !isPattern(condition)),
    ...rule.conditions.filter(isPattern),
  ].map(testOf)
  TESTS.set(rule, tests)
  return tests
}

function testOf({ part, field = '', contains = '', matches, kind }: Condition): Test {
  if (part === 'attachment') return ({ kinds }) => kinds.includes(kind!)
  const textOf = ({ texts }: Compared): ComparedText | undefined => {
    switch (part) {
      case 'subject':
        return texts.subject()
      case 'text':
        return texts.text()
      case 'link':
        return texts.links()
      case 'header':
        return texts.header(field)
    }
  }
  const isIn = matches === undefined ? undefined : compilePattern(matches).isIn
  return (compared) => {
    const text = textOf(compared)
    if (text === undefined) return false
    return isIn === undefined ? containsWords(text, contains) : isIn(text.lines)
  }
}
