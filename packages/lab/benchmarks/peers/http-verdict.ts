/** Verdicts over HTTP, on connections that are kept where the server keeps them. */
import { Agent, request } from 'node:http'

/** Beyond any message; a server that takes longer has not answered. */
const TIMEOUT_MS = 60_000

/**
 * A connection idle for longer is given up between rounds. Fastify closes it after 72 s, and a
 * message that is sent at that very moment has no answer: the client's fault, not the server's.
 */
const IDLE_MS = 2_000

/** Asks at `url`. What comes has to be JSON with `field`, of `type`. */
export function askOverHttp(
  url: string,
  headers: Readonly<Record<string, string>>,
  field: string,
  type: 'boolean' | 'number',
): (message: Buffer) => Promise<void> {
  const agent = new Agent({ keepAlive: true, timeout: IDLE_MS })
  return (message) =>
    new Promise((resolve, reject) => {
      const options = {
        agent,
        method: 'POST',
        headers: { ...headers, 'content-length': message.length },
        timeout: TIMEOUT_MS,
      }
      const sent = request(url, options, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          if (hasField(text, field, type)) resolve()
          else reject(new Error(`${url} answered ${response.statusCode}: ${text.slice(0, 200)}`))
        })
      })
      sent.on('error', reject)
      sent.on('timeout', () => sent.destroy(new Error(`${url} has not answered`)))
      sent.end(message)
    })
}

/** Whether a server answers at `url`. */
export async function answersAt(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok
  } catch {
    return false
  }
}

function hasField(text: string, field: string, type: 'boolean' | 'number'): boolean {
  try {
    return typeof JSON.parse(text)[field] === type
  } catch {
    return false
  }
}
