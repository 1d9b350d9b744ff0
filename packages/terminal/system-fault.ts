/** Why the system refuses to read, to write or to listen, in words for the operator. */
import { userInfo } from 'node:os'

const FAULTS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EISDIR: 'it is a folder, not a file',
  ENOTDIR: 'a part of its path is a file, not a folder',
  ENOSPC: 'the disk is full',
  EROFS: 'the file system is read-only',
  EADDRINUSE: 'another program listens there',
  EADDRNOTAVAIL: 'this machine has no such address',
}

const DENIED = ['EACCES', 'EPERM']

/** 'it does not exist', 'the user tamis has no permission'; the system's own words for what is rare. */
export function systemFault(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException
  if (DENIED.includes(code)) return `the user ${ownUser()} has no permission`
  return FAULTS[code] ?? message
}

/** Its name, or its number where it has none on this machine. */
function ownUser(): string {
  try {
    return userInfo().username
  } catch {
    return String(process.geteuid?.())
  }
}
