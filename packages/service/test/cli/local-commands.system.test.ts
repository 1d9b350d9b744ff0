/** The commands that need no running service. */
import assert from 'node:assert/strict'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { usersOf } from '../../access/namespace.ts'
import { SCHEMA_VERSION } from '../../store/migrate.ts'
import { openStore } from '../../store/open.ts'
import type { Store } from '../../store/store.ts'
import { PHISHTANK_CSV } from '../feeds/samples.ts'
import { makeSchema, postgresAbsent } from '../helpers/postgres.ts'
import { tamis } from '../helpers/tamis.ts'
import { historyEntry } from '../store/samples.ts'

describe('tamis classify', () => {
  it('writes one JSON line a message and exits with 1 when one is spam', () => {
    const args = ['classify', 'examples/appointment.eml', 'examples/phishing.eml']
    const { stdout, status } = tamis(args)
    const lines = stdout.trimEnd().split('\n')
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).isSpam),
      [false, true],
    )
    assert.equal(status, 1)
  })
})

describe('tamis feeds', () => {
  it('imports a file', () => {
    const env = { TAMIS_DATA_DIR: temporaryFolder(), TAMIS_FEEDS: 'imported' }
    const path = join(env.TAMIS_DATA_DIR, 'verified_online.csv')
    writeFileSync(path, PHISHTANK_CSV)
    assert.equal(tamis(['feeds', 'import', path], env).stdout, 'imported\t3 entries\t0 skipped\n')
  })

  it('refuses what is no feed, and exits with 65', () => {
    const env = { TAMIS_DATA_DIR: temporaryFolder(), TAMIS_FEEDS: 'imported' }
    const path = join(env.TAMIS_DATA_DIR, 'page.html')
    writeFileSync(path, '<html></html>\n')
    const { stderr, status } = tamis(['feeds', 'import', path], env)
    assert.match(stderr, /page\.html was refused: The file is a web page\. \(HTML_PAGE\)/)
    assert.equal(status, 65)
  })
})

describe('tamis check', () => {
  const folder = temporaryFolder()
  const file = join(folder, 'tamis.json')
  const rules = join(folder, 'site.rules')
  const check = (settings: object) => {
    writeFileSync(file, JSON.stringify(settings))
    return tamis(['check', file])
  }

  it('says that the settings of a file can be used', () => {
    const { status, stdout } = check({ threshold: 'strict', pathRoots: '/tmp' })
    assert.equal(stdout, `The settings of ${file} and the environment can be used\n`)
    assert.equal(status, 0)
  })

  for (const [name, settings, fault] of [
    ['a line of a file that it names', { rules }, `${rules}, line 2, column 1: "bloc" must be`],
    ['a folder without models', { models: folder }, `Cannot read ${folder}`],
  ] satisfies [string, object, string][]) {
    it(`names ${name}`, () => {
      writeFileSync(rules, 'block from *.top\nbloc from *.example\n')
      const { status, stderr } = check(settings)
      assert.ok(stderr.includes(fault), stderr)
      assert.equal(status, 78)
    })
  }
})

describe("the operator's rules", () => {
  const folder = temporaryFolder()
  const header = 'From: Ann <ann@example.com>\r\nDate: Fri, 20 Nov 2026 12:00:00 +0000\r\n'
  const text = '\r\nShall we meet on Friday at ten to talk about the report?\r\n'
  writeFileSync(join(folder, '1.eml'), `${header}Subject: A fax for you\r\n${text}`)
  writeFileSync(join(folder, '2.eml'), `${header}Subject: Lunch\r\n${text}`)
  const rules = join(temporaryFolder(), 'rules')
  const lines = ['block subject "fax" for example.org', 'score +6 MEET body /^shall .* fax/']
  writeFileSync(rules, `${lines.join('\n')}\n`)

  it('are checked with `tamis rules check`, which names line and column', () => {
    const right = tamis(['rules', 'check', rules])
    assert.deepEqual([right.stdout, right.status], ['The file can be used: 2 rules\n', 0])
    const faulty = join(temporaryFolder(), 'faulty')
    writeFileSync(faulty, '\nblock sender *.top\n')
    const wrong = tamis(['rules', 'check', faulty])
    assert.match(wrong.stderr, /faulty, line 2, column 7: "sender" must be one of from/)
    assert.equal(wrong.status, 78)
  })

  it('are tried on a mailbox with `tamis classify --rules`, before and after, with counts', () => {
    const args = ['classify', folder, '--rules', rules, '--user', 'bo@example.org']
    const { stdout, status } = tamis(args)
    const [changed, ...rest] = stdout.split('\n')
    const [name, before, after, rule] = changed!.split('\t')
    assert.equal(name, join(folder, '1.eml'))
    assert.match(`${before}, ${after}`, /^ham \S+ %? ?\S+, spam 100 ?% /)
    assert.equal(rule, lines[0])
    assert.deepEqual(rest, ['', `1\t1\t${lines[0]}`, `0\t0\t${lines[1]}`, ''])
    assert.equal(status, 0)
  })
})

describe('tamis backup', () => {
  it('writes a file, says how large it is, and does not replace it', () => {
    const dataDir = temporaryFolder()
    tamis(['migrate'], { TAMIS_DATA_DIR: dataDir })
    const file = join(dataDir, 'backup.sqlite')
    const first = tamis(['backup', file, '--json'], { TAMIS_DATA_DIR: dataDir })
    assert.deepEqual(JSON.parse(first.stdout), { file, bytes: statSync(file).size })
    const second = tamis(['backup', file], { TAMIS_DATA_DIR: dataDir })
    assert.equal(
      second.stderr,
      `tamis: ${file} exists: name a file that is not there yet (CONFIG_INVALID)\n`,
    )
    assert.equal(second.status, 78)
  })
})

describe('tamis migrate', () => {
  it('makes a store, and says how it stands without making one', () => {
    const env = { TAMIS_DATA_DIR: temporaryFolder() }
    const before = tamis(['migrate', '--status'], env)
    assert.equal(before.stdout, `sqlite\tversion 0 of ${SCHEMA_VERSION}\tnot there yet\n`)
    assert.equal(before.status, 75)
    assert.deepEqual(readdirSync(env.TAMIS_DATA_DIR), [])
    const upToDate = `sqlite\tversion ${SCHEMA_VERSION} of ${SCHEMA_VERSION}\tup to date\n`
    assert.equal(tamis(['migrate'], env).stdout, upToDate)
    const { stdout, status } = tamis(['migrate', '--status'], env)
    assert.deepEqual([stdout, status], [upToDate, 0])
  })
})

describe('tamis migrate --copy-from', () => {
  it('brings a store from SQLite to PostgreSQL: secret, keys, rules, corrections and their numbers', async (t) => {
    const absent = await postgresAbsent()
    if (absent !== undefined) return t.skip(absent)
    const dataDir = temporaryFolder()
    const databaseUrl = await makeSchema((drop) => t.after(drop))
    const mail = ['--spam', 'examples/phishing.eml', '--ham', 'examples/order.eml']
    for (const user of ['ann', 'bo', 'gone']) {
      tamis(['learn', '--user', user, ...mail], { TAMIS_DATA_DIR: dataDir })
    }
    const source = await openStore({ dataDir })
    t.after(() => source.close())
    await source.addKey({
      namespace: 'example-org',
      name: 'webmail',
      hash: new Uint8Array(32).fill(7),
      scopes: ['feedback'],
      entitlements: ['spam'],
      requestsPerMinuteMax: 60,
    })
    const rule = { userId: 'ann', kind: 'spam', ruleType: 'List' } as const
    await source.addRule({ ...rule, pattern: 'lists.example.org', label: 'ham', unverified: true })
    await source.setOperatorRules('block from *.top')
    await source.addCorrespondents('ann', [{ kind: 'written', key: new Uint8Array(16).fill(5) }])
    const { jobId } = await source.deleteUser('gone', 'all')
    const deltas = new Uint8Array([1, 2, 3])
    const learned = { baseVersion: 'of another base', deltas, learnedToSeq: 4, metrics: {} }
    await source.saveModel(learned, 'promoted')
    await source.addHistory([historyEntry()])

    const env = { TAMIS_DATA_DIR: dataDir, DATABASE_URL: databaseUrl }
    const copy = ['migrate', '--copy-from', join(dataDir, 'tamis.sqlite'), '--json']
    const { stdout, stderr, status } = tamis(copy, env)
    assert.equal(status, 0, stderr)
    assert.deepEqual(JSON.parse(stdout), {
      ...{ api_keys: 1, rules: 1, corrections: 4, jobs: 1, tombstones: 1 },
      ...{ model_versions: 1, operator_rules: 1, history: 1, correspondents: 1 },
    })

    const target = await openStore({ dataDir, databaseUrl })
    t.after(() => target.close())
    const seen = async (store: Store) => ({
      secret: Buffer.from(store.secret).toString('hex'),
      history: await store.historyOf({ users: usersOf({}) }, 10),
      keys: await store.keys(),
      rules: (await store.userProfile('ann', 10)).rules,
      log: await store.correctionsInOrder(0, 100),
      profile: await store.userProfile('bo', 100),
      correspondents: await store.correspondentsOf('ann'),
      promoted: await store.promotedModel(),
      operatorRules: await store.operatorRules(),
    })
    assert.deepEqual(await seen(target), await seen(source))
    const goneAgain = await target.deleteUser('gone', 'all')
    assert.equal(goneAgain.jobId, jobId, 'the tombstone is known by the same secret')

    const { seq } = (await source.correctionsInOrder(0, 100)).at(-1)!
    assert.equal(tamis(['learn', '--user', 'new', ...mail], env).status, 0)
    const numbers = (await target.correctionsInOrder(seq, 100)).map((each) => each.seq)
    assert.deepEqual(numbers, [seq + 3, seq + 4], 'numbers of the deleted are not given again')

    const again = tamis(copy, env)
    assert.match(again.stderr, /The database of DATABASE_URL is not empty: .*CONFIG_INVALID/)
    assert.equal(again.status, 78)
  })
})
