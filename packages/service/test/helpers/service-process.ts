/**
 * The service in a process of its own, started as `npm start` starts it: memory, descriptors and clock
 * are its own, and it can be killed.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { filesOf } from './open-files.ts'

const ROOT = join(import.meta.dirname, '../../../..')

/** What follows the last `exec node` of `npm start`: 'packages/service/start.ts'. */
const START: string[] = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  .scripts.start.split(' exec node ')
  .at(-1)
  .split(' ')

const KIB = 1024

/** A process that loads all modules on a very busy machine. */
const START_MS_MAX = 180_000

/** What is kept of what it says: the last lines tell why it ended. */
const OUTPUT_LENGTH_MAX = 64 * 1024

export interface ServiceProcess {
  readonly pid: number
  readonly port: number
  readonly url: string
  readonly dataDir: string
  /** The last of what it wrote: its log lines. */
  output(): string
  /** The last of what it wrote to stderr. */
  errors(): string
  /** Resolves when it has ended, to its status or to the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>
  /** Files, sockets and the like that it has open. */
  descriptors(): Promise<number>
  /** Memory that it takes up, in bytes. */
  memoryBytes(): Promise<number>
  /** The temporary files that are there or open now. */
  temporaryFiles(): Promise<string[]>
  signal(signal: NodeJS.Signals): void
  /** Ends it by `signal` and waits until it has; its data folder stays. */
  end(signal: NodeJS.Signals): Promise<void>
  /** Ends it, and removes its data folder unless that was given. */
  stop(): Promise<void>
}

export interface ServiceProcessOptions {
  readonly environment?: Readonly<Record<string, string>>
  /** A folder of its own when absent. */
  readonly dataDir?: string
  /** A free one when absent. */
  readonly port?: number
  /** This process's own when absent; another needs root. */
  readonly user?: { readonly uid: number; readonly gid: number }
  /** Descriptors of sockets to pass to it, as systemd does (sd_listen_fds(3)). */
  readonly sockets?: readonly number[]
}

/** What a shell does to become the process to which the sockets were passed. */
export const PASS_SOCKETS = 'LISTEN_PID=$$ exec "$0" "$@"'

/** A service of one serving thread that listens; its log is silent and it does not use the network unless `environment` says otherwise. */
export async function startService({
  environment = {},
  dataDir,
  port = 0,
  user,
  sockets = [],
}: ServiceProcessOptions = {}): Promise<ServiceProcess> {
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'tamis-process-')))
  const env = {
    PATH: process.env['PATH'],
    TAMIS_WORKERS: '1',
    TAMIS_LOG_LEVEL: 'silent',
    TAMIS_AUTH_DNS: 'off',
    ...environment,
    TAMIS_DATA_DIR: folder,
    TAMIS_PORT: `${port}`,
    LISTEN_FDS: `${sockets.length}`,
  }
  const child = spawn('sh', ['-c', PASS_SOCKETS, process.execPath, ...START], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'pipe', ...sockets],
    ...user,
  })
  let output = ''
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-OUTPUT_LENGTH_MAX)
  })
  let errors = ''
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-OUTPUT_LENGTH_MAX)
    process.stderr.write(text)
  })
  const exited = once(child, 'exit')
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    await exited
  }
  const remove = async () => {
    if (dataDir === undefined) await rm(folder, { recursive: true, force: true })
  }
  const listening = await listeningPort(child, () => output).catch(async (error: unknown) => {
    await end('SIGKILL')
    await remove()
    throw error
  })
  return {
    pid: child.pid!,
    port: listening,
    url: `http://127.0.0.1:${listening}`,
    dataDir: folder,
    output: () => output,
    errors: () => errors,
    ended: exited.then(([status, signal]) => status ?? signal),
    descriptors: async () => (await readdir(`/proc/${child.pid}/fd`)).length,
    memoryBytes: async () => {
      const memory = await readFile(`/proc/${child.pid}/smaps_rollup`, 'utf8')
      return Number(/^Pss:\s+(\d+)/m.exec(memory)?.[1]) * KIB
    },
    temporaryFiles: async () => filesOf(join(folder, 'tmp'), [child.pid!]),
    signal: (signal) => child.kill(signal),
    end,
    stop: async () => {
      await end('SIGTERM')
      await remove()
    },
  }
}

async function listeningPort(child: ChildProcess, output: () => string): Promise<number> {
  const deadline = performance.now() + START_MS_MAX
  while (child.exitCode === null && performance.now() < deadline) {
    const port = /^Tamis listens on http:\S+:(\d+) /m.exec(output())?.[1]
    if (port !== undefined) return Number(port)
    await sleep(20)
  }
  throw new Error(`It does not listen: ${output()}`)
}
