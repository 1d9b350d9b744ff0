/**
 * A store on SQLite in the thread of the test. In service a thread writes, which loads Kysely for itself: 0.3 s of CPU for each
 * service that a test opens. What would go from thread to thread is copied as it would be. The threads are in
 * store/sqlite.test.ts and in the tests of processes.
 */

import { openStore, type StoreOptions, type StoreSettings } from '../../store/open.ts'
import { callHere } from '../../store/sqlite.ts'
import { type SqliteData, sqliteCalls } from '../../store/sqlite-calls.ts'
import type { Store } from '../../store/store.ts'
import type { CallTable } from '../../threads/calls.ts'
import { ALONE_SHARED, type Callable, type Shared } from '../../threads/shared.ts'

interface Here {
  readonly functions: Pick<Callable<CallTable>, 'call' | 'close'>
  users: number
}

const memories = new Map<string, SharedArrayBuffer | Promise<SharedArrayBuffer>>()

/** By name: stores of one file have one writer, since one that waited for the other's lock would block both. */
const threads = new Map<string, Here>()

const SHARED_HERE: Shared = {
  ...ALONE_SHARED,
  async memory(name, make) {
    const memory = memories.get(name) ?? make()
    memories.set(name, memory)
    return await memory
  },
  thread: (name, { workerData, endedBy }) => {
    let isClosed = false
    let here: Here | undefined
    const call = async (...args: Parameters<Callable<CallTable>['call']>) => {
      if (isClosed) throw endedBy(undefined)
      if (here === undefined) {
        here = threads.get(name) ?? {
          functions: callHere<CallTable>(sqliteCalls(workerData as SqliteData)),
          users: 0,
        }
        threads.set(name, here)
        here.users++
      }
      return structuredClone(await here.functions.call(...structuredClone(args)))
    }
    const close = async () => {
      isClosed = true
      if (here === undefined || --here.users > 0) return
      threads.delete(name)
      await here.functions.close()
    }
    return { call, close } as never
  },
}

/** As `openStore`, with the threads of SQLite here. */
export async function openStoreHere(
  settings: StoreSettings,
  options: Omit<StoreOptions, 'shared'> = {},
): Promise<Store> {
  return await openStore(settings, { ...options, shared: SHARED_HERE })
}
