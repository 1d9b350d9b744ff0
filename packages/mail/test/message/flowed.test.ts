import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { joinFlowedLines } from '../../message/text-bodies.ts'

describe('joinFlowedLines', () => {
  const cases: [string, string, string][] = [
    ['joins a line that ends in a space with the next', 'one \ntwo\nthree', 'one two\nthree'],
    ['joins quoted lines of one depth', '> one \n> two', '> one two'],
    ['does not join lines of two depths', '> one \ntwo', '> one \ntwo'],
    ['removes a stuffed space', ' >not a quotation', '>not a quotation'],
    ['leaves the signature line alone', 'one \n-- \nAda', 'one \n-- \nAda'],
    ['leaves text without flowed lines alone', 'one\n\ntwo\n', 'one\n\ntwo\n'],
  ]
  for (const [name, text, expected] of cases) {
    it(name, () => assert.equal(joinFlowedLines(text, false), expected))
  }

  it('removes the space before a break where DelSp says so', () => {
    assert.equal(joinFlowedLines('exam \nple', true), 'example')
  })
})
