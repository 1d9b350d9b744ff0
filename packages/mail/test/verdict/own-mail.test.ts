/** Mail within an organisation, with the models that are shipped: what its checks take back. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readModels } from '../../../artifact-files/artifact-files.ts'
import { analyse } from '../../analyse.ts'
import { memoryOctets } from '../../message/octets.ts'
import type { Analysis } from '../../verdict/analysis.ts'
import { modelledLogit } from '../../verdict/decide.ts'
import type { SenderFinding } from '../../verdict/evidence.ts'
import { policyFor } from '../../verdict/policy.ts'
import { TEST_KNOWLEDGE } from '../helpers/knowledge.ts'

const MINUTES = `From: Marta Lindqvist <marta@reader.example>
To: Ines Okafor <ines@reader.example>
Subject: Minutes of Thursday
Date: Thu, 15 Oct 2026 09:12:40 +0200
Message-ID: <20261015071240.GA2217@mx.reader.example>
MIME-Version: 1.0
Content-Type: text/plain; charset=utf-8

Hello all,

the minutes of Thursday are on the wiki: https://wiki.reader.example/minutes/2026-10-15
Please have a look before Friday.

Marta
`

const models = await readModels()
const policy = policyFor(models, { threshold: 'balanced', spamPrior: 0.5, spamEntitled: true })

function analysed(text: string, senderIp?: string): Analysis {
  const facts = { now: new Date('2026-10-15T08:00:00Z'), ...(senderIp && { senderIp }) }
  return analyse(memoryOctets(Buffer.from(text)), facts, models, { knowledge: TEST_KNOWLEDGE })
}

/** The log-odds of spam where checks have found `sender`. */
function weighed(analysis: Analysis, sender: SenderFinding): number {
  const senderAuthenticated = sender.result === 'passed'
  return modelledLogit(analysis, { senderAuthenticated, sender }, policy)
}

describe('mail within an organisation', () => {
  it('weighs from outside what it weighs from inside, once something vouches for it', () => {
    const [outside, inside] = [analysed(MINUTES, '203.0.113.9'), analysed(MINUTES)]
    assert.ok(weighed(outside, { result: 'unknown' }) > weighed(inside, { result: 'unknown' }) + 1)
    const proved = weighed(outside, { result: 'passed' })
    assert.ok(Math.abs(proved - weighed(inside, { result: 'passed' })) < 0.01)
  })

  it('may link to its own domain, which the recipient knows', () => {
    const minutes = analysed(MINUTES)
    const known = analysed(MINUTES.replace('wiki.reader.example', 'www.bank.example'))
    const links = minutes.ownMail?.links ?? 0
    assert.ok(links > 0.5)
    assert.equal(known.ownMail?.links, undefined)
    const taken =
      weighed(minutes, { result: 'passed' }) - weighed(minutes, { result: 'passed', isOwn: true })
    assert.ok(Math.abs(taken - links) < 1e-9)
  })

  it('has nothing taken back for links to strangers', () => {
    const strange = analysed(MINUTES.replace('wiki.reader.example', 'wiki.stranger.example'))
    assert.equal(strange.ownMail?.links, undefined)
  })
})
