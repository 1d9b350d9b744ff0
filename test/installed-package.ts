/** A package of this repository as somebody else gets it: packed, and installed in an empty folder from its tarball alone. */
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { temporaryFolder } from './temporary-folder.ts'

const ROOT = join(import.meta.dirname, '..')

/** The programs of packages are started by the Node that runs the tests; npm trusts what it trusts, on the way to a registry. */
export const ENVIRONMENT: NodeJS.ProcessEnv = {
  PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
  HOME: process.env['HOME'],
  NODE_EXTRA_CA_CERTS: process.env['NODE_EXTRA_CA_CERTS'],
  // As docs/installing.md has it.
  ONNXRUNTIME_NODE_INSTALL: 'skip',
}

export interface InstalledPackage {
  /** The folder in which it is installed. */
  readonly folder: string
  /** The paths in the tarball. */
  readonly files: readonly string[]
  remove(): void
}

/** Installs the package of `workspace`, such as 'packages/client'. Its libraries come from the registry. */
export function installPackage(workspace: string): InstalledPackage {
  const folder = temporaryFolder()
  const output = npm(ROOT, 'pack', '--json', '--pack-destination', folder, '-w', workspace)
  const [{ filename, files }] = JSON.parse(output.slice(output.indexOf('[\n')))
  npm(folder, 'install', '--prefer-offline', '--no-audit', '--no-fund', `./${filename}`)
  return {
    folder,
    files: files.map(({ path }: { path: string }) => path),
    remove: () => rmSync(folder, { recursive: true }),
  }
}

function npm(cwd: string, ...args: readonly string[]): string {
  return execFileSync('npm', args, {
    cwd,
    env: ENVIRONMENT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
}
