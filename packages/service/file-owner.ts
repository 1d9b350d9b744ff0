/** Whose a file is, in words for the operator, and what follows from that for root. */
import { readFileSync, type Stats, statSync } from 'node:fs'
import { dirname } from 'node:path'

const ROOT = 0

/** The user this process runs as; undefined where files have no owner (Windows). */
export function ownUid(): number | undefined {
  return process.geteuid?.()
}

/** The owner of `path`, where that is another user than this process's own; undefined otherwise. */
export function otherOwner(path: string): number | undefined {
  const uid = ownUid()
  const status = statSync(path, { throwIfNoEntry: false })
  return status === undefined || uid === undefined || status.uid === uid ? undefined : status.uid
}

/** True for root in a folder of another user: what root makes there, that user cannot read. */
export function isRootAmongOthers(folder: string): boolean {
  return ownUid() === ROOT && otherOwner(folder) !== undefined
}

/** 'tamis', or 'user 998' for one that has no name on this machine. */
export function userName(uid: number): string {
  const users = readUsers()
    .split('\n')
    .map((line) => line.split(':'))
  return users.find(([name, , id]) => name && id === `${uid}`)?.[0] ?? `user ${uid}`
}

/**
 * '; /var/lib/tamis belongs to tamis, and this process runs as ann', where `path` belongs to another
 * user, or else the first folder above it that can be looked at; '' otherwise.
 */
export function ownerText(path: string): string {
  const own = ownUid()
  const status = statusOf(path)
  if (status === undefined) return dirname(path) === path ? '' : ownerText(dirname(path))
  if (own === undefined || status.uid === own) return ''
  return `; ${path} belongs to ${userName(status.uid)}, and this process runs as ${userName(own)}`
}

/** Undefined for a file that is not there, or in a folder that this user may not enter. */
function statusOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

function readUsers(): string {
  try {
    return readFileSync('/etc/passwd', 'utf8')
  } catch {
    return ''
  }
}
