/** Other programs: whether they are there, what they print, and daemons. */
import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** A daemon reads its rules and compiles expressions first: over a minute on a busy machine. */
const START_TIMEOUT_MS = 300_000

const START_POLL_MS = 20

const STOP_TIMEOUT_MS = 10_000

/** Room for one line a message. */
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024

/** First match of `pattern` in what `command --version` prints; undefined when there is no such program. */
export function versionOf(command: string, pattern = /version (\S+)/): string | undefined {
  const { stdout, stderr, error } = spawnSync(command, ['--version'], { encoding: 'utf8' })
  if (error !== undefined) return undefined
  return pattern.exec(`${stdout}${stderr}`)?.[1]
}

/** What `command` prints, given `input`. Some programs tell their verdict by the exit status: none is an error here. */
export function outputOf(
  command: string,
  args: readonly string[],
  input: string | Uint8Array = '',
): Promise<{ stdout: string; status: number }> {
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

export interface Daemon {
  readonly pid: number
  readonly stop: () => Promise<void>
}

/** Starts a daemon whose output goes to the file `log`; resolves when `isReady` says so. */
export async function startDaemon(
  { command, args, log }: { command: string; args: readonly string[]; log: string },
  isReady: () => Promise<boolean>,
): Promise<Daemon> {
  const output = openSync(log, 'a')
  const child = spawn(command, args, { stdio: ['ignore', output, output] })
  const ended = once(child, 'exit')
  const stop = async () => {
    const kill = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
    if (child.exitCode === null) child.kill()
    await ended
    clearTimeout(kill)
  }
  for (const until = performance.now() + START_TIMEOUT_MS; !(await isReady()); ) {
    if (child.exitCode !== null || performance.now() > until) {
      await stop()
      throw new Error(`${command} does not start: see ${log}`)
    }
    await sleep(START_POLL_MS)
  }
  return { pid: child.pid!, stop }
}

/** Whether a server answers at `url`. */
export async function answersAt(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok
  } catch {
    return false
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
