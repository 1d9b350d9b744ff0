/** `tamis keys`: API keys in the store that the service uses, also while it runs. */
import { randomBytes } from 'node:crypto'
import { InvalidArgumentError } from 'commander'
import { TamisError } from '../../errors/errors.ts'
import type { Command } from '../../terminal/command.ts'
import { type List, printJson, printList } from '../../terminal/output.ts'
import { keyHash } from '../access/access.ts'
import { type ApiKey, DEFAULT_TENANT } from '../access/api-key.ts'
import { ENTITLEMENTS, SCOPES } from '../access/caller.ts'
import { NEEDED_FROM_NOW_ON } from '../access/first-key.ts'
import { TENANT_ID } from '../access/tenant-id.ts'
import { readOwnConfig } from '../config.ts'
import type { Store } from '../store/store.ts'
import { type MayMake, openOwnStore } from './own-store.ts'

/** 256 bits: not to be guessed. */
const KEY_BYTES = 32

/** Tells people and secret scanners what it is. */
const KEY_PREFIX = 'tamis_'

const KEYS: List<ApiKey> = {
  headings: ['id', 'tenant', 'name', 'scopes', 'entitlements', 'per minute', 'created'],
  row: ({ id, tenant, name, scopes, entitlements, requestsPerMinuteMax, createdAt }) => [
    id,
    tenant,
    name,
    scopes.join(','),
    entitlements.join(','),
    requestsPerMinuteMax ?? 'none',
    createdAt.toISOString(),
  ],
  json: ({ id, tenant, name, scopes, entitlements, requestsPerMinuteMax, createdAt }) => ({
    ...{ id, tenant, name, scopes, entitlements },
    rateLimit: requestsPerMinuteMax ?? null,
    createdAt,
  }),
  none: 'No keys.',
}

interface AddOptions {
  readonly name: string
  readonly tenant: string
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
  addAddCommand(keys)
  addListCommand(keys)
  addRevokeCommand(keys)
  addOpenCommand(keys)
}

function addAddCommand(keys: Command): void {
  keys
    .command('add')
    .description('add a key and print it; it is shown only this once')
    .requiredOption('--name <name>', 'what the key is for')
    .option(
      '--tenant <id>',
      'tenant of the key; created if it does not exist',
      tenantId,
      DEFAULT_TENANT,
    )
    .option('--scopes <list>', `some of ${SCOPES.join(', ')}`, listOf(SCOPES), [
      'classify',
      'feedback',
    ])
    .option('--entitlements <list>', `some of ${ENTITLEMENTS.join(', ')}`, listOf(ENTITLEMENTS), [
      ...ENTITLEMENTS,
    ])
    .option('--rate-limit <n>', 'requests per minute; without it there is no limit', positive)
    .option('--json', 'print one JSON object: id, tenant, key')
    .notes(`
From the first key on, every request about mail or people needs a key, also those of tamis milter, tamis spamd and Dovecot.

Examples:
  tamis keys add --name mail-host
  tamis keys add --name webmail --tenant example-org --scopes feedback --rate-limit 600`)
    .action((options: AddOptions) => withStore((store) => add(store, options), 'where named'))
}

function addListCommand(keys: Command): void {
  keys
    .command('list')
    .description('list the active keys, without the keys themselves')
    .option('--tenant <id>', 'list only the keys of this tenant', tenantId)
    .option('--json', 'print one JSON object per line')
    .notes(`
Columns: id, tenant, name, scopes, entitlements, requests per minute, time of creation.

Examples:
  tamis keys list
  tamis keys list --tenant example-org --json`)
    .action(({ tenant, json }: { tenant?: string; json?: boolean }) =>
      withStore((store) => list(store, tenant, json === true)),
    )
}

function addRevokeCommand(keys: Command): void {
  keys
    .command('revoke')
    .description(
      'revoke a key; a running service refuses it within a second or two, and still requires a key',
    )
    .argument('<id>', 'id of the key, as shown by `tamis keys list`')
    .option('--tenant <id>', 'tenant of the key', tenantId, DEFAULT_TENANT)
    .option('--json', 'print one JSON object')
    .notes(`
Examples:
  tamis keys revoke 4f1c7d0e-2a53-4b0c-9d7f-6f0f4a1f3c55
  tamis keys revoke 4f1c7d0e-2a53-4b0c-9d7f-6f0f4a1f3c55 --tenant example-org`)
    .action((id: string, { tenant, json }: { tenant: string; json?: boolean }) =>
      withStore((store) => revoke(store, tenant, id, json === true)),
    )
}

function addOpenCommand(keys: Command): void {
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
  const isFirst = !(await store.keysNeeded())
  await store.addTenant(options.tenant, options.tenant)
  const key = KEY_PREFIX + randomBytes(KEY_BYTES).toString('base64url')
  const id = await store.addKey({
    tenant: options.tenant,
    name: options.name,
    hash: keyHash(key),
    scopes: options.scopes,
    entitlements: options.entitlements,
    ...(options.rateLimit === undefined ? {} : { requestsPerMinuteMax: options.rateLimit }),
  })
  if (isFirst) process.stderr.write(`${NEEDED_FROM_NOW_ON}\n`)
  if (options.json) {
    printJson({ id, tenant: options.tenant, key })
    return
  }
  process.stderr.write(`Key ${id} of tenant ${options.tenant}:\n`)
  process.stdout.write(`${key}\n`)
}

async function list(store: Store, only: string | undefined, json: boolean): Promise<void> {
  const tenants = only === undefined ? await store.tenants() : [{ id: only }]
  const keys: ApiKey[] = []
  for (const { id } of tenants) keys.push(...(await store.keysOf(id)))
  await printList(keys, KEYS, { json })
}

async function revoke(store: Store, tenant: string, id: string, json: boolean): Promise<void> {
  if (!(await store.revokeKey(tenant, id))) {
    throw new TamisError('NOT_FOUND', `Tenant ${tenant} has no active key ${id}`)
  }
  if (json) printJson({ status: 'revoked', id })
  if ((await countKeys(store)) > 0) return
  process.stderr.write(
    'That was the last key. All requests are refused until you add a key or run `tamis keys open-service --yes`\n',
  )
}

async function open(store: Store, json: boolean): Promise<void> {
  if (!(await store.waiveKeys())) {
    throw new TamisError(
      'CONFIG_INVALID',
      `${await countKeys(store)} key(s) are active, so the service still requires a key; revoke them first (tamis keys list)`,
    )
  }
  if (json) printJson({ status: 'open' })
}

async function countKeys(store: Store): Promise<number> {
  let count = 0
  for (const { id } of await store.tenants()) count += (await store.keysOf(id)).length
  return count
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

function tenantId(text: string): string {
  if (TENANT_ID.test(text)) return text
  throw new InvalidArgumentError('Allowed: 1 to 64 of a-z, 0-9, dot, underscore and hyphen.')
}

function positive(text: string): number {
  const number = Number(text)
  if (Number.isInteger(number) && number > 0) return number
  throw new InvalidArgumentError('Allowed: a whole number above 0.')
}
