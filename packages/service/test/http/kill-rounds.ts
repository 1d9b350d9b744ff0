/**
 * A service that is killed under mixed load, again and again, and started anew by whoever keeps
 * it running; its clients go on as if nothing had happened. What it had acknowledged is looked for in the
 * end: every correction in its user's memory, every rule in the list.
 */
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type ServiceProcess,
  type ServiceProcessOptions,
  startService,
} from '../helpers/service-process.ts'
import { MAILBAG } from './mailbag.ts'

/** Longest life of a process once it is asked, in milliseconds; the kill falls anywhere before. */
const LIFE_MS_MAX = 700

const CLIENTS = 12
const USERS = 8

/** After a restart the first verdict comes within this, on a busy machine. */
const BACK_MS_MAX = 120_000

/** Of one restart. */
const STARTS_MAX = 5

/** Of a client whose service has just been killed. */
const RETRY_MS = 20

export interface KillReport {
  readonly verdicts: number
  readonly corrections: number
  readonly rules: number
  /** Corrections and rules that were acknowledged and are not there. */
  readonly lost: readonly string[]
  /** Corrections that are there twice. */
  readonly duplicated: readonly string[]
  /** Answers that none of these requests ought to have. */
  readonly strange: readonly string[]
  /** From the kill to the next verdict, in milliseconds, the longest. */
  readonly backMs: number
}

interface Answer {
  readonly status: number
  readonly json: Record<string, unknown>
}

export async function httpKillRounds(
  dataDir: string,
  rounds: number,
  environment: Readonly<Record<string, string>> = {},
): Promise<KillReport> {
  let service = await startAgain({ dataDir, environment })
  const { port } = service
  const clients = new Clients(port)
  const running = clients.run()
  let backMs = 0
  try {
    for (let round = 0; round < rounds; round++) {
      await clients.nextVerdict()
      await sleep(Math.random() * LIFE_MS_MAX)
      const killed = performance.now()
      await service.end('SIGKILL')
      service = await startAgain({ dataDir, environment, port })
      await clients.nextVerdict()
      backMs = Math.max(backMs, performance.now() - killed)
    }
    clients.stop()
    await running
    return { ...(await clients.report(service)), backMs }
  } finally {
    clients.stop()
    await service.end('SIGKILL')
  }
}

/** As whoever keeps it running does: on a busy machine a start may take longer than it may. */
async function startAgain(options: ServiceProcessOptions): Promise<ServiceProcess> {
  for (let tries = 1; ; tries++) {
    try {
      return await startService(options)
    } catch (error) {
      if (tries === STARTS_MAX) throw error
    }
  }
}

class Clients {
  readonly #port: number
  readonly #agent = new Agent({ keepAlive: true })
  readonly #corrections = new Map<string, string>()
  readonly #rules = new Map<string, string>()
  readonly #strange: string[] = []
  readonly #waiting: (() => void)[] = []
  #verdicts = 0
  #next = 0
  #stopped = false

  constructor(port: number) {
    this.#port = port
  }

  async run(): Promise<void> {
    await Promise.all(Array.from({ length: CLIENTS }, () => this.#client()))
  }

  stop(): void {
    this.#stopped = true
  }

  async nextVerdict(): Promise<void> {
    const verdict = new Promise<void>((resolve) => this.#waiting.push(resolve))
    const late = new AbortController()
    const lateness = sleep(BACK_MS_MAX, undefined, { signal: late.signal }).then(() => {
      throw new Error(`No verdict for ${BACK_MS_MAX} ms`)
    })
    await Promise.race([verdict, lateness])
    late.abort()
    lateness.catch(() => {})
  }

  async #client(): Promise<void> {
    while (!this.#stopped) {
      try {
        await this.#one(this.#next++)
      } catch {
        // It has been killed; whoever delivers mail would deliver without a verdict.
        await sleep(RETRY_MS)
      }
    }
  }

  async #one(number: number): Promise<void> {
    const user = `user-${number % USERS}`
    const text = `X-Number: ${number}\r\n${MAILBAG[number % MAILBAG.length]}`
    const message = text.replace(/^Message-ID: <.*>/m, `Message-ID: <${number}@example.com>`)
    if (number % 3 === 0) await this.#correct(user, message, number)
    else if (number % 10 === 1) await this.#addRule(user, number)
    else await this.#classify(user, message)
  }

  async #classify(user: string, message: string): Promise<void> {
    const answer = await this.#ask('POST', '/classify-stream', message, { 'x-user-id': user })
    if (answer.status !== 200) return this.#note('a verdict', answer)
    this.#verdicts++
    for (const resolve of this.#waiting.splice(0)) resolve()
  }

  async #correct(user: string, message: string, number: number): Promise<void> {
    const headers = { 'x-user-id': user, 'x-is-spam': `${number % 2 === 0}` }
    const answer = await this.#ask('POST', '/feedback-stream', message, headers)
    if (answer.status !== 200) return this.#note('a correction', answer)
    this.#corrections.set(String(answer.json['feedbackId']), user)
  }

  async #addRule(user: string, number: number): Promise<void> {
    const pattern = `sender-${number}@example.com`
    const rule = { userId: user, ruleType: 'Sender', label: 'spam', pattern }
    const headers = { 'content-type': 'application/json' }
    const answer = await this.#ask('POST', '/personalization/rules', JSON.stringify(rule), headers)
    if (answer.status !== 201) return this.#note('a rule', answer)
    this.#rules.set(pattern, user)
  }

  /** 503 is an honest answer of a service that is starting, stopping or busy. */
  #note(what: string, { status, json }: Answer): void {
    if (status !== 503) this.#strange.push(`${what}: ${status} ${JSON.stringify(json)}`)
  }

  async report({ url }: ServiceProcess): Promise<Omit<KillReport, 'backMs'>> {
    const memory = new Map<string, number>()
    const patterns = new Set<string>()
    for (let user = 0; user < USERS; user++) {
      const { items } = await getJson(`${url}/personalization/memory?userId=user-${user}`)
      for (const { feedbackId } of items as { feedbackId: string }[]) {
        memory.set(feedbackId, (memory.get(feedbackId) ?? 0) + 1)
      }
      const { rules } = await getJson(`${url}/personalization/rules?userId=user-${user}`)
      for (const { pattern } of rules as { pattern: string }[]) patterns.add(pattern)
    }
    this.#agent.destroy()
    return {
      verdicts: this.#verdicts,
      corrections: this.#corrections.size,
      rules: this.#rules.size,
      lost: [
        ...[...this.#corrections.keys()].filter((id) => !memory.has(id)),
        ...[...this.#rules.keys()].filter((pattern) => !patterns.has(pattern)),
      ],
      duplicated: [...memory].filter(([, count]) => count > 1).map(([id]) => id),
      strange: this.#strange,
    }
  }

  #ask(
    method: string,
    path: string,
    body: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const options = {
        host: '127.0.0.1',
        port: this.#port,
        path,
        method,
        agent: this.#agent,
        headers: {
          'content-type': 'message/rfc822',
          'content-length': Buffer.byteLength(body),
          ...headers,
        },
      }
      const sent = request(options, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('close', () => {
          if (!response.complete) return reject(new Error('The answer was cut'))
          const json = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>
          resolve({ status: response.statusCode!, json })
        })
      })
      sent.on('error', reject)
      sent.end(body)
    })
  }
}

async function getJson(url: string): Promise<Record<string, unknown>> {
  return (await (await fetch(url)).json()) as Record<string, unknown>
}
