/** Other programs: whether they are there, what they print, and daemons that live as long as a task. */
import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** A daemon reads its rules and compiles expressions first: some 15 s on a busy machine. */
const START_TIMEOUT_MS = 120_000

const START_POLL_MS = 500

/** Room for one line a message. */
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024

/** First match of `pattern` in what `command` prints; undefined when there is no such program. */
export function versionOf(
  command: string,
  args: readonly string[],
  pattern: RegExp,
): string | undefined {
  const { stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8' })
  if (error !== undefined) return undefined
  return pattern.exec(`${stdout}${stderr}`)?.[1]
}

export interface Output {
  readonly stdout: string
  readonly status: number
}

/** What `command` prints, given `input`. Some programs tell their verdict by the exit status: none is an error here. */
export function outputOf(
  command: string,
  args: readonly string[],
  input: string | Uint8Array = '',
): Promise<Output> {
  return new Promise((resolve, reject) => {
    const options = { encoding: 'utf8', maxBuffer: OUTPUT_BYTES_MAX } as const
    const child = execFile(command, args, options, (error, stdout) => {
      if (error !== null && typeof error.code !== 'number') reject(error)
      else resolve({ stdout, status: child.exitCode ?? 0 })
    })
    // A program may stop reading early; its verdict tells.
    child.stdin?.on('error', () => {})
    child.stdin?.end(input)
  })
}

/** Runs `use` while a daemon runs, and ends it. The daemon is used once `isReady` says so. */
export async function withDaemon<T>(
  daemon: { command: string; args: readonly string[]; log: string },
  isReady: () => Promise<boolean>,
  use: () => Promise<T>,
): Promise<T> {
  const log = openSync(daemon.log, 'a')
  const child = spawn(daemon.command, daemon.args, { stdio: ['ignore', log, log] })
  const ended = once(child, 'exit')
  try {
    for (const until = performance.now() + START_TIMEOUT_MS; !(await isReady()); ) {
      if (child.exitCode !== null || performance.now() > until) {
        throw new Error(`${daemon.command} does not start: see ${daemon.log}`)
      }
      await sleep(START_POLL_MS)
    }
    return await use()
  } finally {
    if (child.exitCode === null) child.kill()
    await ended
  }
}

/** A port on the loopback that nothing listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** `judge` for every item, `concurrency` at a time; results in the order of the items. */
export async function inParallel<T, R>(
  items: readonly T[],
  concurrency: number,
  judge: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = new Array(items.length)
  const queue = items.entries()
  const work = async () => {
    for (const [position, item] of queue) results[position] = await judge(item)
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  return results
}
