/** docs/migrating.md: its commands do what it says, as they stand there but for paths and port. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { build, listen } from '../packages/service/test/http/service.ts'

const ROOT = join(import.meta.dirname, '..')

const COMMANDS = [
  ...readFileSync(join(ROOT, 'docs/migrating.md'), 'utf8').matchAll(/^```sh\n([\s\S]*?)^```$/gm),
].map(([, text]) => text ?? '')

/** The block in which `words` stand. */
function command(words: string): string {
  const found = COMMANDS.filter((text) => text.includes(words))
  assert.equal(found.length, 1, words)
  return found[0] ?? ''
}

function message(id: number, ...fields: string[]): string {
  const sender = `From: sender-${id}@example.net`
  return [...fields, sender, `Subject: Offer ${id}`, '', `Offer number ${id}`, ''].join('\r\n')
}

describe('docs/migrating.md', () => {
  it('shows what the two filters think differently of', async (t) => {
    const house = open(t, {
      'Maildir/cur/both': message(1, 'X-Tamis-Verdict: spam; probability=1.0000', 'X-Spam: Yes'),
      'Maildir/cur/tamis': message(2, 'X-Tamis-Verdict: spam; probability=1.0000'),
      'Maildir/cur/old': message(3, 'X-Tamis-Verdict: ham; probability=0.1000', 'X-Spam-Flag: YES'),
      'Maildir/cur/neither': message(4, 'X-Tamis-Verdict: ham; probability=0.1000'),
    })
    const [tamisAlone, oldAlone] = command('# spam for Tamis alone').split('\n# spam for the old')
    assert.equal(await house.run(tamisAlone ?? ''), `${house.folder}/Maildir/cur/tamis\n`)
    assert.equal(await house.run(`#${oldAlone}`), `${house.folder}/Maildir/cur/old\n`)
  })

  it('judges mail that is there', async (t) => {
    const house = open(t, { 'Maildir/cur/1': message(1), 'Maildir/new/2': message(2) })
    await house.run(command('tamis classify'))
    const verdicts = readFileSync(join(house.folder, 'verdicts.jsonl'), 'utf8')
    assert.equal(verdicts.trim().split('\n').length, 2)
  })

  it('tells what sorted mail would change', async (t) => {
    const house = open(t, { 'Maildir/cur/1': message(1), 'Maildir/.Junk/cur/2': message(2) })
    assert.match(
      await house.run(command('--dry-run')),
      /^wrong\t\d without learning, \d with learning$/m,
    )
  })

  it('teaches all users of a domain from their Maildirs', async (t) => {
    const house = open(t, {
      'vmail/ann/Maildir/cur/1': message(1),
      'vmail/ann/Maildir/.Junk/cur/2': message(2),
      'vmail/ben/Maildir/cur/3': message(3),
      'vmail/ben/Maildir/.Junk/cur/4': message(4),
    })
    const loop = command('for home in').replace('/var/vmail/example.com', `${house.folder}/vmail`)
    assert.equal(await house.run(loop), 'personalization_only\t2\npersonalization_only\t2\n')
  })

  it("makes rules of SpamAssassin's lists", async (t) => {
    const { app } = await build(t)
    const { url } = await listen(app)
    const house = open(t, {
      user_prefs: [
        'required_score 5',
        'welcomelist_from ben@example.org *@example.net',
        '  whitelist_from Carl@Example.com',
        'welcomelist_from *.example.edu fri?nd@example.org *@*.example.org "$(id)"@example.org',
        'blocklist_from dora@example.org',
        '',
      ].join('\n'),
    })
    const allow = command('allow()')
      .replace('http://127.0.0.1:8025', url)
      .replace('/home/ann/.spamassassin', house.folder)
    await house.run(allow)
    const query = { userId: 'ann@example.com' }
    const { rules } = (await app.inject({ url: '/personalization/rules', query })).json()
    assert.deepEqual(
      rules.map(({ label, pattern }: Record<string, string>) => `${label} ${pattern}`).toSorted(),
      ['ham *.example.edu', 'ham *@example.net', 'ham ben@example.org', 'ham carl@example.com'],
    )
  })
})

/** A home with these files, where `tamis` is a command. */
function open(t: TestContext, files: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'tamis-migrating-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const tamis = `#!/bin/sh\nexec '${process.execPath}' '${ROOT}/packages/service/cli/tamis.ts' "$@"\n`
  for (const [name, text] of Object.entries({ ...files, 'bin/tamis': tamis })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text, { mode: 0o755 })
  }
  return { folder, run: (script: string) => runIn(folder, script) }
}

/** What the commands print; they run beside the service of this process. */
async function runIn(folder: string, script: string): Promise<string> {
  const env = {
    HOME: folder,
    PATH: `${folder}/bin:${process.env['PATH']}`,
    TAMIS_DATA_DIR: join(folder, 'data'),
  }
  const child = spawn('sh', ['-c', script], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  await once(child, 'close')
  return output
}
