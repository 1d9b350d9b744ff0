/** Signals from what a message goes on from: a quotation, a thread, a patch under discussion. */
import type { Message } from '../../message/message.ts'
import { fieldBody } from '../fields.ts'
import { type Signal, signal } from '../signal.ts'
import { type Content, matchesOf } from './phrases-found.ts'

export function threadSignals(message: Message, content: Content): Signal[] {
  const found: Signal[] = []
  if (quotes(content)) found.push(signal('QUOTED_REPLY'))
  if (fieldBody(message, 'in-reply-to') !== undefined) found.push(signal('REPLY_REFERENCED'))
  else if (fieldBody(message, 'references') !== undefined) found.push(signal('THREAD_REFERENCED'))
  if (holdsPatch(content.text)) found.push(signal('PATCH_OR_DIFF'))
  return found
}

/** 'Anna wrote:' at the end of a line, the rule above an original message, Outlook's head, or '>' lines. */
function quotes(content: Content): boolean {
  const { text } = content
  return (
    matchesOf(content, 'wrote').some(({ end }) =>
      /^[ \t\u00a0]{0,3}(?:\n|$)/.test(text.slice(end, end + 4)),
    ) ||
    matchesOf(content, 'forwarded').some(({ start }) =>
      /[-_]\s?$/.test(text.slice(Math.max(0, start - 2), start)),
    ) ||
    matchesOf(content, 'sentLine').some(({ end }) =>
      /\n\s?(?:to|an|à|para|a|aan|till|кому)\s?:/i.test(text.slice(end, end + OUTLOOK_LINE_MAX)),
    ) ||
    isInTwice(text, '\n>')
  )
}

function isInTwice(text: string, piece: string): boolean {
  const first = text.indexOf(piece)
  return first >= 0 && text.includes(piece, first + 1)
}

/** From the Sent line of a quoted head to the beginning of its To line. */
const OUTLOOK_LINE_MAX = 120

/** A unified diff, or the head of a patch that git made. */
function holdsPatch(text: string): boolean {
  return (
    text.includes('\ndiff --git a/') ||
    (text.includes('\nIndex: ') && text.includes('\n+++ ')) ||
    (text.includes('\n@@ -') && /\n@@ -\d{1,7}(?:,\d{1,7})? \+\d{1,7}/.test(text))
  )
}
