/** The command as a person runs it, in a process of its own. */
import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '../../../..')

/** Runs `tamis`, in the folder of the project or in `cwd`; DATABASE_URL is that of `env` alone. */
export function tamis(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd = ROOT,
): SpawnSyncReturns<string> {
  const { DATABASE_URL: _, ...others } = process.env
  const program = join(ROOT, 'packages/service/cli/tamis.ts')
  const options = { cwd, encoding: 'utf8', input: '', env: { ...others, ...env } } as const
  return spawnSync(process.execPath, [program, ...args], options)
}
