/** What the process takes: a start, memory, and ten replacements of its serving threads under load. */
import { Agent } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Values } from '../evaluation/report.ts'
import { answered, load, loadAtRate, post, shopMessages } from './load.ts'
import type { MessageSet } from './message-sets.ts'
import { atRest, startTamis, type Tamis, treeCpuMs, treeMemoryMiB } from './processes.ts'

const STARTS = 5

const MESSAGES = 20_000
const USERS = 100
/** One message in so many is corrected by its user. */
const CORRECTED_EVERY = 40
const IN_FLIGHT = 16

const REPLACEMENTS = 10
const REPLACED_EVERY_MS = 3_000
const REPLACING_RATE = 300

type Phase = (start: (threads: number) => Promise<Tamis>, mail: MessageSet) => Promise<Values>

/** @param mail as it comes, for the phase with users and corrections */
export async function measureProcess(
  checkout: string,
  scratch: string,
  mail: MessageSet,
): Promise<Values> {
  const figures = {}
  for (const phase of [started, rested, used, replaced] satisfies Phase[]) {
    const running: Tamis[] = []
    const start = async (threads: number) => {
      const settings = { TAMIS_WORKERS: `${threads}`, TAMIS_LOG_LEVEL: 'warn' }
      const tamis = await startTamis(checkout, join(scratch, 'process'), settings)
      running.push(tamis)
      return tamis
    }
    try {
      Object.assign(figures, await phase(start, mail))
    } finally {
      for (const { stop } of running) await stop()
    }
  }
  return figures
}

/** The first start writes what V8 keeps compiled. */
async function started(start: Parameters<Phase>[0]): Promise<Values> {
  const [wall, cpu]: [number[], number[]] = [[], []]
  for (let i = 0; i <= STARTS; i++) {
    const from = performance.now()
    const { pid, stop } = await start(2)
    wall.push(performance.now() - from)
    cpu.push(treeCpuMs(pid))
    await stop()
  }
  const median = (ms: readonly number[]) => ms.slice(1).sort((a, b) => a - b)[STARTS >> 1]! / 1_000
  return { startS: median(wall), startCpuS: median(cpu) }
}

async function rested(start: Parameters<Phase>[0]): Promise<Values> {
  const restMiB = async (threads: number) => {
    const { pid, stop } = await start(threads)
    await atRest(pid)
    const memory = treeMemoryMiB(pid)
    await stop()
    return memory
  }
  return { restOneMiB: await restMiB(1), restTwoMiB: await restMiB(2) }
}

async function used(...[start, { messages, paths }]: Parameters<Phase>): Promise<Values> {
  const { pid, url } = await start(2)
  const agent = new Agent()
  const asked = Array.from({ length: MESSAGES }, (_, i) => i).values()
  const ask = async (): Promise<void> => {
    for (const i of asked) {
      const at = i % messages.length
      const user = { 'x-user-id': `user-${i % USERS}` }
      await post(`${url}/classify-stream`, messages[at]!, agent, user)
      if (i % CORRECTED_EVERY > 0) continue
      const spam = { ...user, 'x-is-spam': `${paths[at]!.includes('/spam')}` }
      await post(`${url}/feedback-stream`, messages[at]!, agent, spam)
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, ask))
  const text = Buffer.from(JSON.stringify({ text: 'Your order will be there on Friday.' }))
  const json = { 'content-type': 'application/json' }
  await post(`${url}/classify/embed-text`, text, agent, json)
  await atRest(pid)
  return { usedMiB: treeMemoryMiB(pid) }
}

async function replaced(start: Parameters<Phase>[0]): Promise<Values> {
  const { pid, url } = await start(2)
  const to = { url: `${url}/classify-stream`, messages: shopMessages(200) }
  await load({ ...to, connections: IN_FLIGHT, seconds: 10 })
  const before = await verdictsAt(url)
  const seconds = (REPLACEMENTS * REPLACED_EVERY_MS) / 1_000
  const asking = loadAtRate(to, REPLACING_RATE, seconds)
  for (let i = 0; i < REPLACEMENTS; i++) {
    await sleep(REPLACED_EVERY_MS)
    process.kill(pid, 'SIGHUP')
  }
  const result = await asking
  await atRest(pid)
  const judged = (await verdictsAt(url)) - before
  const verdicts = answered(result)
  return {
    sent: result.sent,
    refused: result.sent - verdicts - result.failed,
    brokenOff: result.failed,
    judgedTwice: Math.max(0, judged - verdicts),
    replacedMiB: treeMemoryMiB(pid),
  }
}

async function verdictsAt(url: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text()
  const counts = metrics.matchAll(/^tamis_verdicts_total\{.*\} (\d+)/gm)
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0)
}
