/** All aspects together: no repeats, and no bytes that make them throw. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { memoryOctets } from '../../message/octets.ts'
import { parseMessage } from '../../message/parse.ts'
import { EVIDENCE_LENGTH_MAX, type Signal } from '../../signals/signal.ts'
import { ASPECTS, signals } from '../../signals/signals.ts'
import { SIGNALS, signalNamed, signalSet } from '../../signals/table.ts'
import { isClaim } from '../../verdict/texts.ts'
import { TEST_KNOWLEDGE } from '../helpers/knowledge.ts'
import { RECEIVED_AT, readCases } from './cases.ts'

const facts = { now: RECEIVED_AT, mailFrom: 'bounce@example.com', senderIp: '192.0.2.1' }

function signalsOf(bytes: Uint8Array): Signal[] {
  return signals(parseMessage(memoryOctets(bytes)), facts, TEST_KNOWLEDGE)
}

function assertWellFormed(found: readonly Signal[]): void {
  const names = found.map(({ name }) => name)
  assert.equal(new Set(names).size, names.length, `twice: ${names}`)
  for (const { name, evidence = '' } of found) {
    assert.ok(signalNamed(name), name)
    assert.ok(evidence.length <= EVIDENCE_LENGTH_MAX, name)
    assert.ok(evidence.isWellFormed(), name)
  }
}

describe('signals', () => {
  it('gives no name twice for any message of the case files', () => {
    for (const aspect of Object.keys(ASPECTS)) {
      for (const { bytes } of readCases(new URL(`${aspect}.cases`, import.meta.url))) {
        assertWellFormed(signalsOf(bytes))
      }
    }
  })

  it('says nothing of who is known where nothing is known', () => {
    const bytes = Buffer.from('From: a@bank.example\n\nhttps://shop.example/')
    const isKnown = ({ name }: Signal) => signalNamed(name)?.aspect === 'known'
    assert.equal(signalsOf(bytes).some(isKnown), true)
    assert.equal(signals(parseMessage(memoryOctets(bytes)), facts).some(isKnown), false)
  })

  it('does not see who receives a message, nor what receiving systems put into it', () => {
    const sent = 'From: anna@example.com\nTo: {to}\nSubject: Friday\n\nSee https://example.net/'
    const received = `Delivered-To: {to}\nReturn-Path: <x@example.com>\nX-Spam-Status: Yes\nX-Original-To: {to}\nAuthentication-Results: mx.example.org; dkim=fail\nARC-Seal: i=1\n${sent}`
    const one = signalsOf(Buffer.from(sent.replaceAll('{to}', 'ben@example.org')))
    const other = signalsOf(Buffer.from(received.replaceAll('{to}', 'carla@example.net')))
    assert.deepEqual(other, one)
  })

  it('does not see how old a message is', () => {
    const sent = (date: string) => Buffer.from(`From: anna@example.com\nDate: ${date}\n\nHello`)
    const found = (bytes: Uint8Array, now: string) =>
      signals(parseMessage(memoryOctets(bytes)), { now: new Date(now) })
    assert.deepEqual(
      found(sent('Sat, 1 Jun 2002 12:00:00 +0000'), '2002-06-01T12:00:00Z'),
      found(sent('Sun, 1 Jun 2025 12:00:00 +0000'), '2025-06-01T12:00:00Z'),
    )
  })
})

describe('the table of signals', () => {
  it('has all that the files of the aspects speak of', () => {
    const folder = join(import.meta.dirname, '../../signals')
    for (const file of globSync('**/*.ts', { cwd: folder })) {
      const text = readFileSync(join(folder, file), 'utf8')
      for (const [, key, name = key] of text.matchAll(
        /^ +([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+):|'([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)'/gm,
      )) {
        assert.ok(signalNamed(name!), `${file}: ${name}`)
      }
    }
  })

  it('has a clause for each signal that is no claim of the sender', () => {
    const missing = SIGNALS.filter(({ name, clause }) => (clause === '') !== isClaim(name))
    assert.deepEqual(missing, [])
  })

  it('has no semicolon or quotation mark in a clause, by which header fields tell reasons apart', () => {
    assert.deepEqual(
      SIGNALS.filter(({ clause }) => /[;"]|[.:]$/.test(clause)),
      [],
    )
  })

  it('refuses a set with a name that is no signal', () => {
    assert.throws(() => signalSet('DATE_MISSING', 'DATE_LOST'), /DATE_LOST is no signal/)
  })
})
