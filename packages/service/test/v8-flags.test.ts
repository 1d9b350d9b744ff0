import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { describe, it } from 'node:test'
import { HEAP_FLAGS, SERVICE_FLAGS } from '../v8-flags.ts'

describe('V8 flags of the service', () => {
  it('are known to this Node', () => {
    const flags = [...HEAP_FLAGS, ...SERVICE_FLAGS]
    const { status, stderr } = spawnSync(process.execPath, [...flags, '--eval', ''])
    assert.equal(status, 0, String(stderr))
  })
})
