/** A milter in a service for one test, on a free port, and an MTA that speaks to it byte by byte. */
import { connect, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { openLog } from '../../../http/log.ts'
import type { FilterParts } from '../../../integrations/filter.ts'
import { Milter } from '../../../integrations/milter/server.ts'
import type { MilterSettings } from '../../../integrations/milter/session.ts'
import { filterPartsOf } from '../../http/service.ts'
import { type Listening, listenWith } from '../listening.ts'

export interface TestMilter {
  readonly milter: Listening
  readonly port: number
  /** What it has logged. */
  readonly lines: Record<string, unknown>[]
}

interface Changes {
  readonly settings?: Partial<MilterSettings>
  readonly address?: string
  /** In place of those of the service. */
  readonly parts?: Partial<FilterParts>
}

/** A milter of the service of `app`; it ends with the test. */
export async function testMilter(
  t: TestContext,
  app: FastifyInstance,
  { settings, address, parts }: Changes = {},
): Promise<TestMilter> {
  const lines: Record<string, unknown>[] = []
  const log = openLog({ write: (line) => void lines.push(JSON.parse(line)) }, 'info')
  const defaults: MilterSettings = {
    userOf: 'address',
    milterSpamFlag: 'on',
  }
  const filter = new Milter({ ...defaults, ...settings }, { ...filterPartsOf(app), log, ...parts })
  const milter = await listenWith(filter, { allowHalfOpen: false, address })
  t.after(() => milter.close())
  return { milter, port: milter.port, lines }
}

/** A reply as it came: its letter and its data. */
export type Reply = readonly [letter: string, data: string]

/** Everything that version 6 offers. */
export const OFFER = { version: 6, actions: 0x1ff, steps: 0x1f_ff_ff }

export class Mta {
  readonly #socket: Socket
  #received: Buffer = Buffer.alloc(0)
  #wake: () => void = () => {}
  #closed = false

  constructor(socket: Socket) {
    this.#socket = socket
    socket.on('data', (chunk) => {
      this.#received = Buffer.concat([this.#received, chunk])
      this.#wake()
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      this.#closed = true
      this.#wake()
    })
  }

  static async connect(t: TestContext, target: { port: number } | { path: string }): Promise<Mta> {
    const socket = connect(target)
    t.after(() => socket.destroy())
    await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
    return new Mta(socket)
  }

  /** One that has negotiated and has a client. */
  static async ready(t: TestContext, port: number): Promise<Mta> {
    const mta = await Mta.connect(t, { port })
    await mta.negotiate()
    mta.client()
    return mta
  }

  /** Sends raw bytes. */
  raw(bytes: Buffer): void {
    this.#socket.write(bytes)
  }

  send(command: string, data: string | Buffer = ''): void {
    this.raw(packet(command, data))
  }

  /** Breaks the connection. */
  leave(): void {
    this.#socket.resetAndDestroy()
  }

  /** The next reply; undefined when the milter has closed the connection. */
  async reply(): Promise<Reply | undefined> {
    while (!this.#isWhole()) {
      if (this.#closed) return undefined
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    const length = this.#received.readUInt32BE(0)
    const letter = String.fromCharCode(this.#received[4]!)
    const data = this.#received.toString('latin1', 5, 4 + length)
    this.#received = this.#received.subarray(4 + length)
    return [letter, data]
  }

  async negotiate(offer = OFFER): Promise<number[]> {
    this.send('O', uint32s(offer.version, offer.actions, offer.steps))
    const reply = await this.reply()
    const data = Buffer.from(reply?.[1] ?? '', 'latin1')
    return [0, 4, 8].map((at) => data.readUInt32BE(at))
  }

  /** A client at `ip`, which says HELO. */
  client(ip = '192.0.2.25', helo = 'client.example.net'): void {
    this.send('C', `${helo}\0${ip.includes(':') ? '6' : '4'}\0\x19${ip}\0`)
    this.send('H', `${helo}\0`)
  }

  /** A message as lines; resolves to the replies to its end. */
  async message(
    lines: readonly string[],
    { from = '<bob@example.net>', to = ['<ann@example.com>'], queueId = '4F00' } = {},
  ): Promise<Reply[]> {
    this.envelope(from, to, queueId)
    const blank = lines.indexOf('')
    for (const line of lines.slice(0, blank)) {
      const colon = line.indexOf(':')
      this.send('L', `${line.slice(0, colon)}\0${line.slice(colon + 1)}\0`)
    }
    this.send('N')
    this.send('B', lines.slice(blank + 1).join('\r\n'))
    return await this.end()
  }

  envelope(from: string, to: readonly string[], queueId = '4F00'): void {
    this.send('D', `Mi\0${queueId}\0`)
    this.send('M', `${from}\0`)
    for (const recipient of to) this.send('R', `${recipient}\0`)
  }

  async end(): Promise<Reply[]> {
    this.send('E')
    const replies: Reply[] = []
    for (;;) {
      const reply = await this.reply()
      if (reply === undefined) throw new Error('The milter closed the connection')
      replies.push(reply)
      if ('acdrty'.includes(reply[0])) return replies
    }
  }

  #isWhole(): boolean {
    return this.#received.length >= 4 && this.#received.length >= 4 + this.#received.readUInt32BE(0)
  }
}

export function packet(command: string, data: string | Buffer = ''): Buffer {
  const bytes = Buffer.concat([Buffer.from(command, 'latin1'), Buffer.from(data)])
  return Buffer.concat([uint32s(bytes.length), bytes])
}

export function uint32s(...numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * numbers.length)
  for (const [at, number] of numbers.entries()) bytes.writeUInt32BE(number, 4 * at)
  return bytes
}
