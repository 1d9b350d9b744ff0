/** Numbers and times as people read them. */

export { percent } from '../mail/verdict/standing.ts'

/** '+1.69', with a true minus sign. */
export function signed(value: number, digits = 2): string {
  const text = Math.abs(value).toFixed(digits)
  return value < 0 ? `\u2212${text}` : `+${text}`
}

export function bytes(count: number): string {
  if (count < 1_000) return `${count} B`
  if (count < 1_000_000) return `${(count / 1_000).toFixed(count < 10_000 ? 1 : 0)} kB`
  return `${(count / 1_000_000).toFixed(1)} MB`
}

export function milliseconds(ms: number): string {
  if (ms === 0) return '0 ms'
  if (ms < 0.01) return '< 0.01 ms'
  if (ms >= 1_000) return `${(ms / 1_000).toFixed(2)} s`
  return `${ms.toFixed(ms < 1 ? 2 : ms < 100 ? 1 : 0)} ms`
}

const DAY_TIME = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

export function dayTime(iso: string): string {
  return DAY_TIME.format(new Date(iso))
}

const COUNT = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })

/** '12,781'. */
export function count(value: number): string {
  return COUNT.format(value)
}

/** '3 links', '1 link'. */
export function counted(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? '' : 's'}`
}
