/**
 * Writes corrections until it is killed, and says on standard output what was acknowledged:
 *
 *   node kill-child.ts <round> sqlite <folder> | postgres <url>
 *
 * A line is `message label feedbackId`. Every message is corrected twice, the second time the
 * other way, so that a kill can fall between the end of one correction and the start of another.
 */
import { writeSync } from 'node:fs'
import { openStore } from '../../store/open.ts'
import { correction, key } from './samples.ts'

/** Corrections on the way at once, so that they share commits. */
const WRITERS = 8

const [round, kind, place] = process.argv.slice(2)
const store = await openStore(
  kind === 'postgres' ? { databaseUrl: place!, dataDir: '' } : { dataDir: place! },
)

async function write(writer: number): Promise<never> {
  for (let i = 0; ; i++) {
    const message = `${round}-${writer}-${i}`
    for (const label of ['spam', 'ham'] as const) {
      const sample = correction({ userId: `user${writer}`, messageKey: key(message), label })
      const { feedbackId } = await store.recordCorrection(sample)
      say(`${message} ${label} ${feedbackId}\n`)
    }
  }
}

/** Not process.stdout: what is acknowledged must be out before the kill. */
function say(line: string): void {
  for (;;) {
    try {
      writeSync(1, line)
      return
    } catch (error) {
      // The reader is slow.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
    }
  }
}

await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)))
