/**
 * The milter as a process: connections of MTAs, each a MilterSession, within bounds.
 *
 * An error on a connection ends only that connection; what the MTA then does with the message is its own
 * setting (Postfix: milter_default_action).
 */
import type { Socket } from 'node:net'
import type { TamisClient } from '../../../client/client.ts'
import { ByteBudget } from '../../admission/byte-budget.ts'
import type { Log } from '../../http/log.ts'
import { messageLine } from '../../http/message-line.ts'
import { KeyNotice } from '../key-notice.ts'
import { type Listener, type ListenSettings, openListener, type Protocol } from '../listener.ts'
import { PacketReader } from './protocol.ts'
import { MilterSession, type Report, type SessionDependencies } from './session.ts'
import type { MilterPolicy } from './settings.ts'
import { SubmissionTeller } from './submission.ts'

/** Longest time that Tamis may get for an answer: Postfix waits five minutes for ours, and Tamis may be asked twice. */
export const TIMEOUT_MS_MAX = 60_000

/** Longest pause within a message, which the MTA already has on its disk. While Tamis judges it, nothing arrives either. */
const MESSAGE_PAUSE_MS_MAX = 3 * TIMEOUT_MS_MAX

/** Longest pause between messages and within an envelope: an SMTP client may take five minutes for a command, and Sendmail allows it an hour. */
const SESSION_PAUSE_MS_MAX = 3_700_000

/** Bytes of incomplete packets on all connections together. */
const PACKET_BYTES_MAX = 64 * 1024 * 1024

const COUNTS_EVERY_MS = 60_000

export interface MilterSettings extends ListenSettings {
  readonly messageBytesMax: number
  readonly memoryBytesMax: number
  readonly bufferBytes: number
  /** Folder for messages larger than `memoryBytesMax`. */
  readonly folder: string
  readonly policy: MilterPolicy
}

/** @throws TamisError CONFIG_INVALID when it cannot listen. */
export async function startMilter(
  settings: MilterSettings,
  client: TamisClient,
  log: Log,
): Promise<Listener> {
  return await openListener(settings, new Milter(settings, client, log), log)
}

class Milter implements Protocol {
  readonly name = 'The milter'
  readonly allowHalfOpen = false
  readonly #log: Log
  readonly #keyNotice: KeyNotice
  readonly #counts = new Counts()
  readonly #dependencies: SessionDependencies
  readonly #packetBudget = new ByteBudget(PACKET_BYTES_MAX)
  readonly #sessions = new Map<Socket, MilterSession>()
  readonly #countsTimer: NodeJS.Timeout
  #isClosing = false

  constructor(settings: MilterSettings, client: TamisClient, log: Log) {
    const { messageBytesMax, memoryBytesMax, bufferBytes, folder, policy, timeoutMs } = settings
    this.#log = log
    this.#keyNotice = new KeyNotice(log)
    const submissions = new SubmissionTeller(client, log)
    this.#dependencies = {
      client,
      policy,
      timeoutMs,
      collector: { messageBytesMax, memoryBytesMax, budget: new ByteBudget(bufferBytes), folder },
      report: (report) => this.#report(report),
      submitted: (told) => submissions.tell(told),
    }
    this.#countsTimer = setInterval(() => this.#writeCounts(), COUNTS_EVERY_MS).unref()
  }

  closing(): void {
    this.#isClosing = true
    for (const [socket, session] of this.#sessions) {
      if (!session.isInMessage) socket.destroySoon()
    }
  }

  closed(): void {
    clearInterval(this.#countsTimer)
    this.#writeCounts()
  }

  async serve(socket: Socket, isTooMany: boolean): Promise<void> {
    if (isTooMany) {
      this.#counts.add('connections_refused')
      socket.destroy()
      return
    }
    this.#counts.add('connections')
    const session = new MilterSession(this.#dependencies)
    const packets = new PacketReader(this.#packetBudget)
    this.#sessions.set(socket, session)
    socket.setNoDelay(true)
    socket.setTimeout(SESSION_PAUSE_MS_MAX, () => socket.destroy())
    // When a connection ends, its message in progress need not be judged any more.
    socket.once('close', () => void session.close())
    try {
      await this.#converse(socket, session, packets)
    } catch (error) {
      this.#broken(error)
    } finally {
      this.#sessions.delete(socket)
      packets.close()
      socket.destroySoon()
      await session.close()
    }
  }

  /** Reads from a connection only as fast as the packets are handled: a message that waits for the disk or for Tamis delays only its own sender. */
  async #converse(socket: Socket, session: MilterSession, packets: PacketReader): Promise<void> {
    for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
      for (const packet of packets.add(chunk)) {
        await write(socket, await session.take(packet))
        if (session.hasQuit || (this.#isClosing && !session.isInMessage)) return
      }
      socket.setTimeout(session.isInMessage ? MESSAGE_PAUSE_MS_MAX : SESSION_PAUSE_MS_MAX)
    }
  }

  #broken(error: unknown): void {
    if (isCut(error)) {
      this.#counts.add('connections_cut')
      return
    }
    this.#counts.add('connections_broken')
    this.#log.warn(
      { err: textOf(error) },
      'A connection was closed, because the MTA did not follow the protocol',
    )
  }

  #report(report: Report): void {
    this.#counts.message(report)
    const { found, ms, foreignFieldsLeft, ...fields } = report
    const { kind, ...details } = found
    const usersLeft = 'usersLeft' in details ? details.usersLeft : 0
    const line = {
      ...fields,
      ...('verdict' in details
        ? messageLine(details.summary, details)
        : { verdict: kind, ...details }),
      ms: Math.round(ms),
      ...(foreignFieldsLeft > 0 && { foreignFieldsLeft }),
      ...(usersLeft > 0 && { usersLeft }),
    }
    if (kind === 'unscanned') {
      this.#keyNotice.refused(found.code)
      this.#log.warn(line, 'message')
    } else this.#log.info(line, 'message')
  }

  #writeCounts(): void {
    const counts = this.#counts.take()
    if (counts !== undefined) {
      this.#log.info({ ...counts, connections_open: this.#sessions.size }, 'counts')
    }
  }
}

/** Waits for an MTA that does not read, so that no more replies pile up than a socket buffers. */
async function write(socket: Socket, replies: readonly Buffer[]): Promise<void> {
  if (replies.length === 0 || !socket.writable) return
  if (socket.write(Buffer.concat(replies)) || socket.destroyed) return
  await new Promise<void>((resolve) => {
    socket.once('drain', resolve).once('close', resolve)
  })
}

/** True when the connection was just cut: Postfix does so when its client does. */
function isCut(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ECONNRESET' || code === 'EPIPE' || code === 'ERR_STREAM_PREMATURE_CLOSE'
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Counts what the milter has done since it last reported. */
class Counts {
  #counts = new Map<string, number>()

  add(name: string): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1)
  }

  message({ found, action }: Report): void {
    this.add('messages')
    this.add(found.kind === 'judged' ? found.verdict : found.kind)
    if (found.kind === 'unscanned') this.add(`unscanned_${found.cause}`)
    if (action !== 'accept') this.add(`action_${action}`)
  }

  /** Returns all counts and resets them; undefined when there are none. */
  take(): Record<string, number> | undefined {
    if (this.#counts.size === 0) return undefined
    const counts = Object.fromEntries(this.#counts)
    this.#counts = new Map()
    return counts
  }
}
