/** The folder that apt reads, of packages with nothing in them. What apt makes of it: debian-package.system.test.ts. */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { openSigner, writeRepository } from '../scripts/apt-repository.ts'
import { keyFile } from './signing-key.ts'
import { temporaryFolder } from './temporary-folder.ts'

const skip =
  ['dpkg-deb', 'gpg']
    .filter((name) => spawnSync(name, ['--version']).status !== 0)
    .map((name) => `${name} is not installed`)[0] ?? false

/** A folder with packages of these versions. */
function folderOf(...versions: readonly string[]): string {
  const folder = temporaryFolder()
  for (const version of versions) {
    const tree = join(folder, 'tree')
    mkdirSync(join(tree, 'DEBIAN'), { recursive: true })
    const control = `Package: tamis\nVersion: ${version}\nArchitecture: amd64\nMaintainer: A <a@example.com>\nDescription: nothing\n at all\n`
    writeFileSync(join(tree, 'DEBIAN/control'), control)
    const file = join(folder, `tamis_${version}_amd64.deb`)
    execFileSync('dpkg-deb', ['--root-owner-group', '--build', tree, file], { stdio: 'ignore' })
    rmSync(tree, { recursive: true })
  }
  return folder
}

describe('an APT repository', { skip }, () => {
  it('has a paragraph for each package, and Release has the hashes of both indexes', () => {
    const folder = folderOf('1.0.0', '1.1.0')
    writeRepository(folder, undefined)
    const packages = readFileSync(join(folder, 'Packages'), 'utf8')
    assert.deepEqual(packages.match(/^(Version|Filename): .*$/gm), [
      'Version: 1.0.0',
      'Filename: ./tamis_1.0.0_amd64.deb',
      'Version: 1.1.0',
      'Filename: ./tamis_1.1.0_amd64.deb',
    ])
    assert.equal(gunzipSync(readFileSync(join(folder, 'Packages.gz'))).toString(), packages)
    const sums = readFileSync(join(folder, 'Release'), 'utf8').match(/^ \w{64} \d+ .*$/gm) ?? []
    assert.equal(sums.length, 2)
    for (const line of sums) {
      const [hash, bytes, name] = line.trim().split(' ') as [string, string, string]
      const [sum] = execFileSync('sha256sum', [join(folder, name)], { encoding: 'utf8' }).split(' ')
      assert.equal(sum, hash)
      assert.equal(readFileSync(join(folder, name)).length, Number(bytes))
    }
  })

  it('is signed with a key in a file: gpg takes both signatures by the public key beside them', () => {
    const folder = folderOf('1.0.0')
    const signer = openSigner(keyFile())
    writeRepository(folder, signer)
    signer.close()
    assert.equal(existsSync(signer.home!), false)
    const keyring = join(folder, 'keyring.gpg')
    execFileSync('gpg', ['--dearmor', '--output', keyring, join(folder, 'tamis.asc')])
    const verify = (...files: readonly string[]) =>
      spawnSync('gpgv', ['--keyring', keyring, ...files.map((name) => join(folder, name))]).status
    assert.equal(verify('InRelease'), 0)
    assert.equal(verify('Release.gpg', 'Release'), 0)
  })

  it('keeps no signature of before when it is written without a key', () => {
    const folder = folderOf('1.0.0')
    const signer = openSigner(keyFile())
    writeRepository(folder, signer)
    signer.close()
    writeRepository(folder, undefined)
    for (const name of ['InRelease', 'Release.gpg', 'tamis.asc']) {
      assert.equal(existsSync(join(folder, name)), false, name)
    }
  })

  it('says which key cannot sign', () => {
    const file = join(temporaryFolder(), 'key')
    writeFileSync(file, 'no key')
    for (const key of [file, 'nobody@example.com']) {
      assert.throws(() => openSigner(key), { message: /^APT_SIGNING_KEY is ".+", with which gpg/ })
    }
  })
})
