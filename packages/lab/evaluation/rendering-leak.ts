/**
 * How far the making of the rendered written mail betrays its label, to a model that sees how the
 * messages are made and nothing of what they say. Chance is an AUC of 0.5; beyond it goes what
 * label-habits.ts makes of spam otherwise than of ham, after real mail, and nothing else should.
 *
 * It sees names and order of header fields, the shapes of identifiers, MIME structure, kinds of
 * markup and list fields. It does not see subject, text, addresses and hosts, nor what follows from
 * the text: fields of answers (Reply-To, References), attachments, quotations, and the elements that
 * Markdown itself stands for. Nor, unless asked to, signatures, which differ by intent as those of
 * real spam do (rendering/label-habits.ts). Spam and ham are compared where layout and provider
 * of the address are the same, since those follow from what is written: a forged bank notice is laid
 * out as a notice, and mail from gmail.com is written with Gmail.
 *
 * Other draws of all renderings move the figures by some 0.03 either way, as shuffled labels do.
 */

import type { SparseVector } from '../../mail/features/sparse-vector.ts'
import { parseAddresses } from '../../mail/message/address.ts'
import { registrableDomain } from '../../mail/message/domain.ts'
import { headerBody, type Message } from '../../mail/message/message.ts'
import { memoryOctets } from '../../mail/message/octets.ts'
import { parseMessage } from '../../mail/message/parse.ts'
import { dkimAspect } from '../../mail/signals/dkim.ts'
import { isFreeMail } from '../../mail/signals/free-mail.ts'
import { listAspect } from '../../mail/signals/list.ts'
import type { Sample } from '../corpora/sample.ts'
import type { WrittenSample } from '../corpora/written.ts'
import { SYSTEM_OF_HOST } from '../rendering/mail-clients.ts'
import { fitLogistic } from '../training/fit-logistic.ts'
import { FOLDS, foldOf } from '../training/folds.ts'
import { oneMinusAuc, type Scored } from './metrics.ts'

/** Area under the curve of the model, kinds left out; 0.5 is chance. */
export interface RenderingLeak {
  /** Among mail sent to many. */
  readonly bulk: number
  /** Among mail to one reader, from persons and from systems. */
  readonly personal: number
}

/** Set by the text or by the fields of the written mail, not by the rendering. */
const WRITTEN_FIELDS: ReadonlySet<string> = new Set([
  'reply-to',
  'cc',
  'references',
  'in-reply-to',
  'x-ms-has-attach',
  'dkim-signature',
])

/** Elements of Markdown: a heading in the text is no habit of the sender's. */
const MARKDOWN_TAGS: ReadonlySet<string> = new Set(
  'a p br b strong i em s ul ol li h1 h2 h3 h4 img hr pre code blockquote'.split(' '),
)

/** The first classes are the skeleton's; those of buttons and tables come with the text. */
const OUTERMOST_CLASSES = 4

/** Around what the text quotes. */
const QUOTE_CLASS = /quote|attr|cite|reply|fragment/i

const FIT = { epochs: 10, learningRate: 0.1, l2: 1e-4, seed: 1, hasBias: true }

export function renderingLeak(samples: readonly Sample[], seesSignatures = false): RenderingLeak {
  const seen = samples.filter(isWritten).map((sample) => seenOf(sample, seesSignatures))
  const comparable = withBothLabels(seen)
  const scored = scoredWithKindsLeftOut(comparable)
  const areaAmong = (bulk: boolean) =>
    areaWithinStrata(scored.filter(({ seen: { sample } }) => sample.bulk === bulk))
  return { bulk: areaAmong(true), personal: areaAmong(false) }
}

function isWritten(sample: Sample): sample is WrittenSample {
  return sample.source === 'written' && 'layout' in sample && sample.spam !== undefined
}

/** What the model is shown of a sample. */
interface Seen {
  readonly sample: WrittenSample
  /** What follows from the text: samples of one stratum are compared. */
  readonly stratum: string
  readonly habits: readonly string[]
}

function seenOf(sample: WrittenSample, seesSignatures: boolean): Seen {
  const message = parseMessage(memoryOctets(sample.bytes))
  const from = parseAddresses(headerBody(message, 'from') ?? '')[0]?.domain ?? ''
  const signatures = seesSignatures ? dkimAspect.find(message, { receivedAt: new Date(0) }) : []
  return {
    sample,
    stratum: `${sample.bulk} ${sample.layout} ${providerOf(from)}`,
    habits: [...habitsOf(message), ...signatures.map(({ name }) => name)],
  }
}

/** Where the mailbox is, as far as its address says. */
function providerOf(host: string): string {
  const system = SYSTEM_OF_HOST.find(([pattern]) => pattern.test(host))?.[1]
  return system ?? (isFreeMail(registrableDomain(host)) ? 'free mail' : 'own domain')
}

function countsByStratum(seen: readonly Seen[]): Map<string, { spam: number; ham: number }> {
  const counts = new Map<string, { spam: number; ham: number }>()
  for (const { sample, stratum } of seen) {
    const count = counts.get(stratum) ?? { spam: 0, ham: 0 }
    count[sample.spam ? 'spam' : 'ham'] += 1
    counts.set(stratum, count)
  }
  return counts
}

function withBothLabels(seen: readonly Seen[]): Seen[] {
  const counts = countsByStratum(seen)
  return seen.filter(({ stratum }) => counts.get(stratum)!.spam * counts.get(stratum)!.ham > 0)
}

interface ScoredSeen extends Scored {
  readonly seen: Seen
}

function scoredWithKindsLeftOut(seen: readonly Seen[]): ScoredSeen[] {
  const indices = new Map<string, number>()
  const counts = countsByStratum(seen)
  const vectors = new Map(seen.map((each) => [each, habitVector(each.habits, indices)]))
  return Array.from({ length: FOLDS }, (_, fold) => {
    const isLeft = ({ sample }: Seen) => foldOf(sample.kind ?? '') === fold
    const training = seen
      .filter((each) => !isLeft(each))
      .map((each) => ({
        features: vectors.get(each)!,
        positive: each.sample.spam === true,
        weight: weightOf(each, counts),
      }))
    const model = fitLogistic(training, indices.size, FIT)
    return seen.filter(isLeft).map((each) => ({
      seen: each,
      spam: each.sample.spam === true,
      score: vectors
        .get(each)!
        .indices.reduce((sum, index) => sum + model.weights[index]!, model.bias),
    }))
  }).flat()
}

/** Within a stratum spam and ham weigh alike: the stratum by itself tells nothing. */
function weightOf(
  { sample, stratum }: Seen,
  counts: ReadonlyMap<string, { spam: number; ham: number }>,
): number {
  const { spam, ham } = counts.get(stratum)!
  return (spam + ham) / (2 * (sample.spam ? spam : ham))
}

/** AUC over pairs of the same stratum. */
function areaWithinStrata(scored: readonly ScoredSeen[]): number {
  let area = 0
  let pairs = 0
  for (const stratum of new Set(scored.map(({ seen }) => seen.stratum))) {
    const own = scored.filter(({ seen }) => seen.stratum === stratum)
    const spam = own.filter((each) => each.spam).length
    const ownPairs = spam * (own.length - spam)
    area += ownPairs * (1 - oneMinusAuc(own))
    pairs += ownPairs
  }
  return area / pairs
}

function habitVector(habits: readonly string[], indices: Map<string, number>): SparseVector {
  const found = new Set<number>()
  for (const habit of habits) {
    if (!indices.has(habit)) indices.set(habit, indices.size)
    found.add(indices.get(habit)!)
  }
  return {
    size: indices.size,
    indices: Uint32Array.from(found),
    values: new Float32Array(found.size).fill(1),
  }
}

function habitsOf(message: Message): string[] {
  return [...headerHabits(message), ...structureHabits(message), ...markupHabits(message)]
}

function headerHabits(message: Message): string[] {
  const names = message.fields
    .filter((field) => !WRITTEN_FIELDS.has(field.name))
    .map((field) => field.spelledName)
  return [
    ...names.map((name) => `field ${name}`),
    ...names.slice(1).map((name, at) => `order ${names[at]} ${name}`),
    ...listAspect.find(message).map((fact) => `fact ${fact.name}`),
    `fields ${names.length}`,
    `mailer ${shapeOf(headerBody(message, 'x-mailer') ?? '')}`,
    `id ${shapeOf(headerBody(message, 'message-id')?.split('@')[0] ?? '')}`,
    `from name quoted ${/^\s*"[\w ]*"/.test(rawBody(message, 'from'))}`,
    `reader named ${/</.test(rawBody(message, 'to'))}`,
  ]
}

function rawBody(message: Message, name: string): string {
  return message.fields.find((field) => field.name === name)?.rawBody ?? ''
}

/** Letters, digits and signs by their kinds, runs as one. */
function shapeOf(text: string): string {
  return text
    .replace(/[A-Z]+/g, 'A')
    .replace(/[a-z]+/g, 'a')
    .replace(/(?:[Aa]?\d+[Aa]?)+/g, '0')
}

function structureHabits(message: Message): string[] {
  const parts = message.parts.filter((part) => /^text\/|^multipart\/alt/.test(part.type))
  return [
    ...parts.map((part) => `part ${part.type} ${part.transferEncoding === 'base64'}`),
    `parts ${parts.map((part) => part.type).join(' ')}`,
    ...message.fields
      .filter((field) => field.name === 'content-type')
      .map((field) => `type ${shapeOf(field.rawBody).slice(0, 60)}`),
  ]
}

function markupHabits(message: Message): string[] {
  return message.texts.flatMap(({ kind, source, html }) => {
    if (kind !== 'html' || html === undefined) return []
    const tags = [...html.tagCounts.keys()].filter((tag) => !MARKDOWN_TAGS.has(tag))
    const classes = [...source.matchAll(/class="([\w-]+)/g)].map((match) => match[1]!)
    const skeleton = classes.filter((name) => !QUOTE_CLASS.test(name))
    const outermost = [...new Set(skeleton)].slice(0, OUTERMOST_CLASSES)
    return [
      ...tags.map((tag) => `tag ${tag}`),
      ...outermost.map((name) => `class ${name}`),
      `doctype ${/^<!doctype [^>]{0,60}/i.exec(source)?.[0] ?? ''}`,
      `comments ${html.comments > 0}`,
      `pixel ${html.images.some((image) => image.width === 1)}`,
      `hidden ${html.hidingMethods.length > 0}`,
    ]
  })
}
