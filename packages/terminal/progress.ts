/**
 * A progress bar on standard error: on a terminal a line that redraws itself, elsewhere a plain line at
 * intervals. Nothing is shown for work that ends within a second.
 */

const BAR_LENGTH = 24

/** Work shorter than this needs no bar. */
const SILENT_MS = 1_000

/** A terminal is redrawn four times a second; a log gets a line every ten seconds. */
const REDRAW_TERMINAL_MS = 250
const REDRAW_LOG_MS = 10_000

export interface Progress {
  /** Notes that `count` more things are done, which are `work` of the total; the two are equal when things are counted. */
  advance(count?: number, work?: number): void
  /** Removes the bar. */
  end(): void
}

/** How much is done. */
export interface Done {
  readonly count: number
  readonly work: number
  /** The total of `work`; undefined when it is not known. */
  readonly total: number | undefined
}

/** A bar for `total` things, or for things that are `total` of work; undefined when the total is not known. */
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
      // The command's result reports the end.
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

/** 'train [######------] 50 % 512/1024 21/s 24 s left'; only '512' when work is not counted in things. */
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
