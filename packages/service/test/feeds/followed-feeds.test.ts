/** The feeds of a service of several processes: one downloads them, and the others load what it keeps. */
import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { eventually } from '../../../../test/eventually.ts'
import { matchLinks } from '../../../mail/urls/match-links.ts'
import { Feeds, type FeedsInUse } from '../../feeds/feeds.ts'
import { FollowedFeeds } from '../../feeds/followed-feeds.ts'
import { feedSources } from '../../feeds/sources.ts'
import type { Siblings } from '../../siblings/siblings.ts'
import { siblings } from '../helpers/siblings.ts'

const OTHER_URL = 'http://other.example.net/login'

interface Place {
  readonly folder: string
  /** How often the source was asked. */
  asked: number
  /** What the source has. */
  feed: string
  readonly logs: string[]
  readonly now: Date
  first(): Promise<Feeds>
  second(): Promise<FollowedFeeds>
}

async function place(t: TestContext): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'tamis-followed-'))
  const opened: FeedsInUse[] = []
  const keep = <Opened extends FeedsInUse>(feeds: Opened): Opened => {
    opened.push(feeds)
    return feeds
  }
  const [one, two] = siblings(2) as [Siblings, Siblings]
  const here: Place = {
    folder,
    asked: 0,
    feed: 'http://login.example.com/verify?id=7\n',
    logs: [],
    now: new Date('2026-11-20T10:00:00Z'),
    first: async () =>
      keep(
        await Feeds.open({
          ...options,
          siblings: one,
          fetch: async () => {
            here.asked++
            return new Response(here.feed)
          },
        }),
      ),
    second: async () => keep(await FollowedFeeds.open({ ...options, siblings: two })),
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

function found({ table }: FeedsInUse, href = 'http://login.example.com/verify?id=7'): number {
  return table === undefined ? 0 : matchLinks(table, [href]).length
}

describe('feeds of several processes', () => {
  it('are downloaded by the first and loaded by the others, which show the same', async (t) => {
    const here = await place(t)
    const first = await here.first()
    const second = await here.second()
    assert.equal(second.table, undefined)
    await first.update()
    await eventually(() => found(second) === 1)
    assert.deepEqual(second.status(), first.status())
    assert.equal(second.status()[0]?.entries, 1)
    here.feed += `${OTHER_URL}\n`
    await first.update()
    await eventually(() => found(second, OTHER_URL) === 1)
    assert.equal(found(second), 1)
    assert.equal(here.asked, 2)
    assert.deepEqual(here.logs, ['Feed in use', 'Feed in use'])
  })

  it('are in use at the start of a process if they are on the disk', async (t) => {
    const here = await place(t)
    const first = await here.first()
    await first.update()
    const second = await here.second()
    assert.equal(found(second), 1)
    assert.equal(here.asked, 1)
    await eventually(() => second.status()[0]?.lastSuccessAt !== undefined)
    assert.deepEqual(second.status(), first.status())
  })

  it('show in all that an attempt failed, and stay in use', async (t) => {
    const here = await place(t)
    const first = await here.first()
    const second = await here.second()
    await first.update()
    await eventually(() => found(second) === 1)
    here.feed = '<html>Please sign in</html>'
    await first.update()
    assert.equal(second.status()[0]?.lastFailure?.reason, 'HTML_PAGE')
    assert.deepEqual(second.status(), first.status())
    assert.equal(found(second), 1)
  })

  it('leave a damaged file to the first process', async (t) => {
    const here = await place(t)
    await (await here.first()).update()
    const names = await readdir(here.folder)
    const name = names.find((each) => each.endsWith('.feed'))!
    await writeFile(join(here.folder, name), 'http://evil.example.net/\n')
    const second = await here.second()
    assert.equal(second.table, undefined)
    assert.deepEqual(await readdir(here.folder), names)
    assert.equal(here.logs.at(-1), 'The feed on disk could not be read; Tamis will try again')
  })
})
