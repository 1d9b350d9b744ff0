/** `tamis feedback`: sends corrections of a user to a running service. */
import { Argument } from 'commander'
import {
  type Delivery,
  type FullResult,
  type TamisClient,
  TamisClientError,
} from '../../client/client.ts'
import { EXIT } from '../../errors/exit-status.ts'
import { CLASSES } from '../../mail/models/prediction.ts'
import type { Command } from '../../terminal/command.ts'
import { printJson, printRow } from '../../terminal/output.ts'
import { addDeliveryOptions, type DeliveryOptions, deliveryOf } from './delivery-options.ts'
import { mailboxProgress, readMailbox } from './mailbox.ts'
import {
  addServiceOptions,
  askingCommand,
  type ServiceOptions,
  serviceClient,
} from './service-options.ts'

interface FeedbackOptions extends ServiceOptions, DeliveryOptions {
  readonly user: string
  readonly rule: boolean
  readonly json?: boolean
}

/** The result for one message. */
interface Told {
  readonly status: string
  readonly feedbackId?: string
}

type Tell = (
  tamis: TamisClient,
  bytes: Uint8Array,
  delivery: Delivery & { readonly userId: string },
) => Promise<Told>

export function addFeedbackCommand(program: Command): void {
  const feedback = program
    .command('feedback')
    .description('correct verdicts and classes for a user in a running service')
  addSpamCommand(feedback, 'spam', true)
  addSpamCommand(feedback, 'ham', false)
  addClassCommand(feedback)
  addWithdrawCommand(feedback)
  addUndoCommand(feedback)
}

function addSpamCommand(feedback: Command, name: string, isSpam: boolean): void {
  const command = messageCommand(feedback, name)
    .description(`correct verdicts: the messages are ${isSpam ? 'spam' : 'not spam'}`)
    .option('--no-rule', 'make no Sender rule')
    .notes(`
If it is interrupted, run it again; corrections that are already recorded do not change. The exit status is 2
if at least one file was not a message or was too large.

Examples:
  tamis feedback ${name} --user user-4711 examples/phishing.eml
  tamis feedback ${name} --user user-4711 --no-rule ~/Maildir/.${isSpam ? 'Junk' : 'Archive'}`)
  command.action((paths: string[], options: FeedbackOptions) =>
    tellAll(paths, options, (tamis, bytes, delivery) =>
      tamis.message('/feedback-stream', bytes, {
        ...delivery,
        isSpam,
        skipRuleCreation: !options.rule,
      }),
    ),
  )
}

function addClassCommand(feedback: Command): void {
  const choices = [...CLASSES, 'automatic']
  const command = feedback.command('class')
  command.addArgument(new Argument('<class>', 'the right class').choices(choices))
  withMessages(command)
    .description('correct the class of messages; `automatic` returns to the class of the models')
    .notes(`
Examples:
  tamis feedback class updates --user user-4711 examples/newsletter.eml
  tamis feedback class automatic --user user-4711 examples/newsletter.eml`)
    .action(
      (classification: FullResult['classification'], paths: string[], options: FeedbackOptions) =>
        tellAll(paths, options, (tamis, bytes, delivery) =>
          tamis.message('/tabs/feedback-stream', bytes, { ...delivery, classification }),
        ),
    )
}

function addWithdrawCommand(feedback: Command): void {
  messageCommand(feedback, 'withdraw')
    .description('withdraw corrections of messages, spam or not')
    .notes(`
Examples:
  tamis feedback withdraw --user user-4711 examples/phishing.eml`)
    .action((paths: string[], options: FeedbackOptions) =>
      tellAll(paths, options, (tamis, bytes, delivery) =>
        tamis.message('/feedback/withdraw-stream', bytes, delivery),
      ),
    )
}

function addUndoCommand(feedback: Command): void {
  askingCommand(feedback, 'undo')
    .description('withdraw corrections by the ids in their answers')
    .argument('<feedbackId...>')
    .notes(`
Examples:
  tamis feedback undo 2d94fd2c-e957-4b3b-94ff-3982fd104fb2`)
    .action(async (ids: string[], options: FeedbackOptions) => {
      const tamis = serviceClient(options)
      for (const id of ids) {
        const { status } = await tamis.delete('/feedback/{feedbackId}', {
          params: { path: { feedbackId: id } },
        })
        if (options.json) printJson({ feedbackId: id, status })
        else printRow(id, status)
      }
    })
}

function messageCommand(feedback: Command, name: string): Command {
  return withMessages(feedback.command(name))
}

function withMessages(command: Command): Command {
  command
    .argument('<path...>', 'files, folders, Maildirs, mboxes, or - for standard input')
    .requiredOption('--user <id>', 'the user who makes the correction')
    .option('--json', 'print one JSON object per line')
  return addServiceOptions(addDeliveryOptions(command))
}

/** Sends a correction of each message; reports one that the service refuses, and goes on. */
async function tellAll(
  paths: readonly string[],
  options: FeedbackOptions,
  tell: Tell,
): Promise<void> {
  const tamis = serviceClient(options)
  const delivery = { ...deliveryOf(options), userId: options.user }
  const progress = mailboxProgress('feedback', paths)
  try {
    for (const path of paths) {
      for await (const { name, bytes } of readMailbox(path)) {
        const told = await orRefusal(tell(tamis, bytes, delivery))
        if ('code' in told) process.exitCode = EXIT.partly
        progress.advance(1, bytes.length)
        if (options.json) printJson({ name, ...told })
        else printRow(name, ...Object.values('code' in told ? [told.code] : rowOf(told)))
      }
    }
  } finally {
    progress.end()
  }
}

function rowOf({ status, feedbackId }: Told): string[] {
  return feedbackId === undefined ? [status] : [status, feedbackId]
}

/** What is wrong with one message is no reason to leave out the others; all else is. */
async function orRefusal(
  telling: Promise<Told>,
): Promise<Told | { readonly error: string; readonly code: string }> {
  try {
    return await telling
  } catch (error) {
    if (!(error instanceof TamisClientError)) throw error
    if (error.code !== 'NOT_A_MESSAGE' && error.code !== 'MESSAGE_TOO_LARGE') throw error
    return { error: error.message, code: error.code }
  }
}
