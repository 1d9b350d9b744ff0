/** spamd of a whole service, for one test or one file of them. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, beforeEach } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { openLog } from '../../../http/log.ts'
import { Spamd } from '../../../integrations/spamd/server.ts'
import { filterPartsOf } from '../../http/service.ts'
import { type Listening, listenWith } from '../listening.ts'

export interface TestSpamd {
  readonly port: number
  /** Log lines so far. */
  readonly log: string[]
  readonly spamd: Listening
}

/** On a free port of the loopback, in the service of `app`. */
export async function openSpamd(app: FastifyInstance, receiveMs?: number): Promise<TestSpamd> {
  const log: string[] = []
  const parts = { ...filterPartsOf(app), log: openLog({ write: (line) => log.push(line) }, 'info') }
  const filter = new Spamd('address', parts, {
    ...(receiveMs !== undefined && { receiveMs }),
    mayTell: () => true,
  })
  const spamd = await listenWith(filter, { allowHalfOpen: true })
  return { port: spamd.port, log, spamd }
}

/** One for all tests of a file, from the first test on: by then the service is up. */
export function openSpamdOnce(appOf: () => FastifyInstance): () => TestSpamd {
  let open: TestSpamd | undefined
  beforeEach(async () => {
    open ??= await openSpamd(appOf())
  })
  after(() => open?.spamd.close())
  return () => open!
}

/** What is answered at a port or a Unix socket to `request` by the end of the connection, as latin1; the client's side is ended unless it `stays`. */
export async function ask(
  where: number | string,
  request: string | Buffer,
  stays = false,
): Promise<string> {
  const address = typeof where === 'number' ? { port: where, host: '127.0.0.1' } : { path: where }
  const socket = connect(address).on('error', () => {})
  const bytes = typeof request === 'string' ? Buffer.from(request, 'latin1') : request
  if (stays) socket.write(bytes)
  else socket.end(bytes)
  let text = ''
  socket.setEncoding('latin1').on('data', (chunk) => {
    text += chunk
  })
  await once(socket, 'end')
  socket.destroy()
  return text
}

/** A request of `command` with `message`, and header lines of its own. */
export function request(
  command: string,
  message: string,
  { fields = [], version = '1.5' }: { fields?: readonly string[]; version?: string } = {},
): string {
  const lines = [`${command} SPAMC/${version}`, ...fields, `Content-length: ${message.length}`]
  return [...lines, '', message].join('\r\n')
}
