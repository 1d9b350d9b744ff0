/**
 * SpamAssassin's Bayes alone, through spamd and spamc: a set of rules with the one rule that Bayes
 * gives the message 60 % or more, from where SpamAssassin's own rules count it as spam. It judges from
 * the first message it has learned from, where SpamAssassin waits for 200 of each label.
 */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort, outputOf, versionOf, withDaemon } from '../peers/processes.ts'
import { MESSAGE_BYTES_MAX } from '../peers/spamassassin.ts'
import type { StreamPeer } from './stream-peers.ts'

const PLUGINS = `loadplugin Mail::SpamAssassin::Plugin::Check
loadplugin Mail::SpamAssassin::Plugin::Bayes
`

function rules(bayes: string): string {
  return `body BAYES_SPAM eval:check_bayes('0.60', '1.00')
describe BAYES_SPAM Bayes gives 60 % or more
score BAYES_SPAM 1
required_score 1
bayes_path ${bayes}
bayes_file_mode 0777
bayes_auto_learn 0
bayes_auto_expire 0
bayes_min_ham_num 1
bayes_min_spam_num 1
`
}

export const SPAMASSASSIN_STREAM: StreamPeer = {
  name: 'SpamAssassin Bayes',
  version: () =>
    versionOf('spamd', ['--version'], /version (\S+)/) &&
    versionOf('spamc', ['--version'], /version (\S+)/),
  run: async (scratch, use) => {
    const port = String(await freePort())
    const server = ['-d', '127.0.0.1', '-p', port, '-s', String(MESSAGE_BYTES_MAX)]
    const spamc = (...args: readonly string[]) => [...server, ...args]
    const daemon = {
      command: 'spamd',
      args: spamdArguments(scratch, port),
      log: join(scratch, 'spamd.log'),
    }
    const isReady = async () => (await outputOf('spamc', spamc('-K'))).status === 0
    return await withDaemon(daemon, isReady, () =>
      use({
        judge: async (path) => {
          const { stdout } = await outputOf('spamc', spamc('-c'), await readFile(path))
          const [score, required] = stdout.trim().split('/').map(Number)
          if (score === undefined || !required) {
            throw new Error(`spamc said "${stdout.trim()}" of ${path}`)
          }
          return { score, calledSpam: score >= required }
        },
        learn: async (path, spam) => {
          const learn = spamc('-L', spam ? 'spam' : 'ham')
          const { stdout } = await outputOf('spamc', learn, await readFile(path))
          if (!stdout.includes('un/learned')) {
            throw new Error(`spamc said "${stdout.trim()}" to learning from ${path}`)
          }
        },
      }),
    )
  },
}

function spamdArguments(scratch: string, port: string): string[] {
  // spamd leaves root behind and must still read and write what is learned.
  const bayes = join(scratch, 'bayes')
  const config = join(scratch, 'config')
  for (const folder of [bayes, config, join(config, 'rules'), join(config, 'site')]) {
    mkdirSync(folder)
  }
  chmodSync(bayes, 0o777)
  writeFileSync(join(config, 'site', 'bayes.pre'), PLUGINS)
  writeFileSync(join(config, 'rules', 'bayes.cf'), rules(join(bayes, 'bayes')))
  return [
    '-L',
    '-x',
    '--allow-tell',
    '--listen=127.0.0.1',
    `--port=${port}`,
    '--max-children=1',
    '--min-children=1',
    `--configpath=${join(config, 'rules')}`,
    `--siteconfigpath=${join(config, 'site')}`,
    '--syslog=stderr',
  ]
}
