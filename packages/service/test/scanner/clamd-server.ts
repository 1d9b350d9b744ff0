/** A real clamd of its own, with signatures of its own, in a temporary folder. Needs Debian's package clamav-daemon. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { eventually } from '../../../../test/eventually.ts'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { programOf } from '../integrations/programs.ts'

const CLAMD = programOf('clamd')

/** Why there can be no clamd here; false where there can. */
export const CLAMD_MISSING = CLAMD.missing

/** The test file of virus scanners (eicar.org), in parts, so that no scanner finds it in this one. */
export const EICAR = [
  'X5O!P%@AP[4\\PZX54(P^)7CC)7}$',
  'EICAR-STANDARD-ANTIVIRUS',
  '-TEST-FILE!$H+H*',
].join('')

/** What the signature of a guess finds. */
export const GUESSED = 'a word that only a guess is about'

/** Extended signatures: name, any type of file, at any place, and the bytes in hexadecimal digits. */
const SIGNATURES = [
  ['Test.Eicar', EICAR],
  ['PUA.Test.Word', GUESSED],
].map(([name, bytes]) => `${name}:0:*:${Buffer.from(bytes!, 'latin1').toString('hex')}\n`)

export interface ClamdServer {
  /** As in TAMIS_CLAMD. */
  readonly address: string
  stop(): Promise<void>
  start(): Promise<void>
}

/** Starts one, with more lines of clamd.conf in `settings`. */
export async function startClamd(settings = ''): Promise<ClamdServer> {
  const folder = temporaryFolder()
  const database = join(folder, 'database')
  mkdirSync(database)
  writeFileSync(join(database, 'test.ndb'), SIGNATURES.join(''))
  const address = join(folder, 'clamd.ctl')
  const file = join(folder, 'clamd.conf')
  const fixed = `Foreground yes\nDatabaseDirectory ${database}\nLocalSocket ${address}\n`
  writeFileSync(file, `${fixed}TemporaryDirectory ${folder}\n${settings}\n`)
  let child: ChildProcess | undefined
  const server: ClamdServer = {
    address,
    start: async () => {
      child = spawn(CLAMD.path, ['--config-file', file], { stdio: 'ignore' })
      await eventually(() => takesConnections(address), 'clamd does not listen')
    },
    stop: async () => {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
      const exit = once(child, 'exit')
      child.kill('SIGTERM')
      await exit
    },
  }
  await server.start()
  return server
}

/** The file of a socket is there a moment before the socket listens. */
async function takesConnections(path: string): Promise<boolean> {
  const socket = connect(path)
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
