/** What is wrong with a package-lock.json, package by package. */

export interface LockedPackage {
  readonly version?: string
  readonly resolved?: string
  readonly integrity?: string
  readonly license?: string
  readonly dev?: boolean
  readonly hasInstallScript?: boolean
  readonly engines?: { readonly node?: string }
  /** Whether it is a link to a folder of this project, at `resolved`. */
  readonly link?: boolean
  /** The dependencies that a package of this project declares. */
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

export interface Lockfile {
  /** Packages by path; '' is the project itself, and paths without node_modules are its packages. */
  readonly packages: Readonly<Record<string, LockedPackage>>
}

export interface PackageJson {
  /** Packages that have scripts for when they are installed, and whether npm is to run them. */
  readonly allowScripts?: Readonly<Record<string, boolean>>
}

const REGISTRY = 'https://registry.npmjs.org/'

/** Licences that require their notice to be kept, and nothing of our code. */
const LICENCES = ['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0']

/** Licences allowed also for tools, which we do not distribute: changes to their files would have to be published. */
const TOOL_LICENCES = [...LICENCES, 'MPL-2.0']

/** Tamis brings its own Node for all packages, and this is what its npm runs on: `npm ci` warns of each package that asks for more. */
const NODE_OF_NPM = '>=18'

const EXACT = /^\d+\.\d+\.\d+(-[\w.]+)?$/

const SHA512 = /^sha512-[A-Za-z0-9+/]{86}==$/

export function lockfileFaults({ packages }: Lockfile, project: PackageJson): string[] {
  const entries = Object.entries(packages)
  const isOurs = (path: string) => !path.includes('node_modules/')
  const direct = entries
    .filter(([path]) => isOurs(path))
    .flatMap(([, own]) => Object.entries({ ...own.dependencies, ...own.devDependencies }))
  const others = entries.filter(
    ([path, { link, resolved }]) =>
      !isOurs(path) && !(link && resolved && isOurs(resolved) && resolved in packages),
  )
  return [
    ...direct
      .filter(([, version]) => !EXACT.test(version))
      .map(([name, version]) => `${name}: "${version}" is no exact version`),
    ...entries
      .filter(([, { engines: { node = NODE_OF_NPM } = {} }]) => node !== NODE_OF_NPM)
      .map(([path]) => `${path}: has other engines than ${NODE_OF_NPM}; delete them here`),
    ...others.flatMap(([path, locked]) =>
      packageFaults(nameOf(path), locked, project).map((fault) => `${nameOf(path)}: ${fault}`),
    ),
  ]
}

function packageFaults(name: string, locked: LockedPackage, project: PackageJson): string[] {
  const { version = '', resolved, integrity = '', license = '', link } = locked
  const faults: string[] = []
  if (link) faults.push('is a link to a folder')
  if (!EXACT.test(version)) faults.push(`has the version "${version}"`)
  if (!SHA512.test(integrity)) faults.push('has no SHA-512')
  if (resolved !== undefined && !resolved.startsWith(REGISTRY)) faults.push(`is from ${resolved}`)
  if (!isAllowed(license, locked.dev ? TOOL_LICENCES : LICENCES)) {
    faults.push(`has the licence "${license}"`)
  }
  if (locked.hasInstallScript && project.allowScripts?.[name] === undefined) {
    faults.push('runs a script as it is installed')
  }
  // npm before 11.19 knows no allowScripts, and runs what the lockfile says there is.
  if (locked.hasInstallScript && project.allowScripts?.[name] === false) {
    faults.push('has a script that is not to run; delete hasInstallScript here')
  }
  return faults
}

/** Whether a licence is allowed: one of those between OR, all of those between AND (SPDX expressions, without brackets). */
function isAllowed(licence: string, allowed: readonly string[]): boolean {
  const expression = licence.replace(/^\((.*)\)$/, '$1')
  return expression
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((each) => allowed.includes(each)))
}

/** The name of a package: '@b/c' for 'node_modules/a/node_modules/@b/c'. */
function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
}
