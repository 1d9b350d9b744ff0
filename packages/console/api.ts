/** The service that the console came from, with the key of this session if one is needed. */

import type { Delivery } from '../client/client.ts'
import { TamisClient } from '../client/client.ts'
import type { Diagnostic, Explanation } from '../mail/verdict/diagnostic.ts'

/** What arrives of `T` as JSON: a Date is a string. */
type Json<T> = T extends Date
  ? string
  : T extends readonly (infer Item)[]
    ? readonly Json<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: Json<T[Key]> }
      : T

/** Only the groups are part of the API; what is in them is this version's own, and so is the console. */
export type DiagnosticAnswer = Json<Diagnostic>

/** One thing that spoke for or against spam. */
export type Contribution = Explanation['for'][number]

const KEY_NAME = 'tamis-key'

/** Only as long as the tab is open; undefined where there is none. */
export function sessionKey(): string | undefined {
  return sessionStorage.getItem(KEY_NAME) ?? undefined
}

export function setSessionKey(key: string | undefined): void {
  if (key === undefined) sessionStorage.removeItem(KEY_NAME)
  else sessionStorage.setItem(KEY_NAME, key)
  client = openClient()
}

/** Hears that the service wants a key, or another one. */
type KeyListener = () => void

const keyListeners = new Set<KeyListener>()

export function onKeyNeeded(listener: KeyListener): () => void {
  keyListeners.add(listener)
  return () => keyListeners.delete(listener)
}

let client = openClient()

export function tamis(): TamisClient {
  return client
}

function openClient(): TamisClient {
  const key = sessionKey()
  return new TamisClient({
    url: location.origin + location.pathname,
    fetch: ownFetch,
    ...(key && { key }),
  })
}

async function ownFetch(request: Request): Promise<Response> {
  const response = await fetch(request, { cache: 'no-store' }).catch((cause: Error) => {
    // The client tells a broken connection by the cause, which browsers leave out.
    throw request.signal.aborted ? cause : new TypeError(cause.message, { cause })
  })
  if (response.status === 401) for (const listener of keyListeners) listener()
  return response
}

/** For whom a message is judged and who sent it, as it is typed; empty fields are not known. */
export interface DeliveryFields {
  readonly userId: string
  readonly senderIp: string
  readonly senderEmail: string
}

/** What is pasted or dropped comes from a folder, days after it arrived. */
export function deliveryOf({ userId, senderIp, senderEmail }: DeliveryFields): Delivery {
  const known = (value: string) => (value.trim() === '' ? undefined : value.trim())
  return {
    userId: known(userId),
    senderIp: known(senderIp),
    senderEmail: known(senderEmail),
    arrivalFallback: 'date',
  }
}

export async function diagnose(message: Blob, facts: DeliveryFields): Promise<DiagnosticAnswer> {
  const answer = await tamis().message('/classify/diagnostic-stream', message, deliveryOf(facts))
  return answer as unknown as DiagnosticAnswer
}
