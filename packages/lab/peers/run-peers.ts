/**
 * Other filters on the same mail. Nothing is kept from one run to the next: what an old run said of
 * other files or versions would be no comparison. They get each message with the fields of the
 * receiving side taken out.
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProgress } from '../../terminal/progress.ts'
import type { Peer, PeerVerdict, RunningPeer } from './peer.ts'
import { inParallel } from './processes.ts'
import { withoutReceivingSide } from './received-message.ts'

/** A raw message, and its label where it has one. */
export interface PeerMessage {
  readonly bytes: Uint8Array
  readonly spam: boolean | undefined
}

export interface PeerRun {
  readonly peer: Peer
  readonly version: string
  /** In the order of the messages asked about. */
  readonly verdicts: readonly PeerVerdict[]
  /** Why it could not be run, where it could not. */
  readonly failure?: string
}

/** Each filter trained on `training`, where it learns, and then asked about `asked`, one filter after the other. */
export async function judgeAfterTraining(
  peers: readonly Peer[],
  training: readonly PeerMessage[],
  asked: readonly PeerMessage[],
  onJudged: () => void,
): Promise<PeerRun[]> {
  return await withFiles([...training, ...asked], async (paths, folder) => {
    const [learned, judged] = [paths.slice(0, training.length), paths.slice(training.length)]
    const labelled = (spam: boolean) => learned.filter((_, i) => training[i]!.spam === spam)
    const runs: PeerRun[] = []
    for (const peer of peers) {
      const run = async (filter: RunningPeer) => {
        if (peer.learns) for (const spam of [true, false]) await filter.learn(labelled(spam), spam)
        return await inParallel(judged, peer.concurrency, async (path) => {
          const verdict = await filter.judge(path)
          onJudged()
          return verdict
        })
      }
      // The others' verdicts are worth having.
      const failed = (error: unknown) => ({
        ...installed(peer),
        verdicts: [],
        failure: error instanceof Error ? error.message : String(error),
      })
      runs.push(await runPeer(peer, folder, run).catch(failed))
    }
    return runs
  })
}

/**
 * Those of `peers` that are installed, fed a stream: each message is judged, then learned from. They run beside each
 * other: neither waits for the other.
 */
export async function judgeStream(
  peers: readonly Peer[],
  messages: readonly PeerMessage[],
): Promise<PeerRun[]> {
  const present = peers.filter(({ version }) => version() !== undefined)
  const progress = startProgress('peers', messages.length * present.length)
  const runs = await withFiles(messages, (paths, folder) => {
    const run = async (filter: RunningPeer) => {
      const verdicts: PeerVerdict[] = []
      for (const [i, path] of paths.entries()) {
        verdicts.push(await filter.judge(path))
        await filter.learn([path], messages[i]!.spam === true)
        progress.advance()
      }
      return verdicts
    }
    return Promise.all(present.map((peer) => runPeer(peer, folder, run)))
  })
  progress.end()
  return runs
}

async function runPeer(
  peer: Peer,
  folder: string,
  run: (filter: RunningPeer) => Promise<readonly PeerVerdict[]>,
): Promise<PeerRun> {
  const scratch = join(folder, `${peer.name} ${peer.mode}`.replaceAll(/\W+/g, '-'))
  mkdirSync(scratch)
  const filter = await peer.start({ scratch })
  try {
    return { ...installed(peer), verdicts: await run(filter) }
  } finally {
    await filter.stop()
  }
}

function installed(peer: Peer): Pick<PeerRun, 'peer' | 'version'> {
  return { peer, version: peer.version() ?? '' }
}

/** The messages as files, in a folder that is there as long as `use` takes. */
async function withFiles<T>(
  messages: readonly PeerMessage[],
  use: (paths: readonly string[], folder: string) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'tamis-peers-'))
  // spamd leaves root behind and still has to come in.
  chmodSync(folder, 0o755)
  try {
    const paths = messages.map(({ bytes }, i) => {
      const path = join(folder, `${i}.eml`)
      writeFileSync(path, withoutReceivingSide(bytes))
      return path
    })
    return await use(paths, folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
