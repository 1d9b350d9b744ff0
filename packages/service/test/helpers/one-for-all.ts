/** What the threads of a process share, for several services in one thread. */
import type { Callable, Shared } from '../../threads/shared.ts'
import { Thread } from '../../threads/thread.ts'

export function oneForAll(): Shared {
  const memories = new Map<string, Promise<SharedArrayBuffer>>()
  const threads = new Map<string, Thread<never>>()
  return {
    memory(name, make) {
      const memory = memories.get(name) ?? Promise.resolve(make())
      memories.set(name, memory)
      return memory
    },
    drop: (name) => void memories.delete(name),
    thread(name, settings) {
      const thread = threads.get(name) ?? new Thread<never>(settings)
      threads.set(name, thread)
      return thread as unknown as Callable<never>
    },
  }
}
