/** What a user's rules and memory are compared with in a message. It is made on a thread, so it is plain data. */
import { createHash } from 'node:crypto'
import { passagesOf } from '../embedding/passages.ts'
import { type SparseTerms, termsOf } from '../embedding/sparse-terms.ts'
import { domainHash } from '../knowledge/domain-table.ts'
import type { Knowledge } from '../knowledge/knowledge.ts'
import { headerBody, type Link, type Message } from '../message/message.ts'
import type { Models } from '../models/models.ts'
import { hostKind } from '../signals/host-lists.ts'
import { type LinkTarget, webTargets } from '../signals/link-targets.ts'
import { readerText, subjectOf } from '../signals/text.ts'
import type { MessageEmbedding, StoredMemoryItem } from './memory.ts'
import { DIMENSIONS, encodeMemoryItem, HOSTS_MAX } from './memory-item.ts'
import { isSharedSender, type Patterns, patternsOf } from './patterns.ts'

export interface PersonalAnalysis {
  readonly patterns: Patterns
  /** The same for the same message; see identityOf. */
  readonly identity: string
  /** The terms of what its sender wrote (embedding/sparse-terms.ts), and hashes of the strangers' hosts that it leads to; none where its content was not asked for. */
  readonly sparse: SparseTerms
  readonly hosts: Uint32Array
  /** Whether a program or a service put most of the text around what its user says. */
  readonly isFramed: boolean
  /** What is embedded of it; '' where its content was not asked for. */
  readonly embeddedText: string
}

/** Characters of subject and own text that are embedded: some 100 pieces, which the encoder takes in one part. */
export const EMBEDDED_LENGTH_MAX = 400

/**
 * @param hasContent whether its template, terms and text are among it: these take a third of an analysis, and not every
 *   user has something to compare them with.
 */
export function personalAnalysis(
  message: Message,
  { commonText }: Pick<Models, 'commonText'>,
  knowledge: Knowledge | undefined,
  hasContent = true,
): PersonalAnalysis {
  const patterns = patternsOf(message, hasContent)
  const made = {
    patterns,
    identity: identityOf(message),
    isFramed: isFramed(message, patterns, knowledge),
  }
  const none = new Uint32Array()
  if (!hasContent) return { ...made, sparse: none, hosts: none, embeddedText: '' }
  const passages = passagesOf(message, commonText)
  return {
    ...made,
    sparse: termsOf(passages, commonText),
    hosts: strangerHosts(message, passages.own, patterns.senderDomain, knowledge),
    embeddedText: `${passages.subject}\n${passages.own}`
      .slice(0, EMBEDDED_LENGTH_MAX)
      .toWellFormed(),
  }
}

/** Characters of the text that the identity covers. */
const IDENTITY_TEXT_LENGTH_MAX = 20_000

/**
 * SHA-256 of Message-ID, From, subject, text and links, in base64url: the same for every recipient and at any time. A
 * Message-ID alone would do for honest mail (RFC 5322 §3.6.4), but a sender can give a new message that of one that the user
 * has called ham.
 */
export function identityOf(message: Message): string {
  return createHash('sha256')
    .update(
      JSON.stringify([
        headerBody(message, 'message-id')?.trim() ?? '',
        headerBody(message, 'from')?.trim() ?? '',
        subjectOf(message),
        readerText(message).slice(0, IDENTITY_TEXT_LENGTH_MAX),
        message.links.map(({ href }) => href),
      ]),
    )
    .digest('base64url')
}

/** What a memory keeps of the message, as the store has it, with its embedding. */
export function memoryItemOf(
  { sparse, hosts }: Pick<PersonalAnalysis, 'sparse' | 'hosts'>,
  embedding: MessageEmbedding | undefined,
): Pick<StoredMemoryItem, 'memory' | 'embeddingModel'> {
  const { model = 'none', vector = new Float32Array(DIMENSIONS) } = embedding ?? {}
  return { memory: encodeMemoryItem(vector, sparse, hosts), embeddingModel: model }
}

// Whether a message is in a frame: text that a program or a service puts around what its users say.
// Invitations, invoices, shares, notices of forums and codes of one service look alike whoever sent them,
// so that likeness to one that a user reported says little about another.

export function isFramed(
  message: Message,
  patterns: Patterns,
  knowledge: Knowledge | undefined,
): boolean {
  if (isSharedSender(patterns)) return true
  if (message.parts.some(({ type }) => type === 'text/calendar')) return true
  // RFC 3834 §5: made by a program, not by a person.
  const automatic = headerBody(message, 'auto-submitted')?.trim().toLowerCase()
  if (automatic !== undefined && automatic !== 'no') return true
  return knowledge !== undefined && leadsToServicesOnly(message, patterns.senderDomain, knowledge)
}

/** Whether there are links to others than the sender, and all lead to organisations that are known. */
function leadsToServicesOnly(
  message: Message,
  senderDomain: string | undefined,
  { domains }: Knowledge,
): boolean {
  const others = webTargets(message).filter(
    ({ domain }) => domain !== '' && domain !== senderDomain,
  )
  const isService = (kind: string | undefined) => kind === 'known' || kind === 'account'
  return (
    others.length > 0 &&
    others.every(({ host, domain }) => isService(hostKind(domains, host, domain)))
  )
}

// Where the links of a message lead, as far as that tells one campaign from another: to domains that nobody
// knows, or to a page of a stranger at a host that all may use. Known companies, mailing services and the
// sender's own domain are in wanted mail as well; so are links of footers, which stand below mail of many senders.

const WHITE_SPACE = /\s+/g

/**
 * Hashes of the first HOSTS_MAX such hosts, each once; none where nothing is known of any host.
 *
 * @param own what the sender wrote (embedding/passages.ts).
 */
export function strangerHosts(
  message: Message,
  own: string,
  senderDomain: string | undefined,
  knowledge: Knowledge | undefined,
): Uint32Array {
  if (knowledge === undefined) return new Uint32Array()
  const text = own.replace(WHITE_SPACE, ' ')
  const hashes = new Set<number>()
  for (const target of webTargets(message)) {
    if (hashes.size === HOSTS_MAX) break
    if (target.domain === senderDomain || !standsIn(text, target.link)) continue
    const name = strangersName(target, knowledge)
    if (name !== undefined) hashes.add(domainHash(name))
  }
  return Uint32Array.from(hashes)
}

/** Characters of a text below which the pictures are the message, and their links its own. */
const PICTURE_TEXT_LENGTH_MAX = 200

/** Whether the link is one of `text`, or of a picture that stands for it. */
function standsIn(text: string, { href, text: shown }: Link): boolean {
  const words = shown.replace(WHITE_SPACE, ' ').trim()
  if (words === '') return text.length <= PICTURE_TEXT_LENGTH_MAX
  return text.includes(words) || text.includes(href)
}

function strangersName({ host, domain }: LinkTarget, { domains }: Knowledge): string | undefined {
  if (domain === '') return undefined
  const kind = hostKind(domains, host, domain)
  if (kind === undefined || kind === 'disposable') return domain
  return (kind === 'shared' || kind === 'pages') && host !== domain ? host : undefined
}
