/**
 * Where the process of the service begins: how V8 compiles, and where what it has compiled is kept,
 * have to be known before the service's own code is loaded.
 *
 * TypeScript is stripped and compiled at every start, on every thread. Kept in the data folder
 * (`cache`, 9 MB), that is a quarter of the CPU to start. What is kept there is run: so only where
 * nobody but this user can have written it.
 */
import { lstatSync, mkdirSync, readFileSync } from 'node:fs'
import { enableCompileCache, flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { setServiceFlags } from './v8-flags.ts'

/** As `dataDir` in config.ts, which is loaded only after this. */
const DATA_DIR = './data'

const FOLDER_MODE = 0o700

/** Others may write. */
const WRITABLE_BY_OTHERS = 0o022

/** By this worker threads know; Node reads it when it makes them. */
const VARIABLE = 'NODE_COMPILE_CACHE'

/** Starts the service; see `runService`, to which `options` go. */
export async function start(options?: { readonly json?: boolean }): Promise<void> {
  // Compiled code is good for the flags that it was compiled under.
  setServiceFlags()
  const cache = cacheFolder(process.env)
  if (cache !== undefined) {
    process.env[VARIABLE] ??= cache
    enableCompileCache(process.env[VARIABLE])
  }
  const { runService } = await import('./main.ts')
  await runService(options)
  // It would be kept at the end, but not when the process is killed.
  flushCompileCache()
}

/**
 * The folder for what is compiled, made where it is not there; undefined where others could write to
 * it, and where there is none to be had: what is wrong with the settings is said by those who read them.
 */
export function cacheFolder(
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  try {
    const folder = dataDir(environment)
    const cache = join(folder, 'cache')
    mkdirSync(cache, { recursive: true, mode: FOLDER_MODE })
    return isOursAlone(folder) && isOursAlone(cache) ? cache : undefined
  } catch {
    return undefined
  }
}

function dataDir({ TAMIS_DATA_DIR, TAMIS_CONFIG }: Readonly<Record<string, string | undefined>>) {
  if (TAMIS_DATA_DIR) return TAMIS_DATA_DIR
  if (TAMIS_CONFIG === undefined) return DATA_DIR
  const { dataDir = DATA_DIR } = JSON.parse(readFileSync(TAMIS_CONFIG, 'utf8'))
  return String(dataDir)
}

function isOursAlone(folder: string): boolean {
  const { uid, mode } = lstatSync(folder)
  return uid === process.getuid?.() && (mode & WRITABLE_BY_OTHERS) === 0
}

if (import.meta.main) await start()
