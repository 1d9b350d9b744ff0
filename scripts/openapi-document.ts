/** docs/openapi.json, from the schemas of the routes. */

import type { Access } from '../packages/service/access/access.ts'
import { PathRoots } from '../packages/service/admission/path-roots.ts'
import type { Classifier } from '../packages/service/http/classification.ts'
import type { JobReader } from '../packages/service/http/routes/jobs.ts'
import { buildServer } from '../packages/service/http/server.ts'
import type { Corrections } from '../packages/service/users/corrections.ts'
import type { Statistics } from '../packages/service/users/statistics.ts'

const NOBODY_ASKED = {
  refuseForeign() {},
  callerOf: () => Promise.resolve(undefined),
} as unknown as Access

const NOTHING_CLASSIFIED = {
  embedding: { id: '' },
  metrics: { request() {} },
} as unknown as Classifier

/** The document as the service gives it at /openapi.json. No message is classified on the way. */
export async function openApiDocument(): Promise<string> {
  const app = buildServer({
    classifier: NOTHING_CLASSIFIED,
    access: NOBODY_ASKED,
    corrections: {} as Corrections,
    jobs: {} as JobReader,
    statistics: {} as Statistics,
    pathRoots: await PathRoots.open([]),
    consoleFiles: [],
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
