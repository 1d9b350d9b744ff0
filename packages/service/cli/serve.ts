/** `tamis serve`: the service in the foreground. */
import type { Command } from '../../terminal/command.ts'
import { start } from '../start.ts'

export function addServeCommand(program: Command): void {
  program
    .command('serve')
    .description('start the service; settings come from TAMIS_* or the file named by TAMIS_CONFIG')
    .option('--json', 'print the line with the address as JSON, like the log lines')
    .notes(`
docs/configuration.md lists the settings. After SIGTERM the service answers the requests in progress and ends.
After SIGHUP it reads settings and models again.

Examples:
  tamis serve
  tamis serve --json | jq
  TAMIS_PORT=9000 TAMIS_THRESHOLD=cautious tamis serve`)
    .action(({ json }: { json?: boolean }) => start({ json: json === true }))
}
