/** TAMIS_AUTH_DNS: whether senders are checked by DNS, and where that is said. A server on loopback stands for those of the machine. */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { eventually } from '../../../../test/eventually.ts'
import { type DnsServer, startDnsServer, type Zone } from '../helpers/dns-server.ts'
import { build, ORDER, post } from './service.ts'

const ANSWERS: Zone = {
  'a.root-servers.net': { A: ['198.41.0.4'] },
  '_dmarc.shop.example.com': { TXT: ['v=DMARC1; p=reject'] },
}

const CLIENT = { 'x-sender-ip': '192.0.2.9', 'x-sender-email': 'a@unlisted.example' }

interface Started {
  /** As /ready and /metrics have it. */
  readonly checks: readonly [ready: boolean, metric: string | undefined]
  /** The DMARC result of a message from a domain that asks to refuse it; undefined when nothing was checked. */
  readonly dmarc: string | undefined
  /** Log lines about it. */
  readonly lines: readonly string[]
  readonly questions: readonly string[]
}

async function started(t: TestContext, authDns: string, zone: Zone): Promise<Started> {
  const server = await startDnsServer(t, zone)
  return await startedWith(t, authDns, server)
}

async function startedWith(t: TestContext, authDns: string, server: DnsServer): Promise<Started> {
  const logged: { msg?: string }[] = []
  const stream = { write: (line: string) => void logged.push(JSON.parse(line)) }
  const { app } = await build(t, {
    config: { authDns },
    log: { level: 'info', stream },
    modules: { machineServers: [server.address] },
  })
  const questions = [...server.questions]
  const { senders } = (await app.inject('/ready')).json()
  const { body } = await app.inject('/metrics')
  const answer = await post(app, '/classify/diagnostic-stream', ORDER, CLIENT)
  return {
    checks: [senders.dns, /^tamis_sender_checks (\d)$/m.exec(body)?.[1]],
    dmarc: answer.json().email.authentication?.dmarc.result,
    lines: logged.map(({ msg = '' }) => msg).filter((msg) => msg.includes('TAMIS_AUTH_DNS')),
    questions,
  }
}

describe('TAMIS_AUTH_DNS', () => {
  it('auto is on where a server answers, after one question', async (t) => {
    const { checks, dmarc, lines, questions } = await started(t, 'auto', ANSWERS)
    assert.deepEqual(checks, [true, '1'])
    assert.equal(dmarc, 'fail')
    assert.deepEqual(lines, ['A DNS server answers: senders are checked (TAMIS_AUTH_DNS)'])
    assert.deepEqual(questions, ['A a.root-servers.net'])
  })

  for (const [name, zone] of [
    ['never answers', { 'a.root-servers.net': 'SILENT' }],
    ['fails', { 'a.root-servers.net': 'SERVFAIL' }],
    ['knows no names of the internet', {}],
  ] satisfies [string, Zone][]) {
    it(`auto is off where a server ${name}`, async (t) => {
      const { checks, dmarc, lines } = await started(t, 'auto', zone)
      assert.deepEqual(checks, [false, '0'])
      assert.equal(dmarc, undefined)
      assert.deepEqual(lines, [
        'No DNS server answers: senders are not checked until one does (TAMIS_AUTH_DNS)',
      ])
    })
  }

  it('auto asks again while no server answers, and is on when one does', async (t) => {
    const server = await startDnsServer(t, { 'a.root-servers.net': 'SERVFAIL' })
    const { app } = await build(t, {
      config: { authDns: 'auto' },
      modules: { machineServers: [server.address] },
    })
    const metrics = async () => {
      const { body } = await app.inject('/metrics')
      return body.match(/^tamis_sender_checks(?:_waiting)? \d$/gm)
    }
    assert.deepEqual(await metrics(), ['tamis_sender_checks 0', 'tamis_sender_checks_waiting 1'])

    server.zone = ANSWERS
    await eventually(async () =>
      (await app.inject('/metrics')).body.includes('\ntamis_sender_checks 1\n'),
    )
    assert.deepEqual(await metrics(), ['tamis_sender_checks 1', 'tamis_sender_checks_waiting 0'])
    const answer = await post(app, '/classify/diagnostic-stream', ORDER, CLIENT)
    assert.equal(answer.json().email.authentication.dmarc.result, 'fail')
  })

  for (const word of ['on', 'system']) {
    it(`${word} is on without a question`, async (t) => {
      const { checks, dmarc, lines, questions } = await started(t, word, ANSWERS)
      assert.deepEqual(checks, [true, '1'])
      assert.equal(dmarc, 'fail')
      assert.deepEqual([lines, questions], [[], []])
    })
  }

  it('off is off', async (t) => {
    const { checks, dmarc, lines, questions } = await started(t, 'off', ANSWERS)
    assert.deepEqual(checks, [false, '0'])
    assert.equal(dmarc, undefined)
    assert.deepEqual([lines, questions], [[], []])
  })

  it('may name servers, which are asked in place of those of the machine', async (t) => {
    const named = await startDnsServer(t, ANSWERS)
    const ofMachine = await startDnsServer(t, {})
    const { checks, dmarc } = await startedWith(t, named.address, ofMachine)
    assert.deepEqual(checks, [true, '1'])
    assert.equal(dmarc, 'fail')
    assert.deepEqual(ofMachine.questions, [])
  })
})
