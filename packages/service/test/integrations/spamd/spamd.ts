/** `tamis spamd` before a whole service, for one test or one file of them. */
import { once } from 'node:events'
import { BlockList, connect } from 'node:net'
import { after, beforeEach } from 'node:test'
import { TamisClient } from '../../../../client/client.ts'
import { openLog } from '../../../http/log.ts'
import type { ListenAddress } from '../../../integrations/listen-address.ts'
import type { Listener } from '../../../integrations/listener.ts'
import { type SpamdSettings, startSpamd } from '../../../integrations/spamd/server.ts'

const MIB = 1024 * 1024

export interface TestSpamd {
  readonly port: number
  /** Log lines so far. */
  readonly log: string[]
  readonly spamd: Listener
}

/** On a free port of the loopback and where `settings` say, asking the service at `url`. */
export async function openSpamd(
  url: string,
  settings: Partial<SpamdSettings> = {},
): Promise<TestSpamd> {
  const log: string[] = []
  const timeoutMs = settings.timeoutMs ?? 15_000
  const inet: ListenAddress = { kind: 'inet', host: '127.0.0.1', port: 0 }
  const spamd = await startSpamd(
    {
      socketMode: 0o660,
      allowFrom: new BlockList(),
      connectionsMax: 64,
      messageBytesMax: 10 * MIB,
      bufferBytes: 64 * MIB,
      receiveTimeoutMs: 10_000,
      timeoutMs,
      client: new TamisClient({ url, timeoutMs }),
      userOf: 'address',
      allowTell: true,
      version: '0.1.0',
      ...settings,
      listen: [inet, ...(settings.listen ?? [])],
    },
    openLog({ write: (line) => log.push(line) }, 'info'),
  )
  const [address] = spamd.addresses
  if (address?.kind !== 'inet') throw new TypeError('It does not listen on TCP')
  return { port: address.port, log, spamd }
}

/** One for all tests of a file, from the first test on: by then the service of `urlOf` is up. */
export function openSpamdOnce(urlOf: () => Promise<string>): () => TestSpamd {
  let open: TestSpamd | undefined
  beforeEach(async () => {
    open ??= await openSpamd(await urlOf())
  })
  after(() => open?.spamd.close())
  return () => open!
}

/** What is answered to `request` by the end of the connection, as latin1; the client's side is ended unless it `stays`. */
export async function ask(port: number, request: string | Buffer, stays = false): Promise<string> {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
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
