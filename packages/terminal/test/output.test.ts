import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { type List, printList } from '../output.ts'

interface Rule {
  readonly label: string
  readonly pattern: string
}

const RULES: List<Rule> = {
  headings: ['label', 'pattern'],
  row: ({ label, pattern }) => [label, pattern],
  none: 'No rules.',
}

const TWO: readonly Rule[] = [
  { label: 'spam', pattern: 'example.com' },
  { label: 'ham', pattern: 'ann@example.org' },
]

/** What is printed, and what is said on standard error. */
async function printed(
  t: TestContext,
  rules: readonly Rule[],
  { isTTY = false, json = false },
): Promise<{ text: string; said: string }> {
  const [written, said]: [string[], string[]] = [[], []]
  t.mock.method(process.stderr, 'write', (text: string) => said.push(text))
  await printList(rules, RULES, { json, output: { isTTY, write: (text) => written.push(text) } })
  t.mock.restoreAll()
  return { text: written.join(''), said: said.join('') }
}

describe('printList', () => {
  it('has headings and aligned columns on a terminal', async (t) => {
    const { text } = await printed(t, TWO, { isTTY: true })
    assert.equal(text, 'label  pattern\nspam   example.com\nham    ann@example.org\n')
  })

  it('is for programs in a pipe: columns separated by tabs, without headings', async (t) => {
    const { text } = await printed(t, TWO, {})
    assert.equal(text, 'spam\texample.com\nham\tann@example.org\n')
  })

  it('is one object a line with --json, also on a terminal', async (t) => {
    const { text } = await printed(t, TWO.slice(0, 1), { isTTY: true, json: true })
    assert.equal(text, '{"label":"spam","pattern":"example.com"}\n')
  })

  it('says on standard error that there is nothing, and prints nothing', async (t) => {
    for (const how of [{ isTTY: true }, {}, { json: true }]) {
      assert.deepEqual(await printed(t, [], how), { text: '', said: 'No rules.\n' })
    }
  })

  it('lets nothing in the mail move the cursor of a terminal', async (t) => {
    const rule = { label: 'ham', pattern: 'a\u001b[2Jb\u202ec' }
    const { text } = await printed(t, [rule], { isTTY: true })
    assert.equal(text, 'label  pattern\nham    a?[2Jb?c\n')
  })
})
