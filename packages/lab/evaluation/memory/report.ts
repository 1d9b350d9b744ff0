/** The measurements of rules and memory as a page: packages/lab/reports/memory/README.md. */

import type { Policy } from '../../../mail/verdict/policy.ts'
import { page, percent, tableOf } from '../markdown.ts'
import { meanOf } from '../metrics.ts'
import type { Effect, FrameEffect, Line } from './after-corrections.ts'
import { campaignsOf, HALVES, type Half, type MemorySample, reachOf } from './campaigns.ts'
import type { MemoryEvaluation } from './evaluate-memory.ts'

/** `command` is what gives it again. */
export function memoryReport(
  { samples, policy, lines, frames }: MemoryEvaluation,
  command: string,
): string {
  const [chosenOn, reportedOn] = HALVES.map((half) => campaignsOf(samples, half).length)
  return page('memory', {
    command,
    messages: samples.length,
    campaigns: chosenOn! + reportedOn!,
    chosenOn,
    reportedOn,
    reach: reachTable(samples, policy),
    corrections: lines.length === 0 ? undefined : linesTable(lines),
    frames: framesTable(frames),
  })
}

function spamCampaigns(samples: readonly MemorySample[], half: Half): MemorySample[][] {
  return campaignsOf(samples, half).filter((members) => members.every(({ spam }) => spam))
}

function reachTable(samples: readonly MemorySample[], policy: Policy): string {
  const rows = HALVES.flatMap((half) => [
    { name: `${half}, spam`, isSpam: true, ...reachOf(spamCampaigns(samples, half), policy) },
    { name: `${half}, all`, isSpam: false, ...reachOf(campaignsOf(samples, half), policy) },
  ])
  return tableOf(rows, [
    ['half', ({ name }) => name],
    ['campaigns', ({ campaigns }) => String(campaigns)],
    ['memory', ({ memory }) => percent(memory)],
    ['memory and Template', ({ memoryOrTemplate }) => percent(memoryOrTemplate)],
    ['with the Sender rule too', ({ withRules }) => percent(withRules)],
    ['models alone', (row) => (row.isSpam ? percent(row.modelsAlone) : '–')],
    ['all together', (row) => (row.isSpam ? percent(row.withModels) : '–')],
  ])
}

/** One row for each line: means over its users, and the worst of them. */
export function linesTable(lines: readonly Line[]): string {
  const rows = lines.filter(({ effects }) => effects.length > 0)
  const mean = (of: (effect: Effect) => number) => (line: Line) => meanOf(line.effects.map(of))
  const most = (of: (effect: Effect) => number) => (line: Line) => Math.max(...line.effects.map(of))
  const caught = mean(({ caughtBefore, spam }) => caughtBefore / spam)
  const lost = mean(({ lostBefore, ham }) => lostBefore / ham)
  const points = (share: number) => (100 * share).toFixed(1)
  return tableOf(rows, [
    ['what each user does', ({ name }) => name],
    ['users', ({ effects }) => String(effects.length)],
    ['spam caught before', (line) => percent(caught(line))],
    ['points lost, mean', (line) => points(mean(spamLost)(line))],
    ['worst', (line) => points(most(spamLost)(line))],
    ['ham lost before', (line) => percent(lost(line))],
    ['points more, mean', (line) => points(mean(hamLost)(line))],
    ['worst', (line) => points(most(hamLost)(line))],
    ['by rule or memory', (line) => percent(mean(bypassedShare)(line))],
    ['mean shift', (line) => mean(({ shiftMean }) => shiftMean)(line).toFixed(2)],
    ['largest', (line) => most(({ shiftMax }) => shiftMax)(line).toFixed(2)],
  ])
}

/** The share of the spam that was caught before and is not now; negative where more is caught. */
function spamLost({ caughtBefore, caughtAfter, spam }: Effect): number {
  return spam === 0 ? 0 : (caughtBefore - caughtAfter) / spam
}

/** The share of the ham that is lost now and was not before; negative where less is lost. */
function hamLost({ lostBefore, lostAfter, ham }: Effect): number {
  return ham === 0 ? 0 : (lostAfter - lostBefore) / ham
}

function bypassedShare({ bypassed, spam, ham }: Effect): number {
  return spam + ham === 0 ? 0 : bypassed / (spam + ham)
}

function framesTable(frames: readonly FrameEffect[]): string {
  return tableOf(frames, [
    ['frame', ({ kind }) => kind],
    ['pairs', ({ pairs }) => String(pairs)],
    ['wanted mail lost after one "spam"', ({ lost }) => String(lost)],
    ['largest shift', ({ shiftMax }) => shiftMax.toFixed(2)],
    ['spam let through after one "not spam"', ({ released }) => String(released)],
  ])
}
