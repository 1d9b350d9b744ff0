/** The commands of README and guides do what is said of them: each is run as it stands there. */
import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import type { Command, CommanderError } from 'commander'
import { labProgram } from '../packages/lab/cli/program.ts'
import { tamisProgram } from '../packages/service/cli/program.ts'
import { readConfig } from '../packages/service/config.ts'

const ROOT = join(import.meta.dirname, '..')

const README = readFileSync(join(ROOT, 'README.md'), 'utf8')

/** The port that the README names; the test takes a free one in its place. */
const README_PORT = '8025'

function blocks(language: string, text = README): string[] {
  return [...text.matchAll(new RegExp(`\`\`\`${language}\\n([^\`]*)\`\`\``, 'g'))].map((match) =>
    match[1]!.trim(),
  )
}

/** Runs `npm start` until the test ends; resolves to the port. */
async function npmStart(t: TestContext): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tamis-readme-'))
  t.after(() => rmSync(dataDir, { recursive: true, force: true }))
  const service = spawn('npm', ['start'], {
    cwd: ROOT,
    env: { ...process.env, TAMIS_PORT: '0', TAMIS_DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  t.after(() => process.kill(-service.pid!))
  let output = ''
  for await (const chunk of service.stdout) {
    output += chunk
    const port = /127\.0\.0\.1:(\d+)/.exec(output)?.[1]
    if (port !== undefined) return port
  }
  throw new Error(`npm start ended without listening: ${output}`)
}

describe('README', () => {
  it('starts with two commands', () => {
    assert.equal(blocks('sh')[0], 'npm ci\nnpm start')
  })

  it('shows a request and its whole answer, and how to correct it', async (t) => {
    if (spawnSync('curl', ['--version']).error) return t.skip('curl is not installed')
    const port = await npmStart(t)
    const command = blocks('sh')[1]!.replace(README_PORT, port)
    const answer = JSON.parse(
      execFileSync('sh', ['-c', `${command} --silent`], { cwd: ROOT, encoding: 'utf8' }),
    )
    const shown = JSON.parse(blocks('json')[0]!)
    assert.deepEqual(Object.keys(answer), Object.keys(shown))
    assert.deepEqual(withoutScores(answer), withoutScores(shown))

    const correct = blocks('sh')[2]!.replace(README_PORT, port)
    const corrected = execFileSync('sh', ['-c', `${correct} --silent`], { cwd: ROOT })
    // One user's word moves that user's mail alone; what five agree about moves everybody's.
    assert.equal(JSON.parse(`${corrected}`).status, 'personalization_only')
  })

  it('shows a command that classifies the examples', () => {
    const { stdout, status } = spawnSync('sh', ['-c', blocks('sh')[3]!], {
      cwd: ROOT,
      encoding: 'utf8',
    })
    assert.match(stdout, /examples\/order\.eml/)
    assert.equal(status, 1, 'phishing.eml is spam')
  })

  it('names a test command that is the one CI runs', () => {
    assert.equal(blocks('sh')[4], 'npm ci && npm test')
    assert.match(
      readFileSync(join(ROOT, '.ci/run'), 'utf8'),
      /^npm ci$.*^TEST_SKIPS=fail npm test$/ms,
    )
  })
})

/** What the answer says; scores are written by `npm run docs`. */
function withoutScores(answer: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(answer).map(([name, value]) => [name, typeof value === 'number' ? 0 : value]),
  )
}

/** Starting is shown by the README's test. */
const START = 'npm ci\nnpm start'

describe('guides', () => {
  for (const file of ['docs/getting-started.md', 'docs/corrections.md', 'docs/security.md']) {
    it(`${file} shows commands that work, one after the other`, async (t) => {
      if (spawnSync('curl', ['--version']).error) return t.skip('curl is not installed')
      const port = await npmStart(t)
      // Not the service's own: with a key in it the next command would need one.
      const dataDir = mkdtempSync(join(tmpdir(), 'tamis-guide-'))
      t.after(() => rmSync(dataDir, { recursive: true, force: true }))
      const env = {
        ...process.env,
        TAMIS_URL: `http://127.0.0.1:${port}`,
        TAMIS_DATA_DIR: dataDir,
      }
      const text = readFileSync(join(ROOT, file), 'utf8')
      for (const block of blocks('sh', text).filter((commands) => commands !== START)) {
        const command = block.replaceAll(README_PORT, port).replaceAll('curl ', 'curl -sSf ')
        const { status, stderr } = spawnSync('sh', ['-c', command], {
          cwd: ROOT,
          env,
          encoding: 'utf8',
        })
        // 1 says that there was spam.
        assert.ok(status === 0 || status === 1, `${block}\n${status} ${stderr}`)
      }
    })
  }
})

const FOLDERS = ['docs', 'docs/integrations', 'docs/decisions']
const PAGES = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`),
)
const DOCUMENTS = ['README.md', 'CONTRIBUTING.md', 'packages/README.md', ...PAGES]

describe('documents', () => {
  for (const file of DOCUMENTS) {
    it(`${file} links to files that are there`, () => {
      const text = readFileSync(join(ROOT, file), 'utf8')
      const targets = [...text.matchAll(/\]\(([^)#]+)\)/g)].map((match) => match[1]!)
      const missing = targets.filter(
        (target) => !/^https?:/.test(target) && !existsSync(join(ROOT, dirname(file), target)),
      )
      assert.deepEqual(missing, [])
    })
  }

  for (const file of DOCUMENTS) {
    it(`${file} names no command and no option that \`tamis\` does not have`, async () => {
      for (const command of commandsIn(readFileSync(join(ROOT, file), 'utf8'))) {
        await assert.doesNotReject(parsed(command), command)
      }
    })

    it(`${file} starts the service with settings that it takes`, () => {
      for (const block of blocks('sh', readFileSync(join(ROOT, file), 'utf8'))) {
        const settings = /^((?:[A-Z_]+=\S+ )+)npm start$/m.exec(block)?.[1]
        if (settings === undefined) continue
        const env = Object.fromEntries(settings.trim().split(' ').map(assignment))
        assert.ok(
          readConfig(env, () => ''),
          block,
        )
      }
    })
  }

  it('docs/evaluation.md owns where another filter does better, as long as it does', () => {
    const text = readFileSync(join(ROOT, 'docs/evaluation.md'), 'utf8')
    const rowOf = (name: string) => {
      const line = text.split('\n').find((each) => each.startsWith(`| ${name}`))
      return line!.split('|').slice(2, -1).map(Number.parseFloat)
    }
    const sideBySide = readFileSync(join(ROOT, 'packages/lab/reports/models/README.md'), 'utf8')
    const [, lists = ''] = sideBySide.split('| lists, first posts and patches: 200 ham')
    const caughtAtLeastLoss = (name: string) => {
      const line = lists.split('\n').find((each) => each.startsWith(`| ${name}`))
      return Number.parseFloat(line!.split('|')[4]!)
    }
    assert.match(text, /it and SpamAssassin's Bayes catch more/)
    for (const name of ['bogofilter, trained', 'SpamAssassin, rules, Bayes trained']) {
      assert.ok(caughtAtLeastLoss(name) > caughtAtLeastLoss('**Tamis**'), name)
    }
    const [learning, bogofilterLearning] = [rowOf('Tamis, from the shipped'), rowOf('bogofilter 1')]
    assert.match(text, /On the stream bogofilter misses less/)
    assert.ok(bogofilterLearning[1]! < learning[1]!, 'spam missed at 0.1 % of ham lost')
    assert.ok(bogofilterLearning[0]! > learning[0]!, 'area under the curve')
  })

  it('docs/operations.md shows a backup that a service can be started from', (t) => {
    if (spawnSync('sqlite3', ['--version']).error) return t.skip('sqlite3 is not installed')
    const folder = mkdtempSync(join(tmpdir(), 'tamis-backup-'))
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    const text = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8')
    const backup = /`(sqlite3 [^`]+)`/.exec(text)?.[1]
    assert.ok(backup)
    keys(folder, 'add', '--name', 'mail-host')
    execFileSync('sh', ['-c', backup], { cwd: folder })
    rmSync(join(folder, 'tamis.sqlite'))
    rmSync(join(folder, 'tamis.sqlite-wal'), { force: true })
    rmSync(join(folder, 'tamis.sqlite-shm'), { force: true })
    renameSync(join(folder, 'copy.sqlite'), join(folder, 'tamis.sqlite'))
    assert.match(keys(folder, 'list'), /mail-host/)
  })
})

function keys(dataDir: string, ...args: readonly string[]): string {
  return execFileSync(process.execPath, ['packages/service/cli/tamis.ts', 'keys', ...args], {
    cwd: ROOT,
    env: { ...process.env, TAMIS_DATA_DIR: dataDir },
    encoding: 'utf8',
  })
}

function assignment(text: string): [string, string] {
  const [name = '', value = ''] = text.split('=')
  return [name, value]
}

/** Every `tamis ...` and `tamis-lab ...` of a document, within a line and in blocks; settings before it left out. */
function commandsIn(text: string): string[] {
  const inline = [...text.matchAll(/(?<!`)`([^`\n]+)`(?!`)/g)].map((match) => match[1]!)
  const lines = blocks('sh', text).flatMap((block) => block.replaceAll('\\\n', ' ').split('\n'))
  return [...inline, ...lines]
    .map(
      (command) => /^(?:[A-Z_]+=\S+ )*(tamis(?:-lab)?(?: .*?)?)(?: &| +#.*)?$/.exec(command)?.[1],
    )
    .filter((command) => command !== undefined)
}

/** Reads `command` as its program would, and does nothing. */
async function parsed(command: string): Promise<void> {
  const [name, ...args] = command.match(/"[^"]*"|'[^']*'|[^\s"']+/g) ?? []
  const program = name === 'tamis-lab' ? labProgram() : await tamisProgram()
  disarm(program)
  try {
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    // A command or an option that is named lacks what would follow it.
    const { code = '' } = error as CommanderError
    const isNamed = /missing/i.test(code) && (args.length < 3 || args.at(-1)!.startsWith('--'))
    if (!isNamed && !code.startsWith('commander.help')) throw error
  }
}

/** Every command below `command` reads its line, and neither acts nor prints. */
function disarm(command: Command): void {
  command.exitOverride().configureOutput({ writeOut: () => {}, writeErr: () => {} })
  for (const child of command.commands) disarm(child.action(() => {}))
}
