/**
 * Connections to a given server process: all of them accept on one socket, and a test that means one of
 * them has to know who has accepted it. Linux tells by the number of the socket (proc_pid_net(5)).
 */
import { readdir, readFile, readlink } from 'node:fs/promises'
import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import type { Socket } from 'node:net'
import { eventually } from '../../../../test/eventually.ts'
import type { ServiceProcess } from '../helpers/service-process.ts'

/** Columns of a line of /proc/net/tcp. */
const LOCAL = 1
const REMOTE = 2
const STATE = 3
const INODE = 9

const LISTENS = '0A'

export interface Ask {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

export class Connection {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })
  readonly #service: ServiceProcess
  #socket: Socket | undefined

  constructor(service: ServiceProcess) {
    this.#service = service
  }

  /** Rejected when the connection breaks before the whole answer is there. */
  ask({ method = 'GET', path, headers = {}, body = '' }: Ask): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const options = {
        agent: this.#agent,
        method,
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      }
      const sent = request(this.#service.url + path, options, (response) => {
        this.#socket = response.socket
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () =>
          resolve({
            status: response.statusCode!,
            headers: response.headers,
            text: Buffer.concat(chunks).toString(),
          }),
        )
      })
      sent.on('error', reject)
      sent.end(body)
    })
  }

  /** Posts a message. */
  post(path: string, body: string, headers: Readonly<Record<string, string>> = {}) {
    const own = { 'content-type': 'message/rfc822', ...headers }
    return this.ask({ method: 'POST', path, headers: own, body })
  }

  /** The server process that has accepted it; undefined before the first answer. */
  async pid(): Promise<number | undefined> {
    const [own, port] = [this.#socket?.localPort, this.#service.port]
    if (own === undefined) return undefined
    const lines = await tcpLines()
    const line = lines.find((each) => portOf(each[LOCAL]) === port && portOf(each[REMOTE]) === own)
    for (const pid of await this.#service.serverPids()) {
      if (line !== undefined && (await descriptorsOf(pid, line[INODE]!)).length > 0) return pid
    }
    return undefined
  }

  close(): void {
    this.#agent.destroy()
  }
}

/** A connection to each server process, in the order of `pids`. */
export async function connectionsTo(
  service: ServiceProcess,
  pids: readonly number[],
): Promise<Connection[]> {
  const found = new Map<number, Connection>()
  await eventually(async () => {
    const connection = new Connection(service)
    await connection.ask({ path: '/health' })
    const pid = await connection.pid()
    if (pid === undefined || found.has(pid)) connection.close()
    else found.set(pid, connection)
    return pids.every((each) => found.has(each))
  })
  return pids.map((pid) => found.get(pid)!)
}

/** The server processes of the service, once there are `count` that accept connections. */
export async function listeningPids(service: ServiceProcess, count: number): Promise<number[]> {
  return await eventually(async () => {
    const pids = await service.serverPids()
    const listening: number[] = []
    for (const pid of pids) if (await acceptsOn(pid, service.port)) listening.push(pid)
    return listening.length === count && pids.length === count && listening
  })
}

/** Whether the process waits for connections on the socket of `port`, and does not only have it. */
export async function acceptsOn(pid: number, port: number): Promise<boolean> {
  const fds = await descriptorsOn(pid, port)
  // What a process waits for stands with its descriptors of epoll (proc_pid_fdinfo(5)).
  const names = await readdir(`/proc/${pid}/fdinfo`).catch(() => [])
  const infos = await Promise.all(
    names.map((name) => readFile(`/proc/${pid}/fdinfo/${name}`, 'utf8').catch(() => '')),
  )
  const waitsFor = [...infos.join('').matchAll(/^tfd:\s+(\d+)/gm)].map(([, fd]) => fd!)
  return fds.some((fd) => waitsFor.includes(fd))
}

/** The descriptors of the process for the socket that listens on `port`. */
export async function descriptorsOn(pid: number, port: number): Promise<string[]> {
  const lines = await tcpLines()
  const line = lines.find((each) => each[STATE] === LISTENS && portOf(each[LOCAL]) === port)
  return line === undefined ? [] : await descriptorsOf(pid, line[INODE]!)
}

async function tcpLines(): Promise<string[][]> {
  const [, ...lines] = (await readFile('/proc/net/tcp', 'utf8')).split('\n')
  return lines.map((line) => line.trim().split(/\s+/))
}

/** The port of an address such as '0100007F:1F90'. */
function portOf(address: string | undefined): number {
  return Number.parseInt(address?.split(':')[1] ?? '', 16)
}

async function descriptorsOf(pid: number, inode: string): Promise<string[]> {
  // It may end meanwhile.
  const names = await readdir(`/proc/${pid}/fd`).catch(() => [])
  const files = await Promise.all(
    names.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => '')),
  )
  return names.filter((_, at) => files[at] === `socket:[${inode}]`)
}
