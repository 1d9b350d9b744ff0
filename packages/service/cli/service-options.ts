/** Options of commands that speak to a running service: where it is, and the key for it. */
import { readFileSync } from 'node:fs'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { TamisClient } from '../../client/client.ts'
import { TamisError } from '../../mail/errors.ts'

const DEFAULT_URL = 'http://127.0.0.1:8025'

export interface ServiceOptions {
  readonly url: string
  readonly keyFile?: string
}

/** Adds `--url` and `--key-file` to `command`. */
export function addServiceOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--url <url>', 'address of the Tamis service')
        .env('TAMIS_URL')
        .default(DEFAULT_URL)
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
 * @param retry false for a daemon, whose callers wait for its own answer and come again themselves.
 * @throws TamisError CONFIG_INVALID where the file has no key, or cannot be read.
 */
export function serviceClient(
  { url, keyFile }: ServiceOptions,
  timeoutMs: number,
  retry = true,
): TamisClient {
  const key = keyFile === undefined ? process.env['TAMIS_API_KEY'] : readKey(keyFile)
  return new TamisClient({ url, timeoutMs, retry, ...(key ? { key } : {}) })
}

function readKey(file: string): string {
  const key = readFileSync(file, 'utf8').trim()
  if (/^[!-~]{1,256}$/.test(key)) return key
  throw new TamisError(
    'CONFIG_INVALID',
    `--key-file is "${file}", which has no key; allowed: one line`,
  )
}

/** A URL as the client takes it, for `Option.argParser`. */
export function readServiceUrl(text: string): string {
  try {
    new TamisClient({ url: text })
    return text
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message)
  }
}

/** A number within bounds, for `Option.argParser`. */
export function numberBetween(min: number, max: number): (text: string) => number {
  return (text) => {
    const number = Number(text)
    if (text.trim() !== '' && number >= min && number <= max) return number
    throw new InvalidArgumentError(`Allowed: ${min} to ${max}.`)
  }
}

/** The same, of whole numbers. */
export function wholeBetween(min: number, max: number): (text: string) => number {
  const between = numberBetween(min, max)
  return (text) => {
    const number = between(text)
    if (Number.isInteger(number)) return number
    throw new InvalidArgumentError(`Allowed: whole numbers from ${min} to ${max}.`)
  }
}
