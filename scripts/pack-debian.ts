/**
 * Builds the Debian package in dist/, or in the folder that is the argument: the npm package `tamis`
 * (pack.ts), the libraries of package-lock.json, Node, the systemd units of deploy/, and
 * what is in deploy/debian/. Needs dpkg-deb and the files that `npm ci` installs.
 *
 * Everything of the program is in /usr/lib/tamis; docs/installing.md says where the rest is.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  globSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

const ROOT = join(import.meta.dirname, '..')

const UNITS = ['tamis.socket', 'tamis.service']

/** What the program has beside the npm package: documents, and files for other programs. */
const COPIED = [
  'docs/*.md',
  'docs/integrations/*.md',
  'deploy/dovecot',
  'deploy/grafana',
  'deploy/nginx.conf',
  'deploy/prometheus',
]

const KIB = 1024

if (spawnSync('dpkg-deb', ['--version']).status !== 0) {
  process.stderr.write(
    'dpkg-deb is not installed. Build the package on Debian or Ubuntu, or install dpkg\n',
  )
  process.exit(1)
}
const work = mkdtempSync(join(tmpdir(), 'tamis-debian-'))
try {
  const file = buildPackage(resolve(process.argv[2] ?? join(ROOT, 'dist')))
  process.stdout.write(`${file}\n`)
} finally {
  rmSync(work, { recursive: true })
}

/** The path of the package. */
function buildPackage(outputFolder: string): string {
  const tree = join(work, 'tree')
  addProgram(join(tree, 'usr/lib/tamis'))
  addSystemFiles(tree)
  const { version } = JSON.parse(read('packages/service/package.json')) as { version: string }
  const architecture = run('dpkg', ['--print-architecture']).trim()
  addControl(tree, version, architecture)
  mkdirSync(outputFolder, { recursive: true })
  const file = join(outputFolder, `tamis_${version}_${architecture}.deb`)
  // A seventh of the time that xz takes, for a package a quarter larger.
  run('dpkg-deb', ['--root-owner-group', '-Zzstd', '-z10', '--build', tree, file])
  return file
}

/** The npm package, its libraries and Node, in `folder`. */
function addProgram(folder: string): void {
  mkdirSync(folder, { recursive: true })
  run('npm', ['pack', '--silent', '--pack-destination', work, '-w', 'packages/service'])
  const [tarball] = globSync('tamis-*.tgz', { cwd: work })
  run('tar', ['-xzf', join(work, tarball!), '-C', folder, '--strip-components=1'])
  cpSync(libraries(), join(folder, 'node_modules'), {
    recursive: true,
    filter: (path) => !lstatSync(path).isSymbolicLink() && !isForeignRuntime(path),
  })
  const node = join(ROOT, 'node_modules/node')
  cpSync(join(node, 'bin/node'), join(folder, 'bin/node'))
  const [licence] = globSync('node_modules/node-linux-*/LICENSE', { cwd: node })
  cpSync(join(node, licence!), join(folder, 'bin/LICENSE'))
  for (const path of COPIED.flatMap((glob) => globSync(glob, { cwd: ROOT }))) {
    cpSync(join(ROOT, path), join(folder, path), { recursive: true })
  }
}

/** Libraries of onnxruntime-node for another platform: it carries those of five, which take 250 MB. */
function isForeignRuntime(path: string): boolean {
  const [, platform, architecture] =
    /\/onnxruntime-node\/bin\/[^/]+\/([^/]+)\/([^/]+)/.exec(path) ?? []
  if (platform === undefined) return false
  return platform !== process.platform || architecture !== process.arch
}

/** A folder of the libraries that the service needs, at the versions of package-lock.json. */
function libraries(): string {
  const folder = join(work, 'libraries')
  for (const path of ['package.json', 'package-lock.json', 'packages/*/package.json'].flatMap(
    (glob) => globSync(glob, { cwd: ROOT }),
  )) {
    cpSync(join(ROOT, path), join(folder, path))
  }
  const options = ['--omit=dev', '--ignore-scripts', '--prefer-offline', '--no-audit', '--silent']
  run('npm', ['ci', ...options, '-w', 'packages/service'], folder)
  return join(folder, 'node_modules')
}

/** Command, units and settings, below `tree`. */
function addSystemFiles(tree: string): void {
  write(join(tree, 'usr/bin/tamis'), read('deploy/debian/tamis'))
  for (const unit of UNITS) {
    write(join(tree, 'usr/lib/systemd/system', unit), packagedUnit(read(`deploy/${unit}`)))
  }
  write(join(tree, 'etc/tamis/tamis.json'), read('deploy/debian/tamis.json'))
  write(
    join(tree, 'usr/share/doc/tamis/copyright'),
    `${read('LICENSE')}\nThird-party data and code: /usr/lib/tamis/NOTICE, /usr/lib/tamis/licences.\nLibraries: /usr/lib/tamis/node_modules, each with its licence.\nNode.js: /usr/lib/tamis/bin/LICENSE.\n`,
  )
}

/** A unit of deploy/, which is for a clone in /opt/tamis, with the paths of the package. */
function packagedUnit(unit: string): string {
  return unit
    .replace(/^#.*\n(#.*\n)?/, '')
    .replaceAll('/opt/tamis/node_modules/node/bin/node', '/usr/lib/tamis/bin/node')
    .replaceAll(/\/opt\/tamis\/packages\/(\S+)\.ts/g, '/usr/lib/tamis/dist/$1.js')
    .replaceAll('/opt/tamis/', '/usr/lib/tamis/')
}

function addControl(tree: string, version: string, architecture: string): void {
  const conffiles = globSync('etc/**/*', { cwd: tree }).filter((path) =>
    lstatSync(join(tree, path)).isFile(),
  )
  const kib = closeModes(tree)
  const control = read('deploy/debian/control')
    .replace('@VERSION@', version)
    .replace('@ARCHITECTURE@', architecture)
    .replace('@INSTALLED_KIB@', `${kib}`)
  write(join(tree, 'DEBIAN/control'), control)
  write(join(tree, 'DEBIAN/conffiles'), conffiles.map((path) => `/${path}\n`).join(''))
  for (const script of ['postinst', 'prerm', 'postrm']) {
    const path = join(tree, 'DEBIAN', script)
    write(path, read(`deploy/debian/${script}`))
    chmodSync(path, 0o755)
  }
}

/** Gives all below `tree` the modes of installed files, whatever umask it was made under; returns its size in KiB. */
function closeModes(tree: string): number {
  let kib = 0
  for (const entry of readdirSync(tree, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const { mode, size } = lstatSync(path)
    const isProgram =
      entry.isDirectory() || (mode & 0o100) !== 0 || entry.parentPath.endsWith('/usr/bin')
    chmodSync(path, isProgram ? 0o755 : 0o644)
    kib += entry.isFile() ? Math.ceil(size / KIB) : 1
  }
  chmodSync(tree, 0o755)
  return kib
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

function run(command: string, args: readonly string[], cwd = ROOT): string {
  return execFileSync(command, args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}
