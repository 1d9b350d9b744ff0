/** `tamis status`: whether a running service accepts messages, and its counts. */
import type { Command } from '../../terminal/command.ts'
import { printJson, printRow } from '../../terminal/output.ts'
import { addServiceOptions, type ServiceOptions, serviceClient } from './service-options.ts'

interface StatusOptions extends ServiceOptions {
  readonly json?: boolean
}

export function addStatusCommand(program: Command): void {
  const command = program
    .command('status')
    .description('show whether a running service accepts messages, and its counts')
    .option('--json', 'print one JSON object')
  addServiceOptions(command)
    .notes(`
If the service has keys, only one with the scope admin may read the counts.

Examples:
  tamis status
  tamis status --json | jq .queueDepth`)
    .action(status)
}

async function status({ json, ...service }: StatusOptions): Promise<void> {
  const tamis = serviceClient(service)
  const { status } = await tamis.get('/ready')
  const { users, rules, corrections, models, queueDepth, judged, feeds } = await tamis.get('/stats')
  if (json) {
    printJson({ status, users, rules, corrections, models, queueDepth, judged, feeds })
    return
  }
  printRow('status', status)
  printRow('models', models)
  printRow('messages judged', judged.messages)
  printRow('messages waiting', queueDepth)
  printRow('users', users)
  printRow('rules', rules)
  for (const { feed, entries, lastFailure } of feeds) {
    printRow(`feed ${feed}`, `${entries} entries`, ...(lastFailure ? [lastFailure] : []))
  }
}
