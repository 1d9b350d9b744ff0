/** How commands end that are given what they cannot use. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { failureOf } from '../../../terminal/failure.ts'
import { tamisProgram } from '../../cli/program.ts'

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
  // biome-ignore format: a row each
  const FAILURES: [what: string, command: string, status: number, said: RegExp][] = [
    ['nothing at all', '', 64, /Usage: tamis/],
    ['a command that there is not', 'clasify', 64, /unknown command 'clasify'.*Did you mean classify/s],
    ['an option that there is not', 'classify --jsno examples', 64, /unknown option '--jsno'/],
    ['no path', 'classify', 64, /missing required argument 'path'/],
    ['a user without rules', 'classify --user ann examples', 64, /needs --rules/],
    ['a service that is none', 'user show a --url ftp://a', 64, /http:\/\/host:port/],
    ['nothing to learn from', 'learn --user a', 64, /--spam PATH, --ham PATH or --withdraw PATH/],
    ['nobody at the address', 'user show a --url http://127.0.0.1:9', 69, /UNREACHABLE/],
    ['a key file that is not there', 'user show a --key-file none', 66, /--key-file is "none", which cannot be read: it does not exist/],
    ['a key file without a key', 'user show a --key-file LICENSE', 78, /LICENSE.*CONFIG_INVALID/],
  ]
  for (const [what, command, expected, text] of FAILURES) {
    it(`ends with ${expected} for ${what}, and says so`, async () => {
      const { status, said } = await endOf(command.split(' ').filter((word) => word !== ''))
      assert.equal(status, expected, said)
      assert.match(said, text)
    })
  }
})
