/**
 * What several aspects need of a message and would otherwise each work out again: its From, its
 * link targets, the tally of its characters.
 *
 * A Message never changes, so that a remembered result is the same as a new one, and the functions
 * stay pure to everyone who calls them. One result is remembered, that of the last message: a
 * worker finishes one message before it begins the next.
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
