import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { logit } from '../../mail/models/logit.ts'
import { readConfig } from '../config.ts'
import { isNamed, policiesFor, policyOf } from '../policies.ts'

const MODELS = {
  fusion: {
    spam: { weights: [1, 1], bias: 0 },
    thresholds: { cautious: 0.9, balanced: 0.8, strict: 0.7 },
    escalation: { logitMargin: 0.5, disagreement: 0.6 },
  },
} as unknown as Parameters<typeof policiesFor>[0]

const SETTINGS = { threshold: 'balanced', spamPrior: 0.5, spamEntitled: true } as const

describe('policyOf', () => {
  const policies = policiesFor(MODELS, SETTINGS, [
    'Example.org=cautious',
    'ann@example.org=0.25',
    'U1042=strict',
    'müller.example=strict',
  ])
  const threshold = (userId?: string, recipientDomain?: string) =>
    policyOf(policies, {
      ...(userId === undefined ? {} : { userId }),
      ...(recipientDomain === undefined ? {} : { recipientDomain }),
    }).threshold

  it("gives the user's, else the domain's, else that of all", () => {
    assert.equal(threshold('ann@example.org', 'example.org'), 0.25)
    assert.ok(Math.abs(threshold('eve@example.org', 'example.org') - 0.9) < 1e-12)
    assert.ok(Math.abs(threshold('eve@mail.example.org', 'mail.example.org') - 0.8) < 1e-12)
    assert.ok(Math.abs(threshold('U1042') - 0.7) < 1e-12)
    assert.ok(Math.abs(threshold('ann@müller.example', 'xn--mller-kva.example') - 0.7) < 1e-12)
    assert.ok(Math.abs(threshold() - 0.8) < 1e-12)
  })

  it("gives the tenant's before all others", () => {
    const ann = { userId: 'ann@example.org', recipientDomain: 'example.org' }
    assert.equal(policyOf(policies, ann, 0.125).threshold, 0.125)
    assert.ok(Math.abs(policyOf(policies, ann, 'strict').threshold - 0.7) < 1e-12)
  })

  it('compares user ids byte for byte', () => {
    assert.ok(Math.abs(threshold('Ann@example.org', 'example.org') - 0.9) < 1e-12)
    assert.ok(Math.abs(threshold('u1042') - 0.8) < 1e-12)
  })

  it('moves a preset with the prior, and no number', () => {
    const moved = policiesFor(MODELS, { ...SETTINGS, spamPrior: 0.9 }, ['a=0.25', 'b=cautious'])
    assert.equal(policyOf(moved, { userId: 'a' }).threshold, 0.25)
    const cautious = policyOf(moved, { userId: 'b' }).threshold
    assert.ok(Math.abs(logit(cautious) - logit(0.9) - logit(0.9)) < 1e-9)
  })
})

describe('TAMIS_RECIPIENT_THRESHOLDS', () => {
  const read = (text: string) =>
    readConfig({ TAMIS_RECIPIENT_THRESHOLDS: text }, () => '{}').recipientThresholds

  it('takes users and domains', () => {
    const text = 'example.org=cautious, ann@example.org=0.95,a=b@example.org=strict'
    assert.deepEqual(read(text), [
      'example.org=cautious',
      'ann@example.org=0.95',
      'a=b@example.org=strict',
    ])
  })

  it('refuses what is no threshold, and two for one recipient', () => {
    for (const text of [
      'example.org',
      'example.org=',
      '=strict',
      'a=1',
      'a=0.0',
      'a=0',
      'a b=0.5',
      '@example.org=strict',
      '*.example.org=strict',
    ]) {
      assert.throws(() => read(text), { code: 'CONFIG_INVALID' }, text)
    }
    assert.throws(() => read('example.org=strict,Example.org=0.5'), {
      code: 'CONFIG_INVALID',
      message: /TAMIS_RECIPIENT_THRESHOLDS has more than one threshold for example\.org/,
    })
  })
})

describe('isNamed', () => {
  it('knows a user by the id, and by the domain of an address', () => {
    const recipients = ['Example.org', 'ann@example.net', 'bo', 'müller.example']
    for (const userId of [
      'eve@example.org',
      'eve@EXAMPLE.org',
      'ann@example.net',
      'bo',
      'ann@müller.example',
      'ann@xn--mller-kva.example',
    ]) {
      assert.equal(isNamed(recipients, userId), true, userId)
    }
    for (const userId of ['eve@mail.example.org', 'Ann@example.net', 'eve@example.net', 'eve']) {
      assert.equal(isNamed(recipients, userId), false, userId)
    }
    assert.equal(isNamed([], 'bo'), false)
  })
})
