/** Runs a command line, and says how it ended. */
import type { Command } from 'commander'
import { failureOf } from './failure.ts'

/**
 * Sets the exit status of the process; a failure is a line on standard error.
 *
 * @param daemons commands that continue when nobody reads their log any more.
 */
export async function runProgram(program: Command, daemons: readonly string[] = []): Promise<void> {
  program.hook('preAction', (_program, command) => {
    if (!daemons.includes(command.name())) process.stdout.on('error', endWithReader)
  })
  try {
    await program.parseAsync()
  } catch (error) {
    const failure = failureOf(error)
    if (failure === undefined) throw error
    if (failure.text !== undefined) {
      process.stderr.write(`${program.name()}: ${failure.text}\n`)
    }
    process.exitCode = failure.status
  }
}

/** Ends when the reader of the output does, as in `tamis ... | head`. */
function endWithReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
  process.exit()
}
