/** The whole command: one file per subcommand, loaded when it is asked for or all are. */
import { Command } from '../../terminal/command.ts'
import { ownVersion } from '../../terminal/version.ts'

type Add = (program: Command) => void

/** In the order of the help: the service and what stands before it, what asks it, what learns, what keeps it. */
const COMMANDS: Readonly<Record<string, () => Promise<Add>>> = {
  serve: async () => (await import('./serve.ts')).addServeCommand,
  classify: async () => (await import('./classify.ts')).addClassifyCommand,
  rules: async () => (await import('./rules.ts')).addRulesCommand,
  user: async () => (await import('./user.ts')).addUserCommand,
  history: async () => (await import('./history.ts')).addHistoryCommand,
  learn: async () => (await import('./learn.ts')).addLearnCommand,
  check: async () => (await import('./check.ts')).addCheckCommand,
  status: async () => (await import('./status.ts')).addStatusCommand,
  keys: async () => (await import('./keys.ts')).addKeysCommand,
  feeds: async () => (await import('./feeds.ts')).addFeedsCommand,
  backup: async () => (await import('./migrate.ts')).addBackupCommand,
  migrate: async () => (await import('./migrate.ts')).addMigrateCommand,
}

/**
 * `tamis`, which throws what it cannot do and ends no process.
 *
 * @param only the one command that is wanted; all where it is none of them.
 */
export async function tamisProgram(only?: string): Promise<Command> {
  const program = new Command('tamis')
    .description('Email classification: takes a raw message, returns a verdict')
    .version(ownVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show the help')
    .showHelpAfterError('(all options: add --help)')
    .exitOverride()
    .notes('\ndocs/cli.md describes the exit statuses and every command in full.')
  const wanted = Object.keys(COMMANDS).filter((name) => name === only)
  for (const name of wanted.length > 0 ? wanted : Object.keys(COMMANDS)) {
    const add = await COMMANDS[name]!()
    add(program)
  }
  return program
}
