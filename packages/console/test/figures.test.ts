/** The figures of the page Models are those of the report, by its own words for them. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { figuresOf } from '../models/figures.ts'

const REPORT = `# How good

## Headline

| measure | messages | result | 95 % | reach |
| --- | --: | --: | --: | --: |
| household_2025: 1-AUC, spam against ham | 376 | **1.9 %** | 0.71 – 3.4 % | ≤ 2 % |
| ham lost at the shipped threshold, worst modern source | 12042 | **0.96 %** | 0.75 – 1.9 % | ≤ 1 % |
| spam caught at the shipped threshold, mean over modern sources | 5701 | **60.5 %** | 54.4 – 67.4 % | ≥ 70 % |
| tabs on household_2025: accuracy, counting also_acceptable | 164 | **93.3 %** | 88.6 – 97.5 % | ≥ 90 % |
`

describe('figuresOf', () => {
  it('reads each figure with its interval and the messages that it was measured on', () => {
    assert.deepEqual(figuresOf(REPORT), {
      mixedUp: { result: '1.9 %', interval: '0.71 – 3.4 %', messages: 376 },
      hamLost: { result: '0.96 %', interval: '0.75 – 1.9 %', messages: 12042 },
      spamCaught: { result: '60.5 %', interval: '54.4 – 67.4 %', messages: 5701 },
      rightClass: { result: '93.3 %', interval: '88.6 – 97.5 %', messages: 164 },
    })
  })

  it('fails, and shows no other figure, when the report no longer has one', () => {
    assert.throws(
      () => figuresOf(REPORT.replace('worst modern source', 'worst source')),
      /no row "ham lost at the shipped threshold, worst modern source"/,
    )
    assert.throws(() => figuresOf('# Empty\n'), /no headline figures/)
  })

  it('finds them all in the report of this version', async () => {
    const path = join(import.meta.dirname, '../../lab/reports/models/README.md')
    for (const { result, interval, messages } of Object.values(
      figuresOf(await readFile(path, 'utf8')),
    )) {
      assert.match(result, /^\d+\.\d+ %$/)
      assert.match(interval, /^\d+\.\d+ – \d+\.\d+ %$/)
      assert.ok(messages > 0)
    }
  })
})
