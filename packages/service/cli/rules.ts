/** `tamis rules`: the operator's rules, checked in a file, and listed with their hits from a running service. */
import type { OperatorRules } from '../../client/client.ts'
import type { Command } from '../../terminal/command.ts'
import { type List, printJson, printList } from '../../terminal/output.ts'
import { readRulesFile } from '../rules/rules-file.ts'
import { addServiceOptions, type ServiceOptions, serviceClient } from './service-options.ts'

const RULES: List<OperatorRules['rules'][number]> = {
  headings: ['hits', 'line', 'rule'],
  row: ({ hits, id, text }) => [hits, id, text],
  none: 'No rules.',
}

interface Output {
  readonly json?: boolean
}

export function addRulesCommand(program: Command): void {
  const rules = program.command('rules').description("check and list the operator's rules")
  rules
    .command('check')
    .argument('<file>', 'a file of rules (docs/rules.md)')
    .option('--json', 'print one JSON object')
    .description('check a file of rules without a service')
    .notes(`
A fault names line and column, and the exit status is 78. What the rules would change, \`tamis classify --rules\` shows.

Examples:
  tamis rules check /etc/tamis/rules && systemctl reload tamis`)
    .action(check)
  addServiceOptions(rules.command('list').option('--json', 'print one JSON object per line'))
    .description(
      'list the rules in use at a running service, with the verdicts in which each had a part',
    )
    .notes(`
Examples:
  tamis rules list
  tamis rules list --json | jq -r 'select(.hits == 0).text'`)
    .action(list)
}

async function check(path: string, { json }: Output): Promise<void> {
  const count = (await readRulesFile(path, '<file>'))!.rules.length
  if (json) printJson({ valid: true, rules: count })
  else process.stdout.write(`The file can be used: ${count} ${count === 1 ? 'rule' : 'rules'}\n`)
}

async function list(options: ServiceOptions & Output): Promise<void> {
  const { rules } = await serviceClient(options).get('/rules')
  await printList(rules, RULES, options)
}
