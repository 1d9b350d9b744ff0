/**
 * A DNS server on loopback, by UDP and TCP, for zones that a test writes down:
 *
 *     { 'example.com': { TXT: ['v=spf1 mx -all'], MX: [[10, 'mx.example.com']] } }
 *
 * A name that is not in the zone does not exist (NXDOMAIN); one that is there without the type
 * asked for has no such record (NODATA). 'SERVFAIL' and 'SILENT' stand for names whose server
 * fails, or never answers. Answers longer than a packet are cut short by UDP and whole by TCP.
 */
import { createSocket, type Socket as UdpSocket } from 'node:dgram'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import packet, { type Answer, type Packet } from 'dns-packet'

/** Octets of a packet that every resolver takes without asking (RFC 1035 §4.2.1). */
const UDP_BYTES_MAX = 512

/** Octets of one character-string of a TXT record (RFC 1035 §3.3.14). */
const CHARACTER_STRING = /[\s\S]{1,255}/g

const NXDOMAIN = 3
const SERVFAIL = 2
const TTL_SECONDS = 300

export interface Records {
  readonly A?: readonly string[]
  readonly AAAA?: readonly string[]
  readonly CNAME?: readonly string[]
  readonly PTR?: readonly string[]
  readonly TXT?: readonly string[]
  readonly MX?: readonly (readonly [preference: number, exchange: string])[]
}

export type Zone = Readonly<Record<string, Records | 'SERVFAIL' | 'SILENT'>>

export interface DnsServer {
  /** 'address:port', as ResolverSettings take it. */
  readonly address: string
  /** Questions asked so far: 'TXT example.com', and 'TCP TXT example.com' by TCP. */
  readonly questions: string[]
  /** What it answers by; may be replaced. */
  zone: Zone
  /** What answers by UDP wait for, if anything. */
  until?: Promise<void>
}

/** Answers until the end of the test or suite. */
export async function startDnsServer(
  t: Pick<TestContext, 'after'>,
  zone: Zone,
): Promise<DnsServer> {
  const sockets = new Set<Socket>()
  const { udp, tcp } = await listenOnOnePort()
  t.after(() => {
    udp.close()
    tcp.close()
    for (const socket of sockets) socket.destroy()
  })

  const server: DnsServer = {
    address: `127.0.0.1:${(tcp.address() as AddressInfo).port}`,
    questions: [],
    zone,
  }
  udp.on('message', (bytes, peer) => {
    const answer = answerTo(packet.decode(bytes), server, '')
    if (answer === undefined) return
    const whole = packet.encode(answer)
    const sent =
      whole.length <= UDP_BYTES_MAX
        ? whole
        : packet.encode({
            ...answer,
            flags: (answer.flags ?? 0) | packet.TRUNCATED_RESPONSE,
            answers: [],
          })
    const send = () => udp.send(sent, peer.port, peer.address)
    if (server.until === undefined) send()
    else void server.until.then(send)
  })
  tcp.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    let received = Buffer.alloc(0)
    socket.on('data', (bytes) => {
      received = Buffer.concat([received, bytes])
      while (received.length >= 2 && received.length >= 2 + received.readUInt16BE(0)) {
        const length = 2 + received.readUInt16BE(0)
        const answer = answerTo(packet.streamDecode(received.subarray(0, length)), server, 'TCP ')
        received = received.subarray(length)
        if (answer !== undefined) socket.write(packet.streamEncode(answer))
      }
    })
  })
  return server
}

/** Ports tried; one that is free by TCP may be in use by UDP. */
const PORTS_TRIED_MAX = 20

async function listenOnOnePort(): Promise<{ udp: UdpSocket; tcp: Server }> {
  for (let tried = 1; ; tried++) {
    const tcp = createServer().listen(0, '127.0.0.1')
    await once(tcp, 'listening')
    const udp = createSocket('udp4')
    try {
      udp.bind((tcp.address() as AddressInfo).port, '127.0.0.1')
      await once(udp, 'listening')
      return { udp, tcp }
    } catch (error) {
      udp.close()
      tcp.close()
      if (tried === PORTS_TRIED_MAX) throw error
    }
  }
}

function answerTo(query: Packet, server: DnsServer, transport: string): Packet | undefined {
  const question = query.questions?.[0]
  if (question === undefined) return undefined
  const name = question.name.toLowerCase()
  server.questions.push(`${transport}${question.type} ${name}`)
  const records = server.zone[name]
  if (records === 'SILENT') return undefined
  const code = records === 'SERVFAIL' ? SERVFAIL : records === undefined ? NXDOMAIN : 0
  return {
    type: 'response',
    ...(query.id === undefined ? {} : { id: query.id }),
    flags: packet.RECURSION_DESIRED | packet.RECURSION_AVAILABLE | code,
    questions: [question],
    answers: typeof records === 'object' ? answersOf(question.name, question.type, records) : [],
  }
}

function answersOf(name: string, type: string, records: Records): Answer[] {
  const head = { name, ttl: TTL_SECONDS }
  if (type === 'TXT') {
    return (records.TXT ?? []).map((text) => ({ ...head, type, data: characterStrings(text) }))
  }
  if (type === 'MX') {
    return (records.MX ?? []).map(([preference, exchange]) => ({
      ...head,
      type,
      data: { preference, exchange },
    }))
  }
  if (type !== 'A' && type !== 'AAAA' && type !== 'CNAME' && type !== 'PTR') return []
  return (records[type] ?? []).map((data) => ({ ...head, type, data }))
}

function characterStrings(text: string): Buffer[] {
  return (text.match(CHARACTER_STRING) ?? ['']).map((piece) => Buffer.from(piece, 'latin1'))
}
