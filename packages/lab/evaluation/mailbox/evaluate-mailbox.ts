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
import { type MailboxMessage, type MailboxVerdict, walkMailbox } from './mailbox.ts'

/** Both have both labels from one receiving system. */
export const MAILBOXES = ['household_2025', 'lists'] as const

export type Mailbox = (typeof MAILBOXES)[number]

/** Random orders of a mailbox: the first errors are few, and depend on what comes first. */
export const ORDERS = 10

/** Tamis, with some of what it learns from a user. */
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
  readonly startProgress: (label: string, total: number) => { advance(): void; end(): void }
}

/** @throws TamisError CORPUS_INVALID when there is nothing to train on. */
export async function evaluateMailboxes({
  corpora,
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
    const models = modelsWithout(examples, mailbox)
    evaluations.push(await evaluateMailbox(mailbox, mail, models))
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

async function evaluateMailbox(
  mailbox: Mailbox,
  mail: readonly Mail[],
  models: Models,
): Promise<MailboxEvaluation> {
  const policy = policyFor(models, { threshold: 'balanced', spamPrior: 0.5, spamEntitled: true })
  const orders = Array.from({ length: ORDERS }, (_, order) =>
    Array.from(shuffledIndices(mail.length, randomSource(order + 1)), (i) => mail[i]!),
  )
  const walk = (training: PersonalTraining | undefined) =>
    orders.map((order) => {
      const messages = order.map(({ message }) => message)
      return walkMailbox(models, policy, messages, training)
    })
  const runs: MailboxRun[] = [
    { name: 'Tamis, rules and memory', orders: walk(undefined) },
    {
      name: 'Tamis, personal deltas too',
      orders: walk(new PersonalTraining(models, await readCanary(models))),
    },
  ]
  return { mailbox, runs }
}
