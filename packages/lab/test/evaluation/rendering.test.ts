/** Real mail is put into the folders of the corpora by each test; the written mail is the same. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { evaluateRendering } from '../../evaluation/rendering/evaluate-rendering.ts'
import { renderRenderingReport } from '../../evaluation/rendering/report.ts'
import { renderWritten } from '../../rendering/render.ts'
import { WRITTEN } from '../rendering/written-messages.ts'

const REAL = 60

function likenessOf(t: TestContext, realMail: (at: number) => Uint8Array | string) {
  const folder = mkdtempSync(join(tmpdir(), 'rendering-'))
  t.after(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'written'))
  const written = Array.from({ length: 60 }, (_, at) =>
    JSON.stringify({ ...saleOf(at), kind: `sale ${at}` }),
  )
  writeFileSync(join(folder, 'written/a.jsonl'), written.join('\n'))
  mkdirSync(join(folder, 'household_2025/ham'), { recursive: true })
  mkdirSync(join(folder, 'household_2025/spam'))
  const rows = Array.from({ length: REAL }, (_, at) => {
    writeFileSync(join(folder, `household_2025/ham/${at}.eml`), realMail(at))
    return `ham/${at}.eml\tpromotions\t`
  })
  const classes = ['file\tclass\talso_acceptable', ...rows, ''].join('\n')
  writeFileSync(join(folder, 'household_2025/CLASSES.tsv'), classes)
  const [bulk, ...others] = evaluateRendering(folder)
  assert.deepEqual(others, [])
  return bulk!
}

/** Words of their own, since copies of one text are one group. */
function saleOf(at: number) {
  const words = Array.from({ length: 40 }, (_, word) =>
    String(100_000 + 100 * at + word).replace(/\d/g, (digit) => 'kptlsmnrdv'[Number(digit)]!),
  ).join(' ')
  return { ...WRITTEN.SALE, id: `sale-${at}`, body: `# ${words}\n\n[Shop](https://shop.example/)` }
}

function plain(at: number): string {
  return `From: a${at}@pears.example\nTo: b@example.com\nSubject: Pears\nDate: Mon, 2 Jun 2025 10:00:00 +0000\n\nPears, ${at} of them.\n`
}

describe('evaluateRendering', () => {
  it('tells mail that is made otherwise, and says by what', (t) => {
    const { kind, rendered, real, sources, area, giveAways } = likenessOf(t, plain)
    assert.deepEqual(
      { kind, rendered, real, sources },
      { kind: 'bulk', rendered: 180, real: REAL, sources: 1 },
    )
    // A single source of real mail, left out, leaves none to learn from.
    assert.ok(area >= 0 && area <= 1)
    assert.equal(giveAways.length, 10)
    for (const { weight, rendered, real } of giveAways) assert.ok(weight * (real - rendered) > 0)
  })

  it('finds nothing much in mail that is rendered too', (t) => {
    const other = (at: number) => renderWritten(saleOf(200 + at), 0)
    const { giveAways } = likenessOf(t, other)
    for (const { rendered, real } of giveAways) assert.ok(Math.abs(rendered - real) < 0.35)
  })

  it('is written as a table by kind of mail', (t) => {
    const page = renderRenderingReport([likenessOf(t, plain)], 'the command')
    assert.match(page, /\| bulk \| 180 \| 60 \| 1 \| [01]\.\d{3} \|/)
    assert.match(page, /## What gives it away: bulk/)
  })
})
