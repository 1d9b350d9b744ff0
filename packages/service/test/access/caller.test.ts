import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FastifyRequest } from 'fastify'
import { type Caller, clientOf, correctorOf, type Scope, setCaller } from '../../access/caller.ts'

function caller(scopes: readonly Scope[]): Caller {
  return { scopes: new Set(scopes), entitlements: new Set() }
}

describe('correctorOf', () => {
  it('takes the word of an operator for the operator, and that of any other key for the user', () => {
    const words = (['classify', 'feedback', 'admin', 'operator'] as const).map((scope) =>
      correctorOf(caller([scope]), 'ann'),
    )
    const ofUser = { userId: 'ann', authority: 'user' }
    assert.deepEqual(words, [ofUser, ofUser, ofUser, { ...ofUser, authority: 'operator' }])
  })
})

describe('clientOf', () => {
  it('is the key, whatever the address, and the address where there is no key', () => {
    const request = { ip: '192.0.2.1' } as FastifyRequest
    assert.equal(clientOf(request), '192.0.2.1')
    setCaller(request, caller(['classify']))
    assert.equal(clientOf(request), '192.0.2.1')
    setCaller(request, { ...caller(['classify']), keyId: 'k1' })
    assert.equal(clientOf(request), 'k1')
  })
})
