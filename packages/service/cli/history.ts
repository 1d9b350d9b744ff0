/** `tamis history`: searches the history of judged messages at a running service. */
import { styleText } from 'node:util'
import { Option } from 'commander'
import type { HistoryResult } from '../../client/client.ts'
import type { Command } from '../../terminal/command.ts'
import { printable, printJson } from '../../terminal/output.ts'
import {
  addServiceOptions,
  type ServiceOptions,
  serviceClient,
  wholeBetween,
} from './service-options.ts'

const ENTRIES_DEFAULT = 20

/** As many as the service gives in one answer. */
const ENTRIES_MAX = 200

interface HistoryOptions extends ServiceOptions {
  readonly messageId?: string
  readonly queueId?: string
  readonly recipient?: string
  readonly verdict?: 'spam' | 'ham'
  readonly escalated?: boolean
  readonly needsReview?: boolean
  readonly limit: number
  readonly json?: boolean
}

type HistoryEntry = HistoryResult['entries'][number]

export function addHistoryCommand(program: Command): void {
  const command = program
    .command('history')
    .description('show why messages got their verdicts, from the history of a running service')
    .option('--message-id <id>', 'the message with this Message-ID, with or without <>')
    .option('--queue-id <id>', 'the message that the mail server names so in its log')
    .option('--recipient <id>', 'mail for this user')
    .addOption(new Option('--verdict <verdict>', 'spam or ham only').choices(['spam', 'ham']))
    .option('--escalated', 'only messages that a person should review')
    .option('--needs-review', 'mail that is escalated, and not corrected since')
    .option(
      '--limit <count>',
      'at most this many entries',
      wholeBetween(1, ENTRIES_MAX),
      ENTRIES_DEFAULT,
    )
    .option('--json', 'print one JSON object per line')
  addServiceOptions(command)
    .notes(`
The newest come first, with times in UTC. The service keeps a history only with TAMIS_HISTORY_DAYS (docs/history.md). If it has
keys, only one with the scope admin may read the history.

Examples:
  tamis history --queue-id 4fxQ2b1Kz9z2
  tamis history --message-id '<4711@shop.example.com>'
  tamis history --recipient ann@example.org --verdict spam --json | jq -r .messageId`)
    .action(search)
}

async function search({
  escalated,
  needsReview,
  limit,
  json,
  ...options
}: HistoryOptions): Promise<void> {
  const { messageId, queueId, recipient, verdict } = options
  const query = {
    ...{ messageId, queueId, recipient, verdict, limit },
    escalated: escalated ? ('true' as const) : undefined,
    needs: needsReview ? ('review' as const) : undefined,
  }
  const { entries, cursor } = await serviceClient(options).get('/history', { params: { query } })
  for (const entry of entries) {
    if (json) printJson(entry)
    else process.stdout.write(`${entryText(entry)}\n`)
  }
  if (entries.length === 0) process.stderr.write('No entry of the history matches.\n')
  else if (cursor !== undefined && !json) {
    process.stderr.write(`There may be more: --limit is ${limit}\n`)
  }
}

/** What overrode the models, in words. */
const BYPASS_WORDS: Readonly<Record<NonNullable<HistoryEntry['bypassReason']>, string>> = {
  phishtank_match: 'a URL feed decided',
  user_rule: 'a rule decided',
  knn_memory: "the recipient's corrections decided",
  parse_error: 'only part of it could be read',
}

/**
 * An entry in some lines: time and verdict, from whom and to whom, its names, and a line for each reason, the
 * strongest first.
 * What comes from mail is printable as the service has it; the rest is made so.
 */
function entryText(entry: HistoryEntry): string {
  const { judgedAt, isSpam, spamProbability, threshold, bypassReason, classification } = entry
  const verdict = isSpam ? styleText('bold', 'SPAM') : 'ham'
  const probability = `spam probability ${spamProbability.toFixed(4)}`
  const why =
    bypassReason === null ? `threshold ${threshold.toFixed(4)}` : BYPASS_WORDS[bypassReason]
  const look = entry.shouldEscalate ? '; needs review' : ''
  const { sender, senderDomain, envelopeSender, userId, messageId, queueId } = entry
  const names = [
    messageId === undefined ? 'none' : `<${messageId}>`,
    ...(queueId === undefined ? [] : [`queue ${queueId}`]),
  ]
  const from = sender ?? senderDomain ?? '(no sender)'
  const envelope =
    envelopeSender === undefined || envelopeSender === sender
      ? ''
      : `, envelope ${envelopeSender === '' ? '<>' : envelopeSender}`
  return [
    `${judgedAt}  ${verdict}  ${classification}; ${probability}, ${why}${look}`,
    `  from  ${printable(from + envelope)}`,
    `  to    ${userId === undefined ? 'no user' : printable(userId)}`,
    `  id    ${printable(names.join(', '))}`,
    ...(entry.sentence === undefined ? [] : [`  why   ${printable(entry.sentence)}`]),
    ...entry.reasons.map(({ name, points, description }) => {
      const signed = `${points > 0 ? '+' : ''}${points.toFixed(1)}`
      return `  ${signed.padStart(5)} ${description ?? 'A reason of another version.'} (${name})`
    }),
  ].join('\n')
}
