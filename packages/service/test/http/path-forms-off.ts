/** What a path form answers while no folder is named to read from, whatever the body: for its tests. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { ORDER } from './service.ts'

interface FormOff {
  readonly path: string
  readonly streamForm: string
  /** A body that would do if there were a folder. */
  readonly inOrder: object
}

export function answersThatPathFormsAreOff(
  app: () => FastifyInstance,
  { path, streamForm, inOrder }: FormOff,
): void {
  for (const [name, payload, contentType] of [
    ['a body in order', JSON.stringify(inOrder), 'application/json'],
    ['no body', undefined, undefined],
    ['what is not JSON', '{path', 'application/json'],
    ['a message', ORDER, 'message/rfc822'],
    ['another Content-Type', 'a', 'text/plain'],
  ] as const) {
    it(`${path} answers 501 with the stream form for ${name}`, async () => {
      const response = await app().inject({
        method: 'POST',
        url: path,
        ...(contentType && { headers: { 'content-type': contentType } }),
        ...(payload && { payload }),
      })
      assert.equal(response.statusCode, 501)
      assert.deepEqual(response.json(), {
        error: `The path forms are turned off; send the message itself to ${streamForm}`,
        code: 'PATH_FORMS_DISABLED',
        streamForm,
      })
    })
  }
}
