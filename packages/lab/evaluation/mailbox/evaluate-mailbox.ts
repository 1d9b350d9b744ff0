/**
 * What a user's corrections are worth in a new mailbox: mail of a source that was left out of
 * training, in random orders, every error corrected, with and without personal deltas.
 */
import {
  readCanary,
  readCommonText,
  readKnowledge,
} from '../../../artifact-files/artifact-files.ts'
import { readEmbeddingFiles } from '../../../artifact-files/embedding-files.ts'
import { staticEmbeddingFromArtifact } from '../../../mail/embedding/embedding-artifact.ts'
import { PersonalTraining } from '../../../mail/learning/personal-training.ts'
import { memoryOctets } from '../../../mail/message/octets.ts'
import { parseMessage } from '../../../mail/message/parse.ts'
import type { Models } from '../../../mail/models/models.ts'
import { readCorpora } from '../../corpora/read.ts'
import type { Sample } from '../../corpora/sample.ts'
import { BOGOFILTER } from '../../peers/bogofilter.ts'
import type { PeerVerdict } from '../../peers/peer.ts'
import { RSPAMD_BAYES } from '../../peers/rspamd.ts'
import { judgeStream } from '../../peers/run-peers.ts'
import { SPAMASSASSIN_BAYES } from '../../peers/spamassassin.ts'
import type { Example } from '../../training/features.ts'
import { randomSource, shuffled } from '../../training/random.ts'
import { modelsWithoutSource, readExamples } from '../left-out-models.ts'
import { type MemoryMeans, rememberedOf } from '../memory-items.ts'
import { shippedPolicy } from '../outcome.ts'
import { type MailboxMessage, type MailboxVerdict, walkMailbox } from './mailbox.ts'

/** Both have both labels from one receiving system. */
const MAILBOXES = ['household_2025', 'lists'] as const

export type Mailbox = (typeof MAILBOXES)[number]

/** Random orders of a mailbox: the first errors are few, and depend on what comes first. */
export const ORDERS = 10

/** Right verdicts of which users of the last run confirm one. */
export const CONFIRM_EVERY = 5

/** What the other filters are given: each takes some 0.1 to 0.3 s a message. */
export const PEER_MAILBOX: Mailbox = 'household_2025'
export const PEER_ORDERS = 3

/** Tamis, with some of what it learns from a user, or another filter. */
export interface MailboxRun {
  readonly name: string
  /** One array for each order. */
  readonly orders: readonly (readonly MailboxVerdict[])[]
}

export interface MailboxEvaluation {
  readonly mailbox: Mailbox
  readonly runs: readonly MailboxRun[]
}

/**
 * @param peers also give the mail to the other filters that are installed.
 * @throws TamisError CORPUS_INVALID when there is nothing to train on.
 */
export async function evaluateMailboxes(
  corpora: string,
  peers: boolean,
): Promise<MailboxEvaluation[]> {
  const means: MemoryMeans = {
    embedding: staticEmbeddingFromArtifact(await readEmbeddingFiles()),
    commonText: await readCommonText(),
    knowledge: await readKnowledge(),
  }
  const samples = readCorpora(corpora, 'train')
  const examples = readExamples(samples)
  const evaluations: MailboxEvaluation[] = []
  for (const mailbox of MAILBOXES) {
    const mail = mailOf(samples, examples, mailbox, means)
    if (mail.length === 0) continue
    const models = modelsWithoutSource(examples, mailbox)
    const orders = Array.from({ length: ORDERS }, (_, i) => shuffled(mail, randomSource(i + 1)))
    const runs = await runsOf(models, orders)
    if (peers && mailbox === PEER_MAILBOX)
      runs.push(...(await peerRuns(orders.slice(0, PEER_ORDERS))))
    evaluations.push({ mailbox, runs })
  }
  return evaluations
}

interface Mail extends MailboxMessage {
  readonly bytes: Uint8Array
}

function mailOf(
  samples: readonly Sample[],
  examples: readonly Example[],
  mailbox: Mailbox,
  means: MemoryMeans,
): Mail[] {
  return samples.flatMap((sample, i): Mail[] => {
    const { source, bytes, spam, messageClass, alsoAcceptable } = sample
    if (source !== mailbox || spam === undefined) return []
    const { text, meta } = examples[i]!
    const named = [messageClass, alsoAcceptable].filter((name) => name !== undefined)
    const classes = spam || named.length === 0 ? undefined : named
    const remembered = rememberedOf(parseMessage(memoryOctets(bytes)), means)
    return [{ bytes, text, meta, spam, classes, ...remembered }]
  })
}

async function runsOf(models: Models, orders: readonly (readonly Mail[])[]): Promise<MailboxRun[]> {
  const policy = shippedPolicy(models)
  const walk = (training?: PersonalTraining, confirmEvery?: number) =>
    orders.map((order) => walkMailbox(models, policy, order, training, confirmEvery))
  const training = new PersonalTraining(models, await readCanary(models))
  return [
    { name: 'Tamis, rules and memory', orders: walk() },
    { name: 'Tamis, personal deltas too', orders: walk(training) },
    {
      name: `Tamis, one of ${CONFIRM_EVERY} right verdicts confirmed too`,
      orders: walk(training, CONFIRM_EVERY),
    },
  ]
}

/**
 * Other filters from nothing, which are told the label of every message and not of the errors alone:
 * of errors they would hear of spam only, and would call nothing spam for want of a ham.
 */
async function peerRuns(orders: readonly (readonly Mail[])[]): Promise<MailboxRun[]> {
  const walked = new Map<string, MailboxVerdict[][]>()
  for (const order of orders) {
    const runs = await judgeStream([BOGOFILTER, RSPAMD_BAYES, SPAMASSASSIN_BAYES], order)
    for (const { peer, version, verdicts } of runs) {
      const name = `${peer.name} ${version}, told of all mail`
      walked.set(name, [...(walked.get(name) ?? []), withCorrections(order, verdicts)])
    }
  }
  return [...walked].map(([name, orders]) => ({ name, orders }))
}

/** A filter's verdicts, with how many errors it had made before each. */
function withCorrections(
  mail: readonly Mail[],
  verdicts: readonly PeerVerdict[],
): MailboxVerdict[] {
  let corrections = 0
  return verdicts.map(({ calledSpam }, i) => {
    const { spam } = mail[i]!
    const verdict = { spam, calledSpam, classRight: undefined, corrections }
    if (calledSpam !== spam) corrections++
    return verdict
  })
}
