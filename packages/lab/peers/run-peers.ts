/**
 * Other filters on the same mail. Nothing is kept from one run to the next: what an old run said of
 * other files or versions would be no comparison. They get each message with the fields of the
 * receiving side taken out.
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProgress } from '../../terminal/progress.ts'

/** What a filter said of one message. */
export interface PeerVerdict {
  /** Its own scale; higher is more like spam. */
  readonly score: number
  /** By its own default threshold. */
  readonly calledSpam: boolean
}

/** A filter that runs. Messages are paths of raw messages. */
export interface RunningPeer {
  readonly judge: (path: string) => Promise<PeerVerdict>
  readonly learn: (paths: readonly string[], spam: boolean) => Promise<void>
  readonly stop: () => Promise<void>
}

/** Another spam filter: started with nothing learned, told labels, asked for verdicts. */
export interface Peer {
  readonly name: string
  /** As the installed program gives it; undefined when it, or what it needs, is not installed. */
  readonly version: () => string | undefined
  /** @param scratch empty folder, for what it stores */
  readonly start: (scratch: string) => Promise<RunningPeer>
}

/** A raw message, and its label where it has one. */
interface PeerMessage {
  readonly bytes: Uint8Array
  readonly spam: boolean | undefined
}

export interface PeerRun {
  readonly peer: Peer
  /** In the order of the messages asked about; none when it could not be run. */
  readonly verdicts: readonly PeerVerdict[]
  /** Why it could not be run. */
  readonly failure?: string
}

/** Each filter trained on `training` and then asked about `asked`, one filter after the other. */
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
        for (const spam of [true, false]) await filter.learn(labelled(spam), spam)
        return await inParallel(judged, async (path) => {
          const verdict = await filter.judge(path)
          onJudged()
          return verdict
        })
      }
      // The others' verdicts are worth having.
      const failed = (error: unknown) => ({ peer, verdicts: [], failure: String(error) })
      runs.push(await runPeer(peer, folder, run).catch(failed))
    }
    return runs
  })
}

const MESSAGES_AT_ONCE = 4

/** Some of the items at a time; results in the order of the items. */
export async function inParallel<T, R>(
  items: readonly T[],
  judge: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = new Array(items.length)
  const queue = items.entries()
  const work = async () => {
    for (const [position, item] of queue) results[position] = await judge(item)
  }
  await Promise.all(Array.from({ length: MESSAGES_AT_ONCE }, work))
  return results
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
  const scratch = join(folder, peer.name)
  mkdirSync(scratch)
  const filter = await peer.start(scratch)
  try {
    return { peer, verdicts: await run(filter) }
  } finally {
    await filter.stop()
  }
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
  // One character an octet.
  const text = Buffer.from(message).toString('latin1')
  const end = /(?<=^|\n)\r?\n/.exec(text)?.index ?? text.length
  const fields = text.slice(0, end).split(/(?<=\n)(?![ \t])/)
  const kept = fields.filter((field) => {
    const name = field
      .slice(0, Math.max(field.indexOf(':'), 0))
      .trim()
      .toLowerCase()
    return !RECEIVING_SIDE_FIELDS.some((pattern) => pattern.test(name))
  })
  return Buffer.from(kept.join('') + text.slice(end), 'latin1')
}
