/** Addresses of what a page shows. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { nameIn, pageAddress } from '../ui/page-address.ts'

describe('the address of a page', () => {
  it('gives back the name, whatever is in it', () => {
    for (const name of ['ann@example.org', 'a/b#c%d', 'Zoë', '<4711@mx.example.com>']) {
      assert.equal(nameIn(pageAddress('history', name), 'history'), name)
    }
  })

  it('names nothing on another page, or on the page alone', () => {
    assert.equal(nameIn('#/users/ann', 'history'), undefined)
    assert.equal(nameIn('#/users/', 'users'), undefined)
    assert.equal(nameIn('#/users', 'users'), undefined)
  })

  it('takes a per cent sign that encodes nothing as it is', () => {
    assert.equal(nameIn('#/users/100%', 'users'), '100%')
  })
})
