/**
 * bogofilter in bulk mode: one process that is told the names of files and prints a verdict for
 * each. Trained on the rest of spamassassin, since it would have nothing to look up otherwise.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { outputOf, versionOf } from '../../evaluation/peers/processes.ts'
import type { MessageSet } from './messages.ts'
import { endedChildrenCpuMs, treeMemoryMiB } from './process-tree.ts'

export const BOGOFILTER = {
  name: 'bogofilter',
  version: () => versionOf('bogofilter', ['--version'], /version (\S+)/),
}

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
export async function trainBogofilter(sets: readonly MessageSet[], scratch: string) {
  const lists = join(scratch, 'wordlists')
  mkdirSync(lists)
  for (const [flag, label] of [
    ['-s', 'spam'],
    ['-n', 'ham'],
  ] as const) {
    const paths = sets.flatMap(({ others }) => others[label])
    await outputOf('bogofilter', ['-d', lists, flag, '-b'], paths.join('\n'))
  }
  return lists
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
