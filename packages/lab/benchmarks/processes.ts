/** What a process and its descendants have used, as Linux counts it in /proc, and the cores that they run on. */
import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

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

/** User and system time of each thread of the tree so far, in milliseconds, by its id. */
export function threadCpuMs(root: number): Map<string, number> {
  const threads = processTree(root).flatMap((pid) =>
    readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}/stat`),
  )
  return new Map(
    threads.map((stat) => {
      const [user, system] = fieldsOf(stat).slice(CPU_TIMES[0], CPU_TIMES[2])
      return [stat, (1_000 * (Number(user) + Number(system))) / TICKS_PER_SECOND]
    }),
  )
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
  return fieldsOf(`/proc/${pid}/stat`)
}

function fieldsOf(path: string): string[] {
  const stat = read(path)
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
