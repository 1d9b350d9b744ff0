/** `tamis serve`: the service in the foreground. */
import type { Command } from 'commander'
import { start } from '../start.ts'

export function addServeCommand(program: Command): void {
  program
    .command('serve')
    .description('start the service; settings come from TAMIS_* or the file named by TAMIS_CONFIG')
    .option('--json', 'the line that says where it listens in JSON, as the log lines are')
    .addHelpText(
      'after',
      `
Settings: docs/configuration.md. SIGTERM ends it when the requests in progress are answered; SIGHUP reads
settings and models anew.

Examples:
  tamis serve
  tamis serve --json | jq
  TAMIS_PORT=9000 TAMIS_THRESHOLD=cautious tamis serve`,
    )
    .action(({ json }: { json?: boolean }) => start({ json: json === true }))
}
