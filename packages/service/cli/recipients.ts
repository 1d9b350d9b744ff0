/** `tamis recipients`: thresholds and learning of users and of the recipients of domains, at a running service. */
import { InvalidArgumentError, Option } from 'commander'
import type { RecipientSetting, RecipientSettingBody, TamisClient } from '../../client/client.ts'
import type { Command } from '../../terminal/command.ts'
import { type List, printJson, printList, printRow } from '../../terminal/output.ts'
import { askingCommand, type ServiceOptions, serviceClient } from './service-options.ts'

/** Settings asked for at once: the most that the service gives. */
const PAGE = 1_000

const PRESETS: readonly string[] = ['cautious', 'balanced', 'strict']

/** The word for what is set for all. */
const DEFAULT = 'default'

const SETTINGS: List<RecipientSetting> = {
  headings: ['kind', 'name', 'threshold', 'learning', 'changed'],
  row: ({ kind, name, threshold, learning, updatedAt }) => [
    kind,
    name,
    threshold ?? DEFAULT,
    learning ?? DEFAULT,
    updatedAt ?? 'none',
  ],
  none: 'No user or domain has settings of its own.',
}

interface RecipientOptions extends ServiceOptions {
  readonly user?: string
  readonly domain?: string
  readonly json?: boolean
}

interface SetOptions extends RecipientOptions {
  readonly threshold?: string | number
  readonly learning?: 'on' | 'off' | typeof DEFAULT
}

export function addRecipientsCommand(program: Command): void {
  const recipients = program
    .command('recipients')
    .description('list, set and remove the thresholds and the learning of users and of domains')
  askingCommand(recipients, 'list')
    .description("list the settings of the key's tenant, domains first")
    .notes(`
Columns: user or domain, its name, threshold, learning, time of the last change. What is not set is shown as default.

Examples:
  tamis recipients list
  tamis recipients list --json | jq -r .name`)
    .action(list)
  addSetCommand(recipients)
  const command = nameOptions(askingCommand(recipients, 'remove'))
  command
    .description('remove all settings of a user or a domain')
    .notes(`
Examples:
  tamis recipients remove --domain example.org`)
    .action((options: RecipientOptions) => remove(options, command))
}

function addSetCommand(recipients: Command): void {
  const command = nameOptions(askingCommand(recipients, 'set'))
    .description(
      'set threshold or learning for a user or a domain; settings not given do not change',
    )
    .option(
      '--threshold <value>',
      `${PRESETS.join(', ')}, a number above 0 and below 1, or ${DEFAULT}`,
      readThreshold,
    )
    .addOption(
      new Option(
        '--learning <value>',
        "off: the user's corrections change only their own rules and memory",
      ).choices(['on', 'off', DEFAULT]),
    )
  command
    .notes(`
Examples:
  tamis recipients set --domain example.org --threshold strict
  tamis recipients set --user ann@example.org --threshold 0.95 --learning off
  tamis recipients set --user ann@example.org --learning default`)
    .action((options: SetOptions) => set(options, command))
}

function nameOptions(command: Command): Command {
  return command
    .option('--user <id>', 'the user with this id, as the mail server names the user to Tamis')
    .addOption(
      new Option('--domain <domain>', 'all users whose ids are addresses at this domain').conflicts(
        'user',
      ),
    )
}

async function list(options: RecipientOptions): Promise<void> {
  const tamis = serviceClient(options)
  await printList(everySetting(tamis), SETTINGS, options)
}

async function* everySetting(tamis: TamisClient): AsyncGenerator<RecipientSetting> {
  for (let cursor: string | undefined; ; ) {
    const { recipients, next } = await tamis.recipientSettings({ limit: PAGE, cursor })
    yield* recipients
    if (next === null) return
    cursor = next
  }
}

async function set(options: SetOptions, command: Command): Promise<void> {
  const { threshold, learning } = options
  if (threshold === undefined && learning === undefined) {
    command.error('error: say what to set: --threshold or --learning')
  }
  const change: RecipientSettingBody = {
    ...nameIn(options, command),
    ...(threshold !== undefined && { threshold: threshold === DEFAULT ? null : threshold }),
    ...(learning !== undefined && { learning: learning === DEFAULT ? null : learning }),
  }
  const setting = await serviceClient(options).setRecipient(change)
  await printList([setting], SETTINGS, options)
}

async function remove(options: RecipientOptions, command: Command): Promise<void> {
  const tamis = serviceClient(options)
  const removed = await tamis.removeRecipient(nameIn(options, command))
  if (options.json) printJson(removed)
  else printRow(removed.status, removed.kind, removed.name)
}

function nameIn({ user, domain }: RecipientOptions, command: Command) {
  if (user !== undefined) return { kind: 'user', name: user } as const
  if (domain !== undefined) return { kind: 'domain', name: domain } as const
  return command.error('error: say for whom: --user or --domain')
}

function readThreshold(text: string): string | number {
  if (text === DEFAULT || PRESETS.includes(text)) return text
  const number = Number(text)
  if (number > 0 && number < 1) return number
  throw new InvalidArgumentError(
    `Allowed: ${PRESETS.join(', ')}, a number above 0 and below 1, or ${DEFAULT}.`,
  )
}
