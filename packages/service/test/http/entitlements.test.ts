/**
 * What a licence does not include is in no answer. There are four keys, each with another
 * licence, and a user of whom a rule, a correction and a feed call one message spam; each key asks
 * every endpoint about it.
 */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { eventually } from '../../../../test/eventually.ts'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { reasonsResult } from '../../http/results.ts'
import { summaryOf } from '../../on-judged.ts'
import { addKeys, bearer } from '../helpers/keys.ts'
import { buildOnce, judged } from './service.ts'

/** Key, what its licence includes, and whether that is spam detection and classes. */
const LICENCES = [
  { key: 'nothing', includes: [], spam: false, classes: false },
  { key: 'spam-alone', includes: ['spam'], spam: true, classes: false },
  { key: 'classes-alone', includes: ['classification'], spam: false, classes: true },
  { key: 'everything', includes: ['spam', 'classification'], spam: true, classes: true },
] as const

type Licence = (typeof LICENCES)[number]

const USER = 'ann@example.com'
const LINK = 'http://pills.example.net/buy'

const PILLS = [
  'From: Pharmacy <deals@pills.example.net>',
  `To: ${USER}`,
  'Subject: Cheap pills, no prescription',
  'Date: Fri, 20 Nov 2026 12:00:00 +0000',
  'Message-ID: <pills@pills.example.net>',
  '',
  'Best prices, no prescription needed, discreet delivery. Buy ten and get ten more for free!',
  LINK,
  '',
].join('\r\n')

const NOT_SPAM = {
  isSpam: false,
  spamProbability: 0,
  textSpamScore: 0,
  metaSpamScore: 0,
  entropy: 0,
  disagreement: 0,
  shouldEscalate: false,
  bypassReason: null,
}

const folder = temporaryFolder()
const dataDir = join(folder, 'data')
const feed = join(folder, 'feed.txt')
await writeFile(feed, `${LINK}\n`)
const scopes = ['classify', 'feedback', 'admin']
const keys = LICENCES.map(({ key, includes }) => [key, { scopes, entitlements: includes }])
await addKeys({ dataDir }, Object.fromEntries(keys))

const app = buildOnce({
  config: { dataDir, feeds: [`file:${feed}`], rspamdEndpoints: 'on', learning: 'off' },
})

/** What the user has said of the message, about spam and about its class. */
async function correct(): Promise<void> {
  await eventually(
    async () => (await ask('everything', 'GET', '/ready')).json().feeds[0]?.entries === 1,
  )
  for (const [path, headers] of [
    ['/feedback-stream', { 'x-is-spam': 'true' }],
    ['/tabs/feedback-stream', { 'x-classification': 'updates' }],
    ['/personalization/rules/create-stream', { 'x-rule-type': 'Sender', 'x-label': 'spam' }],
    [
      '/personalization/tabs/rules/create-stream',
      { 'x-rule-type': 'Sender', 'x-classification': 'updates' },
    ],
  ] as const) {
    const { statusCode } = await send('everything', path, headers as Record<string, string>)
    assert.ok(statusCode === 200 || statusCode === 201, `${path}: ${statusCode}`)
  }
}

function ask(
  key: string,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  { payload, headers = {} }: { payload?: string | object; headers?: Record<string, string> } = {},
  service: FastifyInstance = app(),
) {
  return service.inject({
    method,
    url: path,
    headers: { ...bearer(key), ...headers },
    ...(payload === undefined ? {} : { payload }),
  })
}

/** The message, for its user. */
function send(key: string, path: string, headers: Record<string, string> = {}) {
  const about = { 'content-type': 'message/rfc822', 'x-user-id': USER }
  return ask(key, 'POST', path, { payload: PILLS, headers: { ...about, ...headers } })
}

/** A verdict of the interface, for that licence. */
function assertVerdict(verdict: Record<string, unknown>, { spam }: Licence): void {
  if (spam) {
    assert.equal(verdict['isSpam'], true)
    assert.equal(verdict['spamProbability'], 1)
    assert.equal(verdict['bypassReason'], 'phishtank_match')
    assert.equal(verdict['shouldEscalate'], false)
    return
  }
  assert.deepEqual({ ...verdict, ...NOT_SPAM }, verdict)
  assert.ok((verdict['confidenceMargin'] as number) > 0)
}

const NOT_ENTITLED = (what: string) => ({
  error: `The licence does not include ${what}`,
  code: 'NOT_ENTITLED',
})

const NO_SPAM = NOT_ENTITLED('spam detection')
const NO_CLASSES = NOT_ENTITLED('message classes')

describe('a licence', () => {
  before(correct)

  for (const licence of LICENCES) describeLicence(licence)
})

function describeLicence(licence: Licence): void {
  const { key, spam, classes } = licence

  describe(`that includes ${licence.includes.join(' and ') || 'nothing'}`, () => {
    it('answers POST /classify-stream', async () => {
      const verdict = (await send(key, '/classify-stream')).json()
      assertVerdict(verdict, licence)
      assert.equal(verdict.classification, 'updates')
    })

    it('has reasons for filters', async () => {
      const found = await judged(app(), PILLS, [USER], { entitlements: new Set(licence.includes) })
      const { reasons, ...verdict } = reasonsResult(found)
      assertVerdict({ ...verdict }, licence)
      const names = reasons.map(({ name }) => name)
      if (spam) {
        for (const name of ['TAMIS_URL_FEED', 'TAMIS_TEXT']) assert.ok(names.includes(name), name)
      } else assert.deepEqual(names, ['TAMIS_BASE', 'TAMIS_CLASS_UPDATES'])
      const summary = summaryOf(found)
      assert.deepEqual([summary.reasons.length > 0, 'sentence' in summary], [spam, spam])
    })

    it('answers POST /tabs/classify-stream', async () => {
      const response = await send(key, '/tabs/classify-stream')
      if (classes) assert.equal(response.json().personalizationSource, 'tabs_rule')
      else assert.deepEqual([response.statusCode, response.json()], [403, NO_CLASSES])
    })

    it('answers POST /classify/diagnostic-stream', async () => {
      const diagnostic = (await send(key, '/classify/diagnostic-stream')).json()
      const { email, result, models, urlScanner, personalization, explanation } = diagnostic
      assertVerdict(result, licence)
      const marks = [...email.reading.subject.marks, ...email.reading.body.marks]
      const matches = urlScanner.links.map(({ match }: { match: unknown }) => match)
      const ofSpam = {
        marks: marks.length > 0,
        text: models.text !== null,
        meta: models.meta !== null,
        nearest: 'spam' in models.embedding.outputs,
        match: urlScanner.match !== null,
        matches: matches.some((match: unknown) => match !== null),
        rule: personalization.rule !== null,
        memory: personalization.memory !== null,
        explanation: explanation !== null,
      }
      for (const [group, isThere] of Object.entries(ofSpam)) assert.equal(isThere, spam, group)
      assert.match(email.reading.body.text, /^Best prices/)
      // Of classes the interface says that only spam detection may be missing.
      assert.equal(diagnostic.tabs.personalizationSource, 'tabs_rule')
      assert.equal(personalization.classRule.classification, 'updates')
      assert.ok(personalization.classMemory !== null && 'tabs' in models.embedding.outputs)
    })

    it('shows rules and memory about spam only with it', async () => {
      const rules = await ask(key, 'GET', `/personalization/rules?userId=${USER}`)
      if (spam) {
        assert.deepEqual(
          new Set(rules.json().rules.map(({ label }: { label: string }) => label)),
          new Set(['spam']),
        )
      } else assert.deepEqual([rules.statusCode, rules.json()], [403, NO_SPAM])

      const tabs = await ask(key, 'GET', `/personalization/tabs/rules?userId=${USER}`)
      assert.equal(tabs.json().rules.length, 1)

      const { items } = (await ask(key, 'GET', `/personalization/memory?userId=${USER}`)).json()
      assert.deepEqual(
        items.map(({ kind }: { kind: string }) => kind),
        spam ? ['tabs', 'spam'] : ['tabs'],
      )
      const { users } = (await ask(key, 'GET', `/users?search=${USER}`)).json()
      assert.deepEqual(
        users.map((user: Record<string, unknown>) => [user['userId'], user['corrections']]),
        [[USER, spam ? 2 : 1]],
      )
    })

    it('makes rules only about what it includes, and removes any', async () => {
      const rule = { userId: 'dora', ruleType: 'Sender', pattern: 'shop.example.com' }
      const label = { ...rule, label: 'spam' }
      const made = await ask(key, 'POST', '/personalization/rules', { payload: label })
      if (spam) assert.equal(made.json().label, 'spam')
      else assert.deepEqual([made.statusCode, made.json()], [403, NO_SPAM])

      const classRule = { ...rule, classification: 'updates' }
      const path = '/personalization/tabs/rules'
      const classMade = await ask(key, 'POST', path, { payload: classRule })
      if (classes) assert.equal(classMade.json().classification, 'updates')
      else assert.deepEqual([classMade.statusCode, classMade.json()], [403, NO_CLASSES])

      const removed = await ask(key, 'DELETE', '/personalization/rules/remove', { payload: rule })
      assert.equal(removed.statusCode, spam ? 200 : 404)
      const gone = await ask(key, 'DELETE', `${path}/remove`, { payload: rule })
      assert.equal(gone.statusCode, classes ? 200 : 404)
    })

    it('counts spam only with it', async () => {
      const { corrections } = (await ask(key, 'GET', '/stats')).json()
      assert.deepEqual([corrections.spam === null, corrections.tabs === null], [!spam, false])
      // What all four keys ask is counted together.
      await send('everything', '/classify-stream')
      const { verdicts, classes } = (await ask(key, 'GET', '/stats')).json().judged
      assert.deepEqual([verdicts === null, classes.updates > 0], [!spam, true])
      assert.equal((await ask(key, 'GET', '/models')).statusCode, 200)
    })

    it("answers Rspamd's clients", async () => {
      const headers = { 'deliver-to': USER, 'content-type': 'text/plain' }
      const answer = (await ask(key, 'POST', '/checkv2', { payload: PILLS, headers })).json()
      const { 'X-Tamis-Verdict': verdict } = answer.milter.add_headers
      assert.equal(
        verdict.value,
        spam ? 'spam; probability=1.0000; reason=phishtank_match' : 'ham; probability=0.0000',
      )
      assert.equal(answer.action, spam ? 'add header' : 'no action')
      const symbols = Object.keys(answer.symbols)
      if (!spam) assert.deepEqual(symbols.toSorted(), ['TAMIS_BASE', 'TAMIS_CLASS_UPDATES'])

      for (const path of ['/learnspam', '/learnham']) {
        if (spam) continue
        const learned = await ask(key, 'POST', path, { payload: PILLS, headers })
        assert.deepEqual([learned.statusCode, learned.json()], [403, NO_SPAM])
      }
    })
  })
}
