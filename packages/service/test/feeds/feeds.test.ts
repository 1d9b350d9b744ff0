/**
 * Feeds from a server on loopback that does all that servers do wrong. Time is the test's own: a
 * timer is noted and never runs by itself.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { eventually } from '../../../../test/eventually.ts'
import { type FeedTable, matchLinks } from '../../../mail/urls/feed-table.ts'
import { FeedDownloads, type FeedDownloadsOptions } from '../../feeds/downloads.ts'
import { Feeds, type FeedsOptions } from '../../feeds/feeds.ts'
import { type FeedSource, feedSources } from '../../feeds/sources.ts'
import { ALONE_SHARED, type Shared } from '../../threads/shared.ts'
import { FIRST_URL, PHISHTANK_CSV, TEXT, textOf } from './samples.ts'

/** Stands in every address, and may stand in no log line. */
const SECRET = 'c0ffee5ec4e7'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

const LIMITS = { bytesMax: 1_000_000, timeoutMs: 20_000, idleTimeoutMs: 2_000 }

/** For downloads that do not end. */
const SHORT_LIMITS = { ...LIMITS, timeoutMs: 1_000, idleTimeoutMs: 500 }

/** Feeds as the office downloads them, and as a serving thread uses them. */
interface OpenFeeds extends Pick<Feeds, 'table' | 'status'> {
  /** Resolves when what was downloaded is in use. */
  update(): Promise<void>
  close(): Promise<void>
}

interface Place {
  readonly folder: string
  readonly sources: readonly FeedSource[]
  readonly requests: IncomingMessage[]
  readonly logs: Record<string, unknown>[]
  readonly timers: { callback: () => void; delayMs: number }[]
  /** What the server does from now on. */
  answer: RequestListener
  now: Date
  open(options?: Partial<FeedDownloadsOptions & FeedsOptions>): Promise<OpenFeeds>
}

async function place(
  t: { after(end: () => Promise<unknown>): void },
  answer: RequestListener = ok(TEXT),
): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'tamis-feeds-'))
  const server = createServer((request, response) => {
    here.requests.push(request)
    here.answer(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const opened: OpenFeeds[] = []
  const here: Place = {
    folder,
    sources: feedSources([`phishtank+http://127.0.0.1:${port}/data/${SECRET}/feed`]),
    requests: [],
    logs: [],
    timers: [],
    answer,
    now: new Date('2026-11-20T10:00:00Z'),
    async open(options = {}) {
      here.timers.length = 0
      const log = (fields: object, message: string) => here.logs.push({ ...fields, message })
      const common = {
        sources: here.sources,
        folder,
        log: { info: log, warn: log },
        now: () => here.now,
        schedule(callback: () => void, delayMs: number) {
          const timer = { callback, delayMs }
          here.timers.push(timer)
          return () => void here.timers.splice(here.timers.indexOf(timer), 1)
        },
        ...options,
      }
      const downloads = await FeedDownloads.open({ limits: LIMITS, ...common })
      const feeds = await Feeds.open({ shared: ALONE_SHARED, ...common })
      const own: OpenFeeds = {
        get table() {
          return feeds.table
        },
        status: () => feeds.status(),
        async update() {
          await downloads.update()
          await feeds.look()
        },
        async close() {
          await downloads.close()
          await feeds.close()
        },
      }
      opened.push(own)
      return own
    },
  }
  t.after(async () => {
    await Promise.all(opened.map((feeds) => feeds.close()))
    server.closeAllConnections()
    server.close()
    await rm(folder, { recursive: true })
    assert.ok(!JSON.stringify(here.logs).includes(SECRET))
    assert.ok(!JSON.stringify(here.logs).includes('example.com'))
  })
  return here
}

function ok(body: string | Buffer, headers: Record<string, string> = {}): RequestListener {
  return (_, response) => response.writeHead(200, headers).end(body)
}

function found(feeds: { readonly table: FeedTable | undefined }, href = FIRST_URL): number {
  return feeds.table === undefined ? 0 : matchLinks(feeds.table, [href]).length
}

const notModified: RequestListener = (_, response) => response.writeHead(304).end()

function failure(feeds: OpenFeeds): string | undefined {
  return feeds.status()[0]?.lastFailure
}

/** Minutes until the next attempt. */
function waiting({ timers }: Place): number {
  return timers.at(-1)!.delayMs / MINUTE_MS
}

function within(value: number, low: number, high: number): void {
  assert.ok(value >= low && value <= high, `${value} is not from ${low} to ${high}`)
}

describe('Feeds', () => {
  it('asks only for what is new, and takes 304 for an answer', async (t) => {
    const modified = 'Fri, 20 Nov 2026 09:00:00 GMT'
    const here = await place(t, ok(TEXT, { etag: '"one"', 'last-modified': modified }))
    const feeds = await here.open()
    await feeds.update()
    const before = feeds.table
    here.answer = notModified
    here.now = new Date(here.now.getTime() + HOUR_MS)
    await feeds.update()
    assert.equal(here.requests[1]?.headers['if-none-match'], '"one"')
    assert.equal(here.requests[1]?.headers['if-modified-since'], modified)
    assert.equal(feeds.table, before)
    assert.equal(failure(feeds), undefined)
    assert.equal(feeds.status()[0]?.ageMs, 0)

    here.answer = ok('http://new.example.com/x\nhttp://new.example.com/y\n', { etag: '"two"' })
    await feeds.update()
    assert.notEqual(feeds.table, before)
    assert.equal(found(feeds, 'http://new.example.com/x'), 1)
    assert.equal(found(feeds), 0)
    await feeds.update()
    assert.equal(here.requests[3]?.headers['if-none-match'], '"two"')
    assert.equal(here.requests[3]?.headers['if-modified-since'], undefined)
  })

  it('waits longer with each failure, an hour at most', async (t) => {
    const here = await place(t, ({ socket }) => socket.destroy())
    const feeds = await here.open()
    const waits: number[] = []
    for (let i = 0; i < 6; i += 1) {
      await feeds.update()
      waits.push(waiting(here))
    }
    for (const [i, minutes] of [5, 10, 20, 40, 60, 60].entries()) {
      within(waits[i]!, minutes, minutes * (7 / 6))
    }
  })

  for (const status of [403, 429, 509]) {
    it(`leaves a server alone as long as it asks by ${status}`, async (t) => {
      const here = await place(t, (_, response) =>
        response.writeHead(status, { 'retry-after': '7200' }).end(),
      )
      const feeds = await here.open()
      await feeds.update()
      assert.equal(failure(feeds), 'RATE_LIMITED')
      assert.equal(here.logs.at(-1)?.['status'], status)
      within(waiting(here), 120, 140)
      await feeds.update()
      assert.equal(here.requests.length, 1)
      await feeds.close()

      const again = await here.open()
      await again.update()
      assert.equal(here.requests.length, 1, 'also after a restart')
      here.now = new Date(here.now.getTime() + 3 * HOUR_MS)
      here.answer = ok(TEXT)
      await again.update()
      assert.equal(found(again), 1)
    })
  }

  it('refuses a feed that has suddenly shrunk', async (t) => {
    const here = await place(t, ok(textOf(1_000)))
    const feeds = await here.open()
    await feeds.update()
    here.answer = ok(textOf(499))
    await feeds.update()
    assert.equal(failure(feeds), 'SHRUNK')
    const { reason, entries, entriesBefore } = here.logs.at(-1)!
    assert.deepEqual(
      { reason, entries, entriesBefore },
      { reason: 'SHRUNK', entries: 499, entriesBefore: 1_000 },
    )
    here.answer = ok(textOf(500))
    await feeds.update()
    assert.equal(feeds.status()[0]?.entries, 500)
  })

  it('uses the last good feed after a restart, before it asks for another', async (t) => {
    const here = await place(t, ok(TEXT, { etag: '"one"' }))
    const first = await here.open()
    await first.update()
    await first.close()

    here.answer = notModified
    const again = await here.open()
    assert.equal(found(again), 1)
    assert.equal(here.requests.length, 1)
    within(waiting(here), 60, 70)
    await again.update()
    assert.equal(here.requests[1]?.headers['if-none-match'], '"one"')
    assert.equal(failure(again), undefined)
  })

  it('have each feed in memory once for all threads, and give back that of an old one', async (t) => {
    const memories = new Map<string, SharedArrayBuffer>()
    const shared: Pick<Shared, 'memory' | 'drop'> = {
      async memory(name, make) {
        const memory = memories.get(name) ?? (await make())
        memories.set(name, memory)
        return memory
      },
      drop: (name) => void memories.delete(name),
    }
    const here = await place(t)
    const [one, other] = [await here.open({ shared }), await here.open({ shared })]
    await one.update()
    await other.update()
    const rows = (feeds: OpenFeeds) => feeds.table?.lists[0]?.rows.buffer
    assert.ok(rows(one) !== undefined)
    assert.equal(rows(one), rows(other))
    here.answer = ok(textOf(3))
    await one.update()
    assert.equal(memories.size, 2, 'the key and one feed')
  })

  it('removes a feed on disk that is not the one that was written, and downloads another', async (t) => {
    const here = await place(t, ok(TEXT, { etag: '"one"' }))
    const first = await here.open()
    await first.update()
    await first.close()
    const [file] = (await readdir(here.folder)).filter((name) => name.endsWith('.feed'))
    await writeFile(join(here.folder, file!), textOf(3))
    const again = await here.open()
    assert.equal(again.table, undefined)
    assert.equal(here.logs.at(-1)?.['reason'], 'DAMAGED')
    await again.update()
    assert.equal(here.requests[1]?.headers['if-none-match'], undefined)
    assert.equal(found(again), 1)
  })

  it('reads a local file, again when it changes, and not otherwise', async (t) => {
    const here = await place(t)
    const path = join(here.folder, 'own.csv')
    await writeFile(path, PHISHTANK_CSV)
    const feeds = await here.open({ sources: feedSources([`file:${path}`]) })
    await feeds.update()
    assert.equal(found(feeds), 1)
    const before = feeds.table
    await feeds.update()
    assert.equal(feeds.table, before)
    await writeFile(path, `${TEXT}http://new.example.net/x\n`)
    await feeds.update()
    assert.equal(found(feeds, 'http://new.example.net/x'), 1)
    await rm(path)
    await feeds.update()
    assert.equal(failure(feeds), 'FILE')
    assert.equal(found(feeds), 1)
  })

  it('ends a download when it is closed', { timeout: 60_000 }, async (t) => {
    const here = await place(t, () => {})
    const feeds = await here.open({
      limits: { ...LIMITS, timeoutMs: HOUR_MS, idleTimeoutMs: HOUR_MS },
    })
    const updating = feeds.update()
    await eventually(() => here.requests.length > 0)
    await feeds.close()
    await updating
    assert.deepEqual(here.timers, [])
    assert.equal(failure(feeds), undefined)
  })
})

describe('a feed that cannot be downloaded', () => {
  const FAILURES: Readonly<Record<string, [RequestListener, string]>> = {
    'an error of the server': [(_, response) => response.writeHead(500).end(), 'HTTP_STATUS'],
    'a web page': [ok('<!DOCTYPE html><title>Just a moment...</title>'), 'HTML_PAGE'],
    'a packed feed cut off': [ok(gzipSync(TEXT).subarray(0, -10)), 'TRUNCATED'],
    'a body that breaks off': [
      (_, response) => {
        response.write(TEXT)
        setTimeout(() => response.socket?.destroy(), 50)
      },
      'TRUNCATED',
    ],
    'a body of unknown length that ends within a line': [
      ({ socket }) =>
        socket.end(
          'HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nhttp://evil.example.net/a\nhttps://docs.goo',
        ),
      'TRUNCATED',
    ],
    'an empty body': [ok(''), 'EMPTY'],
    'more than there may be': [ok(textOf(50_000)), 'TOO_LARGE'],
    'no answer': [() => {}, 'TIMEOUT'],
    'a byte now and then': [
      (_, response) => {
        const timer = setInterval(() => response.write('h'), 100)
        response.on('close', () => clearInterval(timer))
      },
      'TIMEOUT',
    ],
    'a redirect to another scheme': [redirect('https://127.0.0.1/feed'), 'REDIRECT'],
    'a redirect to another machine without TLS': [redirect('http://192.0.2.1/feed'), 'REDIRECT'],
    'a redirect in a circle': [redirect('/data/again'), 'REDIRECT'],
  }

  /** One for all of them: with what is tried next it is as it was. */
  const limits = { ...LIMITS }
  let here: Place
  let feeds: OpenFeeds
  const ends: (() => unknown)[] = []
  before(async () => {
    here = await place({ after: (end) => void ends.push(end) }, ok(TEXT, { etag: '"one"' }))
    feeds = await here.open({ limits })
    await feeds.update()
  })
  after(async () => {
    for (const end of ends) await end()
  })

  for (const [name, [answer, reason]] of Object.entries(FAILURES)) {
    it(`leaves the old one in use after ${name}`, async () => {
      here.answer = notModified
      await feeds.update()
      assert.equal(failure(feeds), undefined)
      const before = feeds.table
      assert.ok(before !== undefined)
      Object.assign(limits, reason === 'TIMEOUT' ? SHORT_LIMITS : LIMITS)
      here.answer = answer
      await feeds.update()
      assert.equal(failure(feeds), reason)
      assert.equal(feeds.table, before)
      assert.equal(here.logs.at(-1)?.['reason'], reason)
      within(waiting(here), 5, 6)
      assert.deepEqual(
        (await readdir(here.folder)).filter((file) => file.endsWith('.part')),
        [],
      )
    })
  }
})

function redirect(location: string): RequestListener {
  return (_, response) => response.writeHead(302, { location }).end()
}
