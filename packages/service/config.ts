/**
 * Every setting of the service: what it may be, its default, and why that default.
 *
 * A setting comes from the environment (`TAMIS_PORT=9000`) or from the JSON file that
 * `TAMIS_CONFIG` names (`{ "port": 9000 }`; config-file.ts); the environment wins. A list is a text
 * separated by commas, in the file also an array. A name that does not exist and a value that is not allowed are refused,
 * so that a typing error is seen at start. `docs/configuration.md` is generated from the table below.
 */

import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { closest, distance } from 'fastest-levenshtein'
import { TamisError } from '../errors/errors.ts'
import type { PolicySettings } from '../mail/verdict/policy.ts'
import { systemFault } from '../terminal/system-fault.ts'
import { MEMORY_BYTES_MAX } from './admission/receive.ts'
import { configFile } from './config-file.ts'
import { ListSetting } from './dns-lists/settings.ts'
import { FEEDS_ALLOWED } from './feeds/sources.ts'
import { USER_OF_PATTERN } from './http/user-of.ts'
import { LISTEN_ADDRESS_RULE, LISTEN_PATTERN } from './integrations/listen-address.ts'
import { faultIn, isOf, type Schema, type Static, Type } from './json-schema.ts'
import { CLAMD_PATTERN } from './scanner/clamd.ts'

const KIB = 1024
const MIB = 1024 * KIB
const GIB = 1024 * MIB

/** Serving threads on a machine of many processors, of which Tamis has few to itself: each takes memory of its own. */
const WORKERS_DEFAULT_MAX = 2

/** The table. `environment` names the variable; `description` is the reason for the default. */
const TABLE = Type.Object(
  {
    host: Type.String({
      environment: 'TAMIS_HOST',
      allowed: '`localhost`, `127.0.0.1` or `::1`, while no key is configured',
      minLength: 1,
      default: '127.0.0.1',
      description:
        'Address to listen on. The default is loopback, because without keys anyone who can reach the service can use it. Any other address is refused until keys are configured.',
    }),
    port: Type.Integer({
      environment: 'TAMIS_PORT',
      minimum: 0,
      maximum: 65_535,
      default: 8025,
      description: 'Port to listen on; 0 takes any free port. The default is usually free.',
    }),
    dataDir: Type.String({
      environment: 'TAMIS_DATA_DIR',
      allowed: 'a folder',
      minLength: 1,
      default: './data',
      description:
        'Folder for the files that the service writes: the SQLite file and, in `tmp`, temporary files of large messages. Each service needs its own folder.',
    }),
    databaseUrl: Type.Optional(
      Type.String({
        environment: 'DATABASE_URL',
        secret: true,
        allowed: 'a URL that begins with postgres:// or postgresql://',
        pattern: '^postgres(ql)?://',
        defaultText: 'SQLite, `tamis.sqlite` in `TAMIS_DATA_DIR`',
        description:
          'PostgreSQL database for rules, corrections and keys. You need it only if several services share them.',
      }),
    ),
    apiKeyFile: Type.Optional(
      Type.String({
        environment: 'TAMIS_API_KEY_FILE',
        allowed: 'a file',
        minLength: 1,
        defaultText: 'none',
        description:
          'File with a first key, which has all scopes, for containers that start without a key. Otherwise use `tamis keys add`.',
      }),
    ),
    models: Type.Optional(
      Type.String({
        environment: 'TAMIS_MODELS',
        allowed: 'a folder',
        minLength: 1,
        defaultText: '`artifacts/` of the package',
        description: 'Folder of the models. By default the shipped models are used.',
      }),
    ),
    workers: Type.Integer({
      environment: 'TAMIS_WORKERS',
      minimum: 1,
      maximum: 256,
      default: Math.min(WORKERS_DEFAULT_MAX, availableParallelism()),
      defaultText: 'as many as processors, at most 2',
      description:
        'Serving threads: they accept connections and judge messages. A message keeps one of them busy for a millisecond or two, so two are enough for most mail servers, and if one ends the other goes on. Each takes memory of its own (`docs/operations.md`). On a machine for Tamis alone set as many as processors.',
    }),
    queueDepth: Type.Integer({
      environment: 'TAMIS_QUEUE_DEPTH',
      minimum: 0,
      maximum: 1_000_000,
      default: 1_000,
      description:
        'Requests that may wait to be judged, in all threads together. Any further request is answered with 503 at once. At 1 ms per message, a thousand requests wait one second, which a mail server hardly notices.',
    }),
    queueTimeoutMs: Type.Integer({
      environment: 'TAMIS_QUEUE_TIMEOUT_MS',
      minimum: 1,
      maximum: 600_000,
      default: 5_000,
      description:
        'Longest wait of a request, in milliseconds, before the answer 503. Mail filters give up after some ten seconds, and an answer after that is useless.',
    }),
    bufferBytes: Type.Integer({
      environment: 'TAMIS_BUFFER_BYTES',
      minimum: MEMORY_BYTES_MAX + MIB,
      maximum: 64 * GIB,
      default: 256 * MIB,
      description:
        'Bytes that all bodies in memory may use together, counted as they arrive, plus 32 KiB for each request. Beyond this limit the answer is 503. The default holds 25 bodies of the largest size kept in memory, or three thousand of 50 KiB.',
    }),
    messageBytesMax: Type.Integer({
      environment: 'TAMIS_MESSAGE_BYTES_MAX',
      minimum: 1,
      maximum: 1 * GIB,
      default: 50 * MIB,
      description:
        'Largest message, in bytes. A larger one is answered with 413. Large mail providers accept 25 to 50 MB.',
    }),
    cpuMsMax: Type.Integer({
      environment: 'TAMIS_CPU_MS_MAX',
      minimum: 10,
      maximum: 600_000,
      default: 2_000,
      description:
        'CPU time for one message, in milliseconds. After it, Tamis judges what it has read so far. The default is a thousand times the mean, so that only hostile mail reaches it. A thread for messages over 1 MiB that has not answered after half as long again is ended, and the message is judged by its header fields.',
    }),
    threshold: Type.Union(
      [
        Type.Enum(['cautious', 'balanced', 'strict']),
        Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: 1 }),
      ],
      {
        environment: 'TAMIS_THRESHOLD',
        default: 'balanced',
        description:
          'Spam probability above which a message is spam. The presets are chosen in training so that at most 0.1 %, 0.5 % or 1 % of ham is lost on average over modern sources, and at most twice that share in the source that loses most.',
      },
    ),
    spamPrior: Type.Number({
      environment: 'TAMIS_SPAM_PRIOR',
      exclusiveMinimum: 0,
      exclusiveMaximum: 1,
      default: 0.5,
      description:
        'Share of spam in the mail that is classified. The default is a half, because Tamis does not know the share in your mail.',
    }),
    entitlements: Type.Array(Type.Enum(['spam', 'classification']), {
      environment: 'TAMIS_ENTITLEMENTS',
      minItems: 1,
      uniqueItems: true,
      default: ['spam', 'classification'],
      description:
        'What the licence includes while no key is configured. By default it includes everything.',
    }),
    pathRoots: Type.Array(Type.String({ pattern: '^/', allowed: 'absolute paths' }), {
      environment: 'TAMIS_PATH_ROOTS',
      default: [],
      description:
        'Folders from which the path forms may read files. This needs Linux with /proc. By default there are none, and the path forms are answered with an error.',
    }),
    trustedAuthservIds: Type.Array(
      Type.String({ pattern: '^[\\w.-]{1,255}$', allowed: 'host names' }),
      {
        environment: 'TAMIS_TRUSTED_AUTHSERV_IDS',
        default: [],
        description:
          'Hosts whose Authentication-Results fields Tamis trusts, by the name that they use there (authserv-id, RFC 8601). Name the host that receives the mail, and only if it removes fields with its name that come from outside. By default no host is trusted, because anyone can write such a field.',
      },
    ),
    authDns: Type.String({
      environment: 'TAMIS_AUTH_DNS',
      pattern: '^(auto|on|off|system|[0-9a-fA-F.:\\[\\]]+(,[0-9a-fA-F.:\\[\\]]+)*)$',
      allowed:
        '`auto`, `on`, `off`, or addresses of DNS servers (`192.0.2.1`, `192.0.2.1:53`), separated by commas',
      default: 'auto',
      description:
        'Whether Tamis checks SPF, DKIM, DMARC and ARC by DNS if no trusted field has the results (docs/senders.md). `on` asks the DNS servers that this machine uses, addresses name others. The default, `auto`, is `on` as soon as one of those servers answers; until then Tamis asks again, at first each second, later each minute. Without checks anyone can write in the name of a domain that counts as known.',
    }),
    feeds: Type.Array(Type.String(), {
      environment: 'TAMIS_FEEDS',
      secret: true,
      allowed: FEEDS_ALLOWED,
      default: [],
      description:
        'URL feeds. A message with a link that is in a feed is spam (`phishtank_match`). Each feed is downloaded at its own interval and kept in `TAMIS_DATA_DIR`; `imported` uses files from `tamis feeds import`. By default there are none, because Tamis downloads nothing unless you ask for it, and each feed has its own terms of use.',
    }),
    dnsLists: Type.Array(ListSetting, {
      environment: 'TAMIS_DNS_LISTS',
      secret: true,
      default: [],
      description:
        'DNS lists that Tamis queries about the client that delivered a message (`X-Sender-IP`) and about the domains in From and in links. A hit adds a stated weight to the log-odds of spam (docs/lists.md). The queries go to the servers in `TAMIS_AUTH_DNS`, if it names any, else to those of this machine. By default there are none, because the operator of a list sees your queries, and each list has its own terms of use.',
    }),
    clamd: Type.String({
      environment: 'TAMIS_CLAMD',
      pattern: CLAMD_PATTERN,
      allowed:
        'the path of a socket (`/run/clamav/clamd.ctl`), or a host and a port (`127.0.0.1:3310`)',
      default: '',
      defaultText: 'none',
      description:
        'Where ClamAV’s clamd listens. Each message that is judged is sent to it, and one in which it finds something is spam (docs/scanner.md). By default there is none, because ClamAV is a program of its own that needs a gigabyte of memory.',
    }),
    rules: Type.Optional(
      Type.String({
        environment: 'TAMIS_RULES',
        allowed: 'a file',
        minLength: 1,
        defaultText: 'none',
        description:
          'File of rules that allow, block or score mail, set a class, or settings of single recipients ([rules.md](rules.md)). A reload reads it again. By default there is none.',
      }),
    ),
    rspamdEndpoints: Type.Enum(['off', 'on'], {
      environment: 'TAMIS_RSPAMD_ENDPOINTS',
      default: 'off',
      description:
        "Whether the service has the paths `/checkv2`, `/learnspam`, `/learnham` and `/ping` for Rspamd's clients (docs/integrations/rspamd-clients.md). The default is `off`, because most installations do not need them.",
    }),
    milterListen: Type.Array(
      Type.String({ pattern: LISTEN_PATTERN, allowed: LISTEN_ADDRESS_RULE }),
      {
        environment: 'TAMIS_MILTER_LISTEN',
        default: [],
        description:
          'Where Postfix or Sendmail finds the milter (docs/integrations/milter.md): `inet:8026@127.0.0.1`, or a Unix socket, to whose file the owner and the group have access. The protocol has no password. By default there is no milter.',
      },
    ),
    milterSpamFlag: Type.Enum(['on', 'off'], {
      environment: 'TAMIS_MILTER_SPAM_FLAG',
      default: 'on',
      description:
        'Whether the milter writes X-Spam-Flag, and removes X-Spam fields that came with the message. Use `off` beside another filter that writes them.',
    }),
    spamdListen: Type.Array(
      Type.String({ pattern: LISTEN_PATTERN, allowed: LISTEN_ADDRESS_RULE }),
      {
        environment: 'TAMIS_SPAMD_LISTEN',
        default: [],
        description:
          "Where SpamAssassin's clients find spamd (docs/integrations/spamassassin-clients.md): `inet:783@127.0.0.1`, or a Unix socket. The protocol has no password: corrections (`spamc -L`) are taken on a Unix socket alone, to whose file the owner and the group have access. By default there is no spamd.",
      },
    ),
    userOf: Type.String({
      environment: 'TAMIS_USER_OF',
      pattern: USER_OF_PATTERN,
      allowed:
        '`address`, `localpart` or `none`, the first two also with delimiters (`address+`, `localpart+-`)',
      default: 'address',
      description:
        'How a recipient whom the milter or a client of spamd or Rspamd names becomes the user id: the whole address in lower case, the part before the @, or no user. Delimiters separate an extension, which is left out: `address+` makes `ann@example.org` of `ann+shop@example.org`. The default is the address, because only addresses distinguish users of several domains.',
    }),
    learning: Type.Enum(['users', 'operator', 'off'], {
      environment: 'TAMIS_LEARNING',
      default: 'users',
      description:
        "What is learned, above all by the model that all users share. `users`: corrections that at least 5 users make the same way in as many different texts, each user known for more than a day, within limits (docs/corrections.md). `operator`: the same, and in addition each correction by the operator, made with `tamis learn` or a key with the scope `operator`. `off`: neither the shared model nor users' personal models learn, and [correspondents](correspondents.md) are not recorded. A user's rules and memory always follow their own corrections.",
    }),
    retentionDays: Type.Integer({
      environment: 'TAMIS_RETENTION_DAYS',
      minimum: 1,
      maximum: 36_500,
      default: 400,
      description:
        'Days after which a correction is deleted from the log and loses its effect. The default is a year and some weeks, so that mail that comes once a year is still known.',
    }),
    historyDays: Type.Integer({
      environment: 'TAMIS_HISTORY_DAYS',
      minimum: 0,
      maximum: 365,
      default: 0,
      description:
        'Days for which judged messages are kept in the history: who wrote, to whom, when, the verdict and its reasons, and no text ([history.md](history.md)). 0 keeps no history and deletes existing entries. The default is 0, because the history says who writes to whom.',
    }),
    logLevel: Type.Enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'], {
      environment: 'TAMIS_LOG_LEVEL',
      default: 'info',
      description:
        'Lowest level of log lines. `info` logs one line for each request: route, status and time, and of a judged message the Message-ID, the domain of its sender, the verdict and the reasons. No line contains a user id or an address.',
    }),
  },
  { additionalProperties: false },
)

export type Config = Readonly<Static<typeof TABLE>>

/** The variable that names the JSON file; it is not a setting itself. */
const FILE_VARIABLE = 'TAMIS_CONFIG'

/** A row of the table. */
export interface Setting extends Schema {
  readonly environment: string
  readonly description: string
  readonly default?: unknown
  /** A text in place of a default that depends on the machine. */
  readonly defaultText?: string
}

/** The table, by the keys in the JSON file and in `Config`. */
export const SETTINGS = TABLE.properties as unknown as Readonly<Record<keyof Config, Setting>>

/**
 * The settings from `environment` and the file that it names.
 *
 * @param readFile gives the text of a file, or throws.
 * @throws TamisError CONFIG_INVALID naming the setting, its value and what is allowed.
 */
export function readConfig(
  environment: Readonly<Record<string, string | undefined>>,
  readFile: (path: string) => string,
): Config {
  refuseUnknown(
    Object.keys(environment).filter((name) => name.startsWith('TAMIS_') && !OF_COMMANDS.test(name)),
    [FILE_VARIABLE, ...Object.values(SETTINGS).map(({ environment }) => environment)],
    'the environment',
  )
  const file = readConfigFile(environment[FILE_VARIABLE], readFile)
  refuseUnknown(Object.keys(file), Object.keys(SETTINGS), `${environment[FILE_VARIABLE]}`)
  const values = Object.entries(SETTINGS).map(([key, setting]) => {
    const text = environment[setting.environment]
    return [key, settingValue(key, setting, text, file[key])]
  })
  return Object.fromEntries(values)
}

/**
 * The settings of this process, or those that it would have with `file`.
 *
 * @throws TamisError CONFIG_INVALID, as `readConfig` does.
 */
export function readOwnConfig(file = configFile(process.env)): Config {
  const environment = { ...process.env, [FILE_VARIABLE]: file }
  return readConfig(environment, (path) => readFileSync(path, 'utf8'))
}

/**
 * How many sockets were passed to this process, from descriptor 3 on (sd_listen_fds(3)), and not to one that has
 * started it, such as npm.
 */
export function passedSockets(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): number {
  return environment['LISTEN_PID'] === `${process.pid}` ? Number(environment['LISTEN_FDS']) : 0
}

/** What `config` says about verdicts. */
export function policySettings(config: Config): PolicySettings {
  return {
    threshold: config.threshold,
    spamPrior: config.spamPrior,
    spamEntitled: config.entitlements.includes('spam'),
  }
}

/** The allowed values in words: 'a whole number from 0 to 65535'. */
export function allowedText(schema: Schema): string {
  const { type, anyOf, items, ...rest } = schema
  if (typeof rest['allowed'] === 'string') return rest['allowed']
  if (Array.isArray(anyOf)) return anyOf.map((option) => allowedText(option)).join(', ')
  if (Array.isArray(rest['enum'])) return rest['enum'].join(', ')
  if (type === 'array') return `a list, separated by commas, of: ${allowedText(items as Schema)}`
  if (type === 'integer') return `a whole number from ${rest['minimum']} to ${rest['maximum']}`
  if (type === 'number') {
    return `a number above ${rest['exclusiveMinimum']} and below ${rest['exclusiveMaximum']}`
  }
  return 'a non-empty text'
}

function readConfigFile(
  path: string | undefined,
  readFile: (path: string) => string,
): Record<string, unknown> {
  if (path === undefined) return {}
  try {
    // Some editors write a byte order mark.
    const content: unknown = JSON.parse(readFile(path).replace(/^\uFEFF/, ''))
    if (isOf(Type.Record(Type.Of({})), content)) return content
  } catch (cause) {
    const how = cause instanceof SyntaxError ? 'read as JSON' : 'read'
    throw new TamisError(
      'CONFIG_INVALID',
      `${FILE_VARIABLE} is "${path}", which cannot be ${how}: ${systemFault(cause)}`,
      { cause },
    )
  }
  throw new TamisError(
    'CONFIG_INVALID',
    `${FILE_VARIABLE} is "${path}", which is not a JSON object`,
  )
}

/** Options of commands that call a service (docs/cli.md), which may be set in its environment too. */
const OF_COMMANDS = /^TAMIS_(URL|API_KEY|KEY_FILE)$/

/** Letters by which a misspelt name differs from the one that was meant. */
const TYPOS_MAX = 3

function refuseUnknown(names: string[], known: string[], where: string): void {
  const unknown = names.find((name) => !known.includes(name))
  if (unknown === undefined) return
  const nearest = closest(unknown, known)
  const hint = distance(unknown, nearest) <= TYPOS_MAX ? `Did you mean ${nearest}? ` : ''
  throw new TamisError(
    'CONFIG_INVALID',
    `${unknown} in ${where} is not a setting. ${hint}Settings: ${known.join(', ')}`,
  )
}

function settingValue(
  key: string,
  setting: Setting,
  text: string | undefined,
  fromFile: unknown,
): unknown {
  const given = text ?? fromFile
  if (given === undefined) return setting.default
  const value = readValue(given, setting)
  const fault = faultIn(setting, value)
  if (fault === undefined) return value
  const name = text === undefined ? `"${key}"` : setting.environment
  // The URL of a database may contain its password.
  const what =
    'secret' in setting ? 'has a value that is not allowed' : `is ${JSON.stringify(given)}`
  const where = fault.path === '' ? '' : ` (at ${fault.path})`
  throw new TamisError(
    'CONFIG_INVALID',
    `${name} ${what}${where}; allowed: ${allowedText(setting)}`,
  )
}

/** Reads a text as a list, separated by commas, or as a number where the setting takes that. */
function readValue(given: unknown, schema: Schema): unknown {
  if (typeof given !== 'string') return given
  const text = given.trim()
  if (schema['type'] === 'array') {
    return text === '' ? [] : text.split(',').map((item) => item.trim())
  }
  const asItStands: boolean = isOf(schema, given)
  return asItStands || text === '' ? given : Number(text)
}
