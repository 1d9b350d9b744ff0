/**
 * The fuzzer in short (long-fuzz.ts has the long form): ten thousand messages, made up or
 * mutated, end in a verdict in time, and one in forty-seven is examined in all ways; and what single
 * parsers and the interface are given never makes them fail.
 */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type FuzzSummary, fuzz } from '../../../mail/test/fuzz/fuzz.ts'
import { Examiner } from '../../../mail/test/fuzz/message-properties.ts'
import { openJudge } from '../../../mail/test/fuzz/readings.ts'
import { type FuzzedService, openFuzzedService } from './http-requests.ts'
import { SERVICE_PARSERS } from './parsers.ts'

const SEED = 7

/** Number of inputs, of which one in ten is not a message. */
const INPUTS = 11_200

/** Prime to all by which inputs are told apart, so that messages of each kind are examined. */
const EXAMINE_EVERY = 47

/** Found, and not mended yet: none. */
const KNOWN_FAULTS: ReadonlySet<string> = new Set()

describe('the fuzzer', () => {
  let examiner: Examiner
  let service: FuzzedService
  let summary: FuzzSummary

  before(async () => {
    examiner = new Examiner(await openJudge())
    service = await openFuzzedService()
    summary = await fuzz({
      seed: SEED,
      examiner,
      goOn: (inputs) => inputs < INPUTS,
      request: service.request,
      parsers: SERVICE_PARSERS,
      examineEvery: EXAMINE_EVERY,
      known: KNOWN_FAULTS,
    })
  })
  after(async () => {
    examiner.close()
    await service.close()
  })

  it('finds no fault in ten thousand messages', () => {
    assert.ok(summary.messages >= 10_000)
    const unknown = summary.findings.filter(({ fault }) => !KNOWN_FAULTS.has(fault))
    assert.deepEqual(
      unknown.map(({ fault, bytes }) => `${fault}: ${JSON.stringify(bytes.toString('latin1'))}`),
      [],
    )
  })
})
