/**
 * Writes api.ts, the types of the HTTP API, from the OpenAPI document, which is made from the routes.
 *
 * npm runs it as `prepare`, so it is JavaScript: where development dependencies are left out, neither the generator
 * nor the Node that reads TypeScript is there. With --if-possible that is no error.
 */
import { writeFileSync } from 'node:fs'

try {
  const { default: openapiTS, astToString } = await import('openapi-typescript')
  const { openApiDocument } = await import('../service/http/openapi/document.ts')
  const types = await openapiTS(JSON.stringify(openApiDocument()), {
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
  })
  // What may be left out may also be undefined.
  const text = astToString(types).replaceAll(/^( +\S+\?: (?!never).*);$/gm, '$1 | undefined;')
  writeFileSync(new URL('api.ts', import.meta.url), text)
} catch (error) {
  if (!process.argv.includes('--if-possible')) throw error
  process.stderr.write(`The types of the client are not made: ${error}\n`)
}
