/**
 * An aspect: one thing to look at in a message, and every signal that may come of it.
 *
 * What a signal says stands in the file that raises it. `docs/signals.md` and the names that models
 * know their features by are made from there, so that a new signal is an entry, the code below it and
 * its cases (`test/signals/ASPECT.cases`).
 *
 * Names are stable: rules, stored reasons and models refer to them. A signal may become more exact
 * under its name; when it comes to mean something else it gets another.
 */
import type { Message } from '../message/message.ts'
import type { Arrived, Signal } from './signal.ts'

export interface SignalDeclaration {
  /** One sentence that is true of a message where the signal is raised. */
  readonly description: string
  /** What raises it. */
  readonly example: string
  /** Version of Tamis in which it first was. */
  readonly since: string
}

/**
 * Declarations as the files of aspects write them, by the name of the signal: the description in one
 * line, the example in the next, and the version in a third if it is not the first one.
 */
export type SignalDeclarations = Readonly<Record<string, DeclaredInLines>>

type DeclaredInLines = `${string}\n${string}`

const FIRST_VERSION = '0.1.0'

/** Finds the signals of one aspect in a message, no name twice. */
type FindSignals = (message: Message, facts: Arrived) => Signal[]

export interface Aspect<Name extends string, Find extends FindSignals, Declared extends string> {
  readonly name: Name
  readonly find: (...given: Parameters<Find>) => Signal<Declared>[]
  /** All signals that it may give. */
  readonly declares: Readonly<Record<Declared, SignalDeclaration>>
}

/** The aspect `name`, whose signals `find` finds. */
export function aspect<
  const Name extends string,
  Find extends FindSignals,
  Declared extends string,
>(
  name: Name,
  find: Find,
  declares: Readonly<Record<Declared, DeclaredInLines>>,
): Aspect<Name, Find, Declared> {
  const declarations = Object.entries<DeclaredInLines>(declares).map(([signal, lines]) => [
    signal,
    declarationOf(lines),
  ])
  // `signal` takes any name; a test holds that aspects raise what is declared.
  return { name, find: find as never, declares: Object.fromEntries(declarations) }
}

function declarationOf(lines: DeclaredInLines): SignalDeclaration {
  const [description = '', example = '', since = FIRST_VERSION] = lines.trim().split(/\n\s*/)
  return { description, example, since }
}
