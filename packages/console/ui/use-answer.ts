/** What the service answers to a question or does when told, while it is asked, and when it fails. */
import { useEffect, useRef, useState } from 'preact/hooks'

export type Answer<Value> =
  | { readonly step: 'asking'; readonly value?: Value | undefined }
  | { readonly step: 'answered'; readonly value: Value }
  | { readonly step: 'failed'; readonly error: unknown; readonly value?: Value | undefined }

/** What went wrong with the last attempt, and a function that makes one. */
export function useAttempt() {
  const [failure, setFailure] = useState<unknown>()
  const attempt = async (work: () => Promise<unknown>) => {
    setFailure(undefined)
    try {
      await work()
    } catch (error) {
      setFailure(error)
    }
  }
  return [failure, attempt] as const
}

/** Asks at once, and again whenever `name` changes or `again` is called; late answers are dropped. */
export function useAnswer<Value>(name: string, question: () => Promise<Value>) {
  const [answer, setAnswer] = useState<Answer<Value>>({ step: 'asking' })
  const turn = useRef(0)
  const ask = async (value?: Value) => {
    const own = ++turn.current
    const set = (next: Answer<Value>) => {
      if (own === turn.current) setAnswer(next)
    }
    set({ step: 'asking', value })
    try {
      set({ step: 'answered', value: await question() })
    } catch (error) {
      set({ step: 'failed', error, value })
    }
  }
  useEffect(() => {
    void ask()
    return () => {
      turn.current++
    }
  }, [name])
  return [answer, () => void ask(answer.value)] as const
}

/** Answers that come in pages: the first at once, and another with each call of `more`. */
export function usePages<Page extends { readonly cursor?: string | undefined }>(
  question: (cursor: string | undefined) => Promise<Page>,
) {
  const pages = useRef<readonly Page[]>([])
  const [answer, more] = useAnswer('pages', async () => {
    pages.current = [...pages.current, await question(pages.current.at(-1)?.cursor)]
  })
  return { pages: pages.current, answer, more: () => answer.step !== 'asking' && more() } as const
}
