/** Reads the operator's file of rules (TAMIS_RULES). */
import { readFile, stat } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { TamisError } from '../../errors/errors.ts'
import { faultText, type ParsedRules, parseRules } from '../../mail/operator-rules/grammar.ts'
import type { Rule } from '../../mail/operator-rules/rule.ts'
import { systemFault } from '../../terminal/system-fault.ts'

/** Bytes of the file: a hundred thousand lines of common length. Stops a file that fills the memory. */
const FILE_BYTES_MAX = 8 * 1024 ** 2

/** Faults that an error names. */
const FAULTS_NAMED = 5

export interface RulesFile {
  readonly text: string
  readonly rules: readonly Rule[]
}

/** What is at `path`, with its faults. @throws TamisError CONFIG_INVALID for a file that cannot be read. */
export async function parseRulesFile(
  path: string,
  setting: string,
): Promise<ParsedRules & RulesFile> {
  let text: string
  try {
    const { size } = await stat(path)
    if (size > FILE_BYTES_MAX) throw new RangeError(`it has more than ${FILE_BYTES_MAX} bytes`)
    text = new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path))
  } catch (cause) {
    throw new TamisError(
      'CONFIG_INVALID',
      `${setting} names "${path}", which cannot be read: ${systemFault(cause)}`,
      { cause },
    )
  }
  return { text, ...(await parsed(text, 'file')) }
}

/**
 * The rules in the file at `path`; none without a path.
 *
 * @param setting what names the file, for errors.
 * @throws TamisError CONFIG_INVALID naming line and column of what is wrong.
 */
export async function readRulesFile(
  path: string | undefined,
  setting = 'TAMIS_RULES',
): Promise<RulesFile | undefined> {
  if (path === undefined) return undefined
  const { faults, ...file } = await parseRulesFile(path, setting)
  if (faults.length === 0) return file
  const more = faults.length > FAULTS_NAMED ? `; and ${faults.length - FAULTS_NAMED} more` : ''
  const named = faults.slice(0, FAULTS_NAMED).map(faultText).join('; ')
  throw new TamisError('CONFIG_INVALID', `${setting}: ${path}, ${named}${more}`)
}

/** A text of a hundred thousand rules takes a second, in which others have their turn. */
export async function parsed(text: string, source: 'file' | 'stored'): Promise<ParsedRules> {
  const steps = parseRules(text, source)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    await setImmediate()
  }
}
