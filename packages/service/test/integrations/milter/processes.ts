/** Processes of Tamis for one test, which it may end and start again in the same place. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { temporaryFolder } from '../../../../../test/temporary-folder.ts'

const ROOT = join(import.meta.dirname, '../../../../..')

/** What both the service and the milter say when they are up. */
const UP = / listens/

export interface RestartableProcess {
  readonly port: number
  /** Ends it with `signal` and starts it again; resolves when it is up. */
  restart(signal: NodeJS.Signals): Promise<void>
}

/** Runs `module` with its port in the environment; it ends with the test. */
export async function startProcess(
  t: TestContext,
  module: string,
  args: readonly string[],
  environment: (port: number) => Record<string, string>,
): Promise<RestartableProcess> {
  const port = await freePort()
  const dataDir = temporaryFolder()
  const env = {
    ...process.env,
    TAMIS_DATA_DIR: dataDir,
    TAMIS_WORKERS: '1',
    TAMIS_AUTH_DNS: 'off',
    ...environment(port),
  }
  const start = () => startOnce(join(ROOT, module), args, env)
  let child = await start()
  t.after(async () => {
    await end(child, 'SIGKILL')
  })
  return {
    port,
    restart: async (signal) => {
      await end(child, signal)
      child = await start()
    },
  }
}

async function startOnce(
  file: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<ChildProcess> {
  const child = spawn(process.execPath, [file, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise<void>((resolve, reject) => {
    let output = ''
    child.stdout.on('data', (chunk) => {
      // Read to the end, lest it wait for us; kept until it is up.
      if (UP.test(output)) return
      output += chunk
      if (UP.test(output)) resolve()
    })
    child.once('exit', (code, signal) =>
      reject(new Error(`${file} ended with ${code ?? signal} without listening: ${output}`)),
    )
  })
  return child
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill(signal)
  await exit
}

/**
 * A port that was free a moment ago, and that no connection takes while its process is restarted:
 * the system takes theirs from 32,768 on.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(12_000 * Math.random())
    const server = createServer()
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => resolve(true))
    })
    if (!isFree) continue
    await new Promise((resolve) => server.close(resolve))
    return port
  }
}
