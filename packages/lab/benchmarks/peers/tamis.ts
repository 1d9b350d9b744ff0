/** Tamis as `npm start` runs it, with everything that it has by itself. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../evaluation/peers/processes.ts'
import { startDaemon } from './daemon.ts'
import { answersAt, askOverHttp } from './http-verdict.ts'
import type { Place, Server, ServerKind } from './server.ts'

const NAME = 'Tamis'

const ROOT = join(import.meta.dirname, '../../../..')

const PACKAGE = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly version: string
  readonly scripts: { readonly start: string }
}

export const TAMIS: ServerKind = { name: NAME, version: () => PACKAGE.version, start }

async function start({ scratch, cores, workers }: Place): Promise<Server> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const settings = {
    TAMIS_PORT: port,
    TAMIS_WORKERS: workers,
    TAMIS_DATA_DIR: scratch,
  }
  const daemon = await startDaemon(
    {
      command: 'env',
      args: [
        ...Object.entries(settings).map(([name, value]) => `${name}=${value}`),
        ...startLine(),
      ],
      log: join(scratch, 'tamis.log'),
      cores,
    },
    () => answersAt(`${url}/ready`),
  )
  const headers = { 'content-type': 'message/rfc822' }
  const ask = askOverHttp(`${url}/classify-stream`, headers, 'isSpam', 'boolean')
  return { ...daemon, name: NAME, ask }
}

/** `node`, flags and module of `npm start`; the module by its whole path. */
function startLine(): string[] {
  const rest = PACKAGE.scripts.start.split(' exec node ').at(-1)!.split(' ')
  return [process.execPath, ...rest.slice(0, -1), join(ROOT, rest.at(-1)!)]
}
