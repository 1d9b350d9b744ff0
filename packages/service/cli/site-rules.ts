/** `tamis site-rules`: what a tenant allows and blocks for all its users, at a running service. */

import type { SiteRule, TamisClient } from '../../client/client.ts'
import type { Command } from '../../terminal/command.ts'
import { type List, printJson, printList, printRow } from '../../terminal/output.ts'
import { writtenRule } from '../site-rules.ts'
import { askingCommand, type ServiceOptions, serviceClient } from './service-options.ts'

/** Rules asked for at once: the most that the service gives. */
const PAGE = 1_000

interface ListOptions extends ServiceOptions {
  readonly files?: boolean
  readonly json?: boolean
}

const RULES: List<SiteRule> = {
  headings: ['id', 'does', 'type', 'value', 'recipients', 'created'],
  row: ({ id, label, ruleType, pattern, recipientDomain = '*', createdAt }) => [
    id,
    label === 'spam' ? 'block' : 'allow',
    ruleType.toLowerCase(),
    pattern,
    recipientDomain,
    createdAt ?? 'file',
  ],
  none: 'No site rules.',
}

export function addSiteRulesCommand(program: Command): void {
  const rules = program
    .command('site-rules')
    .description('list, add and remove what a tenant allows and blocks for all its users')
  askingCommand(rules, 'list')
    .description("list the rules of the key's newest first")
    .option('--files', "list the rules in the operator's files instead (TAMIS_SITE_RULES)")
    .notes(`
Columns: id, allow or block, sender, list, host, network or attachment, the value, the domain of the recipients or *, time of
creation or the file.

Examples:
  tamis site-rules list
  tamis site-rules list --files --json`)
    .action(list)
  addAddCommand(rules)
  askingCommand(rules, 'remove')
    .argument('<id>', 'id of the rule, as shown by `tamis site-rules list`')
    .description('remove a rule; to remove a rule in a file, edit the file')
    .notes(`
Examples:
  tamis site-rules remove 7f0f6a52-0d4e-4d8f-9d2c-5a9a1de8c9b7`)
    .action(remove)
}

function addAddCommand(rules: Command): void {
  const command = askingCommand(rules, 'add')
    .argument(
      '<words...>',
      'allow or block, then sender, list, host, network or attachment, then its value',
    )
    .description("allow or block mail for all users of the key's or for the recipients of a domain")
  command
    .notes(`
The words are those of a line of a file (docs/site-rules.md). Quote a * from the shell.

Examples:
  tamis site-rules add block sender '*.top' for example.org
  tamis site-rules add allow sender partner.example
  tamis site-rules add block network 198.51.100.0/24
  tamis site-rules add block attachment exe`)
    .action((words: string[], options: ListOptions) => add(words, options, command))
}

async function list(options: ListOptions): Promise<void> {
  const tamis = serviceClient(options)
  await printList(everyRule(tamis, options.files ? 'files' : 'api'), RULES, options)
}

async function* everyRule(
  tamis: TamisClient,
  source: SiteRule['source'],
): AsyncGenerator<SiteRule> {
  for (let cursor: string | undefined; ; ) {
    const { rules, next } = await tamis.siteRules({ source, limit: PAGE, cursor })
    yield* rules
    if (next === null) return
    cursor = next
  }
}

async function add(words: string[], options: ListOptions, command: Command): Promise<void> {
  const written = writtenRule(words)
  const [word, recipientDomain, ...others] = written?.rest ?? []
  const isWhole = word === undefined || (word === 'for' && recipientDomain !== undefined)
  if (written === undefined || !isWhole || others.length > 0) {
    command.error(
      'error: expected: allow or block, then sender, list, host, network or attachment, then its value, then, if wanted, for DOMAIN',
    )
  }
  const { label, ruleType, value: pattern } = written
  const rule = {
    label,
    ruleType,
    pattern,
    ...(recipientDomain !== undefined && { recipientDomain }),
  }
  const created = await serviceClient(options).createSiteRule(rule)
  await printList([created], RULES, options)
}

async function remove(id: string, options: ListOptions): Promise<void> {
  const removed = await serviceClient(options).removeSiteRule(id)
  if (options.json) printJson(removed)
  else printRow(removed.status, removed.id)
}
