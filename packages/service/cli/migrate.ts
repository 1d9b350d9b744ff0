/** `tamis migrate`: brings the tables of the store up to date before the service does, or says how they stand. */
import { Option } from 'commander'
import { EXIT } from '../../errors/exit-status.ts'
import type { Command } from '../../terminal/command.ts'
import { printJson, printRow } from '../../terminal/output.ts'
import { readOwnConfig } from '../config.ts'
import { copyStore } from '../store/copy-store.ts'
import { type SchemaState, schemaState } from '../store/schema-state.ts'
import { placeText } from '../store/store-place.ts'
import { openOwnStore } from './own-store.ts'

interface MigrateOptions {
  readonly status?: boolean
  readonly copyFrom?: string
  readonly json?: boolean
}

/** What is to be done about a store. */
type Outcome = 'up to date' | 'not there yet' | 'to be migrated' | 'made by a newer version'

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
  const before = await schemaState(config)
  if (status) {
    process.stderr.write(`${stateText(before)}\n`)
    print(before, before, json)
    const outcome = outcomeOf(before)
    if (outcome === 'made by a newer version') process.exitCode = EXIT.config
    else if (outcome !== 'up to date') process.exitCode = EXIT.later
    return
  }
  const store = await openOwnStore(config, 'always')
  await store.close()
  print(before, await schemaState(config), json)
}

function print(before: SchemaState, after: SchemaState, json: boolean): void {
  const { kind, version, latest } = after
  const outcome = outcomeOf(after)
  if (json) printJson({ store: kind, from: before.version, version, latest, outcome })
  else printRow(kind, versions(before, after), outcome)
}

function stateText({ at, owner }: SchemaState): string {
  return owner === undefined
    ? `Store: ${at}, not there yet`
    : placeText({ at, owner, isNew: false })
}

function versions({ version: from }: SchemaState, { version, latest }: SchemaState): string {
  if (from !== version) return `version ${from} -> ${version}`
  return version === latest ? `version ${version}` : `version ${version} of ${latest}`
}

function outcomeOf({ version, latest }: SchemaState): Outcome {
  if (version === latest) return 'up to date'
  if (version > latest) return 'made by a newer version'
  return version === 0 ? 'not there yet' : 'to be migrated'
}
