/** Artifacts read from files: once for all who share memory, and not when they are damaged. */
import assert from 'node:assert/strict'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { temporaryFolder } from '../../../test/temporary-folder.ts'
import { readKnowledge, readModels, SHIPPED_ARTIFACTS } from '../artifact-files.ts'

describe('artifacts', () => {
  it('are in memory once for all who share it', async () => {
    const memories = new Map<string, SharedArrayBuffer>()
    const shared = {
      async memory(name: string, make: () => SharedArrayBuffer | Promise<SharedArrayBuffer>) {
        const memory = memories.get(name) ?? (await make())
        memories.set(name, memory)
        return memory
      },
    }
    const [one, other] = [await readModels(undefined, shared), await readModels(undefined, shared)]
    const [known, again] = [await readKnowledge(shared), await readKnowledge(shared)]
    assert.equal(one.tabs.weights.integers.buffer, other.tabs.weights.integers.buffer)
    assert.equal(known.domains.hashes.buffer, again.domains.hashes.buffer)
    assert.equal(memories.size, 5)
    assert.deepEqual(other, await readModels())
  })

  it('are refused with weights of which a byte is another', async () => {
    const folder = temporaryFolder()
    cpSync(SHIPPED_ARTIFACTS, folder, { recursive: true, filter: (path) => !/encoder/.test(path) })
    const path = join(folder, 'meta/weights.bin')
    const weights = readFileSync(path)
    writeFileSync(path, weights.with(7, weights[7]! ^ 1))
    await assert.rejects(readModels(folder), {
      code: 'ARTIFACT_MISMATCH',
      message: /meta\/weights\.bin is not the file its manifest describes/,
    })
  })
})
