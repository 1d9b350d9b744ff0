/** What is kept of a message that a user corrects: by models that are undecided, and an embedding in one direction. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { TamisError } from '../../errors/errors.ts'
import { analyse } from '../../mail/analyse.ts'
import { emptyModels } from '../../mail/learning/empty-models.ts'
import { memoryOctets } from '../../mail/message/octets.ts'
import { DIMENSIONS } from '../../mail/personalization/memory-item.ts'
import type { Analysing } from '../analyse-body.ts'
import { incomingFrom } from '../cli/judging-here.ts'
import { learnableMessage } from '../correct.ts'
import {
  type AuthenticatedSender,
  UNKNOWN_AUTHENTICATION,
} from '../sender-authentication/sender-authentication.ts'

const LETTER = new TextEncoder().encode(
  'From: shop@example.com\r\nMessage-ID: <1@example.com>\r\nSubject: Coats\r\n\r\nThe coats are here.\r\n',
)

const MODELS = emptyModels()

const NOW = new Date('2026-11-20T12:00:00Z')

const ANALYSIS = analyse(memoryOctets(LETTER), { now: NOW }, MODELS, {
  personal: true,
  eventFeatures: true,
  subjectWords: true,
})

describe('learnableMessage', () => {
  it('knows the domain of a sender who has proved it, and no other', async () => {
    const domainOf = async (sender: AuthenticatedSender) =>
      (await learnableMessage(world({ sender }).service, incomingFrom(LETTER))).authenticatedDomain
    const proved = { ...UNKNOWN_AUTHENTICATION, result: 'pass', domain: 'example.com' } as const
    assert.equal(await domainOf(proved), 'example.com')
    assert.equal(await domainOf({ ...UNKNOWN_AUTHENTICATION, result: 'fail' }), undefined)
    assert.equal(await domainOf(UNKNOWN_AUTHENTICATION), undefined)
  })
})

interface World {
  readonly analysis?: typeof ANALYSIS
  readonly sender?: AuthenticatedSender
  readonly full?: TamisError
  readonly embedFailure?: Error
}

function world({
  analysis = ANALYSIS,
  sender = UNKNOWN_AUTHENTICATION,
  full,
  embedFailure,
}: World = {}) {
  const asked: string[] = []
  const service: Analysing = {
    analyser: {
      refusal: (bytes) => {
        asked.push(`room for ${bytes}`)
        return full
      },
      analyse: async (_body, _facts, options = {}) => {
        const wished = Object.entries(options).flatMap(([name, value]) => (value ? [name] : []))
        asked.push(['analyse', ...wished].join(' '))
        return { analysis, queueMs: 0, analysisMs: 0, threadEnd: undefined }
      },
    },
    receiver: {
      receive: async () => {
        asked.push('body')
        const given = async () => void asked.push('body given back')
        return { kind: 'memory', bytes: LETTER, [Symbol.asyncDispose]: given }
      },
    },
    senderChecks: {
      hold: () => ({ [Symbol.dispose]: () => {} }),
      senderOf: async () => sender,
      lists: undefined,
      scanner: undefined,
    },
    embedder: {
      id: 'e1',
      isUsable: true,
      embed: async () => {
        if (embedFailure) throw embedFailure
        return new Float32Array(DIMENSIONS).fill(1, 3, 4)
      },
    },
    metrics: { analysed: () => {}, sender: () => {}, listed: () => {}, scanned: () => {} },
  }
  return { service, asked }
}
