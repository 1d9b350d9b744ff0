/**
 * What a user's corrections are worth in a new mailbox: mail of a source that was left out of
 * training, in random orders, every error corrected, with and without personal deltas.
 */
import { readCanary } from '../../../artifact-files/artifact-files.ts'
import { readEmbeddingFiles, SHIPPED_EMBEDDING } from '../../../artifact-files/embedding-files.ts'
import { staticEmbeddingFromArtifact } from '../../../mail/embedding/embedding-artifact.ts'
import type { EmbeddingModel } from '../../../mail/embedding/embedding-model.ts'
import { messageEmbedding } from '../../../mail/embedding/message-embedding.ts'
import { META_NUMBERING } from '../../../mail/features/meta-features.ts'
import { FEATURE_VERSION } from '../../../mail/features/version.ts'
import { PersonalTraining } from '../../../mail/learning/personal-training.ts'
import { memoryOctets } from '../../../mail/message/octets.ts'
import { parseMessage } from '../../../mail/message/parse.ts'
import type { Models } from '../../../mail/models/models.ts'
import { encodeMemoryItem } from '../../../mail/personalization/memory-item.ts'
import { patternsOf } from '../../../mail/personalization/patterns.ts'
import { policyFor } from '../../../mail/verdict/policy.ts'
import { readCorpora } from '../../corpora/read.ts'
import type { Sample } from '../../corpora/sample.ts'
import { type Example, examplesOf } from '../../training/features.ts'
import { randomSource, shuffledIndices } from '../../training/random.ts'
import { trainModels } from '../../training/train.ts'
import { planTrainings } from '../plan.ts'
import { BOGOFILTER_STREAM } from '../stream/bogofilter-stream.ts'
import { RSPAMD_STREAM } from '../stream/rspamd-stream.ts'
import { SPAMASSASSIN_STREAM } from '../stream/spamassassin-stream.ts'
import type { StreamVerdict } from '../stream/stream.ts'
import { runStreamPeers } from '../stream/stream-peers.ts'
import { type MailboxMessage, type MailboxVerdict, walkMailbox } from './mailbox.ts'

/** Both have both labels from one receiving system. */
export const MAILBOXES = ['household_2025', 'lists'] as const

export type Mailbox = (typeof MAILBOXES)[number]

/** Random orders of a mailbox: the first errors are few, and depend on what comes first. */
export const ORDERS = 10

/** What the other filters are given: each takes some 0.1 to 0.3 s a message. */
export const PEER_MAILBOX: Mailbox = 'household_2025'
export const PEER_ORDERS = 3

const PEERS = [BOGOFILTER_STREAM, RSPAMD_STREAM, SPAMASSASSIN_STREAM]

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

export interface MailboxEvaluationSettings {
  /** Folder with one folder per set. */
  readonly corpora: string
  /** Also give the mail to the other filters that are installed. */
  readonly peers: boolean
  readonly startProgress: (label: string, total: number) => { advance(): void; end(): void }
}

/** @throws TamisError CORPUS_INVALID when there is nothing to train on. */
export async function evaluateMailboxes({
  corpora,
  peers,
  startProgress,
}: MailboxEvaluationSettings): Promise<MailboxEvaluation[]> {
  const embedding = staticEmbeddingFromArtifact(await readEmbeddingFiles(SHIPPED_EMBEDDING))
  const samples = readCorpora(corpora, 'train')
  const reading = startProgress('read', samples.length)
  const examples = examplesOf(samples, () => reading.advance())
  reading.end()
  const evaluations: MailboxEvaluation[] = []
  for (const mailbox of MAILBOXES) {
    const mail = mailOf(samples, examples, mailbox, embedding)
    if (mail.length === 0) continue
    const models = modelsWithout(examples, mailbox)
    const orders = ordersOf(mail)
    const runs = await runsOf(models, orders)
    if (peers && mailbox === PEER_MAILBOX)
      runs.push(...(await peerRuns(orders.slice(0, PEER_ORDERS), startProgress)))
    evaluations.push({ mailbox, runs })
  }
  return evaluations
}

interface Mail {
  readonly sample: Sample
  readonly message: MailboxMessage
}

function mailOf(
  samples: readonly Sample[],
  examples: readonly Example[],
  mailbox: Mailbox,
  embedding: EmbeddingModel,
): Mail[] {
  return samples.flatMap((sample, i) => {
    const { source, bytes, spam, messageClass, alsoAcceptable } = sample
    if (source !== mailbox || spam === undefined) return []
    const { text, meta } = examples[i]!
    const parsed = parseMessage(memoryOctets(bytes))
    const { dense, sparse } = messageEmbedding(embedding, parsed)
    const classes = [messageClass, alsoAcceptable].filter((name) => name !== undefined)
    const message: MailboxMessage = {
      text,
      meta,
      spam,
      classes: spam || classes.length === 0 ? undefined : classes,
      patterns: patternsOf(parsed),
      memory: encodeMemoryItem(dense, sparse),
    }
    return [{ sample, message }]
  })
}

function modelsWithout(examples: readonly Example[], mailbox: Mailbox): Models {
  const [training] = planTrainings(examples, examples.length, [mailbox])
  const absent = new Set(training?.leftOut)
  const trained = trainModels(examples.filter((_, i) => !absent.has(i)))
  return {
    ...trained,
    version: `without ${mailbox}`,
    featureVersion: FEATURE_VERSION,
    metaNumbering: META_NUMBERING,
  }
}

function ordersOf(mail: readonly Mail[]): Mail[][] {
  return Array.from({ length: ORDERS }, (_, order) =>
    Array.from(shuffledIndices(mail.length, randomSource(order + 1)), (i) => mail[i]!),
  )
}

async function runsOf(models: Models, orders: readonly (readonly Mail[])[]): Promise<MailboxRun[]> {
  const policy = policyFor(models, { threshold: 'balanced', spamPrior: 0.5, spamEntitled: true })
  const walk = (training: PersonalTraining | undefined) =>
    orders.map((order) => {
      const messages = order.map(({ message }) => message)
      return walkMailbox(models, policy, messages, training)
    })
  return [
    { name: 'Tamis, rules and memory', orders: walk(undefined) },
    {
      name: 'Tamis, personal deltas too',
      orders: walk(new PersonalTraining(models, await readCanary(models))),
    },
  ]
}

/**
 * Other filters from nothing, which are told the label of every message and not of the errors alone:
 * of errors they would hear of spam only, and would call nothing spam for want of a ham.
 */
async function peerRuns(
  orders: readonly (readonly Mail[])[],
  startProgress: MailboxEvaluationSettings['startProgress'],
): Promise<MailboxRun[]> {
  const names = new Map<string, MailboxVerdict[][]>()
  for (const order of orders) {
    const messages = order.map(({ sample, message }) => ({
      bytes: sample.bytes,
      spam: message.spam,
    }))
    for (const { name, verdicts } of await runStreamPeers(messages, startProgress, PEERS)) {
      const walked = names.get(name) ?? []
      names.set(name, [...walked, withCorrections(verdicts)])
    }
  }
  return [...names].map(([name, walked]) => ({ name: `${name}, told of all mail`, orders: walked }))
}

/** A filter's verdicts, with how many errors it had made before each. */
function withCorrections(verdicts: readonly StreamVerdict[]): MailboxVerdict[] {
  let corrections = 0
  return verdicts.map(({ spam, calledSpam }) => {
    const verdict = { spam, calledSpam, classRight: undefined, corrections }
    if (calledSpam !== spam) corrections++
    return verdict
  })
}
