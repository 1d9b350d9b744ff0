/** `tamis recipients`: thresholds, learning and limits of users and of the recipients of domains, at a running service. */
import { InvalidArgumentError, Option } from 'commander'
import type { RecipientSetting, RecipientSettingBody, TamisClient } from '../../client/client.ts'
import type { Command } from '../../terminal/command.ts'
import { type List, printJson, printList, printRow } from '../../terminal/output.ts'
import type { MailLimit } from '../tenants/recipient-setting.ts'
import { askingCommand, type ServiceOptions, serviceClient } from './service-options.ts'

/** Settings asked for at once: the most that the service gives. */
const PAGE = 1_000

const PRESETS: readonly string[] = ['cautious', 'balanced', 'strict']

/** The word for what is set for all. */
const DEFAULT = 'default'

const SETTINGS: List<RecipientSetting> = {
  headings: ['kind', 'name', 'threshold', 'learning', 'changed', 'reject at', 'quarantine at'],
  row: ({ kind, name, threshold, learning, updatedAt, rejectAt, quarantineAt }) => [
    kind,
    name,
    threshold ?? DEFAULT,
    learning ?? DEFAULT,
    updatedAt ?? 'none',
    rejectAt ?? DEFAULT,
    quarantineAt ?? DEFAULT,
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
  readonly rejectAt?: MailLimit | typeof DEFAULT
  readonly quarantineAt?: MailLimit | typeof DEFAULT
}

export function addRecipientsCommand(program: Command): void {
  const recipients = program
    .command('recipients')
    .description('list, set and remove thresholds, learning and limits of users and of domains')
  askingCommand(recipients, 'list')
    .description("list the settings of the key's domains first")
    .notes(`
Columns: user or domain, its name, threshold, learning, time of the last change, from which probability the milter
refuses and holds spam. What is not set is shown as default.

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
      'set threshold, learning or limits for a user or a domain; settings not given do not change',
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
    .option(
      '--reject-at <p>',
      'the milter refuses spam with at least this probability; never, or default: the option of the milter',
      readLimit,
    )
    .option('--quarantine-at <p>', 'the same for holding it', readLimit)
  command
    .notes(`
Examples:
  tamis recipients set --domain example.org --threshold strict
  tamis recipients set --user ann@example.org --threshold 0.95 --learning off
  tamis recipients set --domain example.org --reject-at 0.999 --quarantine-at 0.98
  tamis recipients set --user ann@example.org --learning default --reject-at never`)
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
  const { threshold, learning, rejectAt, quarantineAt } = options
  const given = [threshold, learning, rejectAt, quarantineAt]
  if (given.every((value) => value === undefined)) {
    command.error('error: say what to set: --threshold, --learning, --reject-at or --quarantine-at')
  }
  const change: RecipientSettingBody = {
    ...nameIn(options, command),
    ...(threshold !== undefined && { threshold: threshold === DEFAULT ? null : threshold }),
    ...(learning !== undefined && { learning: learning === DEFAULT ? null : learning }),
    ...(rejectAt !== undefined && { rejectAt: rejectAt === DEFAULT ? null : rejectAt }),
    ...(quarantineAt !== undefined && {
      quarantineAt: quarantineAt === DEFAULT ? null : quarantineAt,
    }),
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

function readLimit(text: string): MailLimit | typeof DEFAULT {
  if (text === DEFAULT || text === 'never') return text
  const number = Number(text)
  if (number > 0 && number <= 1) return number
  throw new InvalidArgumentError(`Allowed: a number above 0 and at most 1, never, or ${DEFAULT}.`)
}

function readThreshold(text: string): string | number {
  if (text === DEFAULT || PRESETS.includes(text)) return text
  const number = Number(text)
  if (number > 0 && number < 1) return number
  throw new InvalidArgumentError(
    `Allowed: ${PRESETS.join(', ')}, a number above 0 and below 1, or ${DEFAULT}.`,
  )
}
