/** Functions of the C library that Node does not offer. */
import koffi from 'koffi'

const libc = koffi.load(null)

/** A second descriptor for what `descriptor` stands for: each can be closed without the other (dup(2)). */
export const duplicate: (descriptor: number) => number = libc.func('int dup(int descriptor)')

/** Writes at once as much as fits (write(2)). Returns how many bytes, or -1. */
export const write: (descriptor: number, bytes: Uint8Array, length: number) => number = libc.func(
  'int64_t write(int descriptor, const void *bytes, size_t length)',
)

export const close: (descriptor: number) => number = libc.func('int close(int descriptor)')

/** MSG_PEEK and MSG_DONTWAIT of recv(2) on Linux: look at what is there, and do not wait. */
const PEEK = 0x2 | 0x40

const recv = libc.func('int64_t recv(int descriptor, _Out_ void *bytes, size_t length, int flags)')

/** Whether bytes have arrived on a socket that were not read. */
export function hasUnread(descriptor: number): boolean {
  return recv(descriptor, Buffer.alloc(1), 1, PEEK) > 0
}

/** SHUT_WR of shutdown(2). */
const SENDING = 1

const shutdown = libc.func('int shutdown(int descriptor, int how)')

/** Tells the peer that nothing more will be sent. */
export function endSending(descriptor: number): void {
  shutdown(descriptor, SENDING)
}

/** Parameters of mallopt(3) with their values. */
const MALLOC_OPTIONS = [
  /** M_ARENA_MAX */
  [-8, 2],
  /** M_MMAP_THRESHOLD */
  [-3, 128 * 1024],
  /** M_TRIM_THRESHOLD */
  [-1, 128 * 1024],
] as const

/**
 * Makes glibc give freed memory back: by default it learns from what a start and V8's compilers take to
 * keep tens of megabytes for good, on each of a dozen threads. The thresholds, in bytes, are those that glibc begins with; once they
 * are set it does not raise them.
 */
export function boundMalloc(): void {
  let mallopt: (parameter: number, value: number) => number
  try {
    mallopt = libc.func('int mallopt(int parameter, int value)')
  } catch {
    // Another C library, with no such habit.
    return
  }
  for (const [parameter, value] of MALLOC_OPTIONS) mallopt(parameter, value)
}

/** Makes glibc give back what a thread that has ended kept (malloc_trim(3)): the encoder's layers are 60 MiB in small pieces. */
export function trimMalloc(): void {
  try {
    trim ??= libc.func('int malloc_trim(size_t pad)')
    trim(0)
  } catch {
    // Another C library.
  }
}

let trim: ((pad: number) => number) | undefined
