/**
 * Makes small faults in a source file, one at a time: such as a typing error or a bad merge makes, and a
 * test ought to notice. DeMillo, Lipton and Sayward, Hints on Test Data Selection (1978).
 *
 * It works on tokens and not on a syntax tree: comments and strings are skipped, and a mutant that no
 * longer compiles is noticed by every test.
 */

export interface Mutant {
  /** Counted from 1. */
  readonly line: number
  /** The original line, without the white space around it. */
  readonly was: string
  /** The line with the fault, without the white space around it. */
  readonly is: string
  /** The whole file with the fault. */
  readonly source: string
}

/** A fault: where `pattern` matches code, `replacement` is put in its place. */
interface Wrong {
  readonly pattern: RegExp
  readonly replacement: (match: RegExpExecArray) => string
}

const always = (text: string) => () => text

/** The faults. Each keeps the text about as long; types may become wrong, which the type stripper does not check. */
const WRONGS: readonly Wrong[] = [
  { pattern: / === /g, replacement: always(' !== ') },
  { pattern: / !== /g, replacement: always(' === ') },
  { pattern: / < /g, replacement: always(' <= ') },
  { pattern: / <= /g, replacement: always(' < ') },
  { pattern: / > (?!\()/g, replacement: always(' >= ') },
  { pattern: / >= /g, replacement: always(' > ') },
  { pattern: / && /g, replacement: always(' || ') },
  { pattern: / \|\| /g, replacement: always(' && ') },
  { pattern: /(?<=[(\s])!(?=[\w(#])/g, replacement: always('') },
  { pattern: /(?<=[\s(,])true(?=[\s,)]|$)/gm, replacement: always('false') },
  { pattern: /(?<=[\s(,])false(?=[\s,)]|$)/gm, replacement: always('true') },
  { pattern: / \+ /g, replacement: always(' - ') },
  { pattern: / - /g, replacement: always(' + ') },
  // A guard that is never taken: `if (…) return`, `if (…) throw`.
  { pattern: /(?<=\bif )\(.*\)(?= (?:return|throw|continue)\b)/g, replacement: always('(false)') },
  // A limit that is one higher.
  {
    pattern: /(?<=(?:= |: |\()-?)\d[\d_]*(?=\s*(?:,|$|\)))/gm,
    replacement: ([number]) => String(Number(number.replaceAll('_', '')) + 1),
  },
  // A call for its effect that is not made.
  {
    pattern: /^ {2,}(?:await |void )?(?:this\.)?#?\w+(?:\??\.#?\w+)*\(.*\)$/gm,
    replacement: always(''),
  },
]

/** All mutants of `source`, in the order of its lines. */
export function mutantsOf(source: string): Mutant[] {
  const code = blanked(source)
  const mutants = WRONGS.flatMap(({ pattern, replacement }) =>
    [...code.matchAll(pattern)]
      .filter(({ 0: found, index }) => source.startsWith(found, index) && !isType(code, index))
      .map((match) => mutantAt(source, match, replacement(match))),
  )
  return mutants.sort((a, b) => a.line - b.line)
}

function mutantAt(source: string, { 0: found, index }: RegExpExecArray, text: string): Mutant {
  const mutated = source.slice(0, index) + text + source.slice(index + found.length)
  const line = source.slice(0, index).split('\n').length
  return {
    line,
    was: source.split('\n')[line - 1]!.trim(),
    is: mutated.split('\n')[line - 1]!.trim(),
    source: mutated,
  }
}

/** Whether the line declares a type or what is imported: nothing there runs. */
function isType(code: string, index: number): boolean {
  const start = code.lastIndexOf('\n', index) + 1
  const line = code.slice(start, code.indexOf('\n', index) + 1)
  return /^\s*(?:import|export \{|export type|type|interface|readonly|\||\*)\b|^\s*\|/.test(line)
}

/** Comments, strings, templates and regular expressions. */
const NO_CODE =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|\/(?![*/ ])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*(?=[.,;)\s])/g

/** `source` with everything but code replaced by spaces, so that each character keeps its place. */
function blanked(source: string): string {
  return source.replace(NO_CODE, (text) => text.replace(/[^\n]/g, ' '))
}
