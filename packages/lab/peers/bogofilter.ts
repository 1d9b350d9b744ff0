/** bogofilter: Bayes over words, as Debian configures it. A process for each message, or for a list of files. */
import type { Peer, PeerVerdict } from './peer.ts'
import { outputOf, versionOf } from './processes.ts'

export const BOGOFILTER: Peer = {
  name: 'bogofilter',
  mode: 'trained',
  learns: true,
  concurrency: 1,
  version: () => versionOf('bogofilter'),
  start: async ({ scratch }) => {
    // Without a word list it judges nothing: an empty message makes one.
    await outputOf('bogofilter', ['-d', scratch, '-n'])
    return {
      judge: async (path) => {
        const { stdout } = await outputOf('bogofilter', ['-d', scratch, '-T', '-I', path])
        return verdictOf(stdout.trim())
      },
      learn: async (paths, spam) => {
        await outputOf('bogofilter', ['-d', scratch, spam ? '-s' : '-n', '-b'], paths.join('\n'))
      },
      stop: async () => {},
    }
  },
}

/** 'S 0.999': spam, ham or unsure, then the spamicity in [0, 1]. */
function verdictOf(line: string): PeerVerdict {
  const [, verdict, spamicity] = /^([SHU]) ([0-9.e+-]+)$/.exec(line) ?? []
  if (spamicity === undefined) throw new Error(`bogofilter said "${line}"`)
  return { score: Number(spamicity), calledSpam: verdict === 'S' }
}
