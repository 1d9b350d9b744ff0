/**
 * What is data about senders, from packages/lab/data/rendering: programs in which people write, systems that carry what they
 * write, services that send mailings, with the fields each sets, in its order and spelling; markup; and what is drawn from by
 * chance. After documentation and messages of 2023 to 2025.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, parse } from 'node:path'
import type { Shares } from './dice.ts'
import type { WordEncoding } from './header.ts'
import type { MimeHabit } from './mime.ts'

const FOLDER = join(import.meta.dirname, '../data/rendering')

/** The file at `path` below packages/lab/data/rendering. */
export function readTemplate(path: string): string {
  return readFileSync(join(FOLDER, path), 'utf8')
}

const DRAWS: Readonly<Record<string, unknown>> = JSON.parse(readTemplate('draws.json'))

/** The list, the shares or the table `name` of draws.json. */
export function drawsOf<Draws>(name: string): Draws {
  if (!(name in DRAWS)) throw new RangeError(`draws.json has no ${name}`)
  return DRAWS[name] as Draws
}

type Named<T> = Readonly<Record<string, T>>

/** What each file in `folder` holds, by the names of the files. */
function readEach<T>(folder: string, read: (text: string) => T): Named<T> {
  const files = readdirSync(join(FOLDER, folder))
  return Object.fromEntries(
    files.map((file) => [parse(file).name, read(readTemplate(join(folder, file)))]),
  )
}

/** Settings as JSON and, below an empty line, rows of header fields ('Name: pattern'), which become the property `rows`. */
function readPrograms<Program>(folder: string, rows: string): Named<Program> {
  return readEach(folder, (text) => {
    const [settings = '', fields] = text.split(/(?<=^\})\n\n/m)
    return { ...JSON.parse(settings), [rows]: fields }
  })
}

/**
 * The pieces of markup in the files of `folder`, each below a comment with its name. The line break before the next comment, or at
 * the end, is not part of a piece.
 */
export function readPieces(folder: string): Named<readonly (readonly [string, string])[]> {
  return readEach(folder, (text) =>
    text.split(/^(?=<!-- [\w ]+ -->$)/m).map((piece) => {
      const [, name, markup] = /^<!-- ([\w ]+) -->\n(.*)\n$/s.exec(piece)!
      return [name!, markup!] as const
    }),
  )
}

/** The markups in `folder`, each of its pieces: `document`, `paragraph` and so on. */
export function readMarkups<Markup>(folder: string): Named<Markup> {
  const markups = Object.entries(readPieces(folder)).map(([name, pieces]) => {
    return [name, Object.fromEntries(pieces) as Markup] as const
  })
  return Object.fromEntries(markups)
}

export type PartsForm = 'alternative' | 'html' | 'plain'

/** A row of a header whose value the message does not have is left out. */
interface Program {
  readonly name: string
  /** Fields that the program sets, from its first to its last. */
  readonly header: string
  readonly mime: MimeHabit
  readonly words: WordEncoding
  /** Names in quotation marks even where they need none. */
  readonly quoteNames?: boolean
  /** Developers often give HTML alone; companies' own systems are old, or of somebody who reads mail in plain text. */
  readonly parts: Shares<PartsForm>
}

export interface MailClient extends Program {
  /** In personal-markup. */
  readonly markup: string
  /** Plain text in lines of this many characters; undefined for whole paragraphs. */
  readonly wrapAt?: number
  /** Lines are flowed (RFC 3676). */
  readonly flowed?: boolean
  /** What the program calls the telephone it runs on. */
  readonly device?: string
}

export const MAIL_CLIENTS: Named<MailClient> = readPrograms('mail-clients', 'header')

/** Where a person's mailbox is: what carries the mail out, and which programs people use with it. */
export interface MailboxSystem {
  readonly name: string
  readonly clients: Shares<string>
  /** Fields set on the way out, above the program's own; the topmost first. */
  readonly transit: string
  /** The machine that hands the message to the reader's server. */
  readonly relay: string
  /** The domain that the system signs for, with a selector; {domain} the sender's own. */
  readonly signer: string
  readonly selector: string
  /** Instead of the owner's, where the owner has set nothing up. */
  readonly defaultSigner?: string
}

export const MAILBOX_SYSTEMS: Named<MailboxSystem> = readPrograms('mailbox-systems', 'transit')

/** Free-mail hosts by the system behind them; the others have servers of their own. */
const SYSTEM_OF_HOST: readonly (readonly [RegExp, string])[] = [
  [/^(?:gmail|googlemail)\.com$/, 'google'],
  [/^(?:outlook|hotmail|live|msn)\./, 'microsoft'],
  [/^(?:yahoo|ymail|rocketmail|aol)\./, 'yahoo'],
  [/^(?:icloud|me|mac)\.com$/, 'icloud'],
  [/^fastmail\./, 'fastmail'],
]

export function systemOfHost(host: string): string | undefined {
  return SYSTEM_OF_HOST.find(([pattern]) => pattern.test(host))?.[1]
}

/** A service or a program that sends mailings and notices. */
export interface MailingProvider extends Program {
  /** The machine that hands the message to the reader's server. */
  readonly relay: string
  /** A signature in the service's name: its domain and selector. Undefined: it makes none. */
  readonly serviceSigner?: readonly [domain: string, selector: string]
  /** Selector of the signature in the sender's name. */
  readonly ownSelector: string
  /** How a counted link looks at the service's host, and at a host of the sender's. */
  readonly click?: string
  readonly ownClick?: string
  /** The picture that counts opened messages, at the same host as the link. */
  readonly pixel?: string
  /** Where pictures are kept. */
  readonly pictures: string
  readonly unsubscribe: string
  readonly unsubscribeMail: string
  /** Senders without a service make simple pages: half of the modern spam of the corpora has no table. */
  readonly markup: Shares<string>
}

export const MAILING_PROVIDERS: Named<MailingProvider> = readPrograms('mailing-providers', 'header')

/**
 * Platforms that send what strangers write, and notices of their own: forms, shared files, calendars,
 * signatures, invoices, tickets. Whoever writes through one, the message is the platform's: its
 * header fields, its servers and its signature for the domain in From. So spam that abuses a
 * platform is made as its honest mail is. Some are customers of a mailing provider.
 */
const PLATFORMS = {
  ...MAILING_PROVIDERS,
  ...readPrograms<MailingProvider>('platforms', 'header'),
}

const PLATFORM_OF_HOST = drawsOf<readonly (readonly [pattern: string, platform: string])[]>(
  'platforms by host',
).map(([pattern, platform]) => [new RegExp(pattern), PLATFORMS[platform]!] as const)

/** The platform whose mail comes from `host`, if it is one: the first pattern that fits. */
export function platformOf(host: string): MailingProvider | undefined {
  return PLATFORM_OF_HOST.find(([pattern]) => pattern.test(host))?.[1]
}

/** What programs add by themselves, in the language of the message: small print, and the line a telephone puts below. */
export interface Phrases {
  readonly unsubscribe: string
  readonly viewInBrowser: string
  /** Why the reader has this. */
  readonly reason: string
  readonly rights: string
  readonly privacy: string
  /** Holds {device}. */
  readonly sentFrom: string
}

const PHRASES: Named<Phrases> = JSON.parse(readTemplate('phrases.json'))

/** The phrases of `language`, ISO 639-1; English ones if we have none. */
export function phrasesOf(language: string): Phrases {
  return PHRASES[language] ?? PHRASES['en']!
}
