/** What a process serves that does not learn, beside one that says what the test wants. */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { eventually } from '../../../../test/eventually.ts'
import { encodeDeltas, zeroDeltas } from '../../../mail/learning/deltas.ts'
import { emptyModels } from '../../../mail/learning/empty-models.ts'
import type { LearnEvent } from '../../../mail/learning/learn-event.ts'
import type { Canary } from '../../../mail/models/canary.ts'
import {
  FollowedModels,
  type FollowedModelsSettings,
} from '../../learned-models/followed-models.ts'
import {
  CHANGE_VERSION,
  DELTAS_SERVED,
  MODELS_SERVED,
  type ServedDeltas,
  TENANTS_SERVED,
} from '../../learned-models/shared-models.ts'
import type { Siblings } from '../../siblings/siblings.ts'
import { siblings } from '../helpers/siblings.ts'

const TENANT = 'default'

const base = emptyModels()

/** Deltas that add `value` to the first weight. */
function served(value: number, version = base.version): ServedDeltas {
  const deltas = zeroDeltas(base)
  deltas.operator.text[0] = value
  return { base: version, name: `${version} ${value}`, bytes: encodeDeltas(deltas) }
}

const NOTHING: ServedDeltas = { base: base.version, name: 'nothing', bytes: undefined }

async function open(t: TestContext, answering = true) {
  const [first, second] = siblings(2) as [Siblings, Siblings]
  const here = {
    serves: served(1),
    asked: 0,
    tell: () => first.tell(MODELS_SERVED, TENANT),
    first,
    followed: undefined as unknown as FollowedModels,
    /** What is added to the first weight. */
    added() {
      using lease = here.followed.leaseDeltas(TENANT, base.version)
      return lease?.deltas.operator.text[0]
    },
  }
  if (answering) {
    first.on(TENANTS_SERVED, () => [TENANT])
    first.on(DELTAS_SERVED, async (_tenant, has) => {
      here.asked++
      return has === here.serves.name ? undefined : here.serves
    })
  }
  here.followed = await FollowedModels.open({
    store: {} as FollowedModelsSettings['store'],
    base,
    canary: {} as Canary,
    mode: 'users',
    onError: (error) => assert.fail(String(error)),
    onRefused: () => assert.fail('The first process says so'),
    siblings: second,
  })
  t.after(() => here.followed.close())
  return here
}

describe('FollowedModels', () => {
  it('serves what the first process serves, from the start and when told', async (t) => {
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

  it('asks at most twice a second, however often it is told, and once more at the end', async (t) => {
    const here = await open(t)
    await eventually(() => here.added() === 1)
    for (let i = 0; i < 100; i++) here.tell()
    here.serves = served(2)
    here.tell()
    assert.equal(here.asked, 1)
    await eventually(() => here.added() === 2)
    assert.equal(here.asked, 2)
  })

  it('serves nothing that was learned over other shipped weights', async (t) => {
    const here = await open(t)
    await eventually(() => here.added() === 1)
    here.serves = served(2, 'other')
    here.tell()
    await eventually(() => here.asked === 2)
    assert.equal(here.added(), 1)
    here.followed.rebase({ ...base, version: 'other' }, {} as Canary)
    assert.equal(here.followed.leaseDeltas(TENANT, base.version), undefined)
    assert.equal(here.followed.leaseDeltas(TENANT, 'other'), undefined)
    await eventually(() => here.followed.leaseDeltas(TENANT, 'other') !== undefined)
  })

  it('says so where the process that learns does not answer, and claims nothing', async (t) => {
    const { followed } = await open(t, false)
    await assert.rejects(followed.promote(TENANT), { code: 'NOT_READY' })
    await assert.rejects(followed.rollback(TENANT), { code: 'NOT_READY' })
    assert.equal(await followed.wouldLearn(TENANT, {} as LearnEvent), false)
    assert.deepEqual(await followed.progress(TENANT), { mode: 'users', promoted: 0, refused: 0 })
  })

  it('serves another version at once when it was asked for one', async (t) => {
    const here = await open(t)
    await eventually(() => here.added() === 1)
    here.first.on(CHANGE_VERSION, async () => {
      here.serves = served(3)
      return { version: 7 }
    })
    assert.equal(await here.followed.promote(TENANT), 7)
    assert.equal(here.added(), 3)
  })
})
