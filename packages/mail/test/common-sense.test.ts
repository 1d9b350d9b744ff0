/**
 * Common sense by cases: messages with one shape changed, {{harmless|changed}}, and good mail with such shapes. The first line
 * says what is expected, by signals/signals.tsv:
 *
 *     gains NAME       the change makes the log-odds of spam rise by two thirds of the least that the signal may weigh, at least;
 *                      and where that is LEAST_OF_PROGRAMS, the changed message is spam, from a stranger about money or a parcel
 *     never ham NAME   the change does not make them fall
 *     stays ham        the message is not spam
 */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { before, describe, it } from 'node:test'
import { readModels } from '../../artifact-files/artifact-files.ts'
import { analyse } from '../analyse.ts'
import { memoryOctets } from '../message/octets.ts'
import type { Models } from '../models/models.ts'
import { signalNamed } from '../signals/table.ts'
import type { Analysis } from '../verdict/analysis.ts'
import { decide } from '../verdict/decide.ts'
import { NO_EVIDENCE } from '../verdict/evidence.ts'
import { policyFor } from '../verdict/policy.ts'

const FOLDER = new URL('common-sense/', import.meta.url)

const NOW = new Date('2026-11-17T09:00:00Z')

/** What a program weighs at least: enough by itself. */
const LEAST_OF_PROGRAMS = 3.5

/** Of what a signal weighs at least, the share by which the log-odds have to rise: other features of the message change too. */
const SHARE_MIN = 2 / 3

const SLACK = 0.05

describe('common sense', () => {
  let models: Models
  before(async () => {
    models = await readModels()
  })

  for (const file of readdirSync(FOLDER).sort()) {
    const text = readFileSync(new URL(file, FOLDER), 'utf8')
    const end = text.indexOf('\n\n')
    const [expected, message] = [text.slice(0, end), text.slice(end + 2)]
    const name = file.replace('.case', '').replaceAll('-', ' ')
    const signal = expected.split(' ').at(-1)!

    it(`${name}: ${expected}`, () => {
      const [harmless, changed] = [1, 2].map((side) => analysed(variant(message, side))) as [
        Analysis,
        Analysis,
      ]
      const gained = changed.spam.logit - harmless.spam.logit
      if (expected.startsWith('gains ')) {
        const { min = 0 } = signalNamed(signal)!
        assert.ok(min > 0, `${signal} has no min`)
        assert.ok(gained >= SHARE_MIN * min, `gained ${gained}, of ${min}`)
        if (min >= LEAST_OF_PROGRAMS) assert.equal(isSpam(changed), true, `${changed.spam.logit}`)
      } else if (expected.startsWith('never ham ')) {
        assert.ok((signalNamed(signal)!.min ?? 0) >= 0)
        assert.ok(gained >= -SLACK, `gained ${gained}`)
      } else {
        assert.equal(expected, 'stays ham')
        assert.equal(isSpam(changed), false, `${changed.spam.logit}`)
      }
    })
  }

  function analysed(message: string): Analysis {
    return analyse(memoryOctets(Buffer.from(message)), { now: NOW }, models)
  }

  function isSpam(analysis: Analysis): boolean {
    const policy = policyFor(models, {
      threshold: 'balanced',
      spamPrior: 0.5,
      spamEntitled: true,
    })
    return decide(analysis, NO_EVIDENCE, policy).isSpam
  }
})

/** `message` with the alternatives of one side, 1 or 2, its lines ended as in mail. */
function variant(message: string, side: number): string {
  const chosen = message.replace(/\{\{([^|]*)\|([^}]*)\}\}/g, (_, harmless, changed) =>
    side === 1 ? harmless : changed,
  )
  return chosen.replaceAll('\n', '\r\n')
}
