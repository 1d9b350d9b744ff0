/** Programs of other people that tests run, where they are installed. */
import { execFile } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'

/** Where Debian puts programs, and where scripts/ci-services unpacks those that are not installed. */
const FOLDERS = ['/usr/bin', '/usr/sbin', '/usr/local/bin', '/opt/tamis-test/programs/usr/bin']

const OUTPUT_BYTES_MAX = 64 * 1024 * 1024
const RUN_MS_MAX = 60_000

export interface Program {
  readonly path: string
  /** Why tests are skipped; false where it is there. */
  readonly missing: string | false
}

/** The program `name`, or why there is none. */
export function programOf(name: string): Program {
  const path = FOLDERS.map((folder) => join(folder, name)).find(isExecutable)
  return path === undefined
    ? { path: name, missing: `${name} is not installed` }
    : { path, missing: false }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

export interface Run {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs `command` to its end with `input`; an exit status is told and no error. Output is bytes as latin1. */
export function run(
  command: string,
  args: readonly string[],
  input: string | Buffer = '',
): Promise<Run> {
  const options = { encoding: 'latin1', maxBuffer: OUTPUT_BYTES_MAX, timeout: RUN_MS_MAX } as const
  return new Promise((resolve, reject) => {
    const child = execFile(command, args, options, (error, stdout, stderr) => {
      if (error !== null && typeof error.code !== 'number') reject(error)
      else resolve({ status: child.exitCode ?? 0, stdout, stderr })
    })
    // A program may end before it has read everything; its status tells.
    child.stdin?.on('error', () => {})
    child.stdin?.end(input)
  })
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
