/** What a server process serves beside an office that says what the test wants. */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../../../../test/eventually.ts'
import { encodeDeltas, zeroDeltas } from '../../../mail/learning/deltas.ts'
import { emptyModels } from '../../../mail/learning/empty-models.ts'
import type { LearnEvent } from '../../../mail/learning/learn-event.ts'
import type { Canary } from '../../../mail/models/canary.ts'
import { LearnedModels, type LearnedModelsSettings } from '../../learned-models/learned-models.ts'
import {
  CHANGE_VERSION,
  DELTAS_SERVED,
  MODELS_SERVED,
  PROGRESS,
  type ServedDeltas,
} from '../../learned-models/office-topics.ts'
import { within } from '../../main/service-thread.ts'
import { ALONE, type Siblings, withOffice } from '../../siblings/siblings.ts'

const base = emptyModels()

/** Deltas that add `value` to the first weight. */
function served(value: number, version = base.version): ServedDeltas {
  const deltas = zeroDeltas(base)
  deltas.operator.text[0] = value
  return { base: version, name: `${version} ${value}`, bytes: encodeDeltas(deltas) }
}

const NOTHING: ServedDeltas = { base: base.version, name: 'nothing', bytes: undefined }

/** Long after a question that nobody answers has come back, in milliseconds. */
const SETTLED_MS = 100

/** After how long an office is asked again that has not answered, in milliseconds. */
const RETRIED_MS = 5_000

async function open(t: TestContext, answering = true) {
  const { worker, office } = withOffice(ALONE)
  /** As in a process of its own: what takes the office longer than the topic allows is no answer. */
  const siblings: Siblings = {
    ...worker,
    askOffice: async (topic, ...args) =>
      (await within(topic.answerMsMax, worker.askOffice(topic, ...args))) as never,
  }
  const here = {
    serves: served(1),
    asked: 0,
    /** Resolves when the office has what it serves. */
    encoded: Promise.resolve() as Promise<unknown>,
    tell: () => office.tell(MODELS_SERVED),
    office,
    /** The office answers from now on. */
    answer() {
      office.on(PROGRESS, () => ({ promoted: 3, refused: 1 }))
      office.on(DELTAS_SERVED, async (has) => {
        here.asked++
        await here.encoded
        return has === here.serves.name ? 'as before' : here.serves
      })
    },
    learned: undefined as unknown as LearnedModels,
    /** What is added to the first weight. */
    added() {
      using lease = here.learned.leaseDeltas(base.version)
      return lease?.deltas.operator.text[0]
    },
  }
  if (answering) here.answer()
  here.learned = LearnedModels.open({
    store: {} as LearnedModelsSettings['store'],
    base,
    canary: {} as Canary,
    mode: 'users',
    onError: (error) => assert.fail(String(error)),
    siblings,
  })
  t.after(() => here.learned.close())
  return here
}

describe('LearnedModels', () => {
  it('serves what the office serves, from the start and when told', async (t) => {
    const here = await open(t)
    assert.equal(here.added(), undefined)
    await eventually(() => here.added() === 1)
    here.serves = served(2)
    here.tell()
    await eventually(() => here.added() === 2)
    here.serves = NOTHING
    here.tell()
    await eventually(() => here.added() === undefined)
  })

  it('serves what an office serves that comes up later, when it tells that it is there', async (t) => {
    const here = await open(t, false)
    await sleep(SETTLED_MS)
    here.answer()
    here.office.tell(MODELS_SERVED)
    await eventually(() => here.added() === 1, 'It serves nothing', RETRIED_MS / 2)
  })

  it('serves nothing that was learned over other shipped weights', async (t) => {
    const here = await open(t)
    await eventually(() => here.added() === 1)
    here.serves = served(2, 'other')
    here.tell()
    await eventually(() => here.asked === 2)
    assert.equal(here.added(), 1)
    here.learned.rebase({ ...base, version: 'other' }, {} as Canary)
    assert.equal(here.learned.leaseDeltas(base.version), undefined)
    assert.equal(here.learned.leaseDeltas('other'), undefined)
    await eventually(() => here.learned.leaseDeltas('other') !== undefined)
  })

  it('says so where the office does not answer, and claims nothing', async (t) => {
    const { learned } = await open(t, false)
    await assert.rejects(learned.promote(), { code: 'NOT_READY' })
    await assert.rejects(learned.rollback(), { code: 'NOT_READY' })
    assert.equal(await learned.wouldLearn({} as LearnEvent), false)
    assert.deepEqual(await learned.progress(), { mode: 'users', promoted: 0, refused: 0 })
  })

  it('tells how far the office has come with the log', async (t) => {
    const { learned } = await open(t)
    assert.deepEqual(await learned.progress(), { mode: 'users', promoted: 3, refused: 1 })
  })

  it('serves another version at once when it was asked for one', async (t) => {
    const here = await open(t)
    await eventually(() => here.added() === 1)
    here.office.on(CHANGE_VERSION, async () => {
      here.serves = served(3)
      return { version: 7 }
    })
    assert.equal(await here.learned.promote(), 7)
    assert.equal(here.added(), 3)
  })
})
