/**
 * JSON bodies that are made to cost much, against a service in a process of its own, through real
 * sockets. What a request holds others up by is the CPU time that it takes of the thread that
 * answers: measured there, it is the same on a busy machine.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { type ServiceProcess, startService } from '../helpers/service-process.ts'

const KIB = 1024
const MIB = 1024 * KIB

/** Longest that others may wait for one body. */
const HELD_UP_MS_MAX = 100

/** Rounds of which the best counts: what a round takes more is compilation, collection or another process. */
const ROUNDS = 3

/** What a body of eight times the bytes may cost, beside its eightfold: CPU time is counted in ticks of the scheduler. */
const GROWTH_MAX = 16
const SLACK_MS = 10

/** Bodies sent to see what they leave behind, and what they may: one of them at its largest took 1 GB. */
const REPEATS = 5
const KEPT_BYTES_MAX = 96 * MIB

type Route = readonly [method: string, path: string, bytesMax: number]

/** Every route that takes JSON, with its limit. */
const ROUTES: readonly Route[] = [
  ['POST', '/classify/embed-text', 4 * MIB],
  ['POST', '/classify', 32 * KIB],
  ['POST', '/tabs/classify', 32 * KIB],
  ['POST', '/classify/diagnostic', 32 * KIB],
  ['POST', '/feedback', 32 * KIB],
  ['POST', '/tabs/feedback', 32 * KIB],
  ['POST', '/personalization/rules/create', 32 * KIB],
  ['POST', '/personalization/tabs/rules/create', 32 * KIB],
  ['POST', '/personalization/rules', 16 * KIB],
  ['POST', '/personalization/tabs/rules', 16 * KIB],
  ['DELETE', '/personalization/rules/remove', 16 * KIB],
  ['DELETE', '/personalization/tabs/rules/remove', 16 * KIB],
  ['DELETE', '/personalization/data', 16 * KIB],
  ['DELETE', '/personalization/tabs/data', 16 * KIB],
]

/** `piece` again and again between `start` and `end`, in at most `bytes` bytes. */
function filled(start: string, piece: string | ((at: number) => string), end: string) {
  return (bytes: number) => {
    const room = bytes - start.length - end.length
    if (typeof piece === 'string') {
      return start + piece.repeat(room / Buffer.byteLength(piece)) + end
    }
    let pieces = ''
    for (let at = 0; ; at++) {
      const longer = pieces + piece(at)
      if (longer.length > room) return start + pieces + end
      pieces = longer
    }
  }
}

const SHAPES: Readonly<Record<string, (bytes: number) => string>> = {
  'arrays in arrays': (bytes) => '['.repeat(bytes / 2) + ']'.repeat(bytes / 2),
  'arrays without end': (bytes) => '['.repeat(bytes),
  'objects in objects': (bytes) => '{"a":'.repeat(bytes / 6) + '1'.padEnd(bytes / 6 - 8, '}'),
  'small numbers': filled('{"texts":[1', ',1', ']}'),
  'empty texts': filled('{"texts":[""', ',""', ']}'),
  'empty arrays': filled('{"texts":[[]', ',[]', ']}'),
  'objects of one key': filled('{"texts":[{}', (at) => `,{"k${at}":1}`, ']}'),
  'keys, each another': filled('{"text":"a"', (at) => `,"k${at}":1`, '}'),
  'keys that are numbers': filled('{"text":"a"', (at) => `,"${at * 7_919}":1`, '}'),
  'one key again and again': filled('{"text":"a"', ',"text":1', '}'),
  '__proto__ again and again': filled('{"text":"a"', ',"__proto__":{}', '}'),
  'a number of many digits': filled('{"text":', '9', '}'),
  'a number with a large exponent': filled('{"text":1e', '9', '}'),
  'a number near nothing': filled('{"text":0.', '0', '1}'),
  'one text': filled('{"text":"', 'a', '"}'),
  'one text beyond ASCII': filled('{"text":"', '字', '"}'),
  'one text of escapes': filled('{"text":"', '\\u5b57', '"}'),
  'one text of quotation marks': filled('{"text":"', '\\"', '"}'),
  'one text of brackets and commas': filled('{"text":"', '[,{', '"}'),
  'a text without end': filled('{"text":"', 'a', ''),
  'one long key': filled('{"', 'k', '":1}'),
  'white space': filled('{"text":', ' ', '"a"}'),
  'user ids of many kinds': filled('{"userId":"', '\\ud83d\\ude00', '"}'),
}

const keptOpen = new Agent({ keepAlive: true, maxSockets: 1 })

let service: ServiceProcess
let folder: string

before(async () => {
  folder = temporaryFolder()
  service = await startService({ environment: { TAMIS_PATH_ROOTS: folder } })
})
after(async () => {
  keptOpen.destroy()
  await service.stop()
})

async function send(
  [method, path]: Route,
  body: string | Buffer,
  // Node gives the body of a DELETE no length by itself.
  headers: Record<string, string | number> = { 'content-length': Buffer.byteLength(body) },
): Promise<{ status: number; json: { code?: string; field?: string } }> {
  const sent = request(`${service.url}${path}`, {
    method,
    // A connection that is kept is not closed over what is refused while it is being sent.
    agent: keptOpen,
    headers: { 'content-type': 'application/json', ...headers },
  })
  sent.end(body)
  const [response] = await once(sent, 'response')
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  return { status: response.statusCode, json: JSON.parse(Buffer.concat(chunks).toString()) }
}

/** The least CPU time of the answering thread that `body` takes, in milliseconds. */
async function costOf(route: Route, body: string): Promise<number> {
  const costs: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const started = await service.mainThreadCpuMs()
    const { status } = await send(route, body)
    assert.ok(status === 200 || status === 400, `${status}`)
    costs.push((await service.mainThreadCpuMs()) - started)
  }
  return Math.min(...costs)
}

describe('a JSON body', () => {
  for (const route of ROUTES) {
    const [method, path, bytesMax] = route
    it(`to ${method} ${path} holds others up for less than 100 ms whatever it is made of`, async () => {
      for (const [shape, make] of Object.entries(SHAPES)) {
        const body = make(bytesMax)
        assert.ok(Buffer.byteLength(body) <= bytesMax, shape)
        const ms = await costOf(route, body)
        assert.ok(ms < HELD_UP_MS_MAX, `${shape}: ${ms.toFixed(0)} ms`)
      }
    })

    it(`to ${method} ${path} is refused from ${bytesMax + 1} bytes on, announced or not`, async () => {
      const large = `{"text":"${'a'.repeat(bytesMax - 10)}"}`
      assert.equal(large.length, bytesMax + 1)
      for (const headers of [undefined, { 'transfer-encoding': 'chunked' }]) {
        const { status, json } = await send(route, large, headers)
        assert.deepEqual([status, json.code], [413, 'MESSAGE_TOO_LARGE'])
      }
      const { status } = await send(route, large.replace('aa', ''))
      assert.ok(status === 200 || status === 400, `${status}`)
    })

    it(`to ${method} ${path} that is not UTF-8 is refused`, async () => {
      for (const user of [Buffer.from([0xff]), Buffer.from([0xed, 0xa0, 0x80])]) {
        const body = Buffer.concat([Buffer.from('{"userId":"user-'), user, Buffer.from('"}')])
        const { status, json } = await send(route, body)
        assert.deepEqual(
          [status, json],
          [400, { error: 'The body is not UTF-8', code: 'FIELD_INVALID' }],
        )
      }
    })
  }

  it('of eight times the bytes costs at most some eight times as much', async () => {
    const [route] = ROUTES
    const [, , bytesMax] = route!
    for (const [shape, make] of Object.entries(SHAPES)) {
      const costs: number[] = []
      for (const share of [8, 4, 2, 1]) costs.push(await costOf(route!, make(bytesMax / share)))
      const [first = 0] = costs
      assert.ok(costs.at(-1)! < GROWTH_MAX * first + SLACK_MS, `${shape}: ${costs.join(', ')} ms`)
    }
  })

  it('leaves no memory behind', async () => {
    const [route] = ROUTES
    const bodies = Object.values(SHAPES).map((make) => make(route![2]))
    for (const body of bodies) await send(route!, body)
    const beforehand = await service.memoryBytes()
    for (let repeat = 0; repeat < REPEATS; repeat++) {
      for (const body of bodies) await send(route!, body)
    }
    const kept = (await service.memoryBytes()) - beforehand
    assert.ok(kept < KEPT_BYTES_MAX, `${(kept / MIB).toFixed(0)} MiB`)
  })

  for (const [size, bytes, status] of [
    ['a short one is', 1 * KIB, /^HTTP\/1\.1 200 /],
    ['a long one is not', 256 * KIB, /^HTTP\/1\.1 400 .*"code":"REQUEST_MALFORMED"/s],
  ] as const) {
    it(`in chunks of a byte costs no object for each: ${size} read like any other`, async () => {
      await assertInBytes(bytes, status)
    })
  }

  /** That a text of `bytes` in chunks of a byte is answered so, and leaves no memory behind. */
  async function assertInBytes(bytes: number, status: RegExp): Promise<void> {
    const text = 'a'.repeat(bytes)
    const chunks = [...JSON.stringify({ text })].map((byte) => `1\r\n${byte}\r\n`).join('')
    const beforehand = await service.memoryBytes()
    const client = connect(service.port, '127.0.0.1')
    client.write(
      'POST /classify/embed-text HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n' +
        'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
    )
    let received = ''
    client.setEncoding('latin1').on('data', (text: string) => {
      received += text
    })
    // A text that is refused is not read to its end: what is still sent then fails.
    client.on('error', () => {})
    const closed = new Promise((resolve) => client.on('close', resolve))
    client.write(`${chunks}0\r\n\r\n`)
    await closed
    assert.match(received, status)
    const kept = (await service.memoryBytes()) - beforehand
    assert.ok(kept < KEPT_BYTES_MAX, `${(kept / MIB).toFixed(0)} MiB`)
  }

  it('that ends before its announced end is given up', async () => {
    const client = connect(service.port, '127.0.0.1')
    client.end(
      'POST /classify/embed-text HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n' +
        'Content-Length: 100\r\n\r\n{"text":',
    )
    const [answer] = await once(client, 'data')
    assert.match(String(answer), /^HTTP\/1\.1 400 .*"code":"BODY_TRUNCATED"/s)
    client.destroy()
  })
})

describe('a name of a field that nobody knows', () => {
  it('is told back, and not all of a long one', async () => {
    const [route] = ROUTES
    const { json } = await send(route!, JSON.stringify({ ['k'.repeat(MIB)]: 1 }))
    assert.equal(json.field, 'k'.repeat(64))
  })
})

describe('a user id', () => {
  const BODIES: readonly (readonly [route: Route, body: object])[] = [
    [ROUTES[8]!, { ruleType: 'Sender', label: 'spam', pattern: 'ann@example.com' }],
    [ROUTES[9]!, { ruleType: 'Sender', classification: 'updates', pattern: 'ann@example.com' }],
    [ROUTES[10]!, { ruleType: 'Sender', pattern: 'ann@example.com' }],
    [ROUTES[11]!, { ruleType: 'Sender', pattern: 'ann@example.com' }],
    [ROUTES[12]!, {}],
    [ROUTES[13]!, {}],
    [ROUTES[1]!, { path: '/nowhere' }],
    [ROUTES[4]!, { path: '/nowhere', isSpam: true }],
    [ROUTES[5]!, { path: '/nowhere', correctClassification: 'updates' }],
    [ROUTES[6]!, { path: '/nowhere', ruleType: 'Sender', label: 'spam' }],
  ]
  for (const [route, rest] of BODIES) {
    it(`with half a character is nobody's for ${route[0]} ${route[1]}`, async () => {
      // JSON.stringify writes a lone surrogate as an escape.
      const { status, json } = await send(route, JSON.stringify({ ...rest, userId: 'user-\ud800' }))
      assert.deepEqual([status, json.code, json.field], [400, 'FIELD_INVALID', 'userId'])
    })
  }

  for (const [name, query] of [
    ['bytes that are no UTF-8', 'userId=user-%ff'],
    ['half an escape', 'userId=user-%f'],
    ['half a character', 'userId=user-%ed%a0%80'],
  ] as const) {
    for (const path of [
      '/personalization/rules',
      '/personalization/tabs/rules',
      '/personalization/memory',
    ]) {
      it(`in a query with ${name} is refused by GET ${path}`, async () => {
        const client = connect(service.port, '127.0.0.1')
        client.write(
          `GET ${path}?${query} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
        )
        const [answer] = await once(client, 'data')
        assert.match(String(answer), /^HTTP\/1\.1 400 .*"code":"FIELD_INVALID"/s)
        client.destroy()
      })
    }
  }
})
