/** The service as a process, and what a process and its descendants have used, as Linux counts it in /proc. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { answersAt, type Daemon, freePort, startDaemon } from '../peers/processes.ts'

/** A server at rest uses less than this in a second. */
const REST_CPU_MS = 60

/** Fields of /proc/<pid>/stat after the name (proc_pid_stat(5)). */
const PARENT = 1
const CPU_TIMES = [11, 12, 13, 14]

const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))

/** User and system time of the tree so far, its ended processes included, in milliseconds. */
export function treeCpuMs(root: number): number {
  const ticks = processTree(root).flatMap((pid) => CPU_TIMES.map((at) => statFields(pid)[at] ?? 0))
  return (1_000 * ticks.reduce<number>((sum, each) => sum + Number(each), 0)) / TICKS_PER_SECOND
}

/** Resolves when the tree does next to nothing. */
export async function atRest(root: number): Promise<void> {
  for (let before = -REST_CPU_MS; treeCpuMs(root) - before >= REST_CPU_MS; ) {
    before = treeCpuMs(root)
    await sleep(1_000)
  }
}

/** Proportional set size of the tree, in MiB: what processes share is counted once. */
export function treeMemoryMiB(root: number): number {
  const kibibytes = processTree(root).map((pid) =>
    Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0),
  )
  return kibibytes.reduce((sum, each) => sum + each, 0) / 1024
}

/** @param cores as for `taskset -c`: '0', '0,1' */
export function pin(root: number, cores: string): void {
  for (const pid of processTree(root)) spawnSync('taskset', ['-acp', cores, `${pid}`])
}

function processTree(root: number): number[] {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const parents = all.map((pid) => [Number(pid), Number(statFields(Number(pid))[PARENT])] as const)
  const found = [root]
  // Grows while it is walked.
  for (const pid of found) {
    found.push(...parents.filter(([, parent]) => parent === pid).map(([child]) => child))
  }
  return found
}

function statFields(pid: number): string[] {
  const stat = read(`/proc/${pid}/stat`)
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

/** '' for a process that has just ended. */
function read(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

export interface Tamis extends Daemon {
  readonly url: string
}

/**
 * The service of the checkout `folder`, as `npm start` starts it, on a free port of the loopback and without the network. Resolves
 * when it is ready.
 */
export async function startTamis(
  folder: string,
  dataDir: string,
  settings: Readonly<Record<string, string>>,
): Promise<Tamis> {
  const port = await freePort()
  mkdirSync(dataDir, { recursive: true })
  const given = { ...settings, TAMIS_AUTH_DNS: 'off', TAMIS_DATA_DIR: dataDir, TAMIS_PORT: port }
  const environment = Object.entries(given).map(([name, value]) => `${name}=${value}`)
  const start = [process.execPath, 'packages/service/start.ts']
  const command = { command: 'env', args: ['-C', folder, ...environment, ...start] }
  const url = `http://127.0.0.1:${port}`
  const log = join(dataDir, 'benchmark.log')
  const daemon = await startDaemon({ ...command, log }, () => answersAt(`${url}/ready`))
  return { ...daemon, url }
}
