/**
 * Whether cores had something to do, as Linux counts it in /proc/stat (proc_stat(5)). A server whose
 * core stands idle at full load is waiting for something, and what it gets through then is no measure of it.
 */
import { readFileSync } from 'node:fs'

/** Columns of a line of /proc/stat, after the name of the core. */
const IDLE = 3
const IO_WAIT = 4
/** Guest time is in user time already. */
const COLUMNS = 8

/** Ticks since the machine started. */
export interface CoreTicks {
  readonly all: number
  readonly idle: number
}

/** The ticks of `cores` together, written as for `taskset -c`: '0', '0-1', '0,2'. */
export function coreTicks(cores: string, stat = readFileSync('/proc/stat', 'latin1')): CoreTicks {
  const named = new Set(coreNumbers(cores).map((core) => `cpu${core}`))
  let all = 0
  let idle = 0
  for (const line of stat.split('\n')) {
    const [name = '', ...columns] = line.split(/ +/)
    if (!named.has(name)) continue
    const ticks = columns.slice(0, COLUMNS).map(Number)
    all += ticks.reduce((sum, each) => sum + each, 0)
    idle += ticks[IDLE]! + ticks[IO_WAIT]!
  }
  return { all, idle }
}

/** Share of the time between two readings in which the cores were not idle, in [0, 1]. */
export function busyShare(before: CoreTicks, after: CoreTicks): number {
  return 1 - (after.idle - before.idle) / (after.all - before.all)
}

function coreNumbers(cores: string): number[] {
  return cores.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number)
    return Array.from({ length: last - first + 1 }, (_, i) => first + i)
  })
}
