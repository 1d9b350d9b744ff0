/** What the service answers to a question or does when told, while it is asked, and when it fails. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'

export type Answer<Value> =
  | { readonly step: 'asking'; readonly value?: Value }
  | { readonly step: 'answered'; readonly value: Value }
  | { readonly step: 'failed'; readonly error: unknown; readonly value?: Value }

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
  const latest = useRef(question)
  latest.current = question
  const turn = useRef(0)

  const ask = useCallback(async (keep: boolean) => {
    const own = ++turn.current
    setAnswer((before) => ({
      step: 'asking',
      ...(keep && before.value !== undefined && { value: before.value }),
    }))
    try {
      const value = await latest.current()
      if (own === turn.current) setAnswer({ step: 'answered', value })
    } catch (error) {
      if (own !== turn.current) return
      setAnswer((before) => ({
        step: 'failed',
        error,
        ...(before.value !== undefined && { value: before.value }),
      }))
    }
  }, [])

  useEffect(() => {
    void ask(false)
    return () => {
      turn.current++
    }
  }, [name, ask])
  const again = useCallback(() => void ask(true), [ask])
  return [answer, again] as const
}
