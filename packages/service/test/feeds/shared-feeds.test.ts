/** The feeds of a service of several processes: the office downloads them, and server processes load what it keeps. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { eventually } from '../../../../test/eventually.ts'
import { matchLinks } from '../../../mail/urls/match-links.ts'
import { FeedDownloads } from '../../feeds/feed-downloads.ts'
import { Feeds } from '../../feeds/feeds.ts'
import { withAge } from '../../feeds/kept-feed.ts'
import { feedSources } from '../../feeds/sources.ts'
import { ALONE, withOffice } from '../../siblings/siblings.ts'

const OTHER_URL = 'http://other.example.net/login'

interface Place {
  readonly folder: string
  /** How often the source was asked. */
  asked: number
  /** What the source has. */
  feed: string
  readonly logs: string[]
  readonly now: Date
  office(): Promise<FeedDownloads>
  worker(): Promise<Feeds>
}

async function place(t: TestContext): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'tamis-shared-'))
  const opened: (FeedDownloads | Feeds)[] = []
  const keep = <Opened extends FeedDownloads | Feeds>(feeds: Opened): Opened => {
    opened.push(feeds)
    return feeds
  }
  const { worker, office } = withOffice(ALONE)
  const here: Place = {
    folder,
    asked: 0,
    feed: 'http://login.example.com/verify?id=7\n',
    logs: [],
    now: new Date('2026-11-20T10:00:00Z'),
    office: async () =>
      keep(
        await FeedDownloads.open({
          ...options,
          workers: office,
          fetch: async () => {
            here.asked++
            return new Response(here.feed)
          },
        }),
      ),
    worker: async () => keep(await Feeds.open({ ...options, siblings: worker })),
  }
  const log = (_: object, message: string) => void here.logs.push(message)
  const options = {
    sources: feedSources('openphish+http://127.0.0.1/feed'),
    folder,
    log: { info: log, warn: log },
    now: () => here.now,
    schedule: () => () => {},
  }
  t.after(async () => {
    for (const feeds of opened) await feeds.close()
    await rm(folder, { recursive: true })
  })
  return here
}

function found({ table }: Feeds, href = 'http://login.example.com/verify?id=7'): number {
  return table === undefined ? 0 : matchLinks(table, [href]).length
}

function statusOf(office: FeedDownloads, here: Place) {
  return office.known().map((known) => withAge(known, here.now))
}

describe('feeds of several processes', () => {
  it('are downloaded by the office and loaded by the server processes, which show what it knows', async (t) => {
    const here = await place(t)
    const office = await here.office()
    const worker = await here.worker()
    assert.equal(worker.table, undefined)
    await office.update()
    await eventually(() => found(worker) === 1)
    assert.deepEqual(worker.status(), statusOf(office, here))
    assert.equal(worker.status()[0]?.entries, 1)
    here.feed += `${OTHER_URL}\n`
    await office.update()
    await eventually(() => found(worker, OTHER_URL) === 1)
    assert.equal(found(worker), 1)
    assert.equal(here.asked, 2)
    assert.deepEqual(here.logs, ['Feed in use', 'Feed in use'])
  })

  it('are in use at the start of a server process if they are on the disk', async (t) => {
    const here = await place(t)
    const office = await here.office()
    await office.update()
    const worker = await here.worker()
    assert.equal(found(worker), 1)
    assert.equal(here.asked, 1)
    await eventually(() => worker.status()[0]?.lastSuccessAt !== undefined)
    assert.deepEqual(worker.status(), statusOf(office, here))
  })
})
