/** The four classes are defined alike wherever somebody looks for them. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { CLASS_DEFINITIONS } from '../../http/schemas.ts'
import { documentOf } from './api-document.ts'
import { buildOnce } from './service.ts'

const app = buildOnce()

const ROOT = join(import.meta.dirname, '../../../..')

describe('the definition of each class', () => {
  for (const page of ['README.md', 'docs/verdict.md']) {
    it(`is in ${page}`, () => {
      const text = readFileSync(join(ROOT, page), 'utf8')
      for (const [name, definition] of Object.entries(CLASS_DEFINITIONS)) {
        assert.ok(text.includes(`| \`${name}\` | ${definition} |`), name)
      }
    })
  }

  it('is in the OpenAPI document wherever a class is answered or corrected', async () => {
    const described = JSON.stringify(await documentOf(app())).match(
      /"description":"[^"]*one-time codes[^"]*"/g,
    )
    // The full result, the class alone, and the corrections by header and by path.
    assert.ok((described?.length ?? 0) >= 4)
    for (const description of described ?? []) {
      for (const definition of Object.values(CLASS_DEFINITIONS)) {
        assert.ok(description.includes(definition))
      }
    }
  })
})
