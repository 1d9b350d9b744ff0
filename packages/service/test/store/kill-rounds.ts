/**
 * Kills a process that writes corrections, again and again, and looks at what is left: every
 * acknowledged correction once, every message with one that holds, and a store that opens.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openStore } from '../../store/open.ts'
import type { LoggedCorrection } from '../../users/correction.ts'

/** Longest time from the first acknowledgement to the kill, in milliseconds; it falls anywhere before. */
const LIFE_MS_MAX = 100

/** Corrections read from the log at once. */
const PAGE_SIZE = 10_000

export interface KillPlace {
  readonly kind: 'sqlite' | 'postgres'
  /** The data folder, or the URL of the database. */
  readonly place: string
}

export interface KillFigures {
  readonly rounds: number
  readonly acknowledged: number
  readonly lost: number
  readonly duplicated: number
}

/** Of the last correction acknowledged for each message: its feedback id and label. */
type Acknowledged = Map<string, { readonly feedbackId: string; readonly label: string }>

/**
 * Each writer opens what the one before it left; at the end the log is read and compared.
 *
 * @param onRound is told after each round. @throws when the store does not open.
 */
export async function killRounds(
  where: KillPlace,
  rounds: number,
  onRound: (round: number) => void = () => {},
): Promise<KillFigures> {
  const said: Acknowledged = new Map()
  for (let round = 0; round < rounds; round++) {
    for (const [message, correction] of await killOnce(where, round)) said.set(message, correction)
    onRound(round + 1)
  }
  const log = await readLog(where)
  return {
    rounds,
    acknowledged: said.size,
    lost: countLost(said, log),
    duplicated: log.length - new Set(log.map(messageOf)).size,
  }
}

/** What a writer that was killed had acknowledged. */
async function killOnce({ kind, place }: KillPlace, round: number): Promise<Acknowledged> {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'kill-child.ts'), `${round}`, kind, place],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    output += chunk
  })
  const closed = once(child, 'close')
  await Promise.race([once(child.stdout, 'data'), closed])
  await sleep(Math.random() * LIFE_MS_MAX)
  child.kill('SIGKILL')
  await closed
  assert.equal(child.signalCode, 'SIGKILL', 'The writer ended by itself')
  return acknowledgedIn(output)
}

function acknowledgedIn(output: string): Acknowledged {
  const lines = output.split('\n').slice(0, -1)
  return new Map(
    lines.map((line) => {
      const [message, label, feedbackId] = line.split(' ') as [string, string, string]
      return [message, { label, feedbackId }]
    }),
  )
}

async function readLog({ kind, place }: KillPlace): Promise<LoggedCorrection[]> {
  const store = await openStore(
    kind === 'postgres' ? { databaseUrl: place, dataDir: '' } : { dataDir: place },
  )
  const log: LoggedCorrection[] = []
  try {
    for (let more = true; more; ) {
      const page = await store.correctionsInOrder(log.at(-1)?.seq ?? 0, PAGE_SIZE)
      log.push(...page)
      more = page.length > 0
    }
    return log
  } finally {
    await store.close()
  }
}

/**
 * Acknowledged and not there. A message whose first correction was acknowledged may have got its
 * second without word of it: one of the two must hold.
 */
function countLost(said: Acknowledged, log: readonly LoggedCorrection[]): number {
  const held = new Map(log.map((logged) => [messageOf(logged), logged]))
  return [...said].filter(([message, { label, feedbackId }]) => {
    const logged = held.get(message)
    if (logged === undefined) return true
    return logged.feedbackId !== feedbackId && !(label === 'spam' && logged.label === 'ham')
  }).length
}

function messageOf({ messageKey }: LoggedCorrection): string {
  return new TextDecoder().decode(messageKey)
}
