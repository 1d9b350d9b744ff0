/** Wrappers made by hand after their makers' forms; every target is a reserved name. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { unwrapped } from '../../urls/unwrap.ts'
import { readRows } from '../helpers/rows.ts'

const TARGET = 'https://example.com/a/b?c=d&e=f'
const ESCAPED = encodeURIComponent(TARGET)

describe('unwrapped', () => {
  for (const [name, href, target] of readRows('mail/test/urls/wrappers.cases')) {
    it(`reads ${target || 'no target'} out of ${name}`, () => {
      assert.deepEqual(unwrapped(href!), target === '' ? [] : [target])
    })
  }

  it('decodes letters beyond ASCII by characters, as URL Defense counts them', () => {
    const characters = Buffer.from('é').toString('base64url')
    const href = `https://urldefense.com/v3/__https://example.com/caf*__;${characters}!!AbC!x$`
    assert.deepEqual(unwrapped(href), ['https://example.com/café'])
  })

  it('gives each target of wrappers within wrappers, the outermost first', () => {
    const inner = `https://www.google.com/url?q=${ESCAPED}`
    const outer = `https://nam12.safelinks.protection.outlook.com/?url=${encodeURIComponent(inner)}`
    assert.deepEqual(unwrapped(outer), [inner, TARGET])
  })

  it('opens five wrappers and no more', () => {
    let href = TARGET
    for (let i = 0; i < 8; i += 1)
      href = `https://slack-redir.net/link?url=${encodeURIComponent(href)}`
    assert.ok(href.length < 4_096)
    assert.equal(unwrapped(href).length, 5)
  })
})
