/** Starts the service under the settings of the environment, and listens. */
import type { FastifyInstance } from 'fastify'
import { TamisError } from '../mail/errors.ts'
import { EXIT_BY_CODE } from '../terminal/exit-status.ts'
import { refusePublicBind } from './access/loopback.ts'
import { type Config, readOwnConfig } from './config.ts'
import { closeOnSignal } from './end-signals.ts'
import { LogLines } from './http/log-lines.ts'
import type { LogSettings } from './http/server.ts'
import { openService, type Service } from './open-service.ts'

/**
 * Connections that may wait to be accepted: as many as Linux allows by default. Node's 511 overflow at
 * the onset of a flood, and the clients left out try again only after 1, 3 and 7 s.
 */
const BACKLOG = 4_096

/** The service under `config`, listening; log lines go to standard output. Throws what `openService` throws. */
export async function startService(
  config: Config,
  log: LogSettings = { level: config.logLevel, stream: new LogLines(process.stdout) },
): Promise<Service & { readonly url: string }> {
  const service = await openService(config, log)
  try {
    if (!service.keysNeeded) refusePublicBind(config.host)
    return { ...service, url: await listen(service.app, config) }
  } catch (error) {
    await service.close()
    throw error
  }
}

/**
 * Starts the service under the settings of the environment. It runs until SIGTERM or SIGINT; a second
 * signal ends it at once, as by default in Node. SIGHUP reads settings and models again.
 *
 * @param options `json`: whether the line that says where it listens is JSON, as the log lines are.
 */
export async function runService({ json = false } = {}): Promise<void> {
  // The reader of the log may go away; that is no reason to stop classifying.
  process.stdout.on('error', () => {})
  try {
    const config = readOwnConfig()
    const service = await startService(config)
    const { url, modelsVersion } = service
    const { workers } = config
    process.stdout.write(
      json
        ? `${JSON.stringify({ msg: 'Tamis listens', url, models: modelsVersion, workers })}\n`
        : `Tamis listens on ${url} with models ${modelsVersion} and ${workers} worker(s)\n`,
    )
    process.on('SIGHUP', () => void reloadAgain(service))
    closeOnSignal(service.close)
  } catch (error) {
    if (!(error instanceof TamisError)) throw error
    process.stderr.write(`tamis: ${error.message}\n`)
    process.exitCode = EXIT_BY_CODE[error.code]
  }
}

/** Reloads. Errors are logged, and the service goes on as it was. */
async function reloadAgain({ app, reload }: Service): Promise<void> {
  try {
    await reload(readOwnConfig())
  } catch (error) {
    app.log.error({ err: error }, 'The configuration was not reloaded')
  }
}

async function listen(app: FastifyInstance, { host, port }: Config): Promise<string> {
  try {
    return await app.listen({
      host,
      port,
      backlog: BACKLOG,
      listenTextResolver: () => 'listening',
    })
  } catch (cause) {
    throw new TamisError(
      'CONFIG_INVALID',
      `Cannot listen on TAMIS_HOST "${host}", TAMIS_PORT ${port}: ${(cause as Error).message}`,
      { cause },
    )
  }
}
