/** The whole command of the laboratory. */
import { Command } from 'commander'
import { addArtifactCommands } from './artifacts.ts'
import { addEvaluateCommand } from './evaluate.ts'

/** `tamis-lab`, which throws what it cannot do and ends no process. */
export function labProgram(): Command {
  const program = new Command('tamis-lab')
    .description('Trains the models of Tamis and measures how good they are')
    .showHelpAfterError('(all options: add --help)')
    .exitOverride()
    .addHelpText('after', '\nExit statuses, and every command in full: docs/cli.md')
  addArtifactCommands(program)
  addEvaluateCommand(program)
  return program
}
