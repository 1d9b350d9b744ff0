/**
 * A Debian that runs its own systemd, as a virtual machine would: systemd-nspawn starts it from a
 * folder that scripts/ci-services makes. It has no network but its own loopback, and what is
 * changed in it is gone when it ends.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from './eventually.ts'

/** An installation unpacks 170 MB. */
const COMMAND_MS_MAX = 2 * 60_000

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

export interface DebianMachine {
  /** Standard output of `script`, which `sh -e` runs as root. Throws where its status is not 0. */
  run(script: string): string
  end(): Promise<void>
}

/** Why no machine can be started from `root`; false where one can. */
export function reasonForNoMachine(root: string): string | false {
  if (process.getuid?.() !== 0) return 'systemd-nspawn is for root'
  if (spawnSync('systemd-nspawn', ['--version']).status !== 0) {
    return 'systemd-nspawn is not installed'
  }
  return (
    !existsSync(join(root, 'lib/systemd/systemd')) && `there is no Debian with systemd in ${root}`
  )
}

/**
 * Starts the Debian in `root`.
 *
 * @param shared a folder of this machine that is `/shared` there, read-only.
 */
export async function startDebian(root: string, shared?: string): Promise<DebianMachine> {
  const options = [
    '--boot',
    `--directory=${root}`,
    '--volatile=overlay',
    '--private-network',
    '--register=no',
    '--keep-unit',
    ...(shared === undefined ? [] : [`--bind-ro=${shared}:/shared`]),
  ]
  const nspawn = spawn('systemd-nspawn', options, {
    env: { PATH, SYSTEMD_NSPAWN_UNIFIED_HIERARCHY: '1' },
    stdio: 'ignore',
  })
  const ended = once(nspawn, 'exit')
  const inside = (script: string) =>
    ['--target', firstProcess(nspawn.pid!), '--all', 'sh', '-ec', script] as const
  const end = async () => {
    nspawn.kill()
    await ended
  }
  try {
    await eventually(() => {
      if (nspawn.exitCode !== null) throw new Error(`systemd-nspawn ended: ${nspawn.exitCode}`)
      if (firstProcess(nspawn.pid!) === '') return false
      const { stdout } = spawnSync('nsenter', inside('systemctl is-system-running'), {
        env: { PATH },
        encoding: 'utf8',
      })
      return /^(running|degraded)$/m.test(stdout)
    }, `Debian in ${root} has not started`)
  } catch (error) {
    await end()
    throw error
  }
  return {
    run: (script) =>
      execFileSync('nsenter', inside(script), {
        env: { PATH, DEBIAN_FRONTEND: 'noninteractive' },
        encoding: 'utf8',
        timeout: COMMAND_MS_MAX,
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    end,
  }
}

/** Waits until the service in `debian` takes messages; `node` is the path of a Node there. */
export async function serviceReady(debian: DebianMachine, node: string): Promise<void> {
  const program =
    "fetch('http://127.0.0.1:8025/ready').then(({ status }) => console.log(status), () => {})"
  await eventually(
    () => debian.run(`${node} -e "${program}"`) === '200\n',
    'The service is not ready',
  )
}

/** The id of the systemd that `nspawn` has started; empty before that. */
function firstProcess(nspawn: number): string {
  return readFileSync(`/proc/${nspawn}/task/${nspawn}/children`, 'utf8').split(' ')[0]!
}
