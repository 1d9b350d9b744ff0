/**
 * Serializers of answers: one function for each schema of an answer, made by Fastify's compiler. Each
 * is made when the route first answers with that status and not before the service listens: there
 * are some two hundred, most of them for errors, and they took a fifth of the time to start.
 */
import { createRequire } from 'node:module'
import type {
  Serializer,
  SerializerCompiler,
  SerializerFactory,
} from '@fastify/fast-json-stringify-compiler'

const require = createRequire(import.meta.url)

/** A value for Fastify's `schemaController.compilersFactory`. */
export const lazySerializers: SerializerFactory = (externalSchemas, options) => {
  let compiler: SerializerCompiler | undefined
  return (route) => {
    let serializer: Serializer | undefined
    return (answer) => {
      compiler ??= loadCompiler()(externalSchemas, options)
      serializer ??= compiler(route)
      return serializer(answer)
    }
  }
}

function loadCompiler(): SerializerFactory {
  const { SerializerSelector } = require('@fastify/fast-json-stringify-compiler')
  return SerializerSelector()
}
