/** The service of a checkout, as `npm start` starts it, on a free port of the loopback and without the network. */
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { answersAt, freePort, startDaemon } from '../peers/processes.ts'

export interface Checkout {
  readonly name: string
  readonly folder: string
}

export interface Tamis {
  readonly pid: number
  readonly url: string
  readonly stop: () => Promise<void>
}

/** This checkout; before it `base`, another one to compare it with. */
export function checkouts(base: string | undefined): Checkout[] {
  const [here, ...before] = [join(import.meta.dirname, '../../..'), ...(base ? [base] : [])]
  const commit = (cwd: string) =>
    execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd, encoding: 'utf8' }).trim()
  return [
    ...before.map((folder) => ({ name: `Tamis at ${commit(folder)}`, folder })),
    { name: 'Tamis', folder: here },
  ]
}

/** Resolves when it is ready. */
export async function startTamis(
  { folder }: Checkout,
  dataDir: string,
  settings: Readonly<Record<string, string>>,
): Promise<Tamis> {
  const port = await freePort()
  mkdirSync(dataDir, { recursive: true })
  const given = { ...settings, TAMIS_AUTH_DNS: 'off', TAMIS_DATA_DIR: dataDir, TAMIS_PORT: port }
  const environment = Object.entries(given).map(([name, value]) => `${name}=${value}`)
  const start = [process.execPath, 'packages/service/start.ts']
  const command = { command: 'env', args: ['-C', folder, ...environment, ...start] }
  const url = `http://127.0.0.1:${port}`
  const log = join(dataDir, 'benchmark.log')
  const daemon = await startDaemon({ ...command, log }, () => answersAt(`${url}/ready`))
  return { ...daemon, url }
}
