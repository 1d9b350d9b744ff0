/**
 * The entry of the service: it sets where compiled code is kept before the service's own code is loaded.
 *
 * TypeScript is stripped and compiled at every start, on every thread. Keeping the result in the data
 * folder (`cache`, 9 MB) saves a quarter of the CPU time of a start. What is kept there is executed, so
 * it is kept only where nobody but this user can write.
 */
import '../terminal/prerequisites.js'
import { lstatSync, mkdirSync, readFileSync } from 'node:fs'
import { enableCompileCache, flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { configFile } from './config-file.ts'
import { setConstantFlags, setStartFlags } from './v8-flags.ts'

/** The default of `dataDir` in config.ts, which is loaded only after this. */
const DATA_DIR = './data'

const FOLDER_MODE = 0o700

/** The permission bits by which others may write. */
const WRITABLE_BY_OTHERS = 0o022

/** The variable that Node reads when it starts a thread. */
const VARIABLE = 'NODE_COMPILE_CACHE'

/** Starts the service; see `runService`, to which `options` go. */
export async function start(options?: { readonly json?: boolean }): Promise<void> {
  const cache = cacheFolder(process.env)
  if (cache !== undefined) {
    process.env[VARIABLE] ??= cache
    enableCompileCache(process.env[VARIABLE])
  }
  setConstantFlags()
  setStartFlags()
  const { runService } = await import('./main/run-service.ts')
  // Node would write the cache at exit, but not when the process is killed.
  flushCompileCache()
  await runService(options)
}

/**
 * The folder for compiled code, made if it does not exist; undefined when others could write to it, or
 * when it cannot be made: the code that reads the settings will report what is wrong with them.
 */
export function cacheFolder(
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  try {
    const folder = dataDir(environment)
    const cache = join(folder, 'cache')
    mkdirSync(folder, { recursive: true, mode: FOLDER_MODE })
    if (!isOursAlone(folder)) return undefined
    mkdirSync(cache, { recursive: true, mode: FOLDER_MODE })
    return isOursAlone(cache) ? cache : undefined
  } catch {
    return undefined
  }
}

function dataDir(environment: Readonly<Record<string, string | undefined>>) {
  if (environment['TAMIS_DATA_DIR']) return environment['TAMIS_DATA_DIR']
  const file = configFile(environment)
  if (file === undefined) return DATA_DIR
  const { dataDir = DATA_DIR } = JSON.parse(readFileSync(file, 'utf8'))
  return String(dataDir)
}

function isOursAlone(folder: string): boolean {
  const { uid, mode } = lstatSync(folder)
  return uid === process.getuid?.() && (mode & WRITABLE_BY_OTHERS) === 0
}

if (import.meta.main) await start()
