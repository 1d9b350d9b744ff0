import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { threadId, Worker } from 'node:worker_threads'
import { memoryOctets } from '../../../mail/message/octets.ts'
import { ADMISSION, AdmissionMemory } from '../../admission/admission-memory.ts'
import { oneForAll } from '../helpers/shared.ts'

const MODULE = new URL('../../admission/admission-memory.ts', import.meta.url)

/** Two threads, as it were, and what they share. */
async function two() {
  const shared = oneForAll()
  const [one, other] = [await AdmissionMemory.open(shared), await AdmissionMemory.open(shared)]
  return { one, other, memory: () => shared.memory(ADMISSION, () => assert.fail('It is there')) }
}

describe('AdmissionMemory', () => {
  it('has one budget for all threads, and takes nothing where there is no room', async () => {
    const { one, other } = await two()
    const [first, second] = [one.budget('memoryBytes', 100), other.budget('memoryBytes', 100)]
    assert.equal(first.take(60), true)
    assert.equal(second.take(41), false)
    assert.equal(second.take(40), true)
    assert.equal(other.sum('memoryBytes'), 100)
    first.giveBack(60)
    assert.equal(second.take(60), true)
  })

  it('loses no count where threads change it at the same time', async () => {
    const { one, memory } = await two()
    const source = `
      const { AdmissionMemory } = await import('${MODULE}')
      const { workerData } = await import('node:worker_threads')
      const budget = (await AdmissionMemory.open({ memory: async () => workerData })).budget('fileBytes', 1e9)
      for (let i = 0; i < 100_000; i++) { budget.take(3); budget.giveBack(2) }`
    const url = new URL(`data:text/javascript,${encodeURIComponent(source)}`)
    const workers = [1, 2].map(async () => {
      const worker = new Worker(url, { workerData: await memory() })
      await new Promise((resolve) => worker.on('exit', resolve))
    })
    await Promise.all(workers)
    assert.equal(one.sum('fileBytes'), 200_000)
  })

  it('gives back what a thread has taken that has ended, and no more when that comes back late', async () => {
    const { one, other, memory } = await two()
    const budget = one.budget('memoryBytes', 100)
    budget.take(10)
    one.waiting.add(3)
    one.close()
    budget.giveBack(10)
    one.waiting.add(-3)
    assert.deepEqual([other.sum('memoryBytes'), other.sum('waiting')], [0, 0])
    other.waiting.add(2)
    AdmissionMemory.threadEnded(await memory(), threadId)
    assert.equal(one.sum('waiting'), 0)
  })

  it('remembers the message that a thread was analysing when it ended, for all threads', async () => {
    const { one, memory } = await two()
    const [done, hung] = ['done', 'hung'].map((text) => memoryOctets(Buffer.from(`A: ${text}\n\n`)))
    one.analyses(done)
    one.analyses(undefined)
    one.analyses(hung)
    AdmissionMemory.threadEnded(await memory(), threadId)
    const next = await AdmissionMemory.open({ ...oneForAll(), memory })
    assert.equal(next.isDeadly(hung!), true)
    assert.equal(next.isDeadly(done!), false)
    assert.equal(next.isDeadly(memoryOctets(Buffer.from('A: hung\n\nmore'))), false)
  })

  it('forgets the oldest of 257', async () => {
    const { one } = await two()
    const messages = Array.from({ length: 257 }, (_, at) => memoryOctets(Buffer.from(`${at}`)))
    for (const message of messages) one.addDeadly(message)
    assert.deepEqual(
      messages.map((message) => one.isDeadly(message)),
      messages.map((_, at) => at > 0),
    )
  })
})
