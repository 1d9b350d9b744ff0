/** The mail that pairs are drawn from: subject and text, nothing else of a message. */
import { join } from 'node:path'
import { hashIndex, hashSeed } from '../../../mail/features/hashing.ts'
import { memoryOctets } from '../../../mail/message/octets.ts'
import { parseMessage } from '../../../mail/message/parse.ts'
import { readerText, subjectOf } from '../../../mail/signals/text.ts'
import { readCorpora } from '../../corpora/read.ts'
import { WRITTEN_SET } from '../../corpora/sets.ts'
import { readWrittenMessages } from '../../corpora/written.ts'
import { shownBody } from '../../rendering/hidden-part.ts'
import type { WrittenMessage } from '../../rendering/written-message.ts'
import { readMaterial } from './material.ts'

/** Mail of the early years and the written mail. The other sets stay unseen, for measuring. */
const MAIL_SETS = new Set(['spamassassin', 'csdmc2010'])

const ENRON_FILE = 'enron_text.jsonl'

export interface MailText {
  readonly source: string
  readonly subject: string
  readonly text: string
  /** ISO 639-1. */
  readonly language: string
  /** What it is in a few words; written mail only. */
  readonly kind?: string
}

/** Enron, received and written mail, in that order; the written mail whole, since kinds are left out later. */
export function readMailTexts(corpora: string): MailText[] {
  return [...readEnron(corpora), ...readReceived(corpora), ...readWrittenTexts(corpora)]
}

/** Every second kind of written mail is kept from training, so that retrieval by kind can be measured. */
export function isLeftOutKind(kind: string): boolean {
  return hashIndex(hashSeed(`left out ${kind}`), 1) === 1
}

/** The kind of a written message as the training knows it: spam and class are part of it. */
export function writtenKind({ spam, class: messageClass, kind }: WrittenMessage): string {
  return `${spam ? 'spam' : messageClass}: ${kind}`
}

function readEnron(corpora: string): MailText[] {
  return linesOf(readMaterial(corpora, ENRON_FILE)).map((line) => {
    const { subject, body } = JSON.parse(line) as { subject: string; body: string }
    return { source: 'enron', subject, text: body, language: 'en' }
  })
}

function readReceived(corpora: string): MailText[] {
  return readCorpora(corpora, 'train')
    .filter(({ source }) => MAIL_SETS.has(source))
    .map(({ source, bytes }) => {
      const message = parseMessage(memoryOctets(bytes))
      return { source, subject: subjectOf(message), text: readerText(message), language: 'en' }
    })
}

function readWrittenTexts(corpora: string): MailText[] {
  return readWrittenMessages(join(corpora, WRITTEN_SET)).map((message) => ({
    source: WRITTEN_SET,
    subject: message.subject,
    text: shownBody(message.body),
    language: message.lang,
    kind: writtenKind(message),
  }))
}

function linesOf(bytes: Buffer): string[] {
  return bytes.toString('utf8').trimEnd().split('\n')
}
