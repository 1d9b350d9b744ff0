/**
 * Rspamd as Debian configures it, all that asks other hosts or a Redis off, and no Bayes: its
 * scanning worker, asked at /checkv2. What names it still asks for are answered at once, on the
 * cores of the load generator.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { freePort, versionOf } from '../../evaluation/peers/processes.ts'
import { rspamdArguments, writeSettings } from '../../evaluation/peers/rspamd.ts'
import { startDaemon } from './daemon.ts'
import { answersAt, askOverHttp } from './http-verdict.ts'
import type { Place, Server, ServerKind } from './server.ts'

const NAME = 'Rspamd'

export const RSPAMD: ServerKind = {
  name: NAME,
  version: () => versionOf('rspamd', ['--version'], /version (\S+)/),
  start,
}

async function start({ scratch, cores, workers }: Place): Promise<Server> {
  const names = fork(join(import.meta.dirname, 'name-server-process.ts'))
  try {
    const [nameServer] = (await once(names, 'message')) as [number]
    const scan = await freePort()
    const settings = { scan, control: await freePort(), nameServer, workers }
    const url = `http://127.0.0.1:${scan}`
    const daemon = await startDaemon(
      {
        command: 'rspamd',
        args: rspamdArguments(writeSettings(scratch, settings), scratch),
        log: join(scratch, 'rspamd.out'),
        cores,
      },
      () => answersAt(`${url}/ping`),
    )
    const ask = askOverHttp(`${url}/checkv2`, {}, 'score', 'number')
    return { ...daemon, name: NAME, ask, stop: () => stopBoth(daemon, names) }
  } catch (error) {
    names.kill()
    throw error
  }
}

async function stopBoth(daemon: { stop(): Promise<void> }, names: ChildProcess): Promise<void> {
  names.kill()
  await daemon.stop()
}
