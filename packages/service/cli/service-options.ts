/** Options of commands that speak to a running service: where it is, and the key for it. */
import { readFileSync } from 'node:fs'
import { InvalidArgumentError, Option } from 'commander'
import { TamisClient } from '../../client/client.ts'
import { TamisError } from '../../errors/errors.ts'
import type { Command } from '../../terminal/command.ts'
import { systemFault } from '../../terminal/system-fault.ts'
import { type Config, readOwnConfig } from '../config.ts'

/** Addresses that stand for all of a machine, and those by which it reaches itself. */
const LOOPBACK: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/**
 * How long a command waits for an answer, in milliseconds: a correction waits for a worker, DNS and the
 * store, each of which has a limit of its own.
 */
const ANSWER_MS_MAX = 30_000

export interface ServiceOptions {
  /** Undefined for the service of the settings. */
  readonly url?: string
  readonly keyFile?: string
}

/** Adds `--url` and `--key-file` to `command`. */
export function addServiceOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--url <url>',
        'address of the Tamis service; by default that of the settings (TAMIS_HOST, TAMIS_PORT)',
      )
        .env('TAMIS_URL')
        .argParser(readServiceUrl),
    )
    .addOption(
      new Option(
        '--key-file <file>',
        'file with the API key; without it TAMIS_API_KEY is used, if it is set',
      ).env('TAMIS_KEY_FILE'),
    )
}

/**
 * A client as `options` have it.
 *
 * @throws TamisError CONFIG_INVALID where the file has no key, or the settings do not say where the service is;
 *   PATH_NOT_READABLE.
 */
export function serviceClient({
  url = serviceUrl(readOwnConfig()),
  keyFile,
}: ServiceOptions): TamisClient {
  const key = keyFile === undefined ? process.env['TAMIS_API_KEY'] : readKey(keyFile)
  return new TamisClient({ url, timeoutMs: ANSWER_MS_MAX, ...(key ? { key } : {}) })
}

/**
 * Where a service with the settings `host` and `port` is reached from this machine.
 *
 * @throws TamisError CONFIG_INVALID for port 0.
 */
export function serviceUrl({ host, port }: Pick<Config, 'host' | 'port'>): string {
  if (port === 0) {
    throw new TamisError(
      'CONFIG_INVALID',
      'TAMIS_PORT is 0, so only the service knows its port: name it with --url or TAMIS_URL',
    )
  }
  const reached = LOOPBACK[host] ?? host
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`
}

function readKey(file: string): string {
  const key = readKeyFile(file).trim()
  if (/^[!-~]{1,256}$/.test(key)) return key
  throw new TamisError(
    'CONFIG_INVALID',
    `--key-file is "${file}", which has no key; allowed: one line`,
  )
}

function readKeyFile(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    const text = `--key-file is "${file}", which cannot be read: ${systemFault(cause)}`
    throw new TamisError('PATH_NOT_READABLE', text, { cause })
  }
}

/** A URL as the client takes it, for `Option.argParser`. */
function readServiceUrl(text: string): string {
  try {
    new TamisClient({ url: text })
    return text
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message)
  }
}

/** A whole number within bounds, for `Option.argParser`. */
export function wholeBetween(min: number, max: number): (text: string) => number {
  return (text) => {
    const number = Number(text)
    const isWhole = text.trim() !== '' && Number.isInteger(number)
    if (isWhole && number >= min && number <= max) return number
    throw new InvalidArgumentError(`Allowed: whole numbers from ${min} to ${max}.`)
  }
}
