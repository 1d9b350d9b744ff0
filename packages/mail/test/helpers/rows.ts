/** Rows of a .cases file that is a table: a comment first, cells by tabs, with the escapes of JSON. */
import { readFileSync } from 'node:fs'

/** @param path below packages. */
export function readRows(path: string): string[][] {
  const text = readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')
  const rows = text.split('\n').filter((row) => row !== '' && !row.startsWith('# '))
  return rows.map((row) => row.split('\t').map(unescaped))
}

function unescaped(cell: string): string {
  return cell.includes('\\') ? JSON.parse(`"${cell.replaceAll('"', '\\"')}"`) : cell
}
