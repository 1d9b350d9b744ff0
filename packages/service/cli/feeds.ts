/** `tamis feeds`: the URL feeds in the data folder that the service uses, also while it runs. */
import { existsSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import { TamisError } from '../../errors/errors.ts'
import { EXIT } from '../../errors/exit-status.ts'
import type { Command } from '../../terminal/command.ts'
import { type List, printJson, printList, printRow } from '../../terminal/output.ts'
import { startProgress } from '../../terminal/progress.ts'
import { type Config, readOwnConfig } from '../config.ts'
import { refuseRootAmongOthers } from '../data-folder.ts'
import { FeedDownloads, importFeed, type Schedule } from '../feeds/downloads.ts'
import { FeedFiles } from '../feeds/feed-files.ts'
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
    .description(
      'show, update and import the URL feeds of the settings (TAMIS_FEEDS, TAMIS_DATA_DIR)',
    )
  feeds
    .command('status')
    .description('list the feeds on disk: name, entries, time of download')
    .option('--json', 'print one JSON object per line')
    .notes(`
Examples:
  tamis feeds status
  tamis feeds status --json | jq 'select(.entries == null).feed'`)
    .action(({ json }: Output) => status(readSettings(), json === true))
  feeds
    .command('update')
    .description('download all feeds now; a running service uses them within seconds')
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

interface FeedState {
  readonly feed: string
  /** Null where there are none: see `state`. */
  readonly entries: number | null
  readonly state: 'there' | 'none yet' | 'damaged'
  readonly fetchedAt?: string
}

const FEEDS: List<FeedState> = {
  headings: ['feed', 'state', 'downloaded'],
  row: ({ feed, entries, state, fetchedAt }) =>
    fetchedAt === undefined ? [feed, state] : [feed, `${entries} entries`, fetchedAt],
  none: 'No feeds: TAMIS_FEEDS is empty.',
}

async function status(settings: FeedsSettings, json: boolean): Promise<void> {
  const files = await FeedFiles.open(folderOf(settings), new Date())
  const states: FeedState[] = []
  for (const { id, name: feed } of feedSources(settings.feeds)) {
    const manifest = await files.manifest(id)
    if (manifest === undefined || manifest === 'damaged') {
      states.push({ feed, entries: null, state: manifest ?? 'none yet' })
    } else {
      const { entries, fetchedAt } = manifest
      states.push({ feed, entries, state: 'there', fetchedAt })
    }
  }
  await printList(states, FEEDS, { json })
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
