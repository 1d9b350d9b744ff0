/** `tamis backup`: copies the store into a new file while the service runs. */
import { resolve } from 'node:path'
import type { Command } from '../../terminal/command.ts'
import { printJson, printRow } from '../../terminal/output.ts'
import { readOwnConfig } from '../config.ts'
import { backUpStore } from '../store/backup.ts'

export function addBackupCommand(program: Command): void {
  program
    .command('backup')
    .description('copy the store into a new file, also while the service runs')
    .argument('<file>', 'the backup; it must not exist yet')
    .option('--json', 'print one JSON object')
    .notes(`
The store is that of the settings (TAMIS_DATA_DIR). The backup holds what was acknowledged before the command
began, and is readable for its owner alone (mode 0600). It holds personal data and the secret of the
installation, so keep it as safe as the store. docs/operations.md says how to restore it.

For PostgreSQL (DATABASE_URL) use pg_dump.

Examples:
  tamis backup /var/backups/tamis-$(date +%F).sqlite`)
    .action((file: string, { json }: { readonly json?: boolean }) => {
      const bytes = backUpStore(readOwnConfig(), file)
      if (json) printJson({ file: resolve(file), bytes })
      else printRow(resolve(file), `${bytes} bytes`)
    })
}
