/** Counts what the milter has done since it last reported. */
import type { Report } from './session.ts'

export class Counts {
  #counts = new Map<string, number>()

  add(name: string): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1)
  }

  message({ found, action }: Report): void {
    this.add('messages')
    this.add(found.kind === 'judged' ? found.verdict : found.kind)
    if (found.kind === 'unscanned') this.add(`unscanned_${found.cause}`)
    if (action !== 'accept') this.add(`action_${action}`)
  }

  /** Returns all counts and resets them; undefined when there are none. */
  take(): Record<string, number> | undefined {
    if (this.#counts.size === 0) return undefined
    const counts = Object.fromEntries(this.#counts)
    this.#counts = new Map()
    return counts
  }
}
