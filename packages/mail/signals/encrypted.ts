/**
 * Whether a message is encrypted from its sender to its reader: S/MIME enveloped-data (RFC 8551 §3.3), OpenPGP in MIME (RFC 3156
 * §4), or armoured OpenPGP (RFC 9580 §6). Anybody can write such a type or line, so only where hardly anything can be read beside it.
 */
import type { Attachment, Message, Part } from '../message/message.ts'
import { webTargets } from './link-targets.ts'
import { perMessage } from './per-message.ts'
import { hasMoreWords, readerText } from './text.ts'

/** Words in the clear beside what is encrypted: a greeting. More is a letter. */
const CLEAR_WORDS_MAX = 8

/** Hosts that programs for OpenPGP name in the Comment of their armour. */
const PROGRAM_HOSTS: ReadonlySet<string> = new Set([
  'keybase.io',
  'mailvelope.com',
  'www.mailvelope.com',
  'enigmail.net',
  'www.enigmail.net',
  'openpgpjs.org',
  'flowcrypt.com',
  'gpgtools.org',
])

/** True when the message is encrypted and says hardly anything beside that. */
export const isEncrypted = perMessage((message: Message): boolean => {
  const text = readerText(message)
  const clear = clearText(text)
  if (clear === text && !message.parts.some(isEncryptedPart)) return false
  return (
    !message.attachments.some((it) => isSignedOnly(it) || it.type.startsWith('image/')) &&
    message.texts.every(({ html }) => html === undefined || html.images.length === 0) &&
    !hasMoreWords(clear, CLEAR_WORDS_MAX) &&
    webTargets(message).every(({ host }) => PROGRAM_HOSTS.has(host))
  )
})

function isEncryptedPart({ type, parameters, fileName }: Part): boolean {
  if (type === 'multipart/encrypted') return true
  // Some gateways write no other type than this.
  if (type === 'application/octet-stream') return fileName?.toLowerCase() === 'smime.p7m'
  if (type !== 'application/pkcs7-mime' && type !== 'application/x-pkcs7-mime') return false
  const kind = parameters.get('smime-type')?.toLowerCase() ?? ENVELOPED
  return kind === ENVELOPED || kind === 'authenveloped-data'
}

/** What application/pkcs7-mime is where it does not say: older programs do not (RFC 8551 §3.2.2). */
const ENVELOPED = 'enveloped-data'

/** The object identifier of signed-data, 1.2.840.113549.1.7.2, in DER: what begins with it is in the clear, whatever its type says. */
const SIGNED_DATA = Buffer.from('06092a864886f70d010702', 'hex')

/** Bytes in which the identifier stands: behind one header of a sequence. */
const IDENTIFIER_END = 32

function isSignedOnly({ head }: Attachment): boolean {
  return Buffer.from(head.subarray(0, IDENTIFIER_END)).includes(SIGNED_DATA)
}

const ARMOR_START = '-----BEGIN PGP MESSAGE-----'
const ARMOR_END = '-----END PGP MESSAGE-----'

/** `text` without armoured OpenPGP. What stands within the armour and is none of it stays: it is shown to the reader. */
function clearText(text: string): string {
  if (!text.includes(ARMOR_START)) return text
  // A page may have run the lines of the armour together.
  const lines = text
    .replaceAll(ARMOR_START, `\n${ARMOR_START}\n`)
    .replaceAll(ARMOR_END, `\n${ARMOR_END}\n`)
    .split('\n')
  let isArmor = false
  const clear: string[] = []
  for (const line of lines) {
    const trimmed = line.trim()
    if (trimmed === ARMOR_START) isArmor = true
    else if (trimmed === ARMOR_END) isArmor = false
    else if (!isArmor) clear.push(line)
    else if (!ARMOR_LINE.test(trimmed)) {
      clear.push(...trimmed.split(/\s+/).filter((word) => !ARMOR_LINE.test(word)))
    }
  }
  return clear.join('\n')
}

/**
 * A line of base64 as armour has it (RFC 9580 §6.2), its checksum, a header of it, or the empty line between. The last
 * line of base64 may be shorter and counts as a word in the clear: single words would pass for short lines.
 */
const ARMOR_LINE =
  /^(?:[A-Za-z0-9+/]{40,76}={0,2}|=[A-Za-z0-9+/]{4}|(?:Version|Comment|Hash|Charset|MessageID): .{0,80})?$/
