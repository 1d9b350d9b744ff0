/** The servers that are compared: how each is started, and how it is asked for a verdict. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PeerServer, Place } from '../../peers/peer.ts'
import { answersAt, freePort, startDaemon, versionOf } from '../../peers/processes.ts'
import { startRspamd } from '../../peers/rspamd.ts'
import { startSpamd } from '../../peers/spamassassin.ts'
import { ROOT } from '../benchmark.ts'
import { type Answers, requestOf, verdictAnswers } from '../load/generator.ts'
import { treeCpuMs } from '../machine/process-tree.ts'

/** A server that has compiled and loaded everything uses less than this in a second. */
const REST_CPU_MS = 30

const REST_TIMEOUT_MS = 120_000

/** What can be started. */
export interface ServerKind {
  readonly name: string
  /** As the installed program gives it; undefined when it is not installed. */
  readonly version: () => string | undefined
  readonly start: (place: Place) => Promise<PeerServer>
  /** The bytes that ask for a verdict on a message. */
  readonly requestOf: (message: Buffer) => Buffer
  readonly answers: Answers
}

export interface Server extends PeerServer {
  readonly kind: ServerKind
}

const PACKAGE = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly version: string
  readonly scripts: { readonly start: string }
}

/** The two of ours. */
export const OURS = 'Tamis'
export const OURS_WITHOUT_READER = 'Tamis without reader'

/** Environment variables. */
type Settings = Readonly<Record<string, string>>

/** Tamis as `npm start` runs it, with everything that it has by itself. */
const TAMIS = tamis(OURS, {})

/** The same without the second reading and the encoder, which no other has. */
const TAMIS_WITHOUT_READER = tamis(OURS_WITHOUT_READER, {
  TAMIS_READER: 'off',
  TAMIS_EMBEDDING: 'table',
})

/** As Debian configures it, all that asks other hosts or a Redis off, and no Bayes. It closes each connection. */
const RSPAMD: ServerKind = {
  name: 'Rspamd',
  version: () => versionOf('rspamd'),
  start: startRspamd,
  requestOf: (message) => requestOf('/checkv2', message),
  answers: verdictAnswers(/"score":-?\d/, true),
}

/**
 * SpamAssassin's spamd with its rules alone, asked in its own protocol, in which each message has a
 * connection of its own (spamd/PROTOCOL in its source).
 */
const SPAMD: ServerKind = {
  name: 'spamd',
  version: () => versionOf('spamd'),
  start: startSpamd,
  requestOf: (message) => {
    const head = `CHECK SPAMC/1.2\r\nContent-length: ${message.length}\r\n\r\n`
    return Buffer.concat([Buffer.from(head), message])
  },
  answers: { kindOf: spamdKindOf, closes: true },
}

export const KINDS: readonly ServerKind[] = [TAMIS, TAMIS_WITHOUT_READER, RSPAMD, SPAMD]

/** Starts a server; resolves when it answers and does no more work of its own. */
export async function startServer(kind: ServerKind, place: Place): Promise<Server> {
  const server = await kind.start(place)
  const until = performance.now() + REST_TIMEOUT_MS
  for (let rested = false; !rested && performance.now() < until; ) {
    const before = treeCpuMs(server.pid)
    await sleep(1_000)
    rested = treeCpuMs(server.pid) - before < REST_CPU_MS
  }
  return { ...server, kind }
}

function tamis(name: string, settings: Settings): ServerKind {
  return {
    name,
    version: () => PACKAGE.version,
    start: (place) => startTamis(place, settings),
    requestOf: (message) => requestOf('/classify-stream', message),
    answers: verdictAnswers(/"isSpam":(?:true|false)/),
  }
}

async function startTamis(
  { scratch, cores, workers = 1 }: Place,
  more: Settings,
): Promise<PeerServer> {
  const port = await freePort()
  const settings = {
    ...more,
    TAMIS_PORT: port,
    TAMIS_WORKERS: workers,
    TAMIS_DATA_DIR: scratch,
    // The others do without the network too.
    TAMIS_AUTH_DNS: 'off',
  }
  const environment = Object.entries(settings).map(([name, value]) => `${name}=${value}`)
  const command = { command: 'env', args: [...environment, ...startLine()], cores }
  const daemon = await startDaemon({ ...command, log: join(scratch, 'tamis.log') }, () =>
    answersAt(`http://127.0.0.1:${port}/ready`),
  )
  return { ...daemon, port }
}

/** `node`, flags and module of `npm start`; the module by its whole path. */
function startLine(): string[] {
  const rest = PACKAGE.scripts.start.split(' exec node ').at(-1)!.split(' ')
  return [process.execPath, ...rest.slice(0, -1), join(ROOT, rest.at(-1)!)]
}

/** 'Spam: False ; 2.1 / 5.0' among the fields of the answer. */
function spamdKindOf(answer: Buffer): string | undefined {
  const text = answer.toString('latin1')
  if (!text.includes('\r\n\r\n')) return undefined
  const isVerdict = /^SPAMD\/\S+ 0 /.test(text) && /^Spam: (?:True|False) ; /m.test(text)
  return isVerdict ? '200' : 'no verdict'
}
