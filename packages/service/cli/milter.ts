/** `tamis milter`: judges the messages of Postfix or Sendmail on their way in. */
import { accessSync, constants } from 'node:fs'
import { BlockList } from 'node:net'
import { tmpdir } from 'node:os'
import { InvalidArgumentError, Option } from 'commander'
import type { Command } from '../../terminal/command.ts'
import { systemFault } from '../../terminal/system-fault.ts'
import { isLoopback } from '../access/loopback.ts'
import { closeOnSignal } from '../end-signals.ts'
import { LOG_LEVELS, type Log, type LogLevel, LogLines, openLog } from '../http/log.ts'
import type { UserOf } from '../http/user-of.ts'
import { LISTEN_ADDRESS_RULE, type ListenAddress } from '../integrations/listen-address.ts'
import { type MilterSettings, startMilter, TIMEOUT_MS_MAX } from '../integrations/milter/server.ts'
import { listenAddresses, networks, octalMode } from './listen-options.ts'
import {
  addServiceOptions,
  numberBetween,
  type ServiceOptions,
  serviceClient,
  wholeBetween,
} from './service-options.ts'

const MIB = 1024 * 1024

/** Larger ones wait in a temporary file (docs/decisions). */
const MEMORY_BYTES_MAX = 10 * MIB

/** The service's own limit, TAMIS_MESSAGE_BYTES_MAX. */
const MESSAGE_BYTES_MAX = 50 * MIB

const MS = 1_000

/** The longest line of an SMTP reply has 512 bytes (RFC 5321 §4.5.3.1.5), with its codes and CRLF. */
const REJECT_TEXT_LENGTH_MAX = 480

interface MilterOptions extends ServiceOptions {
  readonly listen: readonly ListenAddress[]
  readonly socketMode: number
  readonly timeout: number
  readonly connections: number
  readonly bufferBytes: number
  readonly messageBytes: number
  readonly tempDir: string
  readonly userOf: UserOf
  readonly recipientDelimiter: string
  readonly authenticated: 'skip' | 'scan'
  readonly correspondents: 'on' | 'off'
  readonly submissionPorts: readonly string[]
  readonly skipNetworks: BlockList
  readonly spamFlag: 'on' | 'off'
  readonly quarantineAt?: number
  readonly rejectAt?: number
  readonly rejectText: string
  readonly onFailure: 'accept' | 'tempfail'
  readonly logLevel: LogLevel
}

export function addMilterCommand(program: Command): void {
  const command = program
    .command('milter')
    .description('judge messages when Postfix or Sendmail receives them')
  addServiceOptions(command)
  for (const option of OPTIONS) command.addOption(option)
  command
    .notes(`
Every option can also be set in the environment. For recipes see docs/integrations/milter.md.

Examples:
  tamis milter
  tamis milter --listen unix:/run/tamis/milter.sock --reject-at 0.999`)
    .action((options: MilterOptions) => runMilter(options))
}

const OPTIONS: readonly Option[] = [
  setting(
    '--listen <addresses>',
    `where to listen: ${LISTEN_ADDRESS_RULE}; separate several with commas`,
  )
    .default([{ kind: 'inet', host: '127.0.0.1', port: 8026 }], 'inet:8026@127.0.0.1')
    .argParser(listenAddresses),
  setting('--socket-mode <mode>', 'mode of the file of a Unix socket, octal')
    .default(0o660, '660')
    .argParser(octalMode),
  setting('--timeout <seconds>', 'longest time to wait for an answer from Tamis')
    .default(10)
    .argParser(numberBetween(0.1, TIMEOUT_MS_MAX / MS)),
  setting('--connections <n>', 'connections that may be open at once; any more are closed')
    .default(1_000)
    .argParser(wholeBetween(1, 100_000)),
  setting('--buffer-bytes <n>', 'bytes that all messages in memory may use')
    .default(256 * MIB)
    .argParser(wholeBetween(MEMORY_BYTES_MAX, 2 ** 40)),
  setting(
    '--message-bytes <n>',
    "bytes of a message that are judged; at most the service's TAMIS_MESSAGE_BYTES_MAX",
  )
    .default(MESSAGE_BYTES_MAX)
    .argParser(wholeBetween(MIB, 2 ** 31)),
  setting('--temp-dir <folder>', 'folder for messages above 10 MiB')
    .default(tmpdir(), "the system's")
    .argParser(writableFolder),
  setting('--user-of <what>', 'how a recipient becomes a user of Tamis')
    .default('address')
    .choices(['address', 'localpart', 'none']),
  setting(
    '--recipient-delimiter <characters>',
    'characters that separate an address from its extension (ann+shop)',
  )
    .default('')
    .argParser(delimiters),
  setting('--authenticated <what>', 'whether to judge messages from senders who have logged in')
    .default('skip')
    .choices(['skip', 'scan']),
  setting(
    '--correspondents <on|off>',
    'tell Tamis whom users write to; needs a key with the scope feedback',
  )
    .default('on')
    .choices(['on', 'off']),
  setting(
    '--submission-ports <list>',
    'ports of the MTA on which only users send, besides logins: numbers, separated by commas; the MTA must send the macro {daemon_port}',
  )
    .default([], 'none')
    .argParser(ports),
  setting(
    '--skip-networks <list>',
    'clients whose messages are not judged: addresses and networks, separated by commas',
  )
    .default(new BlockList(), 'none')
    .argParser(networks),
  setting('--spam-flag <on|off>', 'write X-Spam-Flag, and remove incoming X-Spam fields')
    .default('on')
    .choices(['on', 'off']),
  setting(
    '--quarantine-at <p>',
    'hold a message that is spam for all its recipients with at least this probability',
  ).argParser(numberBetween(0, 1)),
  setting(
    '--reject-at <p>',
    'refuse a message that is spam for all its recipients with at least this probability',
  ).argParser(numberBetween(0, 1)),
  setting('--reject-text <text>', 'reply to a refused message, after 550 5.7.1')
    .default('This message looks like spam')
    .argParser(rejectText),
  setting('--on-failure <what>', 'what to do with a message that Tamis cannot judge')
    .default('accept')
    .choices(['accept', 'tempfail']),
  setting('--log-level <level>', 'lowest level of log lines').default('info').choices(LOG_LEVELS),
]

/** An option that has an environment variable as well: `--user-of` is TAMIS_MILTER_USER_OF. */
function setting(flags: string, description: string): Option {
  const option = new Option(flags, description)
  return option.env(`TAMIS_MILTER_${option.name().toUpperCase().replaceAll('-', '_')}`)
}

async function runMilter(options: MilterOptions): Promise<void> {
  // The reader of the log may go away; that is no reason to stop.
  process.stdout.on('error', () => {})
  const log = openLog(new LogLines(process.stdout), options.logLevel)
  const settings = settingsFrom(options)
  warnIfOpen(settings, log)
  const milter = await startMilter(settings, serviceClient(options, settings.timeoutMs, false), log)
  closeOnSignal(() => milter.close())
}

function settingsFrom(options: MilterOptions): MilterSettings {
  return {
    listen: options.listen,
    socketMode: options.socketMode,
    connectionsMax: options.connections,
    timeoutMs: options.timeout * MS,
    messageBytesMax: options.messageBytes,
    memoryBytesMax: MEMORY_BYTES_MAX,
    bufferBytes: options.bufferBytes,
    folder: options.tempDir,
    policy: {
      userOf: options.userOf,
      recipientDelimiter: options.recipientDelimiter,
      scanAuthenticated: options.authenticated === 'scan',
      tellsCorrespondents: options.correspondents === 'on',
      submissionPorts: options.submissionPorts,
      skipNetworks: options.skipNetworks,
      spamFlag: options.spamFlag === 'on',
      quarantineAt: options.quarantineAt,
      rejectAt: options.rejectAt,
      rejectReply: `550 5.7.1 ${options.rejectText}`,
      onFailure: options.onFailure,
    },
  }
}

/** The protocol has no password. */
function warnIfOpen({ listen }: MilterSettings, log: Log): void {
  for (const address of listen) {
    if (address.kind === 'unix' || isLoopback(address.host)) continue
    log.warn(
      { host: address.host },
      'The milter listens on an address that other machines can reach. They can have messages judged for any user, so let only your mail servers connect',
    )
  }
}

function writableFolder(text: string): string {
  try {
    accessSync(text, constants.W_OK | constants.X_OK)
    return text
  } catch (error) {
    throw new InvalidArgumentError(
      `Allowed: a folder that can be written to. It cannot be used: ${systemFault(error)}.`,
    )
  }
}

function ports(text: string): string[] {
  const numbers = text.split(',').map((each) => each.trim())
  if (numbers.every((each) => /^[1-9][0-9]{0,4}$/.test(each) && Number(each) < 2 ** 16)) {
    return numbers
  }
  throw new InvalidArgumentError('Allowed: port numbers, separated by commas, such as 587,465.')
}

function delimiters(text: string): string {
  if (/^[!-?A-~]{0,8}$/.test(text) && !/[A-Za-z0-9]/.test(text)) return text
  throw new InvalidArgumentError('Allowed: up to eight punctuation characters, such as + or +-.')
}

/** MTAs give % a meaning of their own. */
function rejectText(text: string): string {
  if (/^[ -$&-~]+$/.test(text) && text.trim() !== '' && text.length <= REJECT_TEXT_LENGTH_MAX)
    return text
  throw new InvalidArgumentError(
    `Allowed: up to ${REJECT_TEXT_LENGTH_MAX} ASCII characters without %.`,
  )
}
