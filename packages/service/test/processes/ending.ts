/** How the processes of a service have ended. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ServiceProcess } from '../helpers/service-process.ts'

/** Far longer than anything takes on a busy machine. */
const END_MS_MAX = 60_000

/** The status of the supervisor, or the signal that ended it; 'it does not end' after a minute. */
export async function statusOf({ ended }: ServiceProcess): Promise<number | string> {
  return await Promise.race([ended, sleep(END_MS_MAX, 'it does not end', { ref: false })])
}

/** Those of the processes that have not ended. */
export function running(pids: readonly number[]): number[] {
  return pids.filter((pid) => {
    try {
      process.kill(pid, 0)
      return true
    } catch {
      return false
    }
  })
}
