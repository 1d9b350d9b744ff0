import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { bareSubject, bodyPassages, PASSAGE_LENGTH_MAX } from '../../embedding/passages.ts'

describe('passages', () => {
  it('tell own text from what is quoted, line by line', () => {
    const text = 'Yes, at noon.\n> Shall we meet?\nSee you there.'
    assert.deepEqual(bodyPassages(text), {
      own: 'Yes, at noon.\nSee you there.\n',
      quoted: '> Shall we meet?\n',
      footer: '',
    })
  })

  it('take what follows the heading of a quotation for quoted, up to an empty line', () => {
    const text = 'Yes.\nOn Monday, Ann wrote:\nShall we meet?\n\nBye'
    assert.deepEqual(bodyPassages(text), {
      own: 'Yes.\n\nBye\n',
      quoted: 'On Monday, Ann wrote:\nShall we meet?\n',
      footer: '',
    })
  })

  it('take what follows the signature mark for a footer', () => {
    assert.deepEqual(bodyPassages('Yes.\n-- \nAnn\nExample Ltd'), {
      own: 'Yes.\n',
      quoted: '',
      footer: '-- \nAnn\nExample Ltd\n',
    })
  })

  it('take a line about unsubscribing for a footer, and not what follows it', () => {
    const text = 'View in browser\nThe sale begins.\nUnsubscribe here'
    assert.deepEqual(bodyPassages(text), {
      own: 'The sale begins.\n',
      quoted: '',
      footer: 'View in browser\nUnsubscribe here\n',
    })
  })

  it('take a rule in the second half for the beginning of a footer, one in the first for a rule', () => {
    const text = 'Agenda\n----------\nFirst the budget, then the plan.\n__________\nThe list'
    assert.equal(bodyPassages(text).footer, '__________\nThe list\n')
  })

  it('are cut at their length', () => {
    const { own, quoted, footer } = bodyPassages(`${'word '.repeat(5_000)}\n> ${'x'.repeat(5_000)}`)
    assert.ok(own.length <= PASSAGE_LENGTH_MAX.own + 1)
    assert.ok(quoted.length <= PASSAGE_LENGTH_MAX.quoted + 1)
    assert.equal(footer, '')
  })
})

describe('bareSubject', () => {
  const cases: [subject: string, expected: string][] = [
    ['Re: Invoice', 'Invoice'],
    ['AW: WG: Angebot', 'Angebot'],
    ['[PATCH v2] Re: mm: fix', 'mm: fix'],
    ['Regarding lunch', 'Regarding lunch'],
    ['', ''],
  ]
  for (const [subject, expected] of cases) {
    it(`of '${subject}' is '${expected}'`, () => assert.equal(bareSubject(subject), expected))
  }
})
