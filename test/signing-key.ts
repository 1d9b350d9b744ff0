/** A key to sign with, made by gpg for one test. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from './temporary-folder.ts'

/** The file of a secret key without a passphrase. */
export function keyFile(): string {
  const home = temporaryFolder()
  const run = (program: string, ...args: readonly string[]) =>
    execFileSync(program, args, {
      env: { ...process.env, GNUPGHOME: home },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  const identity = 'Packages of a test <apt@example.com>'
  run('gpg', '--batch', '--passphrase', '', '--quick-generate-key', identity, 'ed25519', 'sign')
  const file = join(home, 'key.asc')
  writeFileSync(file, run('gpg', '--batch', '--armor', '--export-secret-keys'), { mode: 0o600 })
  run('gpgconf', '--kill', 'gpg-agent')
  return file
}
