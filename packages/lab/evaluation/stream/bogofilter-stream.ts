/** bogofilter as Debian configures it, two processes a message: it judges, then it learns. */
import { outputOf, versionOf } from '../peers/processes.ts'
import type { StreamPeer } from './stream-peers.ts'

export const BOGOFILTER_STREAM: StreamPeer = {
  name: 'bogofilter',
  version: () => versionOf('bogofilter', ['--version'], /version (\S+)/),
  run: async (scratch, use) => {
    // Without a word list it judges nothing: an empty message makes one.
    await outputOf('bogofilter', ['-d', scratch, '-n'])
    return await use({
      judge: async (path) => {
        const { stdout } = await outputOf('bogofilter', ['-d', scratch, '-T', '-I', path])
        const [, verdict, spamicity] = /^([SHU]) ([0-9.e+-]+)$/.exec(stdout.trim()) ?? []
        if (spamicity === undefined) throw new Error(`bogofilter said "${stdout}" of ${path}`)
        return { score: Number(spamicity), calledSpam: verdict === 'S' }
      },
      learn: async (path, spam) => {
        await outputOf('bogofilter', ['-d', scratch, spam ? '-s' : '-n', '-I', path])
      },
    })
  },
}
