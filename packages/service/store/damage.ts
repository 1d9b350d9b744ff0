/** Whether the file of the store is malformed, as any thread of the process has found. */
import type { Shared } from '../threads/shared.ts'
import type { Store } from './store.ts'

interface DamageLog {
  error(fields: object, message: string): void
}

/** Says from now on whether `store` was found to be damaged; logs it where this thread finds it. */
export async function damageOf(
  store: Pick<Store, 'damaged'>,
  shared: Pick<Shared, 'memory'>,
  log: DamageLog,
): Promise<() => boolean> {
  const make = () => new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)
  const flag = new Int32Array(await shared.memory('store damaged', make))
  void store.damaged.then((what) => {
    if (Atomics.exchange(flag, 0, 1) === 1) return
    log.error(
      { code: 'STORE_DAMAGED', what },
      'The file of the store is malformed: restore a backup (docs/operations.md)',
    )
  })
  return () => Atomics.load(flag, 0) === 1
}
