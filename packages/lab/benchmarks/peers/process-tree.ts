/** What a process and all that descend from it have used, as Linux counts it in /proc. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** Ticks a second of the times in /proc/<pid>/stat. */
const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))

/** Fields of /proc/<pid>/stat, counted from the one after the name, which may hold anything (proc_pid_stat(5)). */
const PARENT = 1
const TIMES = { own: [11, 12], endedChildren: [13, 14] }

const NOTHING: ReadonlySet<number> = new Set()

/** User and system time of the tree so far, its ended processes included, in milliseconds. */
export function treeCpuMs(root: number): number {
  const ticks = processTree(root).map((pid) => sumOf(pid, [...TIMES.own, ...TIMES.endedChildren]))
  return inMs(ticks.reduce((sum, each) => sum + each, 0))
}

/** User and system time of the children of this process that have ended, in milliseconds. */
export function endedChildrenCpuMs(): number {
  return inMs(sumOf(process.pid, TIMES.endedChildren))
}

/** Memory of the tree, in MiB: what several processes share is counted once (proportional set size). */
export function treeMemoryMiB(root: number): number {
  const kibibytes = processTree(root).map((pid) => {
    const rollup = readIfThere(`/proc/${pid}/smaps_rollup`)
    return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0)
  })
  return kibibytes.reduce((sum, each) => sum + each, 0) / 1024
}

function processTree(root: number): number[] {
  const children = new Map<number, Set<number>>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const parent = Number(statFields(Number(name))[PARENT])
    children.set(parent, new Set([...(children.get(parent) ?? NOTHING), Number(name)]))
  }
  const found = [root]
  // Grows while it is walked.
  for (const pid of found) found.push(...(children.get(pid) ?? NOTHING))
  return found
}

function sumOf(pid: number, fields: readonly number[]): number {
  const values = statFields(pid)
  return fields.reduce((sum, field) => sum + Number(values[field] ?? 0), 0)
}

function statFields(pid: number): string[] {
  const stat = readIfThere(`/proc/${pid}/stat`)
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

/** '' for a process that has just ended. */
function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

function inMs(ticks: number): number {
  return (ticks / TICKS_PER_SECOND) * 1_000
}
