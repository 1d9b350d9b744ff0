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
  /** `count` more are done. */
  advance(count?: number): void
  /** Removes the bar. */
  end(): void
}

/** A bar for `total` things; `total` undefined when nobody knows. */
export function startProgress(label: string, total: number | undefined): Progress {
  const terminal = process.stderr.isTTY
  const started = performance.now()
  let done = 0
  let drawnAt = started + SILENT_MS - (terminal ? REDRAW_TERMINAL_MS : REDRAW_LOG_MS)
  let drawn = false
  return {
    advance(count = 1) {
      done += count
      const now = performance.now()
      if (now - drawnAt < (terminal ? REDRAW_TERMINAL_MS : REDRAW_LOG_MS)) return
      drawnAt = now
      drawn = true
      const line = progressLine(label, done, total, (now - started) / 1_000)
      process.stderr.write(terminal ? `\r\u001b[2K${line}` : `${line}\n`)
    },
    end() {
      if (drawn && terminal) process.stderr.write('\r\u001b[2K')
    },
  }
}

/** 'train [######------] 50 % 512/1024 21/s 24 s left'. */
export function progressLine(
  label: string,
  done: number,
  total: number | undefined,
  seconds: number,
): string {
  const rate = `${(done / seconds).toFixed(done / seconds < 10 ? 1 : 0)}/s`
  if (total === undefined) return `${label} ${done} ${rate}`
  const filled = Math.round((BAR_LENGTH * done) / total)
  const bar = '#'.repeat(filled) + '-'.repeat(BAR_LENGTH - filled)
  const left = Math.ceil(((total - done) * seconds) / done)
  return `${label} [${bar}] ${Math.floor((100 * done) / total)} % ${done}/${total} ${rate} ${left} s left`
}
