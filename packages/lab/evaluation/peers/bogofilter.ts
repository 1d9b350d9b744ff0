/** bogofilter: Bayes over words, as Debian configures it, trained on the same mail as ours. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Peer, PeerTask, PeerVerdict, PeerVerdicts } from './peer.ts'
import { outputOf, versionOf } from './processes.ts'

const MODE = 'trained'

export const BOGOFILTER: Peer = {
  name: 'bogofilter',
  modes: [MODE],
  version: () => versionOf('bogofilter', ['--version'], /version (\S+)/),
  judge,
}

async function judge({ spam, ham, messages, scratch, onJudged }: PeerTask): Promise<PeerVerdicts> {
  const lists = join(scratch, 'wordlists')
  mkdirSync(lists)
  await outputOf('bogofilter', ['-d', lists, '-s', '-b'], spam.join('\n'))
  await outputOf('bogofilter', ['-d', lists, '-n', '-b'], ham.join('\n'))
  const { stdout } = await outputOf('bogofilter', ['-d', lists, '-T', '-b'], messages.join('\n'))
  const verdicts = stdout.trimEnd().split('\n').map(verdictOf)
  if (verdicts.length !== messages.length) {
    throw new Error(`bogofilter judged ${verdicts.length} of ${messages.length} messages`)
  }
  for (const _ of messages) onJudged()
  return new Map([[MODE, verdicts]])
}

/** 'path S 0.999': spam, ham or unsure, then the spamicity in [0, 1]. */
function verdictOf(line: string): PeerVerdict {
  const [, verdict, spamicity] = / ([SHU]) ([0-9.e+-]+)$/.exec(line) ?? []
  if (spamicity === undefined) throw new Error(`bogofilter said "${line}"`)
  return { score: Number(spamicity), calledSpam: verdict === 'S' }
}
