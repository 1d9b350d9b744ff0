import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { readCorpora } from '../../corpora/read.ts'
import { examplesOf } from '../../training/features.ts'

function folderOf(t: TestContext, files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'corpora-'))
  t.after(() => rmSync(folder, { recursive: true }))
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  return folder
}

const FINDS = {
  'finds/ham/a_1.eml': 'From: shop@example.com\nSubject: Receipt\n\nYou paid 3.00.',
  'finds/ham/b_1.eml': 'From: shop@example.com\nSubject: News\n\nPears are ripe.',
  'finds/spam/a_2.eml': 'From: win@example.net\nSubject: Prize\n\nClaim it.',
  'finds/CLASSES.tsv':
    'file\tclass\talso_acceptable\nham/a_1.eml\ttransactions\t\nham/b_1.eml\tupdates\tpromotions\n',
  'finds/INDEX.tsv': [
    'file\tyear\tlanguage\trepository\tpath\tlicence\tnote',
    'ham/a_1.eml\t2024\ten\tone/receipts\tx\tMIT\t',
    'ham/b_1.eml\t2024\ten\ttwo/news\ty\tMIT\t',
    'spam/a_2.eml\t2024\ten\tone/receipts\tz\tMIT\t',
    '',
  ].join('\n'),
}

describe('readCorpora, of the finds', () => {
  it('has label, class and the collection of each file', (t) => {
    const samples = readCorpora(folderOf(t, FINDS), 'train', assert.fail)
    assert.deepEqual(
      samples.map(({ bytes: _bytes, ...sample }) => sample),
      [
        {
          source: 'finds',
          id: 'ham/a_1.eml',
          spam: false,
          messageClass: 'transactions',
          collection: 'one/receipts',
        },
        {
          source: 'finds',
          id: 'ham/b_1.eml',
          spam: false,
          messageClass: 'updates',
          alsoAcceptable: 'promotions',
          collection: 'two/news',
        },
        {
          source: 'finds',
          id: 'spam/a_2.eml',
          spam: true,
          messageClass: undefined,
          collection: 'one/receipts',
        },
      ],
    )
  })

  it('keeps a collection together in a split, and two apart that share a sender', (t) => {
    const examples = examplesOf(readCorpora(folderOf(t, FINDS), 'train', assert.fail))
    assert.deepEqual(
      examples.map(({ group }) => group),
      ['finds one/receipts', 'finds two/news', 'finds one/receipts'],
    )
  })
})
