/** What a process and all that descend from it have used, as Linux counts it in /proc. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** Ticks a second of the times in /proc/<pid>/stat. */
const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))

/** Fields of /proc/<pid>/stat, counted from the one after the name, which may hold anything (proc_pid_stat(5)). */
const PARENT = 1
const TIMES = { own: [11, 12], endedChildren: [13, 14] }

const NS_PER_MS = 1_000_000

const NOTHING: ReadonlySet<number> = new Set()

/** User and system time of the tree so far, its ended processes included, in milliseconds. */
export function treeCpuMs(root: number): number {
  return processTree(root).reduce((sum, pid) => sum + processCpuMs(pid), 0)
}

/** The same of one process and those of its children that have ended. */
export function processCpuMs(pid: number): number {
  return inMs(sumOf(pid, [...TIMES.own, ...TIMES.endedChildren]))
}

/** User and system time of the children of this process that have ended, in milliseconds. */
export function endedChildrenCpuMs(): number {
  return inMs(sumOf(process.pid, TIMES.endedChildren))
}

/**
 * Time that the threads of a process have run, in milliseconds, to the nanosecond (proc_pid_schedstat(5)).
 * What a thread takes that runs just now is behind by up to a tick of the scheduler.
 */
export function threadsRunMs(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`)
  const ns = threads.map((thread) => {
    return Number(readIfThere(`/proc/${pid}/task/${thread}/schedstat`).split(' ')[0])
  })
  return ns.reduce((sum, each) => sum + each, 0) / NS_PER_MS
}

/** Memory of the tree, in MiB: what several processes share is counted once. */
export function treeMemoryMiB(root: number): number {
  return processTree(root).reduce((sum, pid) => sum + memoryMiB(pid), 0)
}

/** Memory of one process, in MiB; of what it shares with others its part (proportional set size). */
export function memoryMiB(pid: number): number {
  return rollupMiB(pid, ['Pss'])
}

/** Memory that only this process has, in MiB (unique set size). */
export function ownMemoryMiB(pid: number): number {
  return rollupMiB(pid, ['Private_Clean', 'Private_Dirty'])
}

function rollupMiB(pid: number, fields: readonly string[]): number {
  const lines = readIfThere(`/proc/${pid}/smaps_rollup`).split('\n')
  const ofField = (field: string) => lines.find((line) => line.startsWith(`${field}:`))
  const kibibytes = fields.map((field) => Number(ofField(field)?.split(/\s+/)[1] ?? 0))
  return kibibytes.reduce((sum, each) => sum + each, 0) / 1024
}

/** The process and all that descend from it. */
export function processTree(root: number): number[] {
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
/** The processes of this machine with the command name `name` (proc_pid_comm(5)). */
export function pidsNamed(name: string): number[] {
  const pids = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))
  return pids.filter((pid) => readIfThere(`/proc/${pid}/comm`).trim() === name).map(Number)
}

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
