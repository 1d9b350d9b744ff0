/** `tamis-lab evaluate` as a person starts it, on a few messages in the folders that corpora/unpack makes. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const ROOT = join(import.meta.dirname, '../../../..')

export type WrittenFile = readonly [file: string, from: string, subject: string, text: string]

export function writeMessages(folder: string, messages: readonly WrittenFile[]): void {
  for (const [file, from, subject, text] of messages) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(
      join(folder, file),
      `From: ${from}\r\nTo: reader@example.org\r\nSubject: ${subject}\r\nDate: Sun, 1 Jun 2025 12:00:00 +0000\r\nMessage-ID: <${file.replace(/\W/g, '.')}@example.org>\r\n\r\n${text}\r\n`,
    )
  }
}

export function evaluate(...options: string[]) {
  const args = ['packages/lab/cli/tamis-lab.ts', 'evaluate', ...options]
  return spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' })
}
