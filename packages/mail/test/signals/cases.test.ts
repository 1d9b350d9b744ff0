/** Runs the `.cases` file of every aspect, and asks that every signal is in one. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { memoryOctets } from '../../message/octets.ts'
import { parseMessage } from '../../message/parse.ts'
import { ASPECTS, CATALOGUE, SIGNAL_NAMES } from '../../signals/catalogue.ts'
import { EVIDENCE_LENGTH_MAX } from '../../signals/signal.ts'
import { ASPECT_SIGNALS } from '../../signals/signals.ts'
import { readCases } from './cases.ts'

for (const aspect of ASPECTS) {
  const cases = readCases(new URL(`${aspect}.cases`, import.meta.url))

  describe(`signals of ${aspect}`, () => {
    for (const { title, expected, facts, bytes } of cases) {
      it(title, () => {
        const found = ASPECT_SIGNALS[aspect](parseMessage(memoryOctets(bytes)), facts)
        assert.deepEqual(found.map(({ name }) => name).sort(), expected)
        for (const { evidence = '' } of found) assert.ok(evidence.length <= EVIDENCE_LENGTH_MAX)
      })
    }

    it('are each expected by one case and absent from another', () => {
      const names = SIGNAL_NAMES.filter((name) => CATALOGUE[name].aspect === aspect)
      const isIn = (name: string) => cases.filter((it) => it.expected.includes(name)).length
      assert.deepEqual(
        names.filter((name) => isIn(name) === 0 || isIn(name) === cases.length),
        [],
      )
    })

    it('are all of this aspect', () => {
      const foreign = cases
        .flatMap((it) => it.expected)
        .filter((name) => CATALOGUE[name as keyof typeof CATALOGUE]?.aspect !== aspect)
      assert.deepEqual(foreign, [])
    })
  })
}
