/**
 * A message as it was received: small ones in memory, large ones in a file that stays open.
 *
 * A file is identified by its descriptor and not by its path: threads share descriptors with the
 * main thread, and nobody can put another file in its place between the check and the reading.
 */

import { readSync } from 'node:fs'
import { memoryOctets, type Octets } from '../../mail/message/octets.ts'

export type MessageBody =
  | {
      readonly kind: 'memory'
      /** In an ArrayBuffer of their own, since all of it is copied for another thread. */
      readonly bytes: Uint8Array<ArrayBuffer>
    }
  | {
      readonly kind: 'file'
      /** Open for reading, for as long as the body is in use. */
      readonly descriptor: number
      /** Length in bytes. */
      readonly length: number
    }

/** The length of `body`, in bytes. */
export function lengthOf(body: MessageBody): number {
  return body.kind === 'memory' ? body.bytes.length : body.length
}

/** The one view that the parser and the verification of senders have of `body`, valid while it is in use and has not been handed over. */
export function bodyOctets(body: MessageBody): Octets {
  return body.kind === 'memory'
    ? memoryOctets(body.bytes)
    : fileOctets(body.descriptor, body.length)
}

/** Size of one read: it costs hardly more than a shorter one, and fits in a cache. */
const WINDOW_BYTES = 256 * 1024

/** The first `length` bytes of the open file, read through a window that goes forward. The caller opens and closes it. */
export function fileOctets(descriptor: number, length: number): Octets {
  let window = Buffer.alloc(0)
  let windowStart = 0

  /** Moves the window to `start`; it then reaches at least to `end`. */
  function moveTo(start: number, end: number): void {
    if (start >= windowStart && end <= windowStart + window.length) return
    const bytes = Math.min(Math.max(end - start, WINDOW_BYTES), length - start)
    window = readAt(descriptor, start, bytes)
    windowStart = start
  }

  return {
    length,
    slice(start, end) {
      const from = clamp(start, length)
      const to = Math.max(from, clamp(end, length))
      moveTo(from, to)
      return window.subarray(from - windowStart, to - windowStart)
    },
    indexOf(needle, start, end) {
      const last = clamp(end, length) - needle.length
      let from = Math.max(0, start)
      while (from <= last) {
        moveTo(from, from + needle.length)
        const found = window.indexOf(needle, from - windowStart, 'latin1')
        if (found >= 0) return windowStart + found <= last ? windowStart + found : -1
        // The next window begins with what could be the first bytes of the needle.
        from = windowStart + window.length - needle.length + 1
      }
      return -1
    },
  }
}

/** `bytes` bytes from `position`; zeros when the file has been shortened meanwhile. */
function readAt(descriptor: number, position: number, bytes: number): Buffer<ArrayBuffer> {
  const buffer = Buffer.alloc(bytes)
  let filled = 0
  while (filled < bytes) {
    const read = readSync(descriptor, buffer, filled, bytes - filled, position + filled)
    if (read === 0) break
    filled += read
  }
  return buffer
}

function clamp(offset: number, length: number): number {
  return Math.min(Math.max(0, offset), length)
}
