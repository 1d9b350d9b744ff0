/** bogofilter: Bayes over words, as Debian configures it. A process for each message, or for a list of files. */
import { outputOf, versionOf } from './processes.ts'
import type { Peer } from './run-peers.ts'

export const BOGOFILTER: Peer = {
  name: 'bogofilter',
  version: () => versionOf('bogofilter'),
  start: async (scratch) => {
    // Without a word list it judges nothing: an empty message makes one.
    await outputOf('bogofilter', ['-d', scratch, '-n'])
    return {
      judge: async (path) => {
        const { stdout } = await outputOf('bogofilter', ['-d', scratch, '-T', '-I', path])
        // 'S 0.999': spam, ham or unsure, then the spamicity in [0, 1].
        const [, verdict, spamicity] = /^([SHU]) ([0-9.e+-]+)$/.exec(stdout.trim()) ?? []
        if (spamicity === undefined) throw new Error(`bogofilter said "${stdout}"`)
        return { score: Number(spamicity), calledSpam: verdict === 'S' }
      },
      learn: async (paths, spam) => {
        await outputOf('bogofilter', ['-d', scratch, spam ? '-s' : '-n', '-b'], paths.join('\n'))
      },
      stop: async () => {},
    }
  },
}
