/** The walk of a newcomer: what the documents tell, step by step, each timed. It ends at the first step that fails. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { blocks } from '../../test/document-blocks.ts'

const ROOT = join(import.meta.dirname, '../..')

/** The longest, `npm ci` on a slow network. */
const COMMAND_MS_MAX = 10 * 60_000

export interface Persona {
  /** The argument of `npm run walks`. */
  readonly name: string
  /** The heading in docs/walks.md. */
  readonly title: string
  /** Why the walk cannot be gone on this machine; false where it can. */
  readonly skip: string | false
  /** Walks in a clone in which `npm ci` has run. */
  readonly go: (walk: Walk, clone: string) => Promise<void>
}

export interface Step {
  /** The page that tells it. */
  readonly page: string
  readonly told: string
  readonly seconds: number
}

export class Walk {
  readonly steps: Step[] = []
  readonly #report: (step: Step) => void

  /** @param report is called after each step. */
  constructor(report: (step: Step) => void) {
    this.#report = report
  }

  /** Does what `page` tells. `work` throws where it does not do what the page says. */
  async step<Value>(
    page: string,
    told: string,
    work: () => Value | Promise<Value>,
  ): Promise<Value> {
    const started = performance.now()
    try {
      const value = await work()
      const step = { page, told, seconds: (performance.now() - started) / 1_000 }
      this.steps.push(step)
      this.#report(step)
      return value
    } catch (error) {
      throw new Error(`${page}: ${told}: this does not do what the page says`, { cause: error })
    }
  }
}

/** The one block in `language` of `page` with all of `words`. */
export function blockOf(page: string, language: string, ...words: readonly string[]): string {
  const found = blocks(language, readFileSync(join(ROOT, page), 'utf8')).filter((block) =>
    words.every((word) => block.includes(word)),
  )
  if (found.length !== 1) throw new Error(`${page} has ${found.length} blocks with ${words}`)
  return found[0]!
}

/** A terminal of a newcomer, who has Node 24 and nothing of this repository. */
export class Terminal {
  readonly environment: NodeJS.ProcessEnv = {
    PATH: [dirname(process.execPath), ...placesOfPrograms()].join(':'),
    HOME: process.env['HOME'],
    // What this machine trusts beside what Node brings: its registry may be behind a proxy.
    NODE_EXTRA_CA_CERTS: '/etc/ssl/certs/ca-certificates.crt',
    TAMIS_PORT: '0',
    npm_config_prefer_offline: 'true',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
  }
  folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  /** What `command` prints. A `cd` holds for the commands after it. Throws where the status is not 0. */
  run(command: string): string {
    const target = /^cd (\S+)$/.exec(command)?.[1]
    if (target !== undefined) {
      this.folder = join(this.folder, target)
      return ''
    }
    return execFileSync('sh', ['-ec', command], {
      cwd: this.folder,
      env: this.environment,
      encoding: 'utf8',
      timeout: COMMAND_MS_MAX,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  }
}

function placesOfPrograms(): string[] {
  const places = (process.env['PATH'] ?? '').split(':')
  return places.filter((place) => !/node_modules|node-gyp-bin/.test(place))
}
