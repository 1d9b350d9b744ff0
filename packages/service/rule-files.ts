/** Files in which an operator writes rules, one a line: how they are read, and how all are refused for a line that is wrong. */
import { readFile, stat } from 'node:fs/promises'
import { TamisError } from '../errors/errors.ts'
import { systemFault } from '../terminal/system-fault.ts'

/** Wrong lines that an error names. */
const FAULTS_NAMED = 5

/**
 * The text of the file at `path`, in UTF-8.
 *
 * @param setting what names the file, for errors.
 * @throws TamisError CONFIG_INVALID for a file that cannot be read, or has more than `bytesMax`.
 */
export async function ruleFileText(
  path: string,
  setting: string,
  bytesMax: number,
): Promise<string> {
  try {
    const { size } = await stat(path)
    if (size > bytesMax) throw new RangeError(`it has more than ${bytesMax} bytes`)
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path))
  } catch (cause) {
    throw new TamisError(
      'CONFIG_INVALID',
      `${setting} names "${path}", which cannot be read: ${systemFault(cause)}`,
      { cause },
    )
  }
}

/** The error for files with `faults`, of which it names the first. */
export function ruleFilesRefused(setting: string, faults: readonly string[]): TamisError {
  const others = faults.length - FAULTS_NAMED
  const more = others > 0 ? `; and ${others} more` : ''
  return new TamisError(
    'CONFIG_INVALID',
    `${setting}: ${faults.slice(0, FAULTS_NAMED).join('; ')}${more}`,
  )
}
