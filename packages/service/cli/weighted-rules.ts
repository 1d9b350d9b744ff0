/** `tamis weighted-rules`: what a tenant's mail says for spam or against it, at a running service; and on a folder, without one. */
import type { TamisClient, WeightedCondition, WeightedRule } from '../../client/client.ts'
import type { Condition } from '../../mail/personalization/weighted-rule.ts'
import type { Command } from '../../terminal/command.ts'
import { type List, printJson, printList, printRow } from '../../terminal/output.ts'
import { conditionText, readCondition, readWeight } from '../weighted-rules.ts'
import { askingCommand, type ServiceOptions, serviceClient } from './service-options.ts'
import { addTryCommand } from './try-rules.ts'

/** Rules asked for at once: the most that the service gives. */
const PAGE = 1_000

interface ListOptions extends ServiceOptions {
  readonly files?: boolean
  readonly json?: boolean
}

const RULES: List<WeightedRule> = {
  headings: ['id', 'name', 'weight', 'created', 'conditions'],
  row: ({ id, name, weight, conditions, createdAt }) => [
    id,
    name,
    weight,
    createdAt ?? 'file',
    conditions.map((condition) => conditionText(condition as Condition)).join('; '),
  ],
  none: 'No weighted rules.',
}

export function addWeightedRulesCommand(program: Command): void {
  const rules = program
    .command('weighted-rules')
    .description('try, list, add and remove what of a message counts for spam or against it')
  addTryCommand(rules, 'weighted-rules')
  askingCommand(rules, 'list')
    .description("list the rules of the key's newest first")
    .option('--files', "list the rules in the operator's files instead (TAMIS_WEIGHTED_RULES)")
    .notes(`
Columns: id, name, weight, time of creation or the file, the conditions.

Examples:
  tamis weighted-rules list
  tamis weighted-rules list --files --json`)
    .action(list)
  addAddCommand(rules)
  askingCommand(rules, 'remove')
    .argument('<id>', 'id of the rule, as shown by `tamis weighted-rules list`')
    .description('remove a rule; to remove a rule in a file, edit the file')
    .notes(`
Examples:
  tamis weighted-rules remove 1c6f0a4e-3f2b-4a7d-9f57-6a1d0c5be2a4`)
    .action(remove)
}

function addAddCommand(rules: Command): void {
  const command = askingCommand(rules, 'add')
    .argument('<name>', 'capital letters, digits and _')
    .argument('<weight>', 'what it adds to the log-odds of spam, from -6 to +6')
    .argument('<condition...>', 'a condition, in quotes; all of them have to hold')
    .description("add a rule for all mail of the key's tenant")
  command
    .notes(`
A condition has the words of a line of a file (docs/weighted-rules.md).

Examples:
  tamis weighted-rules add ACME_FAX_SPAM +2.5 'subject contains fax received' 'attachment iso'
  tamis weighted-rules add ACME_PARTNER -1 'header List-Id contains news.partner.example'`)
    .action((name: string, weight: string, conditions: string[], options: ListOptions) =>
      add({ name, weight: readWeight(weight), conditions }, options, command),
    )
}

async function list(options: ListOptions): Promise<void> {
  const tamis = serviceClient(options)
  await printList(everyRule(tamis, options.files ? 'files' : 'api'), RULES, options)
}

async function* everyRule(
  tamis: TamisClient,
  source: WeightedRule['source'],
): AsyncGenerator<WeightedRule> {
  for (let cursor: string | undefined; ; ) {
    const { rules, next } = await tamis.weightedRules({ source, limit: PAGE, cursor })
    yield* rules
    if (next === null) return
    cursor = next
  }
}

interface Wish {
  readonly name: string
  readonly weight: number
  /** As written. */
  readonly conditions: readonly string[]
}

async function add(wish: Wish, options: ListOptions, command: Command): Promise<void> {
  if (Number.isNaN(wish.weight)) command.error('error: the weight must be a number, such as +2.5')
  const conditions = wish.conditions.map((written): WeightedCondition => {
    const condition = readCondition(written)
    if (typeof condition === 'string') command.error(`error: "${written}": ${condition}`)
    return condition
  })
  const created = await serviceClient(options).createWeightedRule({ ...wish, conditions })
  await printList([created], RULES, options)
}

async function remove(id: string, options: ListOptions): Promise<void> {
  const removed = await serviceClient(options).removeWeightedRule(id)
  if (options.json) printJson(removed)
  else printRow(removed.status, removed.id)
}
