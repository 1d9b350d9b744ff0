/** `tamis migrate`: brings the tables of the store up to date before the service does, or says how they stand; and `tamis backup`. */
import { resolve } from 'node:path'
import { Option } from 'commander'
import { EXIT } from '../../errors/exit-status.ts'
import type { Command } from '../../terminal/command.ts'
import { printJson, printRow } from '../../terminal/output.ts'
import { readOwnConfig } from '../config.ts'
import { backUpStore } from '../store/backup.ts'
import { copyStore } from '../store/copy-store.ts'
import { type SchemaState, schemaState } from '../store/schema-state.ts'
import { placeText } from '../store/store-place.ts'
import { openOwnStore } from './own-store.ts'

interface MigrateOptions {
  readonly status?: boolean
  readonly copyFrom?: string
  readonly json?: boolean
}

export function addMigrateCommand(program: Command): void {
  program
    .command('migrate')
    .description('bring the tables of the store up to date, or show their state')
    .option('--status', 'change nothing; the exit status is 75 if there is something to do')
    .addOption(
      new Option(
        '--copy-from <file>',
        'copy a SQLite store into the empty database of DATABASE_URL',
      ).conflicts('status'),
    )
    .option('--json', 'print one JSON object')
    .notes(`
The store is that of the settings (TAMIS_DATA_DIR, DATABASE_URL). The service migrates it by itself when
it starts. This command does it beforehand, for example with rights that the service does not have. Make a
backup first (docs/operations.md), because a version that is older than the tables does not start.

Use --copy-from to move from one machine to several replicas: stop the service, copy, and start it with
DATABASE_URL. Either everything is copied or nothing, and the file does not change.

Examples:
  tamis migrate --status
  tamis migrate
  DATABASE_URL=postgres://tamis@db.example.org/tamis tamis migrate --copy-from data/tamis.sqlite`)
    .action((options: MigrateOptions, command: Command) =>
      options.copyFrom === undefined ? migrate(options) : copy(options.copyFrom, options, command),
    )
}

async function copy(file: string, { json }: MigrateOptions, command: Command): Promise<void> {
  const { databaseUrl } = readOwnConfig()
  if (databaseUrl === undefined) command.error('error: set DATABASE_URL to the database to copy to')
  const copied = await copyStore(file, databaseUrl, (target) =>
    process.stderr.write(`${placeText(target)}\n`),
  )
  if (json) printJson(copied)
  else for (const [table, rows] of Object.entries(copied)) printRow(table, rows)
}

async function migrate({ status = false, json = false }: MigrateOptions): Promise<void> {
  const config = readOwnConfig()
  if (!status) await (await openOwnStore(config, 'always')).close()
  const state = await schemaState(config)
  const { kind, version, latest, ...place } = state
  if (status) {
    const text = placeText({ ...place, isNew: false })
    process.stderr.write(version === 0 ? `${text}, not there yet\n` : `${text}\n`)
  }
  const outcome = outcomeOf(state)
  if (json) printJson({ store: kind, version, latest, outcome })
  else printRow(kind, `version ${version} of ${latest}`, outcome)
  if (outcome === 'made by a newer version') process.exitCode = EXIT.config
  else if (outcome !== 'up to date') process.exitCode = EXIT.later
}

function outcomeOf({ version, latest }: SchemaState) {
  if (version === latest) return 'up to date'
  if (version > latest) return 'made by a newer version'
  return version === 0 ? 'not there yet' : 'to be migrated'
}

/** Copies the store into a new file while the service runs. */
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
