/**
 * packages/client/fake-answers.ts: what the fake server answers to each operation unless a test says
 * otherwise, which is the example of its first success in the OpenAPI document; and the status of each error.
 */
import { ERRORS } from '../packages/errors/errors.ts'
import { HTTP_OPERATIONS } from '../packages/service/http/operations.ts'
import type { Operation } from '../packages/service/http/route.ts'

export function clientAnswers(): string {
  const statuses = Object.entries(ERRORS).map(([code, { status }]) => `  ${code}: ${status},\n`)
  return `/** What the fake server answers by itself. Made by \`npm run docs\` from the service's routes. */
import type { ErrorCode } from './types.ts'

/** The HTTP status of each of the service's errors. */
export const STATUS_OF: Readonly<Record<ErrorCode, number>> = {
${statuses.join('')}}

/** An operation of the service, and the example that the OpenAPI document has of its answer. */
export interface CannedAnswer {
  readonly operation: string
  readonly method: string
  /** With parameters written as \`:name\`. */
  readonly path: string
  /** JSON, or the text of an answer that is none. */
  readonly answer: object | string
}

export const CANNED_ANSWERS: readonly CannedAnswer[] = [
${HTTP_OPERATIONS.map(rowOf).join('')}]
`
}

function rowOf({ operationId, method, path, answers }: Operation): string {
  const { example } = Object.values(answers)[0]!
  return `  { operation: '${operationId}', method: '${method}', path: '${path}', answer: ${JSON.stringify(example)} },\n`
}
