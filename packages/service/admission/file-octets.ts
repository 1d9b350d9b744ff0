/**
 * A message in a file, read through a window: the reader of headers and bodies goes forward, and what it
 * has passed is not kept.
 */
import { readSync } from 'node:fs'
import type { Octets } from '../../mail/message/octets.ts'

/** Size of one read: it costs hardly more than a shorter one, and fits in a cache. */
const WINDOW_BYTES = 256 * 1024

/** The first `length` bytes of the open file. The caller opens and closes it. */
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
