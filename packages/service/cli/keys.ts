/** `tamis keys`: API keys in the store that the service uses, also while it runs. */
import { randomBytes } from 'node:crypto'
import { InvalidArgumentError } from 'commander'
import { TamisError } from '../../errors/errors.ts'
import type { Command } from '../../terminal/command.ts'
import { type List, printJson, printList } from '../../terminal/output.ts'
import { keyHash } from '../access/access.ts'
import { type ApiKey, ENTITLEMENTS, SCOPES } from '../access/caller.ts'
import { NEEDED_FROM_NOW_ON } from '../access/first-key.ts'
import { NAMESPACE } from '../access/namespace.ts'
import { readOwnConfig } from '../config.ts'
import type { Store } from '../store/store.ts'
import { type MayMake, openOwnStore } from './own-store.ts'
import { wholeBetween } from './service-options.ts'

/** 256 bits: not to be guessed. */
const KEY_BYTES = 32

/** Tells people and secret scanners what it is. */
const KEY_PREFIX = 'tamis_'

const RATE_MAX = 1_000_000

const KEYS: List<ApiKey> = {
  headings: ['id', 'namespace', 'name', 'scopes', 'entitlements', 'per minute', 'created'],
  row: ({ id, namespace, name, scopes, entitlements, requestsPerMinuteMax, createdAt }) => [
    id,
    namespace ?? 'none',
    name,
    scopes.join(','),
    entitlements.join(','),
    requestsPerMinuteMax ?? 'none',
    createdAt.toISOString(),
  ],
  json: ({ id, namespace, name, scopes, entitlements, requestsPerMinuteMax, createdAt }) => ({
    ...{ id, namespace, name, scopes, entitlements },
    rateLimit: requestsPerMinuteMax ?? null,
    createdAt,
  }),
  none: 'No keys.',
}

interface AddOptions {
  readonly name: string
  readonly namespace?: string
  readonly scopes: readonly string[]
  readonly entitlements: readonly string[]
  readonly rateLimit?: number
  readonly json?: boolean
}

export function addKeysCommand(program: Command): void {
  const keys = program
    .command('keys')
    .description(
      'add, list and revoke API keys, or open the service without keys; uses the store of the settings (TAMIS_DATA_DIR, DATABASE_URL)',
    )
  keys
    .command('add')
    .description('add a key and print it; it is shown only this once')
    .requiredOption('--name <name>', 'what the key is for')
    .option(
      '--namespace <name>',
      'users of the key are its own: other keys with a user of the same id mean another',
      namespaceFrom,
    )
    .option('--scopes <list>', `some of ${SCOPES.join(', ')}`, listOf(SCOPES), [
      'classify',
      'feedback',
    ])
    .option('--entitlements <list>', `some of ${ENTITLEMENTS.join(', ')}`, listOf(ENTITLEMENTS), [
      ...ENTITLEMENTS,
    ])
    .option(
      '--rate-limit <n>',
      'requests per minute; without it there is no limit',
      wholeBetween(1, RATE_MAX),
    )
    .option('--json', 'print one JSON object: id, namespace, key')
    .notes(`
From the first key on, every request about mail or people needs a key, also that of Dovecot.
A key with a namespace reads and changes its own users only, and nothing of the whole installation.

Examples:
  tamis keys add --name mail-host
  tamis keys add --name webmail --namespace example-org --scopes feedback --rate-limit 600`)
    .action((options: AddOptions) => withStore((store) => add(store, options), 'where named'))
  keys
    .command('list')
    .description('list the active keys, without the keys themselves')
    .option('--json', 'print one JSON object per line')
    .notes(`
Columns: id, namespace, name, scopes, entitlements, requests per minute, time of creation.

Examples:
  tamis keys list
  tamis keys list --json`)
    .action(({ json }: { json?: boolean }) =>
      withStore(async (store) => printList(await store.keys(), KEYS, { json: json === true })),
    )
  keys
    .command('revoke')
    .description(
      'revoke a key; a running service refuses it within a second or two, and still requires a key',
    )
    .argument('<id>', 'id of the key, as shown by `tamis keys list`')
    .option('--json', 'print one JSON object')
    .notes(`
Examples:
  tamis keys revoke 4f1c7d0e-2a53-4b0c-9d7f-6f0f4a1f3c55`)
    .action((id: string, { json }: { json?: boolean }) =>
      withStore((store) => revoke(store, id, json === true)),
    )
  keys
    .command('open-service')
    .description(
      'after all keys are revoked, let everyone on this machine use the service without a key',
    )
    .requiredOption('--yes', 'confirm')
    .option('--json', 'print one JSON object')
    .notes(`
From the first key on a service requires a key, even if all keys are revoked. After this command it requires none until
a key is added. A running service notices within a second or two. A service that other machines can reach (TAMIS_HOST)
still requires a key, and does not start without one.

Examples:
  tamis keys open-service --yes`)
    .action(({ json }: { json?: boolean }) => withStore((store) => open(store, json === true)))
}

async function add(store: Store, options: AddOptions): Promise<void> {
  if (options.namespace !== undefined && options.scopes.includes('operator')) {
    throw new TamisError('CONFIG_INVALID', 'A key with a namespace cannot have the scope operator')
  }
  const isFirst = !(await store.keysNeeded())
  const key = KEY_PREFIX + randomBytes(KEY_BYTES).toString('base64url')
  const id = await store.addKey({
    ...(options.namespace !== undefined && { namespace: options.namespace }),
    name: options.name,
    hash: keyHash(key),
    scopes: options.scopes,
    entitlements: options.entitlements,
    ...(options.rateLimit === undefined ? {} : { requestsPerMinuteMax: options.rateLimit }),
  })
  if (isFirst) process.stderr.write(`${NEEDED_FROM_NOW_ON}\n`)
  if (options.json) {
    printJson({ id, namespace: options.namespace, key })
    return
  }
  process.stderr.write(`Key ${id}:\n`)
  process.stdout.write(`${key}\n`)
}

async function revoke(store: Store, id: string, json: boolean): Promise<void> {
  if (!(await store.revokeKey(id))) {
    throw new TamisError('NOT_FOUND', `There is no active key ${id}`)
  }
  if (json) printJson({ status: 'revoked', id })
  if ((await store.keys()).length > 0) return
  process.stderr.write(
    'That was the last key. All requests are refused until you add a key or run `tamis keys open-service --yes`\n',
  )
}

async function open(store: Store, json: boolean): Promise<void> {
  if (!(await store.waiveKeys())) {
    throw new TamisError(
      'CONFIG_INVALID',
      `${(await store.keys()).length} key(s) are active, so the service still requires a key; revoke them first (tamis keys list)`,
    )
  }
  if (json) printJson({ status: 'open' })
}

async function withStore(
  act: (store: Store) => Promise<void>,
  mayMake: MayMake = 'never',
): Promise<void> {
  const store = await openOwnStore(readOwnConfig(), mayMake)
  try {
    await act(store)
  } finally {
    await store.close()
  }
}

function listOf(allowed: readonly string[]): (text: string) => string[] {
  return (text) => {
    const names = text.split(',').map((name) => name.trim())
    const wrong = names.find((name) => !allowed.includes(name))
    if (wrong === undefined) return names
    throw new InvalidArgumentError(`"${wrong}" is not one of ${allowed.join(', ')}`)
  }
}

function namespaceFrom(text: string): string {
  if (NAMESPACE.test(text)) return text
  throw new InvalidArgumentError('Allowed: 1 to 64 of a-z, 0-9, dot, underscore and hyphen.')
}
