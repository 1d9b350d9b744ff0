/** What is kept of a message that a user corrects: by models that are undecided, and an embedding in one direction. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { TamisError } from '../../errors/errors.ts'
import { analyse } from '../../mail/analyse.ts'
import { emptyModels } from '../../mail/learning/empty-models.ts'
import { memoryOctets } from '../../mail/message/octets.ts'
import { DIMENSIONS, decodeMemoryItem } from '../../mail/personalization/memory-item.ts'
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
  it('asks for room, then for the body, has it analysed and embedded, and gives it back', async () => {
    const { service, asked } = world()
    const message = await learnableMessage(service, incomingFrom(LETTER))
    assert.deepEqual(asked, [
      `room for ${LETTER.length}`,
      'body',
      'analyse personal eventFeatures subjectWords',
      'body given back',
    ])
    const { memoryItem, ...rest } = message
    const { embeddedText: _, memoryItem: terms, ...personal } = ANALYSIS.personal!
    assert.deepEqual(rest, {
      ...personal,
      embeddingModel: 'e1',
      eventFeatures: ANALYSIS.eventFeatures,
      featureVersion: MODELS.featureVersion,
      subjectWords: ANALYSIS.subjectWords,
    })
    assert.deepEqual(message.patterns.sender, 'shop@example.com')
    assert.deepEqual(decodeMemoryItem(memoryItem)?.sparse, decodeMemoryItem(terms)?.sparse)
    assert.equal(decodeMemoryItem(memoryItem)?.dense[3], 127)
  })

  it('knows the domain of a sender who has proved it, and no other', async () => {
    const domainOf = async (sender: AuthenticatedSender) =>
      (await learnableMessage(world({ sender }).service, incomingFrom(LETTER))).authenticatedDomain
    const proved = { ...UNKNOWN_AUTHENTICATION, result: 'pass', domain: 'example.com' } as const
    assert.equal(await domainOf(proved), 'example.com')
    assert.equal(await domainOf({ ...UNKNOWN_AUTHENTICATION, result: 'fail' }), undefined)
    assert.equal(await domainOf(UNKNOWN_AUTHENTICATION), undefined)
  })

  it('does not ask for the body where the queue is full', async () => {
    const full = new TamisError('QUEUE_FULL', 'The queue is full')
    const { service, asked } = world({ full })
    await assert.rejects(learnableMessage(service, incomingFrom(LETTER)), full)
    assert.deepEqual(asked, [`room for ${LETTER.length}`])
  })

  it('has the words alone of a message that cannot be embedded', async () => {
    const { service } = world({ embedFailure: new Error('The embedding thread ended') })
    const { memoryItem, embeddingModel } = await learnableMessage(service, incomingFrom(LETTER))
    assert.deepEqual([memoryItem, embeddingModel], [ANALYSIS.personal!.memoryItem, 'none'])
  })

  for (const part of ['personal', 'eventFeatures', 'featureVersion'] as const) {
    it(`takes an analysis without ${part} for a mistake in the code`, async () => {
      const { [part]: _, ...analysis } = ANALYSIS
      const { service } = world({ analysis: analysis as typeof ANALYSIS })
      await assert.rejects(learnableMessage(service, incomingFrom(LETTER)), TypeError)
    })
  }
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
