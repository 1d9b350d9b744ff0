/**
 * Signals from attachments: what opening one would do, and names and types made to hide it. A kind is told by first bytes before the
 * name, and by the name before the declared type, since that is what a reader's system goes by.
 */
import { GENERIC_TYPES } from '../message/containers.ts'
import type { Attachment, Message, TextBody } from '../message/message.ts'
import { firstOfEachName, raised, type Signal } from './signal.ts'
import { readerText } from './text.ts'
import { wordList } from './word-lists.ts'

/** Attachments looked at one by one. */
export const ATTACHMENTS_MAX = 50

/** Text below which the attachment is the message. */
const LITTLE_TEXT_MAX = 100

const LONG_NAME_MIN = 100

/** Extensions (word-lists.tsv). */
const EXECUTABLE = wordList('executable')
const SCRIPT_RUNS = wordList('script-runs')
const SHORTCUT = wordList('shortcut')
const SCRIPT = new Set([...wordList('script'), ...SCRIPT_RUNS, ...SHORTCUT])
const DISK_IMAGE = wordList('disk-image')
const ARCHIVE = wordList('archive')
const MACRO = wordList('macro')
const OFFICE = wordList('office')
const OLD_OFFICE = wordList('old-office')
const HTML = wordList('page')
const IMAGE = wordList('image')
const AUDIO_VIDEO = wordList('audio-video')
const HARMLESS_LOOKING = wordList('harmless-looking')
const OFFICE_ZIP = wordList('office-zip')

/** Signs that turn the writing direction ('gpj.exe' is read 'exe.jpg') or are not seen. */
const DISGUISED_NAME = /[\u200b-\u200f\u202a-\u202e\u2066-\u2069]| {5}/

export function attachmentSignals(message: Message): Signal[] {
  const { attachments, attachedTexts } = message
  const offered = attachments.filter(({ shown }) => !shown).length
  const each = attachments.slice(0, ATTACHMENTS_MAX).flatMap((declared) => {
    const attachment = underRiskiestName(declared)
    return [...kindSignals(attachment), ...nameSignals(attachment), ...typeSignals(attachment)]
  })
  const isEncrypted = each.some(({ name }) => name === 'ATTACHMENT_ENCRYPTED')
  return firstOfEachName([
    ...raised({
      ATTACHMENT_ANY: offered > 0 && offered,
      ATTACHMENT_LITTLE_TEXT: offered > 0 && readerText(message).length <= LITTLE_TEXT_MAX,
    }),
    ...each,
    ...raised({
      ATTACHMENT_ENCRYPTED_PASSWORD: isEncrypted && PASSWORD.test(readerText(message)),
      ATTACHMENT_HTML_ACTIVE: attachedTexts.some(isActivePage),
    }),
  ])
}

/** A word for a password and, after at most a few characters, what it is: a digit is in it, or a sign says that it follows. */
const PASSWORD =
  /(?:passw(?:or[dt])?|passcode|kennwort|mot de passe|contrase\u00f1a|senha|wachtwoord|has\u0142o|\u043f\u0430\u0440\u043e\u043b\u044c|\u5bc6\u7801|\u30d1\u30b9\u30ef\u30fc\u30c9)[^\n\d:=]{0,20}[\d:=]/i

/** What scripts call to make a page that no filter has seen, or to lead to another. */
const PAGE_MAKERS = [
  'document.write',
  'atob(',
  'fromCharCode',
  'unescape(',
  'decodeURIComponent(',
  'eval(',
  'innerHTML',
  'location.',
]

function isActivePage({ html, source }: TextBody): boolean {
  if (html === undefined) return false
  if (html.forms.length > 0) return true
  return html.scripts > 0 && PAGE_MAKERS.some((call) => source.includes(call))
}

/** Characters at the end of a name in which its extension is looked for. */
const EXTENSION_LOOKED_AT_MAX = 100

/** Last extension of the name under which a file is saved, lower case, '' when it has none. */
function extensionOf(fileName: string): string {
  return /\.([^.\s/\\]{1,20})$/.exec(savedName(fileName))?.[1]?.toLowerCase() ?? ''
}

/**
 * The end of the name under which Windows saves a file: 'setup.exe. .' is 'setup.exe', and so is
 * 'setup.exe::$DATA', which names what is in the file (MS-FSCC §2.1.5).
 */
function savedName(fileName: string): string {
  const end = fileName.slice(-EXTENSION_LOOKED_AT_MAX)
  let length = trimmedLength(end)
  const stream = end.slice(0, length).lastIndexOf(':')
  if (stream >= 0 && /^:\$data$/i.test(end.slice(stream, length))) {
    const colon = end.lastIndexOf(':', stream - 1)
    length = trimmedLength(end.slice(0, colon < 0 ? stream : colon))
  }
  return end.slice(0, length)
}

function trimmedLength(name: string): number {
  let length = name.length
  while (length > 0 && /[.\s\0]/.test(name[length - 1]!)) length--
  return length
}

/**
 * `attachment` under the riskiest of its names: one program saves it under `name`, another under
 * `filename`.
 */
function underRiskiestName(attachment: Attachment): Attachment {
  let worst = attachment.fileName
  for (const name of attachment.otherNames) if (riskOf(name) > riskOf(worst)) worst = name
  return worst === attachment.fileName ? attachment : { ...attachment, fileName: worst }
}

/** From what is packed to what runs; all else is 0. */
const RISKS: readonly ReadonlySet<string>[] = [ARCHIVE, HTML, MACRO, DISK_IMAGE, SCRIPT, EXECUTABLE]

function riskOf(fileName: string): number {
  const extension = extensionOf(fileName)
  return RISKS.findLastIndex((extensions) => extensions.has(extension)) + 1
}

function kindSignals({ fileName, type, head }: Attachment): Signal[] {
  const extension = extensionOf(fileName)
  const magic = magicOf(head)
  const evidence = fileName === '' ? type : fileName
  const is = (extensions: ReadonlySet<string>) => extensions.has(extension) && evidence
  const isSvg = extension === 'svg' || type === 'image/svg+xml'
  const isArchive = ARCHIVE.has(extension) || (ARCHIVES.has(magic) && !OFFICE_ZIP.has(extension))
  const entry = isArchive ? firstEntryName(head, magic) : ''
  const packed = extensionOf(entry)
  return raised({
    ATTACHMENT_EXECUTABLE: magic === 'executable' ? evidence : is(EXECUTABLE),
    ATTACHMENT_SCRIPT: is(SCRIPT),
    ATTACHMENT_SCRIPT_RUNS: is(SCRIPT_RUNS),
    ATTACHMENT_SHORTCUT: is(SHORTCUT),
    ATTACHMENT_DISK_IMAGE: is(DISK_IMAGE),
    ATTACHMENT_MACRO: is(MACRO),
    ATTACHMENT_OLD_OFFICE: is(OLD_OFFICE),
    ATTACHMENT_OFFICE: is(OFFICE) || is(MACRO),
    ATTACHMENT_PDF: (extension === 'pdf' || magic === 'pdf') && evidence,
    ATTACHMENT_HTML: is(HTML) || (type === 'text/html' && extension === '' && evidence),
    ATTACHMENT_SVG: isSvg && evidence,
    ATTACHMENT_IMAGE: !isSvg && (IMAGE.has(extension) || type.startsWith('image/')),
    ATTACHMENT_AUDIO_VIDEO: is(AUDIO_VIDEO),
    ATTACHMENT_MESSAGE: (extension === 'eml' || extension === 'msg') && evidence,
    ATTACHMENT_ARCHIVE: isArchive && evidence,
    ATTACHMENT_ARCHIVE_RARE: isArchive && (magic === 'rar' || magic === '7z') && evidence,
    ATTACHMENT_ENCRYPTED: isArchive && isEncrypted(head, magic) && evidence,
    ATTACHMENT_ARCHIVE_EXECUTABLE:
      (EXECUTABLE.has(packed) || SCRIPT.has(packed) || DISK_IMAGE.has(packed)) &&
      `${evidence}: ${entry}`,
    ATTACHMENT_ARCHIVE_HTML: HTML.has(packed) && `${evidence}: ${entry}`,
  })
}

/**
 * The kinds of all attachments of `message`, in the order of ATTACHMENT_KINDS: by their names and first bytes, and of
 * a ZIP archive also by the name of its first file. All are looked at, since the fifty-first may be the program.
 */
export function attachmentKinds({ attachments }: Message): AttachmentKind[] {
  const found = new Set(attachments.flatMap(kindsOf))
  return ATTACHMENT_KINDS.filter((kind) => found.has(kind))
}

function kindsOf({ fileName, otherNames, head }: Attachment): AttachmentKind[] {
  const magic = magicOf(head)
  return [
    ...[fileName, ...otherNames].flatMap(kindsOfName),
    ...kindsOfName(firstEntryName(head, magic)),
    ...(magic === 'executable' ? (['exe'] as const) : []),
    ...(isEncrypted(head, magic) ? (['encrypted'] as const) : []),
  ]
}

function kindsOfName(fileName: string): AttachmentKind[] {
  const extension = extensionOf(fileName)
  const kinds: AttachmentKind[] = []
  if (EXECUTABLE.has(extension)) kinds.push('exe')
  if (SHORTCUT.has(extension)) kinds.push('lnk')
  else if (SCRIPT.has(extension)) kinds.push('script')
  if (DISK_IMAGE.has(extension)) kinds.push('iso')
  if (MACRO.has(extension)) kinds.push('macro')
  return kinds
}

function nameSignals({ fileName }: Attachment): Signal[] {
  const extension = extensionOf(fileName)
  const before = extensionOf(savedName(fileName).slice(0, -extension.length - 1))
  const hides = [EXECUTABLE, SCRIPT, ARCHIVE, HTML, DISK_IMAGE].some((it) => it.has(extension))
  return raised({
    ATTACHMENT_DOUBLE_EXTENSION: hides && HARMLESS_LOOKING.has(before) && fileName,
    ATTACHMENT_NAME_DISGUISED: DISGUISED_NAME.test(fileName) && fileName,
    ATTACHMENT_NAME_LONG: fileName.length >= LONG_NAME_MIN && fileName,
  })
}

/** First bytes of formats, as Latin-1 text. */
const MAGIC = [
  ['MZ', 'executable'],
  ['\x7fELF', 'executable'],
  ['PK\x03\x04', 'zip'],
  ['Rar!\x1a\x07', 'rar'],
  ['7z\xbc\xaf\x27\x1c', '7z'],
  ['\x1f\x8b', 'gzip'],
  ['%PDF-', 'pdf'],
  ['\x89PNG', 'png'],
  ['\xff\xd8\xff', 'jpeg'],
  ['GIF8', 'gif'],
  ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'ole'],
] as const

type Magic = (typeof MAGIC)[number][1] | 'unknown'

const ARCHIVES: ReadonlySet<Magic> = new Set(['zip', 'rar', '7z', 'gzip'])

function magicOf(head: Uint8Array): Magic {
  const start = latin1(head.subarray(0, 8))
  return MAGIC.find(([bytes]) => start.startsWith(bytes))?.[1] ?? 'unknown'
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}

/** Flags of a ZIP local file header; bit 0 says encrypted (APPNOTE 4.4.4). */
const ZIP_FLAGS_AT = 6
const ZIP_NAME_LENGTH_AT = 26
const ZIP_NAME_AT = 30

/** Type byte of a RAR 4 archive header, its flags, and the bit for encrypted headers. */
const RAR4_HEADER_FLAGS_AT = 10
const RAR4_ENCRYPTED = 0x80

/** RAR 4 file header: flags of the first file, and the bit for a password. */
const RAR4_FILE_FLAGS_AT = 23
const RAR4_FILE_PASSWORD = 0x04

/** RAR 5: type of the first header; 4 is the encryption header. */
const RAR5_MARK_AT = 6
const RAR5_TYPE_AT = 13
const RAR5_TYPE_ENCRYPTION = 4

function isEncrypted(head: Uint8Array, magic: Magic): boolean {
  if (magic === 'zip') return ((head[ZIP_FLAGS_AT] ?? 0) & 1) !== 0
  if (magic !== 'rar') return false
  if (head[RAR5_MARK_AT] === 1) return head[RAR5_TYPE_AT] === RAR5_TYPE_ENCRYPTION
  const headers = ((head[RAR4_HEADER_FLAGS_AT] ?? 0) & RAR4_ENCRYPTED) !== 0
  return headers || ((head[RAR4_FILE_FLAGS_AT] ?? 0) & RAR4_FILE_PASSWORD) !== 0
}

/** Name of the first file in a ZIP archive, '' when it cannot be read from the head. */
function firstEntryName(head: Uint8Array, magic: Magic): string {
  if (magic !== 'zip' || head.length < ZIP_NAME_AT) return ''
  const length = head[ZIP_NAME_LENGTH_AT]! | (head[ZIP_NAME_LENGTH_AT + 1]! << 8)
  return latin1(head.subarray(ZIP_NAME_AT, ZIP_NAME_AT + length))
}

/** Extension -> what its first bytes must be; nothing is said of others. */
const EXPECTED_MAGIC = new Map<string, readonly Magic[]>([
  ...['pdf', 'zip', 'rar', '7z'].map((name): [string, Magic[]] => [name, [name as Magic]]),
  ...['png', 'jpg', 'jpeg', 'gif'].map((it): [string, Magic[]] => [it, ['png', 'jpeg', 'gif']]),
  ...['docx', 'xlsx', 'pptx'].map((name): [string, Magic[]] => [name, ['zip', 'ole']]),
])

function typeSignals({ fileName, type, head }: Attachment): Signal[] {
  const extension = extensionOf(fileName)
  const magic = magicOf(head)
  const isOther = head.length > 0 && EXPECTED_MAGIC.get(extension)?.includes(magic) === false
  const isGeneric = extension !== '' && GENERIC_TYPES.has(type)
  return raised({
    ATTACHMENT_CONTENT_OTHER: isOther && `${fileName}: ${magic}`,
    ATTACHMENT_TYPE_GENERIC: isGeneric && `${fileName}: ${type}`,
    ATTACHMENT_TYPE_OTHER: !isGeneric && contradicts(type, extension) && `${fileName}: ${type}`,
  })
}

/** True when the declared type is of another family than the extension. */
function contradicts(type: string, extension: string): boolean {
  if (extension === '') return false
  const isImage = IMAGE.has(extension)
  if (type.startsWith('image/') && type !== 'image/svg+xml') {
    return !isImage && KNOWN.has(extension)
  }
  if (type === 'application/pdf') return extension !== 'pdf' && KNOWN.has(extension)
  if (type === 'application/zip') return isImage || extension === 'pdf'
  if (type.startsWith('text/')) return isImage || extension === 'pdf' || OFFICE_ZIP.has(extension)
  return isImage && type.startsWith('application/') && !GENERIC_TYPES.has(type)
}

/** Extensions of which we know what family they are of. */
const KNOWN: ReadonlySet<string> = new Set(
  [EXECUTABLE, SCRIPT, DISK_IMAGE, ARCHIVE, MACRO, OFFICE, HTML, IMAGE, AUDIO_VIDEO]
    .flatMap((extensions) => [...extensions])
    .concat('pdf', 'txt'),
)

/**
 * Kinds of attachments that the operator's rules name.
 *
 * - `exe`: a program, by its name or its first bytes.
 * - `script`: what an interpreter runs, also a script that Windows starts when it is opened.
 * - `iso`: a disk image.
 * - `lnk`: a shortcut, which starts whatever its sender likes.
 * - `macro`: a document of a type that can hold macros.
 * - `encrypted`: an archive with a password.
 */
export const ATTACHMENT_KINDS = ['exe', 'script', 'iso', 'lnk', 'macro', 'encrypted'] as const

type AttachmentKind = (typeof ATTACHMENT_KINDS)[number]
