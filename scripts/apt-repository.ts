/**
 * Makes an APT repository of a folder of Debian packages, as any web server can serve it: a flat one, with its
 * indexes beside the packages (https://wiki.debian.org/DebianRepository/Format). Needs dpkg-deb, and gpg to sign.
 *
 * APT takes a repository by the signature of its Release, which has the hashes of Packages, which has those of the
 * packages.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

/** Names the key: the id of a secret key that gpg has, or a file with one. */
export const KEY_VARIABLE = 'APT_SIGNING_KEY'

/** What a signed repository has beside the others. */
const SIGNED_FILES = ['InRelease', 'Release.gpg', 'tamis.asc']

/** A secret key, and the gpg that has it. */
export interface Signer {
  readonly fingerprint: string
  /** Of the environment of gpg. */
  readonly home: string | undefined
  /** Ends what was started for it, and removes what was written. */
  close(): void
}

/**
 * The signer for `key`, as KEY_VARIABLE names it.
 *
 * @throws Error saying what is wrong with it.
 */
export function openSigner(key: string): Signer {
  if (spawnSync('gpg', ['--version']).status !== 0) {
    throw new Error(`gpg is not installed, and ${KEY_VARIABLE} is set`)
  }
  const isFile = existsSync(key)
  const home = isFile ? mkdtempSync(join(tmpdir(), 'tamis-gpg-')) : undefined
  const close = () => {
    if (home === undefined) return
    spawnSync('gpgconf', ['--kill', 'gpg-agent'], { env: { ...process.env, GNUPGHOME: home } })
    rmSync(home, { recursive: true, force: true })
  }
  try {
    if (isFile) gpg(home, '--import', key)
    const wanted = isFile ? [] : [key]
    const listed = gpg(home, '--with-colons', '--list-secret-keys', ...wanted)
    const fingerprint = /^fpr:+([0-9A-F]{40,64}):/m.exec(listed)?.[1]
    if (fingerprint === undefined) throw new Error('it has no secret key')
    return { fingerprint, home, close }
  } catch (cause) {
    close()
    const reason = (cause as Error).message
    throw new Error(`${KEY_VARIABLE} is "${key}", with which gpg cannot sign: ${reason}`, { cause })
  }
}

/** Writes the indexes of all packages in `folder`, signed if there is a `signer`. */
export function writeRepository(folder: string, signer: Signer | undefined): void {
  const names = globSync('*.deb', { cwd: folder }).sort()
  const packages = names.map((name) => paragraphOf(folder, name)).join('\n')
  const indexes = [
    ['Packages', Buffer.from(packages)],
    ['Packages.gz', gzipSync(packages)],
  ] as const
  const architectures = new Set(packages.match(/(?<=^Architecture: ).+$/gm))
  const release = [
    'Origin: Tamis',
    'Label: Tamis',
    `Architectures: ${[...architectures].sort().join(' ')}`,
    `Date: ${new Date().toUTCString().replace('GMT', 'UTC')}`,
    'SHA256:',
    ...indexes.map(([name, bytes]) => ` ${sha256(bytes)} ${bytes.length} ${name}`),
    '',
  ].join('\n')
  for (const name of SIGNED_FILES) rmSync(join(folder, name), { force: true })
  for (const [name, bytes] of indexes) writeFileSync(join(folder, name), bytes)
  writeFileSync(join(folder, 'Release'), release)
  if (signer !== undefined) sign(folder, signer)
}

/** What Packages says of one package: its control file, and where it is. */
function paragraphOf(folder: string, name: string): string {
  const path = join(folder, name)
  const control = execFileSync('dpkg-deb', ['--field', path], { encoding: 'utf8' }).trimEnd()
  const bytes = statSync(path).size
  return `${control}\nFilename: ./${name}\nSize: ${bytes}\nSHA256: ${sha256(readFileSync(path))}\n`
}

function sign(folder: string, { fingerprint, home }: Signer): void {
  const release = join(folder, 'Release')
  const [inRelease, detached, key] = SIGNED_FILES.map((name) => join(folder, name))
  const by = ['--local-user', fingerprint, '--digest-algo', 'SHA512', '--armor'] as const
  gpg(home, ...by, '--output', inRelease!, '--clearsign', release)
  gpg(home, ...by, '--output', detached!, '--detach-sign', release)
  gpg(home, '--armor', '--output', key!, '--export', fingerprint)
}

/** Standard output of gpg. @throws Error with what it says. */
function gpg(home: string | undefined, ...args: readonly string[]): string {
  const env = home === undefined ? process.env : { ...process.env, GNUPGHOME: home }
  const options = { encoding: 'utf8', env } as const
  const { status, stdout, stderr } = spawnSync('gpg', ['--batch', '--yes', ...args], options)
  if (status !== 0) throw new Error(stderr.trim())
  return stdout
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
