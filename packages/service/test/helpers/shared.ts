/** Threads of one service, all of them on this one. */
import type { Callable, Shared } from '../../threads/shared.ts'
import { Thread } from '../../threads/thread.ts'

/** What `count` threads share; what they ask each other is copied, as between threads. */
export function sharedByThreads(count: number): Shared[] {
  const memories = new Map<string, Promise<SharedArrayBuffer>>()
  const threads = new Map<string, Thread<never>>()
  const all = Array.from({ length: count }, () => new Map<string, () => unknown>())
  return all.map((own) => ({
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
    async ask(question) {
      const others = all.filter((answers) => answers !== own)
      const answers = others.flatMap((each) => each.get(question) ?? [])
      return structuredClone(await Promise.all(answers.map((answer) => answer())))
    },
    answer: (question, answer) => own.set(question, answer),
  }))
}

/** One for all who ask. */
export function oneForAll(): Shared {
  return sharedByThreads(1)[0]!
}
