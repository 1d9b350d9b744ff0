/**
 * The milter: connections of MTAs, each a MilterSession.
 *
 * An error on a connection ends only that connection; what the MTA then does with the message is its own
 * setting (Postfix: milter_default_action).
 */
import type { Socket } from 'node:net'
import { ByteBudget } from '../../admission/byte-budget.ts'
import type { Filter, FilterParts } from '../filter.ts'
import { PacketReader } from './protocol.ts'
import { MilterSession, type MilterSettings } from './session.ts'

/** Longest pause within a message, which the MTA already has on its disk. While it is judged, nothing arrives either. */
const MESSAGE_PAUSE_MS_MAX = 180_000

/** Longest pause between messages and within an envelope: an SMTP client may take five minutes for a command, and Sendmail allows it an hour. */
const SESSION_PAUSE_MS_MAX = 3_700_000

/** Bytes of incomplete packets on all connections together. */
const PACKET_BYTES_MAX = 64 * 1024 * 1024

export class Milter implements Filter {
  readonly #settings: MilterSettings
  readonly #parts: FilterParts
  readonly #packetBudget = new ByteBudget(PACKET_BYTES_MAX)
  readonly #sessions = new Map<Socket, MilterSession>()
  #isEnding = false

  constructor(settings: MilterSettings, parts: FilterParts) {
    this.#settings = settings
    this.#parts = parts
  }

  end(): void {
    this.#isEnding = true
    for (const [socket, session] of this.#sessions) {
      if (!session.isInTransaction) socket.destroySoon()
    }
  }

  async serve(socket: Socket): Promise<void> {
    const session = new MilterSession({ ...this.#parts, settings: this.#settings }, socket)
    const packets = new PacketReader(this.#packetBudget)
    this.#sessions.set(socket, session)
    socket.setTimeout(SESSION_PAUSE_MS_MAX, () => socket.destroy())
    // When a connection ends, its message in progress need not be judged any more.
    socket.once('close', () => void session.close())
    try {
      await this.#converse(socket, session, packets)
    } catch (error) {
      if (!isCut(error)) {
        this.#parts.log.warn(
          { err: error instanceof Error ? error.message : String(error) },
          'A connection was closed, because the MTA did not follow the protocol',
        )
      }
    } finally {
      this.#sessions.delete(socket)
      packets.close()
      socket.destroySoon()
      await session.close()
    }
  }

  /** Reads from a connection only as fast as the packets are handled: a message that waits for the disk or its turn delays only its own sender. */
  async #converse(socket: Socket, session: MilterSession, packets: PacketReader): Promise<void> {
    for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
      for (const packet of packets.add(chunk)) {
        await write(socket, await session.take(packet))
        if (session.hasQuit || (this.#isEnding && !session.isInTransaction)) return
      }
      socket.setTimeout(session.isInMessage ? MESSAGE_PAUSE_MS_MAX : SESSION_PAUSE_MS_MAX)
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
