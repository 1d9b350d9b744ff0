/**
 * A progress bar on standard error: a line that redraws itself on a terminal, a plain line now
 * and then elsewhere. Nothing is shown for work that is over within a second.
 */

const BAR_LENGTH = 24

/** Work shorter than this needs no bar. */
const SILENT_MS = 1_000

/** On a terminal the eye wants four a second; a log wants one in ten seconds. */
const REDRAW_TERMINAL_MS = 250
const REDRAW_LOG_MS = 10_000

export interface Progress {
  /** `count` more are done, which are `work` of the total; the same where things are counted. */
  advance(count?: number, work?: number): void
  /** Removes the bar. */
  end(): void
}

/** How far it has come. */
export interface Done {
  readonly count: number
  readonly work: number
  /** Of `work`; undefined when nobody knows. */
  readonly total: number | undefined
}

/** A bar for `total` things, or for things that are `total` of work; undefined when nobody knows. */
export function startProgress(label: string, total: number | undefined): Progress {
  const terminal = process.stderr.isTTY
  const redrawMs = terminal ? REDRAW_TERMINAL_MS : REDRAW_LOG_MS
  const started = performance.now()
  let count = 0
  let workDone = 0
  let drawnAt = started + SILENT_MS - redrawMs
  let drawn = false
  return {
    advance(things = 1, work = things) {
      count += things
      workDone += work
      const now = performance.now()
      // Of the last one the result tells.
      if (now - drawnAt < redrawMs || workDone === total) return
      drawnAt = now
      drawn = true
      const line = progressLine(label, { count, work: workDone, total }, (now - started) / 1_000)
      process.stderr.write(terminal ? `\r\u001b[2K${line}` : `${line}\n`)
    },
    end() {
      if (drawn && terminal) process.stderr.write('\r\u001b[2K')
    },
  }
}

/** 'train [######------] 50 % 512/1024 21/s 24 s left'; '512' alone where work is not counted in things. */
export function progressLine(label: string, { count, work, total }: Done, seconds: number): string {
  const rate = `${(count / seconds).toFixed(count / seconds < 10 ? 1 : 0)}/s`
  if (total === undefined || total === 0) return `${label} ${count} ${rate}`
  const share = Math.min(1, work / total)
  const filled = Math.round(BAR_LENGTH * share)
  const bar = '#'.repeat(filled) + '-'.repeat(BAR_LENGTH - filled)
  const left = Math.ceil(((1 - share) * seconds) / share)
  const counted = count === work ? `${count}/${total}` : `${count}`
  return `${label} [${bar}] ${Math.floor(100 * share)} % ${counted} ${rate} ${left} s left`
}
