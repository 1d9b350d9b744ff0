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

/**
 * A corpus message as it stood before the receiving side and the collector wrote into it, so
 * that other filters get what our features see. Bytes are kept otherwise.
 *
 * Received fields stay, all of them: which are the receiving side's cannot be told, and the
 * rules of other filters read the sender's. Return-Path stays, for it is the envelope's sender.
 */

/**
 * Fields of filters, of mail stores and of delivery, by name in lower case. Those that the sender
 * or a mailing list adds (DKIM-Signature, List-*, X-Mailer and their like) are not among them.
 */
const RECEIVING_SIDE_FIELDS: readonly RegExp[] = [
  // Verdicts, and what they rest on.
  /^x-(?:spam|spamd|rspamd|bogosity|barracuda|asg|amavis|virus|ironport|proofpoint|policyd|greylist|mailscanner|cm-|vr-|tm-as|rc-|bitdefender|brightmail|authority-analysis|scanned-by|dspam|antivirus|auditid|sid|message-(?:info|delivery|flag))/,
  /^(?:xstatus|xlevel|xchecker-version|x-amavisstatus|dkim-filter|domainkey-status)$/,
  // Authentication as the receiver saw it (RFC 8601, RFC 7208, RFC 8617).
  /^(?:authentication-results|received-spf|arc-|x-authentication-|x-received-spf|x-ms-exchange-authentication)/,
  // Exchange and Outlook.com, on arrival.
  /^x-(?:ms-exchange|ms-office365|ms-publictraffic|ms-traffic|ms-userlastlogon|microsoft-antispam|forefront|eop|incomingheader|incomingtopheader|originatororg|sender-ip|clientproxiedby)/,
  // Gmail, on arrival or forwarding.
  /^(?:x-received|x-gm-|x-google-|x-forwarded)/,
  // Delivery.
  /^(?:delivered-to|x-original-to|x-delivered-to|x-envelope-|envelope-to|x-apparently-to|delivery-date|x-delivery-agent|old-return-path|resent-|x-loop|x-mime-autoconverted)/,
  // Mail stores and collectors.
  /^(?:x-uidl?|x-mozilla-|x-account-key|x-keywords|x-status|status|lines|content-length|x-imap|x-evolution|connect\(\)|x-injected-via-gmane|x-gmane-)/,
]

/** `message` without the fields of the receiving side. */
export function withoutReceivingSide(message: Uint8Array): Buffer {
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength)
  const kept: Buffer[] = []
  let dropping = false
  let start = 0
  while (start < bytes.length) {
    const lineEnd = bytes.indexOf('\n', start)
    const next = lineEnd < 0 ? bytes.length : lineEnd + 1
    const line = bytes.subarray(start, next)
    if (/^\r?\n?$/.test(line.toString('latin1'))) break
    if (!isContinuation(line)) dropping = isOfReceivingSide(fieldName(line))
    if (!dropping) kept.push(line)
    start = next
  }
  return Buffer.concat([...kept, bytes.subarray(start)])
}

function isContinuation(line: Buffer): boolean {
  return line[0] === 0x20 || line[0] === 0x09
}

function fieldName(line: Buffer): string {
  const colon = line.indexOf(':')
  return line.toString('latin1', 0, Math.max(colon, 0)).trim().toLowerCase()
}

function isOfReceivingSide(name: string): boolean {
  return RECEIVING_SIDE_FIELDS.some((pattern) => pattern.test(name))
}
