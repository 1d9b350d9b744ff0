/**
 * The templates of programs, from packages/lab/data/rendering: what is markup stands there as markup,
 * and header fields as header fields, a file a program. And what is drawn from by chance.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, parse } from 'node:path'

const FOLDER = join(import.meta.dirname, '../data/rendering')

const DRAWS: Readonly<Record<string, unknown>> = JSON.parse(readTemplate('draws.json'))

/** The list, the shares or the table `name` of draws.json. */
export function drawsOf<Draws>(name: string): Draws {
  if (!(name in DRAWS)) throw new RangeError(`draws.json has no ${name}`)
  return DRAWS[name] as Draws
}

/**
 * The programs in `folder` by the names of their files: settings as JSON and, below an empty line, rows of
 * header fields ('Name: pattern', pattern.ts), which become the property `rows`.
 */
export function readPrograms<Program>(
  folder: string,
  rows: string,
): Readonly<Record<string, Program>> {
  return readEach(folder, (text) => {
    const [settings = '', fields] = text.split(/(?<=^\})\n\n/m)
    return { ...JSON.parse(settings), [rows]: fields }
  })
}

/** The markups in `folder` by the names of their files, each of its pieces: `document`, `paragraph` and so on. */
export function readMarkups<Markup>(folder: string): Readonly<Record<string, Markup>> {
  return readEach(folder, (text) => Object.fromEntries(piecesOf(text)) as Markup)
}

type Piece = readonly [name: string, markup: string]

/** The pieces of HTML in the files of `folder`, in their order. */
export function readPieces(folder: string): Readonly<Record<string, readonly Piece[]>> {
  return readEach(folder, piecesOf)
}

/**
 * Pieces stand below a comment with their name. The line break before the next comment, or at the end,
 * is not part of a piece.
 */
function piecesOf(text: string): Piece[] {
  return text.split(/^(?=<!-- [\w ]+ -->$)/m).map((piece) => {
    const [, name, markup] = /^<!-- ([\w ]+) -->\n(.*)\n$/s.exec(piece)!
    return [name!, markup!]
  })
}

function readEach<Template>(
  folder: string,
  read: (text: string) => Template,
): Readonly<Record<string, Template>> {
  const files = readdirSync(join(FOLDER, folder))
  return Object.fromEntries(
    files.map((file) => [parse(file).name, read(readTemplate(join(folder, file)))]),
  )
}

/** The file at `path` below packages/lab/data/rendering. */
export function readTemplate(path: string): string {
  return readFileSync(join(FOLDER, path), 'utf8')
}

/**
 * What programs add by themselves, in the language of the message: the small print of mailings and
 * the line a telephone puts under what is written on it (packages/lab/data/rendering/phrases.json).
 */

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

const PHRASES: Readonly<Record<string, Phrases>> = JSON.parse(readTemplate('phrases.json'))

/** The phrases of `language`, ISO 639-1; English ones if we have none. */
export function phrasesOf(language: string): Phrases {
  return PHRASES[language] ?? PHRASES.en!
}
