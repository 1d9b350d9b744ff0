/**
 * docs/console/*.png: each page of the console in a real browser, with a service that has had two minutes
 * of mail and some corrections by a user. With arguments, only the pictures whose names begin so:
 * `npm run screenshots try`.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { TamisClient } from '../packages/client/client.ts'
import { launchChromium } from '../packages/console/test/chromium.ts'
import { readConfig } from '../packages/service/config.ts'
import { openService } from '../packages/service/open-service.ts'

const ROOT = join(import.meta.dirname, '..')
const OUT = join(ROOT, 'docs/console')

const [PARCEL, ORDER, APPOINTMENT, NEWSLETTER, SALE, PRIZE, INVOICE, CODE] = [
  'examples/phishing',
  'examples/order',
  'examples/appointment',
  'examples/newsletter',
  'examples/sale',
  'packages/console/samples/prize',
  'packages/console/samples/invoice',
  'packages/console/samples/code',
].map((name) => readFileSync(join(ROOT, `${name}.eml`))) as [Buffer, ...Buffer[]]

/** Long enough for Live to show a line. */
const TRAFFIC_MS = 120_000

const DESK = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }

interface Shot {
  readonly name: string
  readonly context: BrowserContextOptions
  readonly height?: number
  readonly page: string
  readonly reach: (page: Page) => Promise<void>
}

const SHOTS: readonly Shot[] = [
  { name: 'try', context: {}, height: 1_135, page: 'try', reach: judge('A parcel on hold') },
  {
    name: 'try-dark',
    context: { colorScheme: 'dark' },
    height: 1_165,
    page: 'try',
    reach: async (page) => {
      await judge('An invoice')(page)
      await page.getByLabel('Expert view').check()
    },
  },
  {
    name: 'try-narrow',
    context: { viewport: PHONE },
    height: 1_100,
    page: 'try',
    reach: judge('A prize'),
  },
  { name: 'try-start', context: {}, page: 'try', reach: async () => {} },
  {
    name: 'try-corrected',
    context: {},
    height: 600,
    page: 'try',
    reach: async (page) => {
      await page.getByLabel('Message file').setInputFiles(join(ROOT, 'examples/sale.eml'))
      // Before the verdict there is one such field, folded away.
      await page.getByRole('region', { name: 'Verdict' }).waitFor()
      await page.getByLabel('Whose mailbox?').last().fill('ann')
      await page.getByRole('button', { name: 'Correct it' }).click()
      await page.getByRole('button', { name: 'Spam', exact: true }).click()
      await page.getByText('Recorded for').waitFor()
    },
  },
  {
    name: 'live',
    context: {},
    height: 2_100,
    page: 'live',
    reach: async (page) => {
      await page.getByRole('region', { name: 'Throughput' }).waitFor()
    },
  },
  {
    name: 'live-narrow',
    context: { colorScheme: 'dark', viewport: PHONE },
    height: 1_100,
    page: 'live',
    reach: async (page) => {
      await page.getByRole('region', { name: 'Latest verdicts' }).scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'history',
    context: {},
    page: 'history',
    reach: async (page) => {
      await page.locator('details').first().click()
    },
  },
  {
    name: 'users-list',
    context: { viewport: PHONE },
    page: 'users',
    reach: async (page) => {
      await page.getByRole('link', { name: 'ann', exact: true }).waitFor()
    },
  },
  {
    name: 'users',
    context: {},
    page: 'users',
    reach: async (page) => {
      await page.getByRole('link', { name: 'ann', exact: true }).click()
      await page
        .getByText(/^\d corrections/)
        .first()
        .waitFor()
    },
  },
  {
    name: 'rules',
    context: {},
    height: 1_000,
    page: 'rules',
    reach: async (page) => {
      await page.getByText('198.51.100.0/24').waitFor()
    },
  },
  {
    name: 'settings',
    context: {},
    page: 'settings',
    reach: async (page) => {
      await page.getByText('TAMIS_THRESHOLD').waitFor()
    },
  },
  {
    name: 'models',
    context: {},
    height: 1_000,
    page: 'models',
    reach: async (page) => {
      await page.getByText('Known to fail on.', { exact: true }).waitFor()
      await page.getByText('Right class').waitFor()
    },
  },
  {
    name: 'models-report',
    context: { colorScheme: 'dark' },
    page: 'models',
    reach: async (page) => {
      await page.getByText('How good the models are', { exact: true }).click()
      const plot = page.getByRole('img', { name: 'ROC curves', exact: true })
      await plot.waitFor()
      await plot.evaluate('window.scrollTo(0, 0)')
      await plot.scrollIntoViewIfNeeded()
      await setTimeout(1_000)
    },
  },
]

function judge(sample: string): (page: Page) => Promise<void> {
  return async (page) => {
    await page.getByRole('button', { name: sample }).click()
    await page.getByRole('region', { name: 'Verdict' }).waitFor()
  }
}

const wanted = process.argv.slice(2)
const shots = SHOTS.filter(
  ({ name }) => wanted.length === 0 || wanted.some((start) => name.startsWith(start)),
)
const dataDir = await mkdtemp(join(tmpdir(), 'tamis-screenshots-'))
const settings = { TAMIS_WORKERS: '1', TAMIS_HISTORY_DAYS: '30', TAMIS_AUTH_DNS: 'off' }
const config = { ...readConfig(settings, () => '{}'), dataDir }
const service = await openService(config, { level: 'silent' })
const browser = await launchChromium()
try {
  await mkdir(OUT, { recursive: true })
  await service.app.listen({ host: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${(service.app.server.address() as AddressInfo).port}`
  const tamis = new TamisClient({ url })
  await correctSomething(tamis)
  await setSomething(tamis)
  if (shots.some(({ page }) => page === 'live' || page === 'history')) await sendMail(tamis)
  for (const shot of shots) await take(browser, url, shot)
} finally {
  await browser.close()
  await service.close()
  await rm(dataDir, { recursive: true, force: true })
}

async function correctSomething(tamis: TamisClient): Promise<void> {
  const userId = 'ann'
  for (const message of [PARCEL!, PRIZE!]) {
    await tamis.feedbackStream(message, { userId, isSpam: true })
  }
  await tamis.feedbackStream(NEWSLETTER!, { userId, isSpam: false })
  await tamis.tabsFeedbackStream(SALE!, { userId, classification: 'updates' })
  await tamis.createRule({ userId, ruleType: 'Sender', pattern: 'example.net', label: 'ham' })
  await tamis.createTabsRule({
    userId,
    ruleType: 'List',
    pattern: 'weekly.example.org',
    classification: 'updates',
  })
  await tamis.promoteModels()
}

/** For a domain that no other picture shows. */
async function setSomething(tamis: TamisClient): Promise<void> {
  const forDomain = { recipientDomain: 'example.org' }
  const block = { ...forDomain, label: 'spam' } as const
  const allow = { ...forDomain, label: 'ham' } as const
  await tamis.createSiteRule({ ...allow, ruleType: 'Sender', pattern: 'partner.example' })
  await tamis.createSiteRule({ ...block, ruleType: 'Sender', pattern: '*.top' })
  await tamis.createSiteRule({ ...block, ruleType: 'Network', pattern: '198.51.100.0/24' })
  await tamis.setRecipient({ kind: 'domain', name: 'example.org', threshold: 'strict' })
  await tamis.setRecipient({ kind: 'user', name: 'eve@example.org', learning: 'off' })
}

/** Sends mail, alternately more and less. */
async function sendMail(tamis: TamisClient): Promise<void> {
  const messages = [CODE!, ORDER!, APPOINTMENT!, PARCEL!, SALE!, NEWSLETTER!, PRIZE!, INVOICE!]
  const started = performance.now()
  for (let sent = 0; performance.now() - started < TRAFFIC_MS; sent++) {
    await tamis.classifyStream(messages[(sent * 5 + (sent >> 3)) % messages.length]!, {
      userId: sent % 3 === 0 ? 'ann' : 'ben',
    })
    await setTimeout(20 + 60 * (1 + Math.sin((performance.now() - started) / 14_000)))
  }
}

async function take(opened: Browser, url: string, shot: Shot): Promise<void> {
  const { name, context, height = DESK.height, page: hash, reach } = shot
  const profile = await opened.newContext({ viewport: DESK, locale: 'en-GB', ...context })
  const page = await profile.newPage()
  await page.goto(`${url}/#/${hash}`)
  await reach(page)
  const width = context.viewport?.width ?? DESK.width
  if (name !== 'models-report') await page.setViewportSize({ width, height })
  await setTimeout(600)
  const path = join(OUT, `${name}.png`)
  await page.screenshot({ path })
  makeSmall(path)
  await profile.close()
}

/** Reduces a picture to 256 colours, which are enough, and a third of the bytes; with Debian's pngquant. */
function makeSmall(path: string): void {
  execFileSync('pngquant', ['--force', '--strip', '--speed', '1', '--output', path, '256', path])
}
