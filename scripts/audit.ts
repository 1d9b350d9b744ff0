/**
 * Whether the dependencies are what they ought to be.
 *
 *   npm run audit
 *
 * The lockfile must have exact versions, each with its hash, only from the registry and under licences
 * that we accept, and each package with a script for its installation has its entry in `allowScripts`.
 * `npm audit` must report no vulnerability of level high or above in what the service needs. A registry
 * that cannot be reached is reported, but is not a failure. Exit status 1 when something is wrong.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Lockfile, lockfileFaults, type PackageJson } from './lockfile-faults.ts'

const ROOT = join(import.meta.dirname, '..')

/** Time limit for `npm audit`: npm waits minutes for a registry that does not answer. */
const TIMEOUT_MS = 90_000

const faults = [
  ...lockfileFaults(read<Lockfile>('package-lock.json'), read<PackageJson>('package.json')),
  ...vulnerabilities(),
]
for (const fault of faults) console.error(fault)
if (faults.length === 0) console.log('No fault in the dependencies')
process.exitCode = faults.length === 0 ? 0 : 1

function read<Content>(name: string): Content {
  return JSON.parse(readFileSync(join(ROOT, name), 'utf8'))
}

interface AuditReport {
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string }>>
  readonly message?: string
}

function vulnerabilities(): string[] {
  const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], {
    cwd: ROOT,
    encoding: 'utf8',
    timeout: TIMEOUT_MS,
  })
  const report = reportOf(stdout)
  if (report.vulnerabilities === undefined) {
    console.log(`npm audit: the registry was not asked: ${report.message ?? 'no answer'}`)
    return []
  }
  console.log('npm audit: the registry has answered')
  return Object.entries(report.vulnerabilities)
    .filter(([, { severity }]) => severity === 'high' || severity === 'critical')
    .map(([name, { severity }]) => `${name} has a vulnerability: ${severity}`)
}

function reportOf(stdout: string): AuditReport {
  try {
    return JSON.parse(stdout) as AuditReport
  } catch {
    return {}
  }
}
