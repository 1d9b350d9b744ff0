/**
 * A store on SQLite in the thread of the test. In service each of the two connections has a thread, which loads Kysely
 * for itself: 0.35 s of CPU, twice for each service that a test opens. Connections and operations are the same, and
 * what would go from thread to thread is copied as it would be. The threads are in store/sqlite.test.ts and in the
 * tests of processes.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { TamisError } from '../../../errors/errors.ts'
import type { Database } from '../../store/database.ts'
import { type CommonStore, openStore, SQLITE_FILE, type StoreSettings } from '../../store/open.ts'
import { sqliteCalls } from '../../store/sqlite-calls.ts'
import { type Store, type StoreOptions, storeOn } from '../../store/store.ts'
import { sqlitePlace } from '../../store/store-place.ts'

const BUSY_TIMEOUT_MS = 5_000

interface Opened {
  readonly database: Promise<Database>
  /** The stores that are not closed. */
  readonly stores: Set<object>
}

/** By file: stores of one file have one writer, since one that waited for the other's lock would hold up both. */
const opened = new Map<string, Opened>()

/** As `openStore`, but here if it is SQLite that no other process writes to. */
export async function openStoreHere(
  settings: StoreSettings,
  common?: CommonStore,
  options?: StoreOptions,
): Promise<Store> {
  if (settings.databaseUrl !== undefined || common !== undefined) {
    return await openStore(settings, common)
  }
  const file = join(settings.dataDir, SQLITE_FILE)
  await mkdir(settings.dataDir, { recursive: true })
  const here = opened.get(file) ?? { database: openHere(file), stores: new Set() }
  opened.set(file, here)
  const self = {}
  here.stores.add(self)
  const database = await here.database
  const refuseIfClosed = () => {
    if (here.stores.has(self)) return
    throw new TamisError('STORE_UNAVAILABLE', 'The store is not available')
  }
  const own: Database = {
    ...database,
    read: async (...call) => {
      refuseIfClosed()
      return await database.read(...call)
    },
    write: async (...call) => {
      refuseIfClosed()
      return await database.write(...call)
    },
    close: async () => {
      if (!here.stores.delete(self) || here.stores.size > 0) return
      opened.delete(file)
      await database.close()
    },
  }
  return await storeOn(own, options)
}

async function openHere(file: string): Promise<Database> {
  const [reader, writer] = [0, 1].map(() => sqliteCalls({ file, busyTimeoutMs: BUSY_TIMEOUT_MS }))
  const isNew = await writer!.migrate()
  return {
    kind: 'sqlite',
    place: sqlitePlace(file, isNew),
    read: copying(reader!.read),
    write: (...call) => copying(writer!.write)(...call),
    scrub: writer!.scrub,
    check: async () => undefined,
    onCommit: () => () => {},
    close: async () => {
      reader!.close()
      writer!.close()
    },
  }
}

function copying<Args extends unknown[], Result>(
  run: (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> {
  return async (...args) => structuredClone(await run(...structuredClone(args)))
}
