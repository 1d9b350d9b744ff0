/** What stands between fences in a document. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const README = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')

/** The blocks in `language` of `text`, of the README where none is given. */
export function blocks(language: string, text = README): string[] {
  return [...text.matchAll(new RegExp(`\`\`\`${language}\\n([^\`]*)\`\`\``, 'g'))].map((match) =>
    match[1]!.trim(),
  )
}
