/**
 * The templates of programs, from packages/lab/data/rendering: what is markup stands there as markup,
 * and header fields as header fields, a file a program.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = join(import.meta.dirname, '../data/rendering')

/**
 * The programs `names`, each from its file: its settings as JSON and, below an empty line, rows of header
 * fields ('Name: pattern', pattern.ts), which become the property `rows`.
 */
export function readPrograms<Name extends string, Program>(
  folder: string,
  names: readonly Name[],
  rows: string,
): Readonly<Record<Name, Program>> {
  return readEach(folder, names, '.txt', (text) => {
    const [settings = '', fields] = text.split(/(?<=^\})\n\n/m)
    return { ...JSON.parse(settings), [rows]: fields }
  })
}

/** The markups `names`, each from the pieces in its file: `document`, `paragraph` and so on. */
export function readMarkups<Name extends string, Markup>(
  folder: string,
  names: readonly Name[],
): Readonly<Record<Name, Markup>> {
  return readEach(folder, names, '.html', (text) => Object.fromEntries(piecesOf(text)) as Markup)
}

type Piece = readonly [name: string, markup: string]

/** The pieces of HTML in the files `names`, in their order. */
export function readPieces<Name extends string>(
  folder: string,
  names: readonly Name[],
): Readonly<Record<Name, readonly Piece[]>> {
  return readEach(folder, names, '.html', piecesOf)
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

function readEach<Name extends string, Template>(
  folder: string,
  names: readonly Name[],
  extension: string,
  read: (text: string) => Template,
): Readonly<Record<Name, Template>> {
  const templates = names.map((name) => {
    const file = join(folder, `${name.replaceAll(' ', '-')}${extension}`)
    return [name, read(readTemplate(file))]
  })
  return Object.fromEntries(templates)
}

/** The file at `path` below packages/lab/data/rendering. */
export function readTemplate(path: string): string {
  return readFileSync(join(FOLDER, path), 'utf8')
}
