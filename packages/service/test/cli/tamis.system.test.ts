/** The command as a person runs it: a process, its output, its exit status. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import type { Command } from 'commander'
import { failureOf } from '../../../terminal/failure.ts'
import { tamisProgram } from '../../cli/program.ts'

const ROOT = join(import.meta.dirname, '../../../..')

function tamis(args: string[], input = '', env: Record<string, string> = {}) {
  return spawnSync(process.execPath, [join(ROOT, 'packages/service/cli/tamis.ts'), ...args], {
    cwd: ROOT,
    encoding: 'utf8',
    input,
    env: { ...process.env, ...env },
  })
}

describe('tamis classify', () => {
  it('writes one JSON line a message and exits with 1 when one is spam', () => {
    const { stdout, status } = tamis([
      'classify',
      'examples/appointment.eml',
      'examples/phishing.eml',
    ])
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    assert.deepEqual(
      lines.map(({ name, isSpam }) => ({ name, isSpam })),
      [
        { name: 'examples/appointment.eml', isSpam: false },
        { name: 'examples/phishing.eml', isSpam: true },
      ],
    )
    assert.equal(status, 1)
  })

  it('exits with 0 when none is spam', () => {
    assert.equal(tamis(['classify', 'examples/appointment.eml']).status, 0)
  })

  it('reads standard input', () => {
    const { stdout } = tamis(['classify', '-'], 'From: a@example.com\nSubject: hi\n\nhello\n')
    assert.equal(JSON.parse(stdout).name, '-')
  })

  it('finds nothing odd in the age of mail from a folder', () => {
    const message = (date: string) =>
      `From: Anna <anna@example.net>\nSubject: Friday\nDate: ${date}\n\nShall we meet at noon?\n`
    const probabilityOf = (date: string) =>
      JSON.parse(tamis(['classify', '-'], message(date)).stdout).spamProbability
    const today = new Date().toUTCString().replace('GMT', '+0000')
    assert.equal(probabilityOf('Thu, 6 Jun 2019 12:00:00 +0000'), probabilityOf(today))
  })

  it('names what is no message and exits with 2', () => {
    const { stdout, status } = tamis(['classify', '-'], 'no header field here\n')
    assert.equal(JSON.parse(stdout).code, 'NOT_A_MESSAGE')
    assert.equal(status, 2)
  })

  it('says of text without header fields what is wrong, and how to judge it', () => {
    const { stdout } = tamis(['classify', '-'], 'Shall we meet at noon?\n')
    const [, command = ''] =
      /\((echo .*)\) \| tamis classify -/.exec(JSON.parse(stdout).error) ?? []
    const { stdout: message } = spawnSync('sh', ['-c', command.replace('FILE', '-')], {
      input: 'Shall we meet at noon?\n',
      encoding: 'utf8',
    })
    assert.equal(tamis(['classify', '-'], message).status, 0)
  })

  it('says which file is not there and exits with 66', () => {
    const { stderr, status } = tamis(['classify', 'no-such-file.eml'])
    assert.equal(stderr, 'tamis: Cannot read no-such-file.eml: it does not exist\n')
    assert.equal(status, 66)
  })
})

const PROGRAM = await tamisProgram()

/** They run until they are ended and write log lines, which are JSON. */
const DAEMONS = ['tamis milter', 'tamis spamd']

/** The commands that do something. */
function leaves(command: Command, parents: readonly string[] = []): [string, Command][] {
  const names = [...parents, command.name()]
  if (command.commands.length === 0) return [[names.join(' '), command]]
  return command.commands.flatMap((each) => leaves(each, names))
}

function helpOf(command: Command): string {
  let text = ''
  command.configureOutput({ writeOut: (piece) => (text += piece) }).outputHelp()
  return text
}

describe('tamis --help', () => {
  it('lists the commands', () => {
    const { stdout, status } = tamis(['--help'])
    for (const command of 'serve classify feedback rules user learn keys feeds migrate'.split(' '))
      assert.match(stdout, new RegExp(`^ {2}${command} `, 'm'))
    assert.equal(status, 0)
  })

  for (const [name, command] of leaves(PROGRAM)) {
    it(`shows examples of ${name}, and that it writes JSON`, () => {
      const help = helpOf(command)
      assert.match(help, new RegExp(`\nExamples:\n {2}(TAMIS_\\S+ )*${name}\\b`))
      if (!DAEMONS.includes(name)) assert.match(help, /^ {2}--json /m)
    })
  }
})

/** The command in this process: how it would end, and what it says. */
async function endOf(args: readonly string[]): Promise<{ status: number; said: string }> {
  const program = await tamisProgram(args[0])
  let said = ''
  for (const each of [
    program,
    ...program.commands,
    ...program.commands.flatMap((one) => one.commands),
  ])
    each.configureOutput({ writeErr: (text) => (said += text) })
  try {
    await program.parseAsync(args, { from: 'user' })
    return { status: 0, said }
  } catch (error) {
    const { status, text = '' } = failureOf(error)!
    return { status, said: said + text }
  }
}

describe('tamis', () => {
  const FAILURES: [what: string, command: string, status: number, said: RegExp][] = [
    ['nothing at all', '', 64, /Usage: tamis/],
    [
      'a command that there is not',
      'clasify',
      64,
      /unknown command 'clasify'.*Did you mean classify/s,
    ],
    ['an option that there is not', 'classify --jsno examples', 64, /unknown option '--jsno'/],
    ['no path', 'classify', 64, /missing required argument 'path'/],
    ['a user without a service', 'classify --user ann examples', 64, /need --url/],
    [
      'models with a service',
      'classify --url http://a --models a -',
      64,
      /--models cannot be used with --url/,
    ],
    ['a service that is none', 'rules list --user a --url ftp://a', 64, /http:\/\/host:port/],
    [
      'a class that there is not',
      'feedback class spam --user a -',
      64,
      /Allowed choices are primary/,
    ],
    ['a rule that says nothing', 'rules add --user a --type List', 64, /--label or --class/],
    ['nothing to learn from', 'learn --user a', 64, /--spam PATH, --ham PATH/],
    ['nobody at the address', 'user show a --url http://127.0.0.1:9', 69, /UNREACHABLE/],
    [
      'a key file that is not there',
      'user show a --key-file none',
      66,
      /--key-file is "none", which cannot be read: it does not exist/,
    ],
    ['a key file without a key', 'user show a --key-file LICENSE', 78, /LICENSE.*CONFIG_INVALID/],
  ]
  for (const [what, command, expected, text] of FAILURES) {
    it(`ends with ${expected} for ${what}, and says so`, async () => {
      const { status, said } = await endOf(command.split(' ').filter((word) => word !== ''))
      assert.equal(status, expected, said)
      assert.match(said, text)
    })
  }

  it('exits with the status, and says why on standard error', () => {
    const { stdout, stderr, status } = tamis(['user', 'show', 'a', '--url', 'http://127.0.0.1:9'])
    assert.match(stderr, /^tamis: http:\/\/127\.0\.0\.1:9 did not answer: .* \(UNREACHABLE\)\n$/)
    assert.deepEqual([stdout, status], ['', 69])
  })

  it('exits with 78 for a setting that is wrong', () => {
    const { stderr, status } = tamis(['migrate', '--status'], '', { TAMIS_PORT: 'x' })
    assert.match(stderr, /^tamis: TAMIS_PORT is "x"; allowed: .*CONFIG_INVALID/)
    assert.equal(status, 78)
  })

  it('ends quietly when nobody reads on', () => {
    const command = `"${process.execPath}" packages/service/cli/tamis.ts classify --json examples | true`
    const { stderr } = spawnSync('sh', ['-c', command], { cwd: ROOT, encoding: 'utf8' })
    assert.equal(stderr, '')
  })
})
