/** `tamis rules`: the rules of a user at a running service, which allow, block, or set a class. */
import { Option } from 'commander'
import type { ClassRule, MessageClass, SpamRule, TamisClient } from '../../client/client.ts'
import { TamisError } from '../../errors/errors.ts'
import { CLASSES } from '../../mail/models/prediction.ts'
import { RULE_TYPES, type RuleType } from '../../mail/personalization/kinds.ts'
import type { Command } from '../../terminal/command.ts'
import { type List, printJson, printList, printRow } from '../../terminal/output.ts'
import { addDeliveryOptions, type DeliveryOptions, deliveryOf } from './delivery-options.ts'
import { readMailbox } from './mailbox.ts'
import { addServiceOptions, type ServiceOptions, serviceClient } from './service-options.ts'
import { addTryCommand } from './try-rules.ts'

interface RuleOptions extends ServiceOptions, DeliveryOptions {
  readonly user: string
  readonly json?: boolean
}

interface AddOptions extends RuleOptions {
  readonly type: RuleType
  readonly label?: 'spam' | 'ham'
  readonly class?: MessageClass
  readonly pattern?: string
  readonly message?: string
}

interface RemoveOptions extends RuleOptions {
  readonly type: RuleType
  readonly pattern: string
  readonly class?: boolean
}

type Rule = SpamRule | ClassRule

const RULES: List<Rule> = {
  headings: ['label', 'type', 'pattern', 'source', 'sender', 'created'],
  row: (rule) => [
    'label' in rule ? rule.label : rule.classification,
    rule.ruleType,
    rule.pattern,
    rule.source,
    rule.unverified ? 'unverified' : 'verified',
    rule.createdAt,
  ],
  none: 'No rules.',
}

export function addRulesCommand(program: Command): void {
  const rules = program
    .command('rules')
    .description('list, add and remove rules of a user in a running service; try weighted rules')
  ruleCommand(rules, 'list')
    .description('list the rules of a user, first those about spam, then those about classes')
    .notes(`
Columns: label or class, type, pattern, explicit or correction, verified or unverified, time of creation.

Examples:
  tamis rules list --user user-4711
  tamis rules list --user user-4711 --json | jq -r .pattern`)
    .action(list)
  addAddCommand(rules)
  ruleCommand(rules, 'remove')
    .description('remove a rule of a user by its type and pattern')
    .addOption(typeOption())
    .requiredOption('--pattern <text>', 'pattern as shown in the list')
    .option('--class', 'remove the rule about a class instead of the one about spam')
    .notes(`
Examples:
  tamis rules remove --user user-4711 --type Sender --pattern orders@example.net
  tamis rules remove --user user-4711 --type Sender --pattern example.org --class`)
    .action(remove)
  // Whoever looks for it looks here first.
  addTryCommand(rules, 'rules')
}

function addAddCommand(rules: Command): void {
  const command = ruleCommand(rules, 'add')
    .description('add a rule from a pattern or from a message')
    .addOption(typeOption())
    .addOption(
      new Option('--label <label>', 'allow (ham) or block (spam)').choices(['ham', 'spam']),
    )
    .addOption(
      new Option('--class <class>', 'file mail under this class')
        .choices(CLASSES)
        .conflicts('label'),
    )
    .option(
      '--pattern <text>',
      'an address, a domain (also *@domain, *.domain), a List-Id or a Message-ID',
    )
    .addOption(
      new Option(
        '--message <file>',
        'take the pattern from this message; - is standard input',
      ).conflicts('pattern'),
    )
  addDeliveryOptions(command)
    .notes(`
Examples:
  tamis rules add --user user-4711 --type Sender --label ham --pattern example.org
  tamis rules add --user user-4711 --type Thread --label ham --message examples/appointment.eml
  tamis rules add --user user-4711 --type Sender --class transactions --message examples/order.eml`)
    .action((options: AddOptions) => add(options, command))
}

function ruleCommand(rules: Command, name: string): Command {
  const command = rules
    .command(name)
    .requiredOption('--user <id>', 'user whose rules they are')
    .option('--json', 'print one JSON object per line')
  return addServiceOptions(command)
}

function typeOption(): Option {
  return new Option('--type <type>', 'what the rule matches')
    .choices(RULE_TYPES)
    .makeOptionMandatory()
}

async function list(options: RuleOptions): Promise<void> {
  const tamis = serviceClient(options)
  const spam = await tamis.rules(options.user)
  const tabs = await tamis.tabsRules(options.user)
  await printList([...spam.rules, ...tabs.rules], RULES, options)
}

async function add(options: AddOptions, command: Command): Promise<void> {
  if ((options.label ?? options.class) === undefined)
    command.error('error: give what the rule does: --label or --class')
  if ((options.pattern ?? options.message) === undefined)
    command.error('error: give what the rule matches: --pattern or --message')
  const tamis = serviceClient(options)
  const { pattern, message } = options
  const rule =
    pattern === undefined
      ? await addFromMessage(tamis, options, await firstMessage(message ?? '-'))
      : await addByPattern(tamis, options, pattern)
  await printList([rule], RULES, options)
}

function addByPattern(tamis: TamisClient, options: AddOptions, pattern: string): Promise<Rule> {
  const rule = { userId: options.user, ruleType: options.type, pattern }
  return options.class === undefined
    ? tamis.createRule({ ...rule, label: options.label ?? 'ham' })
    : tamis.createTabsRule({ ...rule, classification: options.class })
}

function addFromMessage(
  tamis: TamisClient,
  options: AddOptions,
  message: Uint8Array,
): Promise<Rule> {
  const wish = { ...deliveryOf(options), userId: options.user, ruleType: options.type }
  return options.class === undefined
    ? tamis.createRuleStream(message, { ...wish, label: options.label ?? 'ham' })
    : tamis.createTabsRuleStream(message, { ...wish, classification: options.class })
}

async function firstMessage(path: string): Promise<Uint8Array> {
  for await (const { bytes } of readMailbox(path)) return bytes
  throw new TamisError('NOT_A_MESSAGE', `There is no message in ${path}`)
}

async function remove(options: RemoveOptions): Promise<void> {
  const tamis = serviceClient(options)
  const rule = { userId: options.user, ruleType: options.type, pattern: options.pattern }
  const removed = options.class ? await tamis.removeTabsRule(rule) : await tamis.removeRule(rule)
  if (options.json) printJson(removed)
  else printRow(removed.status, removed.removed)
}
