/**
 * Forgetting from end to end: a service learns from users who correct in turn, one of them leaves,
 * and what is left is compared with a service that has never heard of that user.
 *
 * The two are equal in all but what chance gave them: names of corrections, and the secret under
 * which messages and domains are named; these decide what is held out and what is repeated. So the
 * corrections of the service that never knew the user get the names that the other has for the
 * same ones, and are learned from one by one: the model must be that, bit for bit.
 */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { eventually } from '../../../../test/eventually.ts'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { readKnowledge, readModels } from '../../../artifact-files/artifact-files.ts'
import { analyse } from '../../../mail/analyse.ts'
import { type Deltas, encodeDeltas, withDeltas } from '../../../mail/learning/deltas.ts'
import { Learner } from '../../../mail/learning/learn.ts'
import { memoryOctets } from '../../../mail/message/octets.ts'
import { decide } from '../../../mail/verdict/decide.ts'
import { NO_EVIDENCE } from '../../../mail/verdict/evidence.ts'
import { policyFor } from '../../../mail/verdict/policy.ts'
import { type Config, policySettings, readConfig } from '../../config.ts'
import type { Model } from '../../learned-models/model-version.ts'
import type { StoreSettings } from '../../store/open.ts'
import type { Store } from '../../store/store.ts'
import type { LoggedCorrection } from '../../users/correction.ts'
import { openStoreHere } from '../helpers/store-here.ts'
import { MAILBAG } from './mailbag.ts'
import { buildOnce, ORDER, post } from './service.ts'

const LEAVER = 'leaver'

/** Five, of whom one leaves. All speak in the operator's word, since no key is configured. */
const USERS = ['user-1', 'user-2', LEAVER, 'user-4', 'user-5']

/** Only the leaver has mail from there, and a rule for it. */
const LEAVERS_SENDER = 'aunt@marmalade.example.net'
const LEAVERS_RULE = 'jam.example.net'

const LEAVERS_MAIL = [
  `From: Aunt <${LEAVERS_SENDER}>`,
  'To: a@example.com',
  'Subject: Marmalade',
  'Message-ID: <oranges@marmalade.example.net>',
  '',
  'The oranges have come. I shall boil marmalade on Tuesday and send you six jars of it.',
  '',
].join('\r\n')

const CLASSES = ['primary', 'promotions', 'updates', 'transactions']

/** Bytes of the old model that are looked for: some ten of its numbers. */
const PART_BYTES = 64

const models = await readModels(undefined)
const knowledge = await readKnowledge()

type Learning = Config['learning']

interface Said {
  readonly userId: string
  readonly message: string
  readonly url: string
  readonly headers: Record<string, string>
}

/** By all users in turn, of spam and of classes; some change their minds. */
const ALL_SAID: readonly Said[] = Array.from({ length: 45 }, (_, i) => {
  const userId = USERS[i % USERS.length]!
  const isLeaversOwn = userId === LEAVER && i % 2 === 0
  const message = isLeaversOwn ? LEAVERS_MAIL : MAILBAG[(i * 3) % MAILBAG.length]!
  return i % 3 === 2
    ? {
        userId,
        message,
        url: '/tabs/feedback-stream',
        headers: { 'x-classification': CLASSES[i % CLASSES.length]! },
      }
    : {
        userId,
        message,
        url: '/feedback-stream',
        headers: { 'x-is-spam': `${(i * 5) % 7 < 4}` },
      }
})

/** What there was of the leaver, before and after. */
interface Left {
  readonly traces: readonly Trace[]
  readonly modelBefore: Model
  /** Of `modelBefore`, what stood in the files. */
  readonly modelParts: readonly Buffer[]
  readonly model: Model
  readonly versions: readonly number[]
  readonly log: readonly LoggedCorrection[]
}

/** The tests on `place`, and beside it on a service that never heard of the leaver. */
export function forgettingTests(name: string, place: StoreSettings, learning: Learning): void {
  const strangersPlace = { dataDir: temporaryFolder() }
  const stranger = buildOnce({ config: { ...strangersPlace, learning: 'off' } })
  let strangersLog: readonly LoggedCorrection[]

  before(async () => {
    const others = ALL_SAID.filter(({ userId }) => userId !== LEAVER)
    await say(stranger(), others)
    strangersLog = await withStore(strangersPlace, logOf)
  })

  describe(`${name}, learning: ${learning}`, () => {
    const app = buildOnce({ config: { ...place, learning } })
    let left: Left

    before(async () => {
      left = await leave(app(), place)
    })

    it('leaves the log of a service that never met the user', () => {
      assert.ok(left.log.length > 25, `${left.log.length} corrections`)
      assert.deepEqual(left.log.map(contentOf), strangersLog.map(contentOf))
    })

    it('leaves the model of a service that never met the user, bit for bit', () => {
      const never = Buffer.from(encodeDeltas(neverCorrected(left, learning)))
      assert.ok(never.equals(left.model.deltas), 'the deltas differ')
      assert.ok(!never.equals(left.modelBefore.deltas), 'the user had corrected nothing')
    })

    it('leaves no version of a model that met the user', () => {
      assert.deepEqual(left.versions, [left.model.version])
    })

    it('gives everybody the verdicts of a model that never met the user', async () => {
      const never = neverCorrected(left, learning)
      for (const message of [...MAILBAG, ORDER, LEAVERS_MAIL]) {
        const expected = verdictOn(message, never)
        assert.deepEqual((await post(app(), '/classify-stream', message)).json(), expected)
        // Who has corrected something has rules and a memory above the same models.
        const ones = await post(app(), '/classify-stream', message, { 'x-user-id': USERS[0]! })
        assert.equal(ones.json().textSpamScore, expected.textSpamScore)
        assert.equal(ones.json().metaSpamScore, expected.metaSpamScore)
      }
    })

    if (place.databaseUrl !== undefined) return

    it('leaves no byte of the user, their senders, corrections and lessons in any file', () => {
      const content = contentOfFiles(place.dataDir)
      for (const { what, bytes, wasThere } of left.traces) {
        assert.ok(wasThere, `${what} was never there`)
        assert.ok(!content.includes(bytes), `${what} is there`)
      }
      const newModel = Buffer.from(left.model.deltas)
      const parts = left.modelParts.filter((part) => !newModel.includes(part))
      assert.ok(parts.length > 10, `${parts.length} parts`)
      for (const part of parts)
        assert.ok(!content.includes(part), 'a part of the old model is there')
    })
  })

  /** What the corrections of the stranger correct under the names that ours have. */
  function neverCorrected({ log }: Left, mode: Learning): Deltas {
    const learner = new Learner(models, [], { mode })
    for (const [i, event] of strangersLog.entries()) {
      const { feedbackId, messageKey, domainKey, createdAt } = log[i]!
      learner.take({ ...event, feedbackId, messageKey, domainKey, createdAt })
    }
    return learner.learned().deltas
  }
}

/** Lets all users correct, and one of them leave. */
async function leave(app: FastifyInstance, place: StoreSettings): Promise<Left> {
  await say(app, ALL_SAID)
  const payload = { userId: LEAVER, ruleType: 'Sender', label: 'ham', pattern: LEAVERS_RULE }
  await app.inject({ method: 'POST', url: '/personalization/rules', payload })
  // A version that has learned from the leaver too is kept.
  await app.inject({ method: 'POST', url: '/models/promote' })
  const count = (await withStore(place, logOf)).length
  await eventually(async () => {
    const [newest] = (await app.inject('/models')).json().versions
    return newest?.metrics.corrections === count
  })
  const before = await withStore(place, async (store) => ({
    log: await logOf(store),
    modelBefore: (await store.promotedModel())!,
  }))
  const traces = tracesOf(before.log, place.dataDir)
  const content = contentOfFiles(place.dataDir)
  const modelParts = partsOf(before.modelBefore.deltas).filter((part) => content.includes(part))
  await forget(app, LEAVER)
  return await withStore(place, async (store) => ({
    traces,
    modelBefore: before.modelBefore,
    modelParts,
    model: (await store.promotedModel())!,
    versions: (await store.models()).map(({ version }) => version),
    log: await logOf(store),
  }))
}

async function say(app: FastifyInstance, said: readonly Said[]): Promise<void> {
  for (const { userId, message, url, headers } of said) {
    const response = await post(app, url, message, { 'x-user-id': userId, ...headers })
    assert.equal(response.statusCode, 200, response.body)
  }
}

async function forget(app: FastifyInstance, userId: string): Promise<void> {
  const payload = { userId }
  const response = await app.inject({ method: 'DELETE', url: '/personalization/data', payload })
  assert.equal(response.statusCode, 200)
  const { jobId } = response.json()
  await eventually(async () => (await app.inject(`/jobs/${jobId}`)).json().state === 'done')
}

/** The full verdict on `message` of the shipped models with `deltas`, recipient-independent. */
function verdictOn(message: string, deltas: Deltas) {
  const facts = { now: new Date() }
  const learned = withDeltas(models, deltas)
  const analysis = analyse(memoryOctets(Buffer.from(message)), facts, learned, { knowledge })
  return decide(analysis, NO_EVIDENCE, policyFor(models, DEFAULT_POLICY))
}

const DEFAULT_POLICY = policySettings(readConfig({}, () => '{}'))

/** What was corrected, and what is learned from it, without what chance and the clock gave it. */
function contentOf({ userId, kind, label, features, featureVersion }: LoggedCorrection) {
  return { userId, kind, label, featureVersion, features: Buffer.from(features).toString('hex') }
}

/** What only the leaver has, and may nowhere be found afterwards. */
interface Trace {
  readonly what: string
  readonly bytes: Buffer
  readonly wasThere: boolean
}

function tracesOf(log: readonly LoggedCorrection[], folder: string): Trace[] {
  const others = log.filter(({ userId }) => userId !== LEAVER)
  const keysOfOthers = new Set(others.map(({ messageKey }) => String(messageKey)))
  const theirs = log.filter(({ userId }) => userId === LEAVER)
  const content = contentOfFiles(folder)
  return [
    ['the user', Buffer.from(LEAVER)] as const,
    ['a sender', Buffer.from(LEAVERS_SENDER)] as const,
    ['a rule', Buffer.from(LEAVERS_RULE)] as const,
    ...theirs.map(({ feedbackId }) => ['a correction', Buffer.from(feedbackId)] as const),
    ...theirs
      .filter(({ messageKey }) => !keysOfOthers.has(String(messageKey)))
      .map(({ messageKey }) => ['a message', Buffer.from(messageKey)] as const),
  ].map(([what, bytes]) => ({ what, bytes, wasThere: content.includes(bytes) }))
}

function contentOfFiles(folder: string): Buffer {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true })
  const files = entries.filter((entry) => entry.isFile())
  return Buffer.concat(files.map((file) => readFileSync(join(file.parentPath, file.name))))
}

/** Parts that no page of the database has by chance, as it may have zeros and one number. */
function partsOf(bytes: Uint8Array): Buffer[] {
  const count = Math.floor(bytes.length / PART_BYTES)
  return Array.from({ length: count }, (_, i) =>
    Buffer.from(bytes.subarray(i * PART_BYTES, (i + 1) * PART_BYTES)),
  ).filter((part) => part.filter((byte) => byte !== 0).length >= PART_BYTES / 4)
}

/** Looks into the store of a service, beside it. */
async function withStore<T>(place: StoreSettings, look: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStoreHere(place)
  try {
    return await look(store)
  } finally {
    await store.close()
  }
}

function logOf(store: Store): Promise<LoggedCorrection[]> {
  return store.correctionsInOrder(0, 1_000)
}
