/** What `promise` gives; undefined, after `late` was called, when it takes longer than `ms` milliseconds. */
export async function within<T>(
  ms: number,
  promise: Promise<T>,
  late?: () => void,
): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      late?.()
      resolve(undefined)
    }, ms)
  })
  try {
    return await Promise.race([promise, timeout])
  } finally {
    clearTimeout(timer)
  }
}
