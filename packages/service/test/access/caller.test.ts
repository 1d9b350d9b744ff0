import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type FastifyRequest, fastify } from 'fastify'
import {
  type Caller,
  callerIfKnown,
  callerOf,
  clientOf,
  correctorOf,
  type Entitlement,
  isAdmin,
  keepCallers,
  requireEntitlement,
  type Scope,
  setCaller,
} from '../../access/caller.ts'

function caller(scopes: readonly Scope[], entitlements: readonly Entitlement[] = []): Caller {
  return { scopes: new Set(scopes), entitlements: new Set(entitlements) }
}

describe('the caller of a request', () => {
  it('has room there from the start, so that all requests keep one shape', async () => {
    const app = fastify()
    keepCallers(app)
    let fields: string[] = []
    app.get('/', async (request) => {
      fields = Object.getOwnPropertySymbols(request).map(String)
      return ''
    })
    await app.inject('/')
    assert.ok(fields.includes('Symbol(caller)'), String(fields))
  })

  it('is found there once it is set, and asking before is a mistake in the code', () => {
    const request = {} as FastifyRequest
    assert.equal(callerIfKnown(request), undefined)
    assert.throws(() => callerOf(request), { name: 'TypeError' })
    const ada = caller(['classify'])
    setCaller(request, ada)
    assert.equal(callerOf(request), ada)
  })
})

describe('isAdmin', () => {
  it('is true of administrators and operators alone', () => {
    const are = (['classify', 'feedback', 'admin', 'operator'] as const).map((scope) =>
      isAdmin(caller([scope])),
    )
    assert.deepEqual(are, [false, false, true, true])
  })
})

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

describe('requireEntitlement', () => {
  it('refuses what the licence does not include, and says what that is', () => {
    requireEntitlement(caller([], ['spam']), 'spam')
    assert.throws(() => requireEntitlement(caller([], ['classification']), 'spam'), {
      code: 'NOT_ENTITLED',
      message: 'The licence does not include spam detection',
    })
    assert.throws(() => requireEntitlement(caller([], ['spam']), 'classification'), {
      code: 'NOT_ENTITLED',
      message: 'The licence does not include message classes',
    })
  })
})
