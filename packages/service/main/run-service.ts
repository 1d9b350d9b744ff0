/** Starts the service under the settings of the environment, and listens to signals. */
import { ERRORS, TamisError } from '../../errors/errors.ts'
import { EXIT } from '../../errors/exit-status.ts'
import { passedSockets, readOwnConfig } from '../config.ts'
import { closeOnSignal } from '../end-signals.ts'
import { type Log, openLog } from '../http/log.ts'
import { boundMalloc } from './libc.ts'
import { MainThread } from './main-thread.ts'

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
    const log = openLog(process.stdout, config.logLevel)
    boundMalloc()
    const main = await MainThread.start({
      config,
      log,
      passedSockets: passedSockets(),
      onFailure(error) {
        fail(error)
        void main.close()
      },
    })
    process.on('SIGHUP', () => void reload(main, log))
    closeOnSignal(() => main.close())
    const { url, modelsVersion } = main
    const { workers } = config
    process.stdout.write(
      json
        ? `${JSON.stringify({ msg: 'Tamis listens', url, models: modelsVersion, workers })}\n`
        : `Tamis listens on ${url} with models ${modelsVersion} and ${workers} serving thread${workers === 1 ? '' : 's'}\n`,
    )
  } catch (error) {
    fail(error)
  }
}

/** Says why the service does not run. */
function fail(error: unknown): void {
  if (!(error instanceof TamisError)) {
    process.exitCode = EXIT.internal
    process.stderr.write(`tamis: ${(error as Error).stack}\n`)
    return
  }
  process.stderr.write(`tamis: ${error.message}\n`)
  process.exitCode = ERRORS[error.code].exit
}

/** Replaces the threads by others with the settings as they are now. Errors are logged, and the service goes on as it was. */
async function reload(main: MainThread, log: Log): Promise<void> {
  try {
    const config = readOwnConfig()
    await main.replace(config)
  } catch (error) {
    const { name: type, message } = error as Error
    log.error({ err: { type, message } }, 'The configuration was not reloaded')
  }
}
