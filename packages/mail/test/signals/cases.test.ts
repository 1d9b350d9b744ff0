/** Runs the `.cases` file of every aspect, and asks that every signal is in one. */

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { memoryOctets } from '../../message/octets.ts'
import { parseMessage } from '../../message/parse.ts'
import { EVIDENCE_LENGTH_MAX } from '../../signals/signal.ts'
import { ASPECTS } from '../../signals/signals.ts'
import { signalsOfAspects } from '../../signals/table.ts'
import { readCases } from './cases.ts'

for (const [aspect, find] of Object.entries(ASPECTS)) {
  const own = signalsOfAspects([aspect])
  const cases = readCases(new URL(`${aspect}.cases`, import.meta.url))

  describe(`signals of ${aspect}`, () => {
    for (const { title, expected, facts, bytes } of cases) {
      it(title, () => {
        const found = find(parseMessage(memoryOctets(bytes)), facts)
        assert.deepEqual(found.map(({ name }) => name).sort(), expected)
        for (const { evidence = '' } of found) assert.ok(evidence.length <= EVIDENCE_LENGTH_MAX)
      })
    }

    it('are each expected by one case and absent from another', () => {
      const isIn = (name: string) => cases.filter((it) => it.expected.includes(name)).length
      assert.deepEqual(
        own.filter((name) => isIn(name) === 0 || isIn(name) === cases.length),
        [],
      )
    })

    it('are all of this aspect', () => {
      const foreign = cases.flatMap((it) => it.expected).filter((name) => !own.includes(name))
      assert.deepEqual(foreign, [])
    })
  })
}
