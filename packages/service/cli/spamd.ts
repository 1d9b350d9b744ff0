/** `tamis spamd`: answers SpamAssassin's clients. */
import { BlockList } from 'node:net'
import { Option } from 'commander'
import { TamisError } from '../../errors/errors.ts'
import type { Command } from '../../terminal/command.ts'
import { ownVersion } from '../../terminal/version.ts'
import { isLoopback } from '../access/loopback.ts'
import { closeOnSignal } from '../end-signals.ts'
import { LOG_LEVELS, type LogLevel, LogLines, openLog } from '../http/log.ts'
import type { UserOf } from '../http/user-of.ts'
import {
  describeAddress,
  LISTEN_ADDRESS_RULE,
  type ListenAddress,
} from '../integrations/listen-address.ts'
import { startSpamd } from '../integrations/spamd/server.ts'
import { listenAddresses, networks, octalMode } from './listen-options.ts'
import {
  addServiceOptions,
  numberBetween,
  type ServiceOptions,
  serviceClient,
  wholeBetween,
} from './service-options.ts'

const MIB = 1024 * 1024
const MS = 1_000

interface SpamdOptions extends ServiceOptions {
  readonly listen: readonly ListenAddress[]
  readonly socketMode: number
  readonly allowFrom?: BlockList
  readonly allowTell: boolean
  readonly userOf: UserOf
  readonly timeout: number
  readonly receiveTimeout: number
  readonly connections: number
  readonly messageBytes: number
  readonly bufferBytes: number
  readonly logLevel: LogLevel
}

export function addSpamdCommand(program: Command): void {
  const command = program
    .command('spamd')
    .description("answer SpamAssassin's clients: spamc, Exim, Haraka and others")
  addServiceOptions(command)
  for (const option of OPTIONS) command.addOption(option)
  command
    .notes(`
For recipes see docs/integrations/spamassassin-clients.md.

Examples:
  tamis spamd
  tamis spamd --listen unix:/run/tamis/spamd.sock --allow-tell
  tamis spamd --listen inet:783@0.0.0.0 --allow-from 192.0.2.0/24`)
    .action((options: SpamdOptions) => runSpamd(options))
}

const OPTIONS: readonly Option[] = [
  new Option(
    '--listen <addresses>',
    `where to listen: ${LISTEN_ADDRESS_RULE}; separate several with commas`,
  )
    .default([{ kind: 'inet', host: '127.0.0.1', port: 783 }], 'inet:783@127.0.0.1')
    .argParser(listenAddresses),
  new Option('--socket-mode <mode>', 'mode of the file of a Unix socket, octal')
    .default(0o660, '660')
    .argParser(octalMode),
  new Option(
    '--allow-from <list>',
    'other machines that may connect: addresses and networks, separated by commas',
  ).argParser(networks),
  new Option(
    '--allow-tell',
    'let clients correct verdicts (spamc -L) for the user that they name',
  ).default(false),
  new Option('--user-of <what>', 'how the User in a request becomes a user of Tamis')
    .default('address')
    .choices(['address', 'localpart', 'none']),
  new Option('--timeout <seconds>', 'longest time to wait for an answer from Tamis')
    .default(15)
    .argParser(numberBetween(0.1, 600)),
  new Option('--receive-timeout <seconds>', 'longest time for a request to arrive')
    .default(60)
    .argParser(numberBetween(0.1, 3_600)),
  new Option('--connections <n>', 'connections that may be open at once; any more are refused')
    .default(256)
    .argParser(wholeBetween(1, 100_000)),
  new Option('--message-bytes <n>', 'bytes of the largest message, also after decompression')
    .default(50 * MIB)
    .argParser(wholeBetween(1, 2 ** 30)),
  new Option('--buffer-bytes <n>', 'bytes that all messages together may use')
    .default(256 * MIB)
    .argParser(wholeBetween(1, 2 ** 40)),
  new Option('--log-level <level>', 'lowest level of log lines')
    .default('info')
    .choices(LOG_LEVELS),
]

async function runSpamd(options: SpamdOptions): Promise<void> {
  refusePublic(options)
  // The reader of the log may go away; that is no reason to stop.
  process.stdout.on('error', () => {})
  const log = openLog(new LogLines(process.stdout), options.logLevel)
  const timeoutMs = options.timeout * MS
  const spamd = await startSpamd(
    {
      listen: options.listen,
      socketMode: options.socketMode,
      allowFrom: options.allowFrom ?? new BlockList(),
      connectionsMax: options.connections,
      messageBytesMax: options.messageBytes,
      bufferBytes: options.bufferBytes,
      receiveTimeoutMs: options.receiveTimeout * MS,
      timeoutMs,
      client: serviceClient(options, timeoutMs, false),
      userOf: options.userOf,
      allowTell: options.allowTell,
      version: ownVersion(),
    },
    log,
  )
  closeOnSignal(() => spamd.close())
}

/** @throws TamisError CONFIG_INVALID for an address that other machines can reach while none of them may connect, and for limits that contradict each other. */
function refusePublic({ listen, allowFrom, messageBytes, bufferBytes }: SpamdOptions): void {
  const open = listen.find((each) => each.kind === 'inet' && !isLoopback(each.host))
  if (open !== undefined && allowFrom === undefined) {
    throw new TamisError(
      'CONFIG_INVALID',
      `--listen is ${describeAddress(open)}; allowed without --allow-from: localhost, 127.0.0.1, ::1 or a Unix socket. The protocol has no password, so anyone who can reach it can use it`,
    )
  }
  if (bufferBytes < messageBytes) {
    throw new TamisError(
      'CONFIG_INVALID',
      `--buffer-bytes is ${bufferBytes}; allowed: at least --message-bytes (${messageBytes}). With less, a message of that size could never be received`,
    )
  }
}
