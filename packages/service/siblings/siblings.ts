/**
 * What the processes of one service ask and tell each other: counts that are shown for all of them
 * together, how much of a limit each has used, and what only the office knows (office.ts). Arguments and
 * answers cross processes by structured clone.
 */

/** Time to answer a question, in milliseconds: what is known is told at once by a process that is not held up. */
const ANSWER_MS_MAX = 1_000

/** A question with its arguments and its answer. Its name is the same in every process. */
export interface Topic<Args extends readonly unknown[], Answer> {
  readonly name: string
  /** Time to answer it, in milliseconds. */
  readonly answerMsMax: number
  /** Only in types. */
  readonly types?: (...args: Args) => Answer
}

export function topic<Args extends readonly unknown[], Answer = void>(
  name: string,
  answerMsMax = ANSWER_MS_MAX,
): Topic<Args, Answer> {
  return { name, answerMsMax }
}

/** The other processes, as one process of the service sees them. */
export interface Siblings {
  /** Which of the server processes this is, from 0. */
  readonly index: number
  /** The server processes of the service, this one included. */
  readonly count: number
  /** What the others answer. Never rejects: left out are those that are held up, have ended, fail or do not know the topic. */
  ask<Args extends readonly unknown[], Answer>(
    topic: Topic<Args, Answer>,
    ...args: Args
  ): Promise<readonly Awaited<Answer>[]>
  /** What the office answers. Never rejects: undefined while it is held up or away, and where it fails. */
  askOffice<Args extends readonly unknown[], Answer>(
    topic: Topic<Args, Answer>,
    ...args: Args
  ): Promise<Awaited<Answer> | undefined>
  /** Tells the others, and does not wait for them. */
  tell<Args extends readonly unknown[]>(topic: Topic<Args, unknown>, ...args: Args): void
  /** Answers the others with `answer` from now on, in place of an earlier one. */
  on<Args extends readonly unknown[], Answer>(
    topic: Topic<Args, Answer>,
    answer: (...args: Args) => Answer,
  ): void
}

/** The server processes as the office sees them. */
export type ServerProcesses = Pick<Siblings, 'count' | 'ask' | 'tell' | 'on'>

/** Of a process that is the whole service. */
export const ALONE: Siblings = {
  index: 0,
  count: 1,
  ask: async () => [],
  askOffice: async () => undefined,
  tell() {},
  on() {},
}

type Answers = Map<string, (...args: unknown[]) => unknown>

/**
 * The two sides of a server process that has the office in it: each is to the other as if it were another
 * process.
 */
export function withOffice(siblings: Siblings): { worker: Siblings; office: ServerProcesses } {
  const ofWorker: Answers = new Map()
  const ofOffice: Answers = new Map()
  const answerOf = async (answers: Answers, name: string, args: readonly unknown[]) => {
    try {
      return await answers.get(name)?.(...args)
    } catch {
      return undefined
    }
  }
  const listen = (answers: Answers): Siblings['on'] => {
    return (topic, answer) => {
      answers.set(topic.name, answer as never)
      siblings.on(topic, answer)
    }
  }
  return {
    worker: {
      ...siblings,
      askOffice: async ({ name }, ...args) => (await answerOf(ofOffice, name, args)) as never,
      on: listen(ofWorker),
    },
    office: {
      count: siblings.count,
      async ask(topic, ...args) {
        const [own, others] = await Promise.all([
          answerOf(ofWorker, topic.name, args),
          siblings.ask(topic, ...args),
        ])
        return (own === undefined ? others : [own, ...others]) as never
      },
      tell(topic, ...args) {
        ofWorker.get(topic.name)?.(...args)
        siblings.tell(topic, ...args)
      },
      on: listen(ofOffice),
    },
  }
}
