/** Processes of one service, all of them in this one. */
import type { Siblings, Topic } from '../../siblings/siblings.ts'

type Answers = Map<string, (...args: unknown[]) => unknown>

/** `count` processes that ask and tell each other, of which the first has the office; what they say is copied, as between processes. */
export function siblings(count: number): Siblings[] {
  const all: Answers[] = Array.from({ length: count }, () => new Map())
  const others = (index: number, { name }: Topic<never, unknown>) =>
    all.filter((_, other) => other !== index).flatMap((answers) => answers.get(name) ?? [])
  return all.map((own, index) => ({
    index,
    count,
    ask: async (topic, ...args) => {
      const answers = others(index, topic as Topic<never, unknown>)
      const given = await Promise.allSettled(
        answers.map(async (answer) => structuredClone(await answer(...structuredClone(args)))),
      )
      return given.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : [])) as never
    },
    askOffice: async (topic, ...args) => {
      const answer = index === 0 ? undefined : all[0]!.get(topic.name)
      try {
        return structuredClone(await answer?.(...structuredClone(args))) as never
      } catch {
        return undefined
      }
    },
    tell(topic, ...args) {
      for (const answer of others(index, topic as Topic<never, unknown>)) {
        answer(...structuredClone(args))
      }
    },
    on(topic, answer) {
      own.set(topic.name, answer as never)
    },
  }))
}
