/**
 * Other filters fed the same stream, one message after the other: judged, then learned from. They
 * get each message with the fields of the receiving side taken out.
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withoutReceivingSide } from '../peers/received-message.ts'
import { BOGOFILTER_STREAM } from './bogofilter-stream.ts'
import { RSPAMD_STREAM } from './rspamd-stream.ts'
import type { StreamRun, StreamVerdict } from './stream.ts'

/** A filter that is running. */
export interface StreamFilter {
  readonly judge: (path: string) => Promise<Omit<StreamVerdict, 'spam'>>
  readonly learn: (path: string, spam: boolean) => Promise<void>
}

export interface StreamPeer {
  readonly name: string
  /** As the installed program gives it; undefined when it, or what it needs, is not installed. */
  readonly version: () => string | undefined
  /** Runs the filter, with nothing learned yet and its data in `scratch`, as long as `use` takes. */
  readonly run: <T>(scratch: string, use: (filter: StreamFilter) => Promise<T>) => Promise<T>
}

/** A raw message and its label. */
export interface PeerMessage {
  readonly bytes: Uint8Array
  readonly spam: boolean
}

const STREAM_PEERS: readonly StreamPeer[] = [BOGOFILTER_STREAM, RSPAMD_STREAM]

/** Those of `peers` that are installed, beside each other: neither waits for the other. */
export async function runStreamPeers(
  messages: readonly PeerMessage[],
  startProgress: (label: string, total: number) => { advance(): void; end(): void },
  peers = STREAM_PEERS,
): Promise<StreamRun[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tamis-stream-'))
  // spamd leaves root behind and still has to come in.
  chmodSync(folder, 0o755)
  try {
    const paths = messages.map(({ bytes }, i) => {
      const path = join(folder, `${i}.eml`)
      writeFileSync(path, withoutReceivingSide(bytes))
      return path
    })
    const installed = peers.filter((peer) => peer.version() !== undefined)
    const progress = startProgress('peers', messages.length * installed.length)
    const runs = await Promise.all(
      installed.map(async (peer) => {
        const scratch = join(folder, peer.name.replaceAll(' ', '-'))
        mkdirSync(scratch)
        const verdicts = await peer.run(scratch, (filter) =>
          streamThrough(filter, messages, paths, () => progress.advance()),
        )
        return { name: `${peer.name} ${peer.version()}`, verdicts }
      }),
    )
    progress.end()
    return runs
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function streamThrough(
  filter: StreamFilter,
  messages: readonly PeerMessage[],
  paths: readonly string[],
  onJudged: () => void,
): Promise<StreamVerdict[]> {
  const verdicts: StreamVerdict[] = []
  for (const [i, { spam }] of messages.entries()) {
    verdicts.push({ ...(await filter.judge(paths[i]!)), spam })
    await filter.learn(paths[i]!, spam)
    onJudged()
  }
  return verdicts
}
