/** The service as the README starts it, in a clone, on a free port and with a store of its own. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listening } from '../../test/listening.ts'
import { Terminal, type Walk } from './walk.ts'

/** The address that the documents name. */
export const URL_SHOWN = 'http://127.0.0.1:8025'

export interface StartedTamis {
  readonly url: string
  end(): Promise<void>
}

/** The step `npm start` of the README. */
export function startTamis(walk: Walk, clone: string): Promise<StartedTamis> {
  return walk.step('README.md', '`npm start`', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'tamis-walk-data-'))
    const { environment } = new Terminal(clone)
    // In a process group of its own, since npm does not pass every signal on to what it starts.
    const npm = spawn('npm', ['start'], {
      cwd: clone,
      env: { ...environment, TAMIS_DATA_DIR: dataDir },
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    })
    const ended = once(npm, 'exit')
    const end = async () => {
      if (npm.exitCode === null) process.kill(-npm.pid!)
      await ended
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })
    }
    try {
      const url = await listening(npm.stdout)
      npm.stdout.resume()
      return { url, end }
    } catch (error) {
      await end()
      throw error
    }
  })
}
