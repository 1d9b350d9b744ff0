/**
 * Rspamd as Debian configures it, all that asks the network or a Redis off, and no Bayes: its
 * scanning worker, asked at /checkv2.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, versionOf } from '../../src/evaluation/peers/processes.ts'
import { MODULES_OFF } from '../../src/evaluation/peers/rspamd.ts'
import { startDaemon } from './daemon.ts'
import { answersAt, askOverHttp } from './http-verdict.ts'
import type { Place, Server, ServerKind } from './server.ts'

const NAME = 'Rspamd'

const CONFIG = '/etc/rspamd/rspamd.conf'

export const RSPAMD: ServerKind = {
  name: NAME,
  version: () => versionOf('rspamd', ['--version'], /version (\S+)/),
  start,
}

async function start({ scratch, cores, workers }: Place): Promise<Server> {
  const port = await freePort()
  const folders = {
    LOCAL_CONFDIR: writeSettings(scratch, port, await freePort(), workers),
    DBDIR: scratch,
    RUNDIR: scratch,
    LOGDIR: scratch,
  }
  const variables = Object.entries(folders).map(([name, path]) => `--var=${name}=${path}`)
  const url = `http://127.0.0.1:${port}`
  const daemon = await startDaemon(
    {
      command: 'rspamd',
      // Debian's service starts it as root and it leaves root behind; here it stays who it is.
      args: ['--no-fork', '--insecure', `--config=${CONFIG}`, ...variables],
      log: join(scratch, 'rspamd.out'),
      cores,
    },
    () => answersAt(`${url}/ping`),
  )
  return { ...daemon, name: NAME, ask: askOverHttp(`${url}/checkv2`, {}, 'score', 'number') }
}

function writeSettings(
  scratch: string,
  scanPort: number,
  controlPort: number,
  workers: number,
): string {
  const folder = join(scratch, 'settings')
  const files: [string, string][] = [
    ...MODULES_OFF.map((name): [string, string] => [`local.d/${name}.conf`, 'enabled = false;\n']),
    // No name is ever resolved: nothing answers at port 1.
    [
      'local.d/options.inc',
      'dns { nameserver = ["127.0.0.1:1"]; timeout = 0.05s; retransmits = 1; }\n',
    ],
    [
      'override.d/worker-normal.inc',
      `bind_socket = "127.0.0.1:${scanPort}"; count = ${workers};\n`,
    ],
    ['override.d/worker-controller.inc', `bind_socket = "127.0.0.1:${controlPort}";\n`],
    ['override.d/worker-proxy.inc', 'enabled = false; count = 0;\n'],
  ]
  for (const name of ['local.d', 'override.d']) {
    mkdirSync(join(folder, name), { recursive: true })
  }
  for (const [path, text] of files) writeFileSync(join(folder, path), text)
  return folder
}
