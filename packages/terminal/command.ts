/** commander's command, with what most of our commands have, and how a command line is run. */
import { Command as BareCommand } from 'commander'
import { failureOf } from './failure.ts'

export class Command extends BareCommand {
  override createCommand(name?: string): Command {
    return new Command(name)
  }

  /** What the help says below the options: what else is to know, and examples. */
  notes(text: string): this {
    return this.addHelpText('after', text)
  }
}

/**
 * Sets the exit status of the process; a failure is a line on standard error.
 */
export async function runProgram(program: BareCommand): Promise<void> {
  program.hook('preAction', (_program, command) => {
    // The service continues when nobody reads its log any more.
    if (command.name() !== 'serve') process.stdout.on('error', endWithReader)
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
