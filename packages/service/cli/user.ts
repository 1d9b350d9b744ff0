/** `tamis user`: shows and deletes the data of a user at a running service. */
import { setTimeout } from 'node:timers/promises'
import type {
  ClassRule,
  DeletedData,
  JobResult,
  MemoryResult,
  SpamRule,
  TamisClient,
} from '../../client/client.ts'
import { EXIT } from '../../errors/exit-status.ts'
import type { Command } from '../../terminal/command.ts'
import { type List, printJson, printList, printRow } from '../../terminal/output.ts'
import {
  addServiceOptions,
  type ServiceOptions,
  serviceClient,
  wholeBetween,
} from './service-options.ts'

/** The time between two requests for the state of a job, in milliseconds. */
const POLL_MS = 250

/** A day: longer than any rebuild takes. */
const WAIT_S_MAX = 86_400

type Remembered = MemoryResult['items'][number]

const CORRECTIONS: List<Remembered> = {
  headings: ['label', 'corrected', 'id', 'sender'],
  row: (item) => [item.label, item.createdAt, item.feedbackId, senderOf(item)],
  none: 'No corrections.',
}

const RULES: List<SpamRule | ClassRule> = {
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

interface UserOptions extends ServiceOptions {
  readonly json?: boolean
}

interface DeleteOptions extends UserOptions {
  readonly wait?: number
}

export function addUserCommand(program: Command): void {
  const user = program
    .command('user')
    .description('show or delete what a running service has stored about a user')
  userCommand(user, 'show')
    .description(
      'list the rules of a user about spam and about classes, and the corrections with the domain of their sender',
    )
    .notes(`
Examples:
  tamis user show user-4711
  tamis user show user-4711 --json | jq '.rules[].pattern'`)
    .action(show)
  userCommand(user, 'delete')
    .description(
      "delete a user's rules, memory and corrections, and rebuild the models without them",
    )
    .option(
      '--wait <seconds>',
      'wait until the models are rebuilt, but at most this long',
      wholeBetween(0, WAIT_S_MAX),
    )
    .notes(`
The data are deleted when the command ends. The shared models are rebuilt without them soon after. With --wait
the exit status is 75 if that takes longer.

Examples:
  tamis user delete user-4711
  tamis user delete user-4711 --wait 60 --json > receipt.json`)
    .action(remove)
}

function userCommand(user: Command, name: string): Command {
  const command = user
    .command(name)
    .argument('<id>', 'id of the user, as the service knows it')
    .option('--json', 'print one JSON object')
  return addServiceOptions(command)
}

async function show(userId: string, { json, ...service }: UserOptions): Promise<void> {
  const tamis = serviceClient(service)
  const query = { params: { query: { userId } } }
  const spam = await tamis.get('/personalization/rules', query)
  const tabs = await tamis.get('/personalization/tabs/rules', query)
  const { items } = await tamis.get('/personalization/memory', query)
  const rules = [...spam.rules, ...tabs.rules]
  if (json) {
    printJson({ userId, rules, items })
    return
  }
  await printList(rules, RULES)
  await printList(items, CORRECTIONS)
}

function senderOf({ authenticatedDomain, claimedDomain }: Remembered): string {
  if (authenticatedDomain !== undefined) return `${authenticatedDomain} (authenticated)`
  return claimedDomain === undefined ? 'sender not kept' : `claims ${claimedDomain} (not verified)`
}

async function remove(userId: string, options: DeleteOptions): Promise<void> {
  const tamis = serviceClient(options)
  const receipt = await tamis.delete('/personalization/data', { body: { userId } })
  const job = options.wait === undefined ? undefined : await ended(tamis, receipt, options.wait)
  if (options.json) printJson({ ...receipt, ...(job && { job: job.state }) })
  else printReceipt(receipt, job)
  if (job !== undefined && job.state !== 'done') process.exitCode = EXIT.later
}

/** The job when it has ended, or as it is after `seconds`. */
async function ended(
  tamis: TamisClient,
  { jobId }: DeletedData,
  seconds: number,
): Promise<JobResult> {
  const until = performance.now() + seconds * 1_000
  let job = await tamis.get('/jobs/{jobId}', { params: { path: { jobId } } })
  while (job.state !== 'done' && performance.now() < until) {
    await setTimeout(POLL_MS)
    job = await tamis.get('/jobs/{jobId}', { params: { path: { jobId } } })
  }
  return job
}

function printReceipt({ status, deleted, deletedAt, jobId }: DeletedData, job?: JobResult): void {
  const { rules, memory, feedback, history, correspondents } = deleted
  const entries = history === undefined ? [] : [`${history} entries of the history`]
  printRow(
    status,
    `${rules} rules`,
    `${memory} memories`,
    `${feedback} corrections`,
    ...entries,
    ...(correspondents === undefined ? [] : [`${correspondents} correspondents`]),
    deletedAt,
  )
  printRow('rebuild', jobId, ...(job ? [job.state] : []))
}
