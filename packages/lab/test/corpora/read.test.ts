import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { it, type TestContext } from 'node:test'
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

it('readCorpora has label, class and collection of each file, and keeps a collection together', (t) => {
  const samples = readCorpora(folderOf(t, FINDS), 'train')
  const one = { source: 'finds', collection: 'one/receipts' }
  assert.deepEqual(
    samples.map(({ bytes: _bytes, ...sample }) => sample),
    [
      { ...one, id: 'ham/a_1.eml', spam: false, messageClass: 'transactions' },
      {
        source: 'finds',
        collection: 'two/news',
        id: 'ham/b_1.eml',
        spam: false,
        messageClass: 'updates',
        alsoAcceptable: 'promotions',
      },
      { ...one, id: 'spam/a_2.eml', spam: true, messageClass: undefined },
    ],
  )
  // Two of them share a sender.
  const groups = examplesOf(samples).map(({ group }) => group)
  assert.deepEqual(groups, ['finds one/receipts', 'finds two/news', 'finds one/receipts'])
})
