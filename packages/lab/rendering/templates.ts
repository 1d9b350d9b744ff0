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

/**
 * The markups `names`, each from its file: pieces of HTML, each below a comment with its name. The line
 * break before the next comment, or at the end, is not part of a piece.
 */
export function readMarkups<Name extends string, Markup>(
  folder: string,
  names: readonly Name[],
): Readonly<Record<Name, Markup>> {
  return readEach(folder, names, '.html', (text) => {
    const pieces = text
      .split(/^(?=<!-- \w+ -->$)/m)
      .map((piece) => /^<!-- (\w+) -->\n(.*)\n$/s.exec(piece)!)
    return Object.fromEntries(pieces.map(([, name, markup]) => [name, markup])) as Markup
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
