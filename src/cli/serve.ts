/** `tamis serve`: the service in the foreground. */
import type { Command } from 'commander'
import { runService } from '../main.ts'

export function addServeCommand(program: Command): void {
  program
    .command('serve')
    .description('start the service; settings come from TAMIS_* or the file named by TAMIS_CONFIG')
    .addHelpText(
      'after',
      `
Settings: docs/configuration.md

Examples:
  tamis serve
  TAMIS_PORT=9000 TAMIS_THRESHOLD=cautious tamis serve`,
    )
    .action(() => runService())
}
