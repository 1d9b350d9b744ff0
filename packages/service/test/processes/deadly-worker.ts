/** Loaded into a service with `--import`: its analysis threads end over messages with an X-Dies field (http/dying-thread.ts). */
import { registerHooks } from 'node:module'

const WORKER = new URL('../../admission/analysis-in-thread.ts', import.meta.url).href
const DYING_WORKER = new URL('../http/dying-thread.ts', import.meta.url).href

registerHooks({
  resolve(specifier, context, nextResolve) {
    const resolved = nextResolve(specifier, context)
    return resolved.url === WORKER ? { ...resolved, url: DYING_WORKER } : resolved
  },
})
