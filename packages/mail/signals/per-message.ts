/**
 * What several aspects need of a message and would otherwise each work out again. A message never changes, and a thread
 * finishes one before it begins the next, so that the result for the last is kept.
 */
import type { Message } from '../message/message.ts'

/** `derive`, worked out once as long as it is asked about the same message. */
export function perMessage<T>(derive: (message: Message) => T): (message: Message) => T {
  let last: { readonly message: Message; readonly value: T } | undefined
  return (message) => {
    if (last?.message !== message) last = { message, value: derive(message) }
    return last.value
  }
}
