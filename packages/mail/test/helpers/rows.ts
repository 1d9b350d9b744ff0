/** Rows of a .cases file that is a table: a comment first, cells by tabs, with the escapes of JSON. */
import { readFileSync } from 'node:fs'

/** @param path below packages. */
export function readRows(path: string): string[][] {
  return rowsIn(textOf(path))
}

/** Rows in groups, with an empty line between, each under its title. */
export function readGroups(path: string): { readonly title: string; readonly rows: string[][] }[] {
  const groups = textOf(path).trim().split('\n\n')
  return groups.map((text) => ({ title: /^# (.*)/m.exec(text)![1]!, rows: rowsIn(text) }))
}

function textOf(path: string): string {
  return readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')
}

function rowsIn(text: string): string[][] {
  const rows = text.split('\n').filter((row) => row !== '' && !row.startsWith('# '))
  return rows.map((row) => row.split('\t').map(unescaped))
}

function unescaped(cell: string): string {
  return cell.includes('\\') ? JSON.parse(`"${cell.replaceAll('"', '\\"')}"`) : cell
}
