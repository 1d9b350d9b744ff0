/**
 * Signals from attachments: what opening one would do, and names and types made to hide it.
 *
 * A file's kind is told by its first bytes before its name, and by its name before its declared
 * type, since that is also what a reader's system goes by.
 */

import { wordSet } from '../data-table.ts'
import { GENERIC_TYPES } from '../message/containers.ts'
import type { Attachment, Message, TextBody } from '../message/message.ts'
import { type Signal, signal } from './signal.ts'
import { readerText } from './text.ts'

/** Attachments looked at one by one. */
export const ATTACHMENTS_MAX = 50

/** Text below which the attachment is the message. */
const LITTLE_TEXT_MAX = 100

const LONG_NAME_MIN = 100

/** Programs as such. */
const EXECUTABLE = wordSet(
  'exe com scr pif cpl dll msi msp msu msix msixbundle appx appinstaller apk app dmg pkg deb rpm jar xll sys drv ocx',
)

/** Scripts, and files that start one, which Windows runs at a double click. */
const SCRIPT_RUNS = wordSet(
  'js jse vbs vbe wsf wsh ws hta ps1 psm1 bat cmd scf inf reg chm msc jnlp application gadget settingcontent-ms sct wsc pyw pyz theme themepack deskthemepack diagcab diagcfg diagpkg',
)

const SHORTCUT = wordSet('lnk library-ms search-ms url website rdp appref-ms')

/** Text that an interpreter on the reader's system may run. */
const SCRIPT: ReadonlySet<string> = new Set([
  ...SCRIPT_RUNS,
  ...SHORTCUT,
  ...wordSet('sh ksh csh zsh bash py pl rb'),
])

const DISK_IMAGE = wordSet('iso img vhd vhdx udf bin nrg')
const ARCHIVE = wordSet('zip rar 7z tar gz tgz bz2 xz ace arj cab lzh z uue r00 zipx lz')
/** Office programs run what is in them: macros, queries of a server (iqy), embedded files (one). */
const MACRO = wordSet(
  'docm dotm xlsm xltm xlsb xlam pptm potm ppam ppsm sldm one onepkg xll iqy oqy slk accde accda accdr mde mda',
)
const OFFICE = wordSet('doc docx xls xlsx ppt pptx odt ods odp rtf pages numbers key csv')
const OLD_OFFICE = wordSet('doc xls ppt dot xlt pps')
const HTML = wordSet('htm html xhtml shtml mht mhtml xht')
const IMAGE = wordSet('png jpg jpeg gif bmp webp tif tiff heic')
const AUDIO_VIDEO = wordSet('mp3 wav mp4 mov avi m4a ogg webm 3gp amr')

/** What a second extension pretends to be. */
const HARMLESS_LOOKING = wordSet('pdf doc docx xls xlsx ppt pptx jpg jpeg png gif txt csv mp3 mp4')

/** Signs that turn the writing direction ('gpj.exe' is read 'exe.jpg') or are not seen. */
const DISGUISED_NAME = /[\u200b-\u200f\u202a-\u202e\u2066-\u2069]| {5}/

export function attachmentSignals(message: Message): Signal[] {
  if (message.attachments.length === 0) return []
  const found: Signal[] = []
  const offered = message.attachments.filter(({ shown }) => !shown).length
  if (offered > 0) {
    found.push(signal('ATTACHMENT_ANY', String(offered)))
    if (readerText(message).length <= LITTLE_TEXT_MAX) found.push(signal('ATTACHMENT_LITTLE_TEXT'))
  }
  for (const declared of message.attachments.slice(0, ATTACHMENTS_MAX)) {
    const attachment = underRiskiestName(declared)
    found.push(...kindSignals(attachment), ...nameSignals(attachment), ...typeSignals(attachment))
  }
  if (found.some(({ name }) => name === 'ATTACHMENT_ENCRYPTED') && saysPassword(message)) {
    found.push(signal('ATTACHMENT_ENCRYPTED_PASSWORD'))
  }
  if (message.attachedTexts.some(isActivePage)) found.push(signal('ATTACHMENT_HTML_ACTIVE'))
  const names = new Set<string>()
  return found.filter(({ name }) => !names.has(name) && names.add(name))
}

/** A word for a password and, after at most a few characters, what it is: a digit is in it, or a sign says that it follows. */
const PASSWORD =
  /(?:passw(?:or[dt])?|passcode|kennwort|mot de passe|contrase\u00f1a|senha|wachtwoord|has\u0142o|\u043f\u0430\u0440\u043e\u043b\u044c|\u5bc6\u7801|\u30d1\u30b9\u30ef\u30fc\u30c9)[^\n\d:=]{0,20}[\d:=]/i

function saysPassword(message: Message): boolean {
  return PASSWORD.test(readerText(message))
}

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

function kindSignals(attachment: Attachment): Signal[] {
  const extension = extensionOf(attachment.fileName)
  const magic = magicOf(attachment.head)
  const evidence = attachment.fileName === '' ? attachment.type : attachment.fileName
  const found: Signal[] = []
  if (EXECUTABLE.has(extension) || magic === 'executable') {
    found.push(signal('ATTACHMENT_EXECUTABLE', evidence))
  }
  if (SCRIPT.has(extension)) found.push(signal('ATTACHMENT_SCRIPT', evidence))
  if (SCRIPT_RUNS.has(extension)) found.push(signal('ATTACHMENT_SCRIPT_RUNS', evidence))
  if (SHORTCUT.has(extension)) found.push(signal('ATTACHMENT_SHORTCUT', evidence))
  if (DISK_IMAGE.has(extension)) found.push(signal('ATTACHMENT_DISK_IMAGE', evidence))
  if (MACRO.has(extension)) found.push(signal('ATTACHMENT_MACRO', evidence))
  if (OLD_OFFICE.has(extension)) found.push(signal('ATTACHMENT_OLD_OFFICE', evidence))
  if (OFFICE.has(extension) || MACRO.has(extension))
    found.push(signal('ATTACHMENT_OFFICE', evidence))
  if (extension === 'pdf' || magic === 'pdf') found.push(signal('ATTACHMENT_PDF', evidence))
  if (HTML.has(extension) || (attachment.type === 'text/html' && extension === '')) {
    found.push(signal('ATTACHMENT_HTML', evidence))
  }
  if (extension === 'svg' || attachment.type === 'image/svg+xml') {
    found.push(signal('ATTACHMENT_SVG', evidence))
  } else if (IMAGE.has(extension) || attachment.type.startsWith('image/')) {
    found.push(signal('ATTACHMENT_IMAGE'))
  }
  if (AUDIO_VIDEO.has(extension)) found.push(signal('ATTACHMENT_AUDIO_VIDEO', evidence))
  if (extension === 'eml' || extension === 'msg') found.push(signal('ATTACHMENT_MESSAGE', evidence))
  const isArchive = ARCHIVE.has(extension) || (isArchiveMagic(magic) && !OFFICE_ZIP.has(extension))
  return isArchive ? [...found, ...archiveSignals(attachment, magic, evidence)] : found
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

/** Formats that are ZIP archives inside. */
const OFFICE_ZIP = wordSet(
  'docx xlsx pptx docm xlsm pptm xlsb dotx xltx potx ppsx odt ods odp jar apk epub pages numbers key xps ipa pkpass kmz',
)

function archiveSignals(attachment: Attachment, magic: Magic, evidence: string): Signal[] {
  const found: Signal[] = [signal('ATTACHMENT_ARCHIVE', evidence)]
  if (magic === 'rar' || magic === '7z') found.push(signal('ATTACHMENT_ARCHIVE_RARE', evidence))
  if (isEncrypted(attachment.head, magic)) found.push(signal('ATTACHMENT_ENCRYPTED', evidence))
  const entry = firstEntryName(attachment.head, magic)
  const extension = extensionOf(entry)
  if (EXECUTABLE.has(extension) || SCRIPT.has(extension) || DISK_IMAGE.has(extension)) {
    found.push(signal('ATTACHMENT_ARCHIVE_EXECUTABLE', `${evidence}: ${entry}`))
  }
  if (HTML.has(extension)) found.push(signal('ATTACHMENT_ARCHIVE_HTML', `${evidence}: ${entry}`))
  return found
}

function nameSignals({ fileName }: Attachment): Signal[] {
  if (fileName === '') return []
  const found: Signal[] = []
  const extension = extensionOf(fileName)
  const before = extensionOf(savedName(fileName).slice(0, -extension.length - 1))
  const runs = EXECUTABLE.has(extension) || SCRIPT.has(extension)
  const hides = runs || ARCHIVE.has(extension) || HTML.has(extension) || DISK_IMAGE.has(extension)
  if (extension !== '' && hides && HARMLESS_LOOKING.has(before)) {
    found.push(signal('ATTACHMENT_DOUBLE_EXTENSION', fileName))
  }
  if (DISGUISED_NAME.test(fileName)) found.push(signal('ATTACHMENT_NAME_DISGUISED', fileName))
  if (fileName.length >= LONG_NAME_MIN) found.push(signal('ATTACHMENT_NAME_LONG', fileName))
  return found
}

type Magic =
  | 'executable'
  | 'zip'
  | 'rar'
  | '7z'
  | 'gzip'
  | 'pdf'
  | 'png'
  | 'jpeg'
  | 'gif'
  | 'ole'
  | 'unknown'

/** First bytes of formats, as Latin-1 text. */
const MAGIC: readonly (readonly [string, Magic])[] = [
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
]

function magicOf(head: Uint8Array): Magic {
  const start = latin1(head.subarray(0, 8))
  return MAGIC.find(([bytes]) => start.startsWith(bytes))?.[1] ?? 'unknown'
}

function isArchiveMagic(magic: Magic): boolean {
  return magic === 'zip' || magic === 'rar' || magic === '7z' || magic === 'gzip'
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
const EXPECTED_MAGIC: Readonly<Record<string, readonly Magic[]>> = {
  pdf: ['pdf'],
  png: ['png', 'jpeg', 'gif'],
  jpg: ['jpeg', 'png', 'gif'],
  jpeg: ['jpeg', 'png', 'gif'],
  gif: ['gif', 'png', 'jpeg'],
  docx: ['zip', 'ole'],
  xlsx: ['zip', 'ole'],
  pptx: ['zip', 'ole'],
  zip: ['zip'],
  rar: ['rar'],
  '7z': ['7z'],
}

function typeSignals(attachment: Attachment): Signal[] {
  const found: Signal[] = []
  const extension = extensionOf(attachment.fileName)
  const expected = EXPECTED_MAGIC[extension]
  const magic = magicOf(attachment.head)
  if (expected !== undefined && attachment.head.length > 0 && !expected.includes(magic)) {
    found.push(signal('ATTACHMENT_CONTENT_OTHER', `${attachment.fileName}: ${magic}`))
  }
  if (GENERIC_TYPES.has(attachment.type) && extension !== '') {
    found.push(signal('ATTACHMENT_TYPE_GENERIC', `${attachment.fileName}: ${attachment.type}`))
  } else if (contradicts(attachment.type, extension)) {
    found.push(signal('ATTACHMENT_TYPE_OTHER', `${attachment.fileName}: ${attachment.type}`))
  }
  return found
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
const KNOWN: ReadonlySet<string> = new Set([
  ...EXECUTABLE,
  ...SCRIPT,
  ...DISK_IMAGE,
  ...ARCHIVE,
  ...MACRO,
  ...OFFICE,
  ...HTML,
  ...IMAGE,
  ...AUDIO_VIDEO,
  'pdf',
  'txt',
])

/** Kinds of attachments that the operator's rules name. The function that finds them is in attachments.ts. */

/**
 * - `exe`: a program, by its name or its first bytes.
 * - `script`: what an interpreter runs, also a script that Windows starts when it is opened.
 * - `iso`: a disk image.
 * - `lnk`: a shortcut, which starts whatever its sender likes.
 * - `macro`: a document of a type that can hold macros.
 * - `encrypted`: an archive with a password.
 */
export const ATTACHMENT_KINDS = ['exe', 'script', 'iso', 'lnk', 'macro', 'encrypted'] as const

type AttachmentKind = (typeof ATTACHMENT_KINDS)[number]
