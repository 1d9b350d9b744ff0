/** What the service says against a form, in words beside the field that they are about. */
import type { TamisClientError } from '../../client/client.ts'

export interface FormFailure {
  /** The field at fault; undefined where it is none. */
  readonly field: string | undefined
  readonly message: string
  readonly error: unknown
}

/** The service begins with the name of the field, which stands above the words here. */
export function failureOf(error: unknown): FormFailure {
  const { code, field, message } = error as TamisClientError
  if (code === 'RULE_CONTRADICTS') {
    return { field, message: 'There is a rule that says the opposite. Remove it first.', error }
  }
  const ofField = field !== undefined && message.startsWith(`${field} `)
  return { field, message: ofField ? `This${message.slice(field.length)}.` : message, error }
}

/** The words for `field`; undefined where `failure` is about another. */
export function faultOf(failure: FormFailure | undefined, field: string): string | undefined {
  return failure?.field === field ? failure.message : undefined
}
