/** Which cores processes run on. What they start later runs there too. */
import { spawnSync } from 'node:child_process'
import { processTree } from './process-tree.ts'

/**
 * Pins all threads of the process and of all that descend from it.
 *
 * @param cores as for `taskset -c`: '0', '0,1'
 */
export function pinTree(root: number, cores: string): void {
  for (const pid of processTree(root)) pinProcess(pid, cores)
}

/** Pins all threads of one process. */
export function pinProcess(pid: number, cores: string): void {
  spawnSync('taskset', ['-acp', cores, `${pid}`])
}
