/** What milter and spamd have in common. */
import type { Socket } from 'node:net'
import { ERRORS } from '../../errors/errors.ts'
import type { Caller } from '../access/caller.ts'
import { asTamisError } from '../http/error-handler.ts'
import type { Log } from '../http/log.ts'
import type { Services } from '../http/route.ts'
import { judge } from '../judge.ts'
import type { Judged, Request } from '../request.ts'

export const FILTERS = ['milter', 'spamd'] as const

export type FilterName = (typeof FILTERS)[number]

/** A protocol on a serving thread. */
export interface Filter {
  /** Serves a connection; never rejects. */
  serve(socket: Socket): Promise<void>
  /** From now on connections that wait for nothing are closed. */
  end(): void
}

/** What filters need of the service. */
export interface FilterParts {
  readonly services: Pick<Services, 'classifier' | 'corrections' | 'correspondents'>
  /** They have no key: who may connect may ask. */
  readonly caller: Caller
  readonly log: Log
}

/** Judges a message for a filter, and counts it among the requests. @throws TamisError what the message is refused for. */
export async function judgeFor(
  filter: FilterName,
  { services: { classifier }, caller, log }: FilterParts,
  request: Omit<Request, 'log'>,
): Promise<Judged> {
  const started = performance.now()
  let status = 200
  try {
    return await judge(classifier, caller, { ...request, log })
  } catch (error) {
    status = ERRORS[asTamisError(error).code].status
    throw error
  } finally {
    const ms = performance.now() - started
    classifier.metrics.request({ route: filter, method: 'message', status, ms })
  }
}
