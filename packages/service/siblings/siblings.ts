/**
 * What the worker processes of one service ask and tell each other: counts that are shown for all of them
 * together, and how much of a limit each has used. Arguments and answers cross processes by structured
 * clone.
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
  /** Which of the processes this is, from 0. The first does what is done once for all of them. */
  readonly index: number
  /** The processes of the service, this one included. */
  readonly count: number
  /** What the others answer. Never rejects: left out are those that are held up, have ended, fail or do not know the topic. */
  ask<Args extends readonly unknown[], Answer>(
    topic: Topic<Args, Answer>,
    ...args: Args
  ): Promise<readonly Awaited<Answer>[]>
  /** Tells the others, and does not wait for them. */
  tell<Args extends readonly unknown[]>(topic: Topic<Args, unknown>, ...args: Args): void
  /** Answers the others with `answer` from now on, in place of an earlier one. */
  on<Args extends readonly unknown[], Answer>(
    topic: Topic<Args, Answer>,
    answer: (...args: Args) => Answer,
  ): void
}

/** Of a process that is the whole service. */
export const ALONE: Siblings = {
  index: 0,
  count: 1,
  ask: async () => [],
  tell() {},
  on() {},
}
