/** What the service says against a form, in words beside the field that they are about. */
import type { TamisClientError } from '../../client/client.ts'

/** The words for `field`; undefined where `failure` is about another, or none. */
export function faultOf(failure: unknown, field: string): string | undefined {
  if (fieldOf(failure) !== field) return undefined
  const { code, message } = failure as TamisClientError
  if (code === 'RULE_CONTRADICTS') {
    const other = field === 'name' ? 'has this name' : 'says the opposite'
    return `Another rule ${other}. Remove it first.`
  }
  // The service begins with the name of the field, which stands above the words here.
  return message.startsWith(`${field} `) ? `This${message.slice(field.length)}.` : message
}

/** The field at fault; undefined where it is none. */
export function fieldOf(failure: unknown): string | undefined {
  return (failure as TamisClientError | undefined)?.field
}
