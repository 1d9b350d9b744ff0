/** Files of weighted rules, and what is said of those that cannot be read. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { temporaryFolder } from '../../../test/temporary-folder.ts'
import { conditionText, openWeightedRules, readCondition } from '../weighted-rules.ts'

const FOLDER = temporaryFolder()
let files = 0

function fileOf(...lines: string[]): string {
  const path = join(FOLDER, `weighted-${files++}.rules`)
  writeFileSync(path, lines.join('\n'))
  return path
}

const rulesOf = (...lines: string[]) => openWeightedRules([fileOf(...lines)])

async function faultOf(...lines: string[]): Promise<string> {
  const path = fileOf(...lines)
  const error = await openWeightedRules([path]).catch((thrown: Error) => thrown)
  assert.ok(error instanceof Error && 'code' in error && error.code === 'CONFIG_INVALID')
  return error.message.replaceAll(path, 'FILE')
}

describe('a file of weighted rules', () => {
  it('has a rule, and below it its conditions', async () => {
    const path = fileOf(
      '# Faxes',
      'rule ACME_FAX +2.5',
      '  subject contains  Fax   received # 7 ',
      '\tattachment exe',
      '',
      'rule ACME_PARTNER -1 tenant acme\r',
      '  # No line of mail.',
      '  header List-Id matches ^<news\\.partner\\.example>$',
      '  link contains partner.example',
    )
    const name = path.slice(FOLDER.length + 1)
    assert.deepEqual(await openWeightedRules([path]), [
      {
        id: `${name}:2`,
        name: 'ACME_FAX',
        weight: 2.5,
        conditions: [
          { part: 'subject', contains: 'fax received # 7' },
          { part: 'attachment', kind: 'exe' },
        ],
      },
      {
        id: `${name}:6`,
        name: 'ACME_PARTNER',
        weight: -1,
        conditions: [
          { part: 'header', field: 'list-id', matches: '^<news\\.partner\\.example>$' },
          { part: 'link', contains: 'partner.example' },
        ],
      },
    ])
  })

  it('may be empty', async () => {
    assert.deepEqual(await rulesOf('# nothing', ''), [])
    assert.deepEqual(await openWeightedRules([]), [])
  })

  const FORM = 'expected: rule, then its name, then its weight, then, if wanted, tenant NAME'
  const wrong: readonly (readonly [lines: string[], fault: string])[] = [
    [['subject contains a'], `FILE, line 1: ${FORM}`],
    [['rule A'], `FILE, line 1: ${FORM}`],
    [['rule A 1 tenant', 'subject contains a'], `FILE, line 1: ${FORM}`],
    [['rule A 1 for example.org', 'subject contains a'], `FILE, line 1: ${FORM}`],
    [['rule A 1'], 'FILE, line 1: conditions must be 1 to 5'],
    [['rule A 7', 'text contains a'], 'FILE, line 1: weight must be between -6 and 6, and not 0'],
    [['rule A x', 'text contains a'], 'FILE, line 1: weight must be between -6 and 6, and not 0'],
    [
      ['rule a 1', 'text contains a'],
      'FILE, line 1: name must be at most 40 capital letters, digits and _, the first a letter',
    ],
    [
      ['rule A 1', '', 'body contains a'],
      'FILE, line 3: expected: subject, text, link or header NAME, then contains or matches and what is looked for; or attachment and its kind',
    ],
    [
      ['rule A 1', 'text matches (a', 'attachment pdf'],
      'FILE, line 2: matches is not a pattern of RE2: missing closing ): `(a`; FILE, line 3: kind must be one of exe, script, iso, lnk, macro, encrypted',
    ],
    [
      ['rule A 1', 'text contains'],
      'FILE, line 2: contains must be words of at most 200 characters',
    ],
  ]
  for (const [lines, fault] of wrong) {
    it(`is refused with ${lines.join(' / ')}`, async () => {
      assert.equal(await faultOf(...lines), `TAMIS_WEIGHTED_RULES: ${fault}`)
    })
  }

  it('has each name once for the same mail', async () => {
    const rule = (head: string) => [`rule ${head}`, 'text contains a']
    const again = [...rule('A 1'), ...rule('A 2 tenant acme')]
    assert.match(
      await faultOf(...again),
      /line 3: there is a rule named A already, weighted-\d+\.rules:1$/,
    )
    const apart = [...rule('A 1 tenant acme'), ...rule('A 2 tenant other')]
    assert.equal((await rulesOf(...apart)).length, 2)
  })

  it('has at most 200 rules for the same mail', async () => {
    const rules = (count: number, rest = '') =>
      Array.from({ length: count }, (_, i) => [
        `rule R${i}_${rest.length} 1${rest}`,
        'text contains a',
      ])
    const most = [...rules(150), ...rules(50, ' tenant acme'), ...rules(50, ' tenant other1')]
    assert.equal((await rulesOf(...most.flat())).length, 250)
    assert.match(await faultOf(...rules(201).flat()), /line 401: there are more than 200 rules/)
  })

  it('that is not there is said with its name', async () => {
    await assert.rejects(openWeightedRules(['/nowhere/weighted.rules'], '--rules'), {
      code: 'CONFIG_INVALID',
      message: /^--rules names "\/nowhere\/weighted\.rules", which cannot be read/,
    })
  })
})

describe('conditionText', () => {
  for (const text of ['subject contains a b', 'header x-a matches ^a', 'attachment exe']) {
    it(`gives ${text} as it was written`, () => {
      const condition = readCondition(text)
      assert.ok(typeof condition !== 'string')
      assert.equal(conditionText(condition), text)
    })
  }
})
