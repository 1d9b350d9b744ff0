/**
 * Starts the service: the one place where settings, models, workers and server are put together.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { Analyser } from './admission/analyser.ts'
import { PathRoots } from './admission/path-roots.ts'
import { Receiver } from './admission/receive.ts'
import { type Config, policySettings, readConfig } from './config.ts'
import { TamisError } from './errors.ts'
import { LogLines } from './http/log-lines.ts'
import { refusePublicBind } from './http/loopback.ts'
import { buildServer, type LogSettings } from './http/server.ts'
import { readModels } from './storage/artifact-files.ts'
import { policyFor } from './verdict/policy.ts'

/** A wrong setting is the operator's to mend: sysexits.h calls it EX_CONFIG. */
const EXIT_CONFIG = 78

export interface Service {
  readonly app: FastifyInstance
  /** Of the models in use. */
  readonly modelsVersion: string
  /** Takes nothing new, lets what is in progress end, and resolves when all is closed. */
  close(): Promise<void>
}

/**
 * The service under `config`, its workers up, not yet listening.
 *
 * @param workerModule another worker, for tests.
 * @throws TamisError CONFIG_INVALID, ARTIFACT_MISMATCH, NOT_READY.
 */
export async function openService(
  config: Config,
  log: LogSettings,
  workerModule?: URL,
): Promise<Service> {
  const models = await readModels(config.models)
  const pathRoots = await PathRoots.open(config.pathRoots)
  const receiver = await Receiver.open({ ...config, folder: join(config.dataDir, 'tmp') })
  const analyser = await Analyser.open({
    ...config,
    models,
    ...(workerModule === undefined ? {} : { workerModule }),
  })
  const policy = policyFor(models, policySettings(config))
  const classEntitled = config.entitlements.includes('classification')
  const app = buildServer({
    classifier: { analyser, receiver, policy, classEntitled },
    pathRoots,
    receiveTimeoutMs: config.receiveTimeoutMs,
    log,
  })
  return {
    app,
    modelsVersion: models.version,
    close: () => closeAll(app, analyser, config.shutdownMs),
  }
}

/** The service under `config`, listening; log lines go to standard output. Throws what `openService` throws. */
export async function startService(
  config: Config,
  log: LogSettings = { level: config.logLevel, stream: new LogLines(process.stdout) },
): Promise<Service & { readonly url: string }> {
  refusePublicBind(config.host)
  const service = await openService(config, log)
  try {
    return { ...service, url: await listen(service.app, config) }
  } catch (error) {
    await service.close()
    throw error
  }
}

/** Starts the service under the settings of the environment. It runs until SIGTERM or SIGINT; a second one ends it at once, as is Node's habit. */
export async function runService(): Promise<void> {
  // Whoever read the log may go away; that is no reason to stop classifying.
  process.stdout.on('error', () => {})
  try {
    const config = readConfig(process.env, (path) => readFileSync(path, 'utf8'))
    const service = await startService(config)
    process.stdout.write(
      `Tamis listens on ${service.url} with models ${service.modelsVersion} and ${config.workers} worker(s)\n`,
    )
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.once(signal, () => void service.close())
    }
  } catch (error) {
    if (!(error instanceof TamisError)) throw error
    process.stderr.write(`tamis: ${error.message}\n`)
    process.exitCode = error.code === 'CONFIG_INVALID' ? EXIT_CONFIG : 1
  }
}

async function listen(app: FastifyInstance, { host, port }: Config): Promise<string> {
  try {
    return await app.listen({ host, port, listenTextResolver: () => 'listening' })
  } catch (cause) {
    throw new TamisError(
      'CONFIG_INVALID',
      `Cannot listen on TAMIS_HOST "${host}", TAMIS_PORT ${port}: ${(cause as Error).message}`,
      { cause },
    )
  }
}

/** Requests in progress have `graceMs`; connections that are still open then are cut. */
async function closeAll(app: FastifyInstance, analyser: Analyser, graceMs: number): Promise<void> {
  const cut = setTimeout(() => app.server.closeAllConnections(), graceMs)
  await Promise.all([app.close(), analyser.close(graceMs)])
  clearTimeout(cut)
}

if (import.meta.main) await runService()
