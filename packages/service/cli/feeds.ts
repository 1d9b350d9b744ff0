/** `tamis feeds`: the URL feeds in the data folder that the service uses, also while it runs. */
import { existsSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import { TamisError } from '../../errors/errors.ts'
import { EXIT } from '../../errors/exit-status.ts'
import type { Command } from '../../terminal/command.ts'
import { printJson, printRow } from '../../terminal/output.ts'
import { startProgress } from '../../terminal/progress.ts'
import { type Config, readOwnConfig } from '../config.ts'
import { refuseRootAmongOthers } from '../data-folder.ts'
import { FeedDownloads, importFeed, type Schedule } from '../feeds/downloads.ts'
import type { FeedLog } from '../feeds/feeds.ts'
import { FeedRefusal } from '../feeds/refusal.ts'
import { type FeedSource, feedSources } from '../feeds/sources.ts'
import { ownUid } from '../file-owner.ts'

type FeedsSettings = Pick<Config, 'feeds' | 'dataDir'>

interface Output {
  readonly json?: boolean
}

export function addFeedsCommand(program: Command): void {
  const feeds = program
    .command('feeds')
    .description('update and import the URL feeds of the settings (TAMIS_FEEDS, TAMIS_DATA_DIR)')
  feeds
    .command('update')
    .description(
      'download all feeds now, and list them; a running service uses them within seconds',
    )
    .option('--json', 'print one JSON object per line')
    .notes(`
The exit status is 2 if at least one feed could not be downloaded.

Examples:
  tamis feeds update
  TAMIS_FEEDS=phishtank,openphish tamis feeds update --json`)
    .action(({ json }: Output) => update(readSettings(), json === true))
  feeds
    .command('import')
    .description(
      'import a feed from a file: CSV of PhishTank or URLhaus, or one URL per line, also compressed with gzip',
    )
    .argument('<file>')
    .option('--feed <name>', 'name of the feed in TAMIS_FEEDS', 'imported')
    .option('--json', 'print one JSON object')
    .notes(`
Examples:
  TAMIS_FEEDS=imported tamis feeds import verified_online.csv
  TAMIS_FEEDS=phishtank tamis feeds import online-valid.csv.gz --feed phishtank`)
    .action((file: string, { feed, json }: Output & { feed: string }) =>
      importFile(readSettings(), file, feed, json === true),
    )
}

/** @throws TamisError CONFIG_INVALID where the service would not find, or could not use, what is written. */
function readSettings(): FeedsSettings {
  const settings = readOwnConfig()
  const folder = resolve(settings.dataDir)
  if (existsSync(folder)) refuseRootAmongOthers(folder)
  else if (!isAbsolute(settings.dataDir) || ownUid() === 0) {
    throw new TamisError(
      'CONFIG_INVALID',
      `There is no folder ${folder}. Name the folder of the service with TAMIS_CONFIG or TAMIS_DATA_DIR, or start the service first, which creates it`,
    )
  }
  return settings
}

/** A command asks once and ends. */
const never: Schedule = () => () => {}

const quiet: FeedLog = { info: () => {}, warn: () => {} }

async function update(settings: FeedsSettings, json: boolean): Promise<void> {
  const downloads = await FeedDownloads.open({
    sources: feedSources(settings.feeds),
    folder: folderOf(settings),
    log: quiet,
    schedule: never,
  })
  const progress = startProgress('feeds', (await downloads.status()).length)
  await downloads.update(() => progress.advance())
  progress.end()
  for (const { feed, entries, lastFailure } of await downloads.status()) {
    const failure = lastFailure ?? null
    if (json) printJson({ feed, entries, failure })
    else printRow(feed, `${entries} entries`, failure ? `not updated: ${failure}` : 'up to date')
    if (failure !== null) process.exitCode = EXIT.partly
  }
  await downloads.close()
}

async function importFile(
  settings: FeedsSettings,
  file: string,
  feed: string,
  json: boolean,
): Promise<void> {
  const source = sourceNamed(feedSources(settings.feeds), feed)
  try {
    const { entries, skipped } = await importFeed(file, source, folderOf(settings), new Date())
    if (json) printJson({ feed, entries, skipped })
    else printRow(feed, `${entries} entries`, `${skipped} skipped`)
  } catch (error) {
    if (!(error instanceof FeedRefusal)) throw error
    process.stderr.write(`tamis: ${file} was refused: ${error.message} (${error.reason})\n`)
    process.exitCode = EXIT.data
  }
}

function sourceNamed(sources: readonly FeedSource[], name: string): FeedSource {
  const source = sources.find((each) => each.name === name)
  if (source !== undefined) return source
  const names = sources.map((each) => each.name).join(', ')
  throw new TamisError(
    'CONFIG_INVALID',
    `"${name}" is not a feed of TAMIS_FEEDS; its feeds are: ${names === '' ? 'none' : names}. Add it there first`,
  )
}

function folderOf({ dataDir }: FeedsSettings): string {
  return join(dataDir, 'feeds')
}
