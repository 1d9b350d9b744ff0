/**
 * A service in a process of its own, so that its memory and descriptors are its own, and clients
 * that mean it no good: they say nothing, or a byte at a time, or more than anybody wants to hear.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ORDER } from './service.ts'

const MAIN = new URL('../../src/main.ts', import.meta.url).pathname
const FLAGS = ['--max-semi-space-size=4', '--heap-growing-percent=30']

const KIB = 1024
const MIB = 1024 * KIB

/** A process that loads all modules on a busy machine. */
const START_MS_MAX = 30_000

/** Connections begun at once: fewer than the kernel lets wait for a server (511). */
const CONNECTING = 250

export interface ServiceProcess {
  readonly port: number
  /** Files, sockets and the like that it has open. */
  descriptors(): Promise<number>
  /** Memory that it takes up, in bytes. */
  memoryBytes(): Promise<number>
  /** Names of the temporary files that are there now. */
  temporaryFiles(): Promise<string[]>
  stop(): Promise<void>
}

/** Of one worker, as `npm start` starts it. */
export async function startService(
  environment: Record<string, string> = {},
): Promise<ServiceProcess> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tamis-hostile-'))
  const env = {
    TAMIS_DATA_DIR: dataDir,
    TAMIS_WORKERS: '1',
    TAMIS_PORT: '0',
    TAMIS_LOG_LEVEL: 'silent',
    TAMIS_SHUTDOWN_MS: '100',
    ...environment,
  }
  const child = spawn(process.execPath, [...FLAGS, MAIN], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const port = await listeningPort(child)
  return {
    port,
    descriptors: async () => (await readdir(`/proc/${child.pid}/fd`)).length,
    memoryBytes: async () => {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * KIB
    },
    temporaryFiles: () => readdir(join(dataDir, 'tmp')),
    stop: async () => {
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function listeningPort(child: ChildProcess): Promise<number> {
  let output = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const end = performance.now() + START_MS_MAX
  while (child.exitCode === null && performance.now() < end) {
    const port = /^Tamis listens on http:\S+:(\d+) /m.exec(output)?.[1]
    if (port !== undefined) return Number(port)
    await sleep(20)
  }
  throw new Error(`It does not listen: ${output}`)
}

export interface Answer {
  readonly status: number
  readonly body: string
  /** From the request to the end of the answer. */
  readonly ms: number
}

/** Over a connection of its own, closed afterwards. */
export async function ask(
  port: number,
  path: string,
  body?: string | Buffer,
  contentType = 'message/rfc822',
): Promise<Answer> {
  const started = performance.now()
  const headers = body === undefined ? {} : { 'content-type': contentType }
  const method = body === undefined ? 'GET' : 'POST'
  const sent = request({ host: '127.0.0.1', port, path, method, headers, agent: false }).end(body)
  const [response] = await once(sent, 'response')
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString()
  return { status: response.statusCode, body: text, ms: performance.now() - started }
}

/** What honest clients ask: all that a service answers promptly whoever else is connected. */
export async function askHonestly(port: number): Promise<readonly Answer[]> {
  return [
    await ask(port, '/health'),
    await ask(port, '/classify/embed-text', '{"text":"Your parcel"}', 'application/json'),
    await ask(port, '/classify-stream', ORDER),
  ]
}

/** `count` connections, all of them open. */
export async function openConnections(port: number, count: number): Promise<Socket[]> {
  const sockets: Socket[] = []
  while (sockets.length < count) {
    const begun = Array.from({ length: Math.min(CONNECTING, count - sockets.length) }, () =>
      connect(port, '127.0.0.1').on('error', () => {}),
    )
    await Promise.all(begun.map((socket) => once(socket, 'connect')))
    sockets.push(...begun)
  }
  return sockets
}

/** How a service fares with `count` clients that are connected and say nothing, in a line for a person. */
export async function idleConnectionsReport(count: number): Promise<string> {
  const service = await startService()
  try {
    await askHonestly(service.port)
    const memoryBefore = await service.memoryBytes()
    const sockets = await openConnections(service.port, count)
    const answers: Answer[] = []
    for (let rounds = 0; rounds < 10; rounds++) answers.push(...(await askHonestly(service.port)))
    const grown = ((await service.memoryBytes()) - memoryBefore) / MIB
    const open = sockets.filter(({ readyState }) => readyState === 'open').length
    for (const socket of sockets) socket.destroy()
    const failed = answers.filter(({ status }) => status !== 200).length
    const slowest = Math.max(...answers.map(({ ms }) => ms))
    return `${open} idle connections: ${answers.length} requests answered, ${failed} of them not with 200, the slowest in ${slowest.toFixed(0)} ms; ${grown.toFixed(0)} MiB more memory`
  } finally {
    await service.stop()
  }
}
