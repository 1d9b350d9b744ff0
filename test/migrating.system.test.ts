/** docs/migrating.md: its commands do what it says, as they stand there but for paths and port. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { startNameServer } from '../packages/lab/peers/name-server.ts'
import { rspamdArguments, writeSettings } from '../packages/lab/peers/rspamd.ts'
import { openSiteRules } from '../packages/service/site-rules.ts'
import { build, listen, type TestService } from '../packages/service/test/http/service.ts'
import {
  postfixMissing,
  startPostfix,
} from '../packages/service/test/integrations/milter/postfix.ts'
import { freePort, startProcess } from '../packages/service/test/integrations/milter/processes.ts'
import { programOf } from '../packages/service/test/integrations/programs.ts'
import { eventually } from './eventually.ts'
import { temporaryFolder } from './temporary-folder.ts'

const ROOT = join(import.meta.dirname, '..')

/** Both filters read their rules and compile expressions first: some 20 s on a busy machine. */
const DAEMON_START_MS = 120_000

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
  it('shows what the two filters think differently of', async () => {
    const house = open({
      'Maildir/cur/both': message(1, 'X-Tamis-Verdict: spam; probability=1.0000', 'X-Spam: Yes'),
      'Maildir/cur/tamis': message(2, 'X-Tamis-Verdict: spam; probability=1.0000'),
      'Maildir/cur/old': message(3, 'X-Tamis-Verdict: ham; probability=0.1000', 'X-Spam-Flag: YES'),
      'Maildir/cur/neither': message(4, 'X-Tamis-Verdict: ham; probability=0.1000'),
    })
    const [tamisAlone, oldAlone] = command('# spam for Tamis alone').split('\n# spam for the old')
    assert.equal(await house.run(tamisAlone ?? ''), `${house.folder}/Maildir/cur/tamis\n`)
    assert.equal(await house.run(`#${oldAlone}`), `${house.folder}/Maildir/cur/old\n`)
  })

  it('judges mail that is there', async () => {
    const house = open({ 'Maildir/cur/1': message(1), 'Maildir/new/2': message(2) })
    await house.run(command('tamis classify'))
    const verdicts = readFileSync(join(house.folder, 'verdicts.jsonl'), 'utf8')
    assert.equal(verdicts.trim().split('\n').length, 2)
  })

  it('tells what sorted mail would change', async () => {
    const house = open({ 'Maildir/cur/1': message(1), 'Maildir/.Junk/cur/2': message(2) })
    assert.match(await house.run(command('--dry-run')), /^spam\t1\t[01] \(.* %\)\t[01] \(.* %\)$/m)
  })

  it('corrects all users of a domain from their Maildirs', async () => {
    const house = open({
      'vmail/ann/Maildir/cur/1': message(1),
      'vmail/ann/Maildir/.Junk/cur/2': message(2),
      'vmail/ben/Maildir/cur/3': message(3),
      'vmail/ben/Maildir/.Junk/cur/4': message(4),
    })
    const loop = command('for home in').replace('/var/vmail/example.com', `${house.folder}/vmail`)
    const dataDir = join(house.folder, 'data')
    mkdirSync(dataDir)
    assert.equal(
      await house.run(loop, { TAMIS_DATA_DIR: dataDir }),
      'personalization_only\t2\npersonalization_only\t2\n',
    )
  })

  it('corrects all users of a Mail-in-a-Box from its mailboxes', async () => {
    const house = open({
      'boxes/example.com/ann/cur/1': message(1),
      'boxes/example.com/ann/.Spam/cur/2': message(2),
      'boxes/example.org/ben/cur/3': message(3),
      'boxes/example.org/ben/.Spam/cur/4': message(4),
    })
    const loop = command('for box in').replace(
      '/home/user-data/mail/mailboxes',
      `${house.folder}/boxes`,
    )
    const dataDir = join(house.folder, 'data')
    mkdirSync(dataDir)
    assert.equal(
      await house.run(loop, { TAMIS_DATA_DIR: dataDir }),
      'personalization_only\t2\npersonalization_only\t2\n',
    )
  })

  it("makes rules of SpamAssassin's lists", async (t) => {
    const { app } = await build(t)
    const { url } = await listen(app)
    const house = open({
      user_prefs: [
        'required_score 5',
        'welcomelist_from ben@example.org *@example.net',
        '  whitelist_from Carl@Example.com',
        'welcomelist_from *.example.edu fri?nd@example.org *@*.example.org "$(id)"@example.org',
        'blocklist_from dora@example.org',
        '',
      ].join('\n'),
    })
    const allow = command('senders()').replace('/home/ann/.spamassassin', house.folder)
    await house.run(allow, { TAMIS_URL: url })
    assert.deepEqual(await rulesOf(app, 'ann@example.com'), [
      'ham *.example.edu',
      'ham *@example.net',
      'ham ben@example.org',
      'ham carl@example.com',
    ])
  })

  it("makes site rules for the users of a domain of Rspamd's lists", async () => {
    const house = open({
      'allow.map': '# partners\nexample.net\n@example.org # all of them\n*.example.edu\n/regexp/\n',
    })
    const allow = command('allow.map')
      .replace('/etc/rspamd/local.d/maps.d', house.folder)
      .replace('/etc/tamis', house.folder)
    await house.run(allow)
    const rules = readFileSync(join(house.folder, 'allow.rules'), 'utf8')
    assert.equal(
      rules,
      [
        'allow sender example.net for example.com',
        'allow sender example.org for example.com',
        'allow sender *.example.edu for example.com',
        '',
      ].join('\n'),
    )
    const { count } = await openSiteRules([join(house.folder, 'allow.rules')])
    assert.equal(count, 3)
  })

  it('gives a correction to both filters', async () => {
    const stub = (name: string) => `#!/bin/sh\necho "${name} $* $(cat)" >>"$HOME/called"\n`
    const house = open({
      'lib/tamis-dovecot': stub('tamis-dovecot'),
      'bin/rspamc': stub('rspamc'),
      'tamis-feedback.sieve': readFileSync(join(ROOT, 'deploy/dovecot/tamis-feedback.sieve')),
    })
    const [install = ''] = command('correct-both <<')
      .replaceAll('/usr/local/lib/tamis', `${house.folder}/lib`)
      .replaceAll('/etc/dovecot/sieve', house.folder)
      .split('sievec')
    await house.run(install)
    const script = readFileSync(join(house.folder, 'tamis-feedback.sieve'), 'utf8')
    assert.match(script, /^ *pipe :copy :try "correct-both" \["correct", "\$\{labels\}"/m)
    for (const labels of ['spam', 'ham promotions', 'updates']) {
      await house.run(`echo moved | lib/correct-both correct '${labels}' ann`)
    }
    assert.equal(
      readFileSync(join(house.folder, 'called'), 'utf8'),
      [
        'tamis-dovecot correct spam ann moved',
        'rspamc learn_spam moved',
        'tamis-dovecot correct ham promotions ann moved',
        'rspamc learn_ham moved',
        'tamis-dovecot correct updates ann moved',
        '',
      ].join('\n'),
    )
  })
})

const missingForRspamd = postfixMissing() ?? programOf('rspamd').missing

describe('docs/migrating.md, from Rspamd', { skip: missingForRspamd }, () => {
  it('lets Postfix ask both, and each writes its fields', async (t) => {
    const rspamd = await startRspamd(t, 'add_header = -100;\nreject = null;\ngreylist = null;\n')
    const delivered = await deliveredThroughBoth(t, rspamd)
    assert.match(delivered, /^X-Tamis-Verdict: ham; /m)
    assert.match(delivered, /^X-Spam: Yes$/m)
    assert.doesNotMatch(delivered, /^X-Spam-Flag:/m)
  })

  it("takes Rspamd's spam actions away", async (t) => {
    // As before, but for what the document overrides.
    const rspamd = await startRspamd(
      t,
      'add_header = -100;\nreject = -50;\ngreylist = null;\n',
      /<<'END'\n(.*)^END$/ms.exec(command('override.d/actions.conf'))![1],
    )
    const delivered = await deliveredThroughBoth(t, rspamd)
    assert.match(delivered, /^X-Tamis-Verdict: ham; /m)
    assert.doesNotMatch(delivered, /^X-Spam:/m)
  })
})

const missingForSpamAssassin = programOf('spamd').missing || programOf('spamc').missing

describe('docs/migrating.md, from SpamAssassin', { skip: missingForSpamAssassin }, () => {
  it('shows what both say of mail that is there', async (t) => {
    const { app } = await build(t)
    const { url } = await listen(app)
    const house = open({ 'Maildir/cur/1': readFileSync(join(ROOT, 'examples/phishing.eml')) })
    const theirs = await startSpamd(t, house.folder)
    const ours = await freePort()
    const arguments_ = ['spamd', '--listen', `inet:${ours}@127.0.0.1`, '--url', url]
    const { port } = await startProcess(t, 'packages/service/cli/tamis.ts', arguments_, () => ({}))
    assert.ok(port)
    const compare = command('spamc -p 784')
      .replace('-p 783', `-p ${theirs}`)
      .replace('-p 784', `-p ${ours}`)
    const [theirScore = '', ourScore = '', path] = (await house.run(compare)).trim().split('\t')
    assert.match(theirScore, /^-?\d+\.\d\/5\.0$/)
    assert.match(ourScore, /^\d+\.\d\/5\.0$/)
    assert.ok(Number.parseFloat(ourScore) >= 5, ourScore)
    assert.equal(path, `${house.folder}/Maildir/cur/1`)
  })
})

/** The rules of a user: 'ham example.net'. */
async function rulesOf(app: TestService['app'], userId: string): Promise<string[]> {
  const { rules } = (
    await app.inject({ url: '/personalization/rules', query: { userId } })
  ).json() as { rules: { label: string; pattern: string }[] }
  return rules.map(({ label, pattern }) => `${label} ${pattern}`).toSorted()
}

/** A message that Postfix has shown to Rspamd's milter at `rspamd` and to ours, with the options and the list of the document. */
async function deliveredThroughBoth(t: TestContext, rspamd: number): Promise<string> {
  const { app } = await build(t)
  const { url } = await listen(app)
  const install = command('11332, inet:127.0.0.1:8026')
  const options = /OPTIONS=--listen inet:8026@127.0.0.1 (.*)'/.exec(
    command("apt install ./dist/tamis_0.1.0_amd64.deb\necho 'OPTIONS=--listen inet:8026"),
  )![1]!
  const { port } = await startProcess(
    t,
    'packages/service/cli/tamis.ts',
    ['milter', ...options.split(' ')],
    (port) => ({ TAMIS_MILTER_LISTEN: `inet:${port}@127.0.0.1`, TAMIS_URL: url }),
  )
  const milters = /smtpd_milters = ([^']+)'/.exec(install)![1]!
  const postfix = await startPostfix(
    milters.replace('11332', String(rspamd)).replace('8026', String(port)),
  )
  t.after(() => postfix.close())
  const sent = await postfix.swaks('--from', 'bob@example.net', '--to', 'ann@example.com')
  assert.match(sent, /^0\n/)
  const [delivered] = await postfix.delivered(1)
  return delivered!
}

/** Rspamd's milter as Debian configures it, without the network and with these actions; gives its port. */
async function startRspamd(t: TestContext, actions: string, override = ''): Promise<number> {
  const scratch = temporaryFolder()
  const names = await startNameServer()
  t.after(() => names.close())
  const [port, scan, control] = [await freePort(), await freePort(), await freePort()]
  const settings = writeSettings(scratch, { scan, control, nameServer: names.port, workers: 1 })
  const proxy = `milter = yes; bind_socket = "127.0.0.1:${port}"; upstream "local" { default = yes; hosts = "127.0.0.1:${scan}"; }\n`
  writeFileSync(join(settings, 'override.d/worker-proxy.inc'), proxy)
  writeFileSync(join(settings, 'local.d/actions.conf'), actions)
  writeFileSync(join(settings, 'override.d/actions.conf'), override)
  startDaemon(t, 'rspamd', rspamdArguments(settings, scratch), scratch)
  await eventually(
    async () => {
      const ping = await fetch(`http://127.0.0.1:${scan}/ping`).catch(() => undefined)
      return ping?.ok === true && (await accepts(port))
    },
    'Rspamd does not listen',
    DAEMON_START_MS,
  )
  return port
}

/** SpamAssassin's spamd without the network; gives its port. */
async function startSpamd(t: TestContext, scratch: string): Promise<number> {
  const port = await freePort()
  const options = ['--local', '--nouser-config', '--max-children=1', `--helper-home-dir=${scratch}`]
  startDaemon(t, 'spamd', [...options, `--port=${port}`, '--username=nobody'], scratch)
  await eventually(() => accepts(port), 'spamd does not listen', DAEMON_START_MS)
  return port
}

/** Runs a program until the test ends, and then removes its folder. */
function startDaemon(t: TestContext, name: string, args: readonly string[], scratch: string): void {
  const child = spawn(programOf(name).path, args, { cwd: scratch, stdio: 'ignore' })
  const ended = once(child, 'exit')
  t.after(async () => {
    child.kill()
    await ended
  })
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

/** A home with these files, where `tamis` is a command. */
function open(files: Record<string, string | Buffer>) {
  const folder = temporaryFolder()
  const tamis = `#!/bin/sh\nexec '${process.execPath}' '${ROOT}/packages/service/cli/tamis.ts' "$@"\n`
  for (const [name, text] of Object.entries({ ...files, 'bin/tamis': tamis })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text, { mode: 0o755 })
  }
  return {
    folder,
    run: (script: string, environment: Record<string, string> = {}) =>
      runIn(folder, script, environment),
  }
}

/** What the commands print; they run beside the service of this process. */
async function runIn(
  folder: string,
  script: string,
  environment: Record<string, string>,
): Promise<string> {
  const env = {
    ...environment,
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
