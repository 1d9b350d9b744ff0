/**
 * SpamAssassin's spamd with its rules alone: no network tests (-L), no Bayes. Asked in its own
 * protocol, in which each message has a connection of its own (spamd/PROTOCOL in its source).
 */
import { connect } from 'node:net'
import { join } from 'node:path'
import { freePort, versionOf } from '../../evaluation/peers/processes.ts'
import { startDaemon } from './daemon.ts'
import type { Place, Server, ServerKind } from './server.ts'

const NAME = 'spamd'

/** Children for each core: one reads while another waits for its client. */
const CHILDREN_PER_WORKER = 2

/** Beyond any message: some take spamd many seconds. */
const TIMEOUT_MS = 120_000

export const SPAMD: ServerKind = {
  name: NAME,
  version: () => versionOf('spamd', ['--version'], /version (\S+)/),
  start,
}

async function start({ scratch, cores, workers }: Place): Promise<Server> {
  const port = await freePort()
  const children = workers * CHILDREN_PER_WORKER
  const daemon = await startDaemon(
    {
      command: 'spamd',
      args: [
        '--local',
        '--nouser-config',
        '--listen=127.0.0.1',
        `--port=${port}`,
        `--max-children=${children}`,
        `--min-children=${children}`,
        '--syslog=stderr',
        '--cf=use_bayes 0',
      ],
      log: join(scratch, 'spamd.log'),
      cores,
    },
    () => answersPing(port),
  )
  return { ...daemon, name: NAME, ask: (message) => askForVerdict(port, message) }
}

/** 'Spam: False ; 2.1 / 5.0' among the fields of the answer. */
async function askForVerdict(port: number, message: Buffer): Promise<void> {
  const head = `CHECK SPAMC/1.2\r\nContent-length: ${message.length}\r\n\r\n`
  const answer = await exchange(port, Buffer.concat([Buffer.from(head), message]))
  if (!/^SPAMD\/\S+ 0 /.test(answer) || !/^Spam: (?:True|False) ; /m.test(answer)) {
    throw new Error(`spamd answered: ${answer.slice(0, 200)}`)
  }
}

async function answersPing(port: number): Promise<boolean> {
  try {
    return (await exchange(port, Buffer.from('PING SPAMC/1.2\r\n\r\n'))).includes('PONG')
  } catch {
    return false
  }
}

/** What spamd says to `request`. It ends the connection after its answer. */
function exchange(port: number, request: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => socket.end(request))
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error('spamd has not answered')))
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1')
    })
    socket.on('error', reject)
    socket.on('end', () => resolve(answer))
  })
}
