/** Sends errors from one thread to another, where they would lose their class. */
import { type ErrorCode, TamisError } from '../../errors/errors.ts'

export interface SentError {
  /** The code of a TamisError. */
  readonly code: ErrorCode | undefined
  readonly details: Readonly<Record<string, string | number>>
  readonly name: string
  readonly message: string
  readonly stack: string | undefined
  readonly cause: SentError | undefined
}

/** Built-in classes that callers tell apart: they stand for callers' mistakes. */
const CLASSES = { RangeError, TypeError } as const

export function sentError(thrown: unknown): SentError {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown))
  const { name, message, stack, cause } = error
  return {
    code: error instanceof TamisError ? error.code : undefined,
    details: error instanceof TamisError ? error.details : {},
    name,
    message,
    stack,
    cause: cause instanceof Error ? sentError(cause) : undefined,
  }
}

export function errorOf({ code, details, name, message, stack, cause }: SentError): Error {
  const options = cause === undefined ? {} : { cause: errorOf(cause) }
  if (code !== undefined)
    return new TamisError(code, message, { ...options, details: { ...details } })
  const Class = name in CLASSES ? CLASSES[name as keyof typeof CLASSES] : Error
  return Object.assign(new Class(message, options), { name, stack })
}
