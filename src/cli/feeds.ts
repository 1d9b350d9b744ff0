/** `tamis feeds`: the URL feeds in the data folder that the service uses, also while it runs. */
import { join } from 'node:path'
import type { Command } from 'commander'
import { TamisError } from '../errors.ts'
import { FeedFiles } from '../feeds/feed-files.ts'
import { type FeedLog, Feeds, type Schedule } from '../feeds/feeds.ts'
import { importFeed } from '../feeds/import-feed.ts'
import { FeedRefusal } from '../feeds/refusal.ts'
import { type FeedSource, feedSources } from '../feeds/sources.ts'

/** Could not be done, as of `tamis`. */
const EXIT_FAILED = 2

export interface FeedsSettings {
  /** TAMIS_FEEDS. */
  readonly feeds: string
  /** TAMIS_DATA_DIR. */
  readonly dataDir: string
}

/** @param readSettings those of the environment; called when a subcommand runs. */
export function addFeedsCommand(program: Command, readSettings: () => FeedsSettings): void {
  const feeds = program
    .command('feeds')
    .description(
      'look at, update and import URL feeds; they are those of the settings (TAMIS_FEEDS, TAMIS_DATA_DIR)',
    )
  feeds
    .command('status')
    .description('list the feeds on disk: name, entries, when they were fetched')
    .action(() => status(readSettings()))
  feeds
    .command('update')
    .description('fetch all feeds now; a running service takes them into use within a minute or so')
    .action(() => update(readSettings()))
  feeds
    .command('import')
    .description(
      'take a feed from a file: PhishTank in CSV or JSON, URLhaus in CSV, or a URL a line, also packed with gzip',
    )
    .argument('<file>')
    .option('--feed <name>', 'which feed it is of those in TAMIS_FEEDS', 'imported')
    .addHelpText(
      'after',
      `
Examples:
  TAMIS_FEEDS=imported tamis feeds import verified_online.csv
  TAMIS_FEEDS=phishtank tamis feeds import online-valid.json.gz --feed phishtank`,
    )
    .action((file: string, { feed }: { feed: string }) => importFile(readSettings(), file, feed))
}

async function status(settings: FeedsSettings): Promise<void> {
  const files = await FeedFiles.open(folderOf(settings), new Date())
  for (const { id, name } of feedSources(settings.feeds)) {
    const manifest = await files.manifest(id)
    const fields =
      manifest === undefined
        ? ['none yet']
        : manifest === 'damaged'
          ? ['damaged']
          : [`${manifest.entries} entries`, manifest.fetchedAt]
    process.stdout.write(`${[name, ...fields].join('\t')}\n`)
  }
}

/** A command asks once and ends. */
const never: Schedule = () => () => {}

const quiet: FeedLog = { info: () => {}, warn: () => {} }

async function update(settings: FeedsSettings): Promise<void> {
  const feeds = await Feeds.open({
    sources: feedSources(settings.feeds),
    folder: folderOf(settings),
    log: quiet,
    schedule: never,
  })
  await feeds.update()
  for (const { feed, entries, lastFailure } of feeds.status()) {
    const outcome = lastFailure === undefined ? 'up to date' : `not updated: ${lastFailure.reason}`
    process.stdout.write(`${feed}\t${entries} entries\t${outcome}\n`)
    if (lastFailure !== undefined) process.exitCode = EXIT_FAILED
  }
  await feeds.close()
}

async function importFile(settings: FeedsSettings, file: string, feed: string): Promise<void> {
  const source = sourceNamed(feedSources(settings.feeds), feed)
  try {
    const { entries, skipped } = await importFeed(file, source, folderOf(settings), new Date())
    process.stdout.write(`${feed}\t${entries} entries\t${skipped} skipped\n`)
  } catch (error) {
    if (!(error instanceof FeedRefusal)) throw error
    process.stderr.write(`tamis: ${file} was not taken: ${error.message} (${error.reason})\n`)
    process.exitCode = EXIT_FAILED
  }
}

function sourceNamed(sources: readonly FeedSource[], name: string): FeedSource {
  const source = sources.find((each) => each.name === name)
  if (source !== undefined) return source
  const names = sources.map((each) => each.name).join(', ')
  throw new TamisError(
    'CONFIG_INVALID',
    `TAMIS_FEEDS names no feed "${name}"; it names: ${names === '' ? 'none' : names}`,
  )
}

function folderOf({ dataDir }: FeedsSettings): string {
  return join(dataDir, 'feeds')
}
