import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { NONE, PieceTrie, ROOT } from '../piece-trie.ts'

function find(trie: PieceTrie, text: string): number {
  let node = ROOT
  for (let at = 0; at < text.length && node !== NONE; at++) {
    node = trie.step(node, text.charCodeAt(at))
  }
  return node === NONE ? NONE : trie.pieceAt(node)
}

describe('a trie of pieces', () => {
  it('finds each of its pieces and nothing else', () => {
    const words = fc.uniqueArray(fc.string({ unit: 'binary', minLength: 1, maxLength: 6 }))
    fc.assert(
      fc.property(words, fc.string({ unit: 'binary', maxLength: 6 }), (pieces, other) => {
        const trie = new PieceTrie(pieces)
        pieces.forEach((piece, number) => {
          assert.equal(find(trie, piece), number)
        })
        assert.equal(find(trie, other), pieces.indexOf(other))
      }),
    )
  })

  it('ends a search with the first character that no piece goes on with', () => {
    const trie = new PieceTrie(['parcel'])
    assert.equal(trie.step(ROOT, 'x'.charCodeAt(0)), NONE)
    assert.equal(find(trie, 'parc'), NONE)
  })
})
