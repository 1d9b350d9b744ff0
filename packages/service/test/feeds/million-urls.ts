/**
 * URL feeds at full size: a million made-up URLs in each form, how long they take to load, how
 * much memory they take up (VmRSS, Linux), how long a message with 100 links takes, and how many
 * of a million clean URLs are found, which ought to be none.
 *
 * The links of the message lead to hosts of the feed, to shared hosts and to others, a third each.
 * `npm run bench feeds` runs it for every form.
 */
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createWriteStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { matchLinks } from '../../../mail/urls/match-links.ts'
import { loadInThread } from '../../feeds/load-thread.ts'

const ENTRIES = 1_000_000

const LINKS = 100

const ROUNDS = 2_000

const WARM_UP_ROUNDS = 500

const { values } = parseArgs({
  options: { form: { type: 'string', default: 'text' }, write: { type: 'string' } },
})
if (values.write === undefined) await measure(values.form)
else await pipeline(Readable.from(rows(values.form)), createWriteStream(values.write))

async function measure(form: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tamis-feeds-'))
  try {
    const path = join(folder, `feed.${form}`)
    // A process of its own keeps the base small, so that the figures are those of loading.
    spawnSync(process.execPath, [import.meta.filename, '--form', form, '--write', path])
    await run(form, path)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function run(form: string, path: string): Promise<void> {
  const base = settledMiB()
  const key = [randomBytes(4).readUInt32LE(), randomBytes(4).readUInt32LE()] as const
  await loadSmall(key)
  const warm = settledMiB()
  let peak = warm
  const sampler = setInterval(() => {
    peak = Math.max(peak, residentMiB())
  }, 20)
  const started = performance.now()
  const cpuStarted = process.cpuUsage()
  const { list, skipped } = await loadInThread({ path, feed: 'made-up', key, isWhole: true })
  const seconds = (performance.now() - started) / 1000
  const { user, system } = process.cpuUsage(cpuStarted)
  clearInterval(sampler)
  const loaded = settledMiB()
  console.log(`${form}: ${list.entries} entries, ${skipped} skipped`)
  console.log(
    `loaded in ${seconds.toFixed(2)} s, ${((user + system) / 1e6).toFixed(2)} s of processor time`,
  )
  console.log(`resident: ${(loaded - warm).toFixed(1)} MiB beyond a process that has loaded ten,`)
  console.log(
    `  ${(loaded - base).toFixed(1)} beyond one that has loaded none (${base.toFixed(1)})`,
  )
  console.log(
    `highest while loading: ${(peak - warm).toFixed(1)} MiB beyond one that has loaded ten`,
  )

  const table = { key, lists: [list] }
  const listed = matchLinks(table, [listedUrl(0), listedUrl(499_999), listedUrl(999_999)]).length
  console.log(`found of 3 that are listed: ${listed}`)
  const messages = Array.from({ length: ROUNDS + WARM_UP_ROUNDS }, (_, i) => message(i))
  const times = messages.map((hrefs) => {
    const start = performance.now()
    matchLinks(table, hrefs)
    return performance.now() - start
  })
  const sorted = times.slice(WARM_UP_ROUNDS).sort((a, b) => a - b)
  console.log(`message with ${LINKS} links: median ${sorted[ROUNDS / 2]!.toFixed(3)} ms,`)
  console.log(
    `  fastest ${sorted[0]!.toFixed(3)} ms, 99 of 100 below ${sorted[ROUNDS * 0.99]!.toFixed(3)} ms`,
  )

  let found = 0
  for (let i = 0; i < ENTRIES; i += LINKS) {
    const hrefs = Array.from({ length: LINKS }, (_, j) => cleanUrl(i + j))
    found += matchLinks(table, hrefs).length
  }
  console.log(`found of ${ENTRIES} clean URLs: ${found}`)
}

/** Loads a feed of ten entries first, so that the memory of a thread and its modules is not counted for the first million. */
async function loadSmall(key: readonly [number, number]): Promise<void> {
  const path = join(tmpdir(), `tamis-small-${process.pid}.txt`)
  writeFileSync(path, Array.from({ length: 10 }, (_, i) => `${listedUrl(i)}\n`).join(''))
  await loadInThread({ path, feed: 'made-up', key, isWhole: true })
  rmSync(path)
}

function* rows(form: string): Generator<string> {
  if (form === 'csv') yield 'phish_id,url,phish_detail_url,submission_time,verified,target\n'
  if (form === 'json') yield '['
  for (let i = 0; i < ENTRIES; i += 1) yield row(form, i)
  if (form === 'json') yield ']'
}

function row(form: string, i: number): string {
  const url = listedUrl(i)
  const page = `http://www.phishtank.com/phish_detail.php?phish_id=${i}`
  const time = '2026-01-01T00:00:00+00:00'
  if (form === 'text') return `${url}\n`
  if (form === 'csv') return `${i},"${url}",${page},${time},yes,Other\n`
  const entry = { phish_id: String(i), url, phish_detail_url: page, submission_time: time }
  return `${i === 0 ? '' : ','}${JSON.stringify({ ...entry, verified: 'yes', online: 'yes' })}`
}

function listedUrl(i: number): string {
  if (i % 10 === 0) return `https://forms.example${i % 7}.com/d/e/${i}/viewform?id=${i}`
  if (i % 10 === 1) return `https://docs.google.com/forms/d/e/1FAIp${i}/viewform`
  return `https://login-${i}.bank${i % 50_000}.example.net/wp-content/secure/index-${i}.html?session=${i * 7}`
}

function cleanUrl(i: number): string {
  if (i % 3 === 0)
    return `https://www.shop${i}.example.org/products/${i}/view?utm_source=news&id=${i}`
  if (i % 3 === 1) return `https://docs.google.com/forms/d/e/1FAIpQ${i}/viewform?usp=sf_link`
  return `https://login-${i}.bank${i % 50_000}.example.net/wp-content/secure/other-${i}.html?session=${i}`
}

function message(number: number): string[] {
  return Array.from({ length: LINKS }, (_, i) => cleanUrl(number * LINKS + i))
}

function residentMiB(): number {
  const status = readFileSync('/proc/self/status', 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
}

/** Memory in MiB, after a garbage collection if Node was started with --expose-gc. */
function settledMiB(): number {
  globalThis.gc?.()
  return residentMiB()
}
