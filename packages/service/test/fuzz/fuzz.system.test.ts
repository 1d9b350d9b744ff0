/**
 * The fuzzer in short (long-fuzz.ts has the long form): ten thousand messages, made up or
 * mutated, end in a verdict in time, and one in forty-seven is examined in all ways; and what single
 * parsers and the interface are given never makes them fail.
 */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { fuzz } from '../../../mail/test/fuzz/fuzz.ts'
import { Examiner } from '../../../mail/test/fuzz/message-properties.ts'
import { openJudge } from '../../../mail/test/fuzz/readings.ts'
import { openFuzzedService } from './http-requests.ts'
import { SERVICE_PARSERS } from './parsers.ts'

/** Number of inputs, of which one in ten is not a message. */
const INPUTS = 11_200

/** Prime to all by which inputs are told apart, so that messages of each kind are examined. */
const EXAMINE_EVERY = 47

it('the fuzzer finds no fault in ten thousand messages', async (t) => {
  const examiner = new Examiner(await openJudge())
  t.after(() => examiner.close())
  const service = await openFuzzedService()
  t.after(() => service.close())
  const { findings } = await fuzz({
    seed: 7,
    examiner,
    goOn: (inputs) => inputs < INPUTS,
    request: service.request,
    parsers: SERVICE_PARSERS,
    examineEvery: EXAMINE_EVERY,
  })
  assert.deepEqual(
    findings.map(({ fault, bytes }) => `${fault}: ${JSON.stringify(bytes.toString('latin1'))}`),
    [],
  )
})
