/** docs/openapi.json, from the schemas of the routes. */
import { PathRoots } from '../src/admission/path-roots.ts'
import type { Classifier } from '../src/http/classification.ts'
import { buildServer } from '../src/http/server.ts'

/** The document as the service gives it at /openapi.json. No message is classified on the way. */
export async function openApiDocument(): Promise<string> {
  const app = buildServer({
    classifier: {} as Classifier,
    pathRoots: await PathRoots.open([]),
    receiveTimeoutMs: 1_000,
    log: { level: 'silent' },
  })
  try {
    const { body } = await app.inject('/openapi.json')
    return `${JSON.stringify(JSON.parse(body), null, 2)}\n`
  } finally {
    await app.close()
  }
}
