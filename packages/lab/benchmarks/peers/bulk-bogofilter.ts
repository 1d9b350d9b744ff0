/**
 * bogofilter in bulk mode: one process that is told the names of files and prints a verdict for
 * each. Trained on the rest of spamassassin, since it would have nothing to look up otherwise.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { BOGOFILTER } from '../../peers/bogofilter.ts'
import { endedChildrenCpuMs, treeMemoryMiB } from '../machine/process-tree.ts'
import type { MessageSet } from '../message-sets.ts'

/** Messages of a run at least: its time is counted in hundredths of a second. */
const RUN_MESSAGES = 2_000

const MEMORY_POLL_MS = 100

export interface BulkRun {
  readonly answered: number
  readonly unanswered: number
  readonly seconds: number
  readonly cpuMs: number
  /** While it ran, at most. */
  readonly memoryMiB: number
}

/** The folder of the word lists. */
export async function trainBogofilter(
  sets: readonly MessageSet[],
  folder: string,
): Promise<string> {
  const scratch = join(folder, 'wordlists')
  mkdirSync(scratch)
  const { learn } = await BOGOFILTER.start({ scratch })
  await learn(
    sets.flatMap(({ others }) => others.spam),
    true,
  )
  await learn(
    sets.flatMap(({ others }) => others.ham),
    false,
  )
  return scratch
}

/** Verdicts on the messages of `set`, several times over if they are few. */
export async function runBogofilter(
  lists: string,
  { paths }: MessageSet,
  cores: string,
): Promise<BulkRun> {
  const asked = Array.from({ length: Math.ceil(RUN_MESSAGES / paths.length) }, () => paths).flat()
  const cpuBefore = endedChildrenCpuMs()
  const started = performance.now()
  const child = spawn('taskset', ['-c', cores, 'bogofilter', '-d', lists, '-T', '-b'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  let memoryMiB = 0
  const poll = setInterval(() => {
    memoryMiB = Math.max(memoryMiB, treeMemoryMiB(child.pid!))
  }, MEMORY_POLL_MS)
  child.stdin.end(asked.join('\n'))
  let output = ''
  for await (const chunk of child.stdout) output += String(chunk)
  await ended
  clearInterval(poll)
  const answered = output.match(/ [SHU] [0-9.e+-]+$/gm)?.length ?? 0
  return {
    answered,
    unanswered: asked.length - answered,
    seconds: (performance.now() - started) / 1_000,
    cpuMs: endedChildrenCpuMs() - cpuBefore,
    memoryMiB,
  }
}
