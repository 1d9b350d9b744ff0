import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { describe, it } from 'node:test'
import { HEAP_FLAGS, SERVICE_FLAGS } from '../v8-flags.ts'

describe('V8 flags of the service', () => {
  for (const flag of [...HEAP_FLAGS, ...SERVICE_FLAGS]) {
    it(`${flag} is known to this Node`, () => {
      const { status, stderr } = spawnSync(process.execPath, [flag, '--eval', ''], {
        encoding: 'utf8',
      })
      assert.equal(status, 0, stderr)
    })
  }
})
