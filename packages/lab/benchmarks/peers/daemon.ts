/** Servers under test: started on given cores, and used once they have come to rest. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { treeCpuMs } from './process-tree.ts'

/** Rspamd compiles its expressions first, which takes some 20 s on a busy machine. */
const START_TIMEOUT_MS = 120_000

const START_POLL_MS = 200

/** A server that has compiled and loaded everything uses less than this in a second. */
const REST_CPU_MS = 30

const STOP_TIMEOUT_MS = 10_000

export interface Command {
  readonly command: string
  readonly args: readonly string[]
  /** Where its output goes. */
  readonly log: string
  /** The cores to run on, written as for `taskset -c`: '0', '0,1'. */
  readonly cores: string
}

export interface Daemon {
  readonly pid: number
  stop(): Promise<void>
}

/** Starts a daemon; resolves when `isReady` says so and it does no more work of its own. */
export async function startDaemon(
  { command, args, log, cores }: Command,
  isReady: () => Promise<boolean>,
): Promise<Daemon> {
  const output = openSync(log, 'a')
  // taskset becomes the command: the process is the daemon's own.
  const child = spawn('taskset', ['-c', cores, command, ...args], {
    stdio: ['ignore', output, output],
  })
  const ended = once(child, 'exit')
  const stop = async () => await stopChild(child, ended)
  try {
    await untilReady(child, isReady, `${command} does not start: see ${log}`)
    await untilAtRest(child.pid!)
    return { pid: child.pid!, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function untilReady(
  child: ChildProcess,
  isReady: () => Promise<boolean>,
  failure: string,
): Promise<void> {
  const until = performance.now() + START_TIMEOUT_MS
  while (!(await isReady())) {
    if (child.exitCode !== null || performance.now() > until) throw new Error(failure)
    await sleep(START_POLL_MS)
  }
}

async function untilAtRest(pid: number): Promise<void> {
  const until = performance.now() + START_TIMEOUT_MS
  while (performance.now() < until) {
    const before = treeCpuMs(pid)
    await sleep(1_000)
    if (treeCpuMs(pid) - before < REST_CPU_MS) return
  }
}

async function stopChild(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  const kill = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
  if (child.exitCode === null) child.kill()
  await ended
  clearTimeout(kill)
}
