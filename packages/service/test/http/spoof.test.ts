/**
 * Who passes for `brand.example`: its own mail, and every way we know to look like it, through
 * the stream forms of a whole service. Each spoof is told what `senderAuthenticated` it gets, and
 * none that is found out ever profits from what a user said of the true sender.
 *
 * `senderAuthenticated` says that the sender proved the domain in From, whatever that domain is:
 * the owner of a cousin domain proves the cousin. So a spoof from a domain of the attacker's own
 * is here twice, proved and not.
 */
import assert from 'node:assert/strict'
import { after, before, describe, it, type TestContext } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { type DnsServer, startDnsServer, type Zone } from '../helpers/dns-server.ts'
import { crlf, ed25519Key, rsaKey, sealed, signed } from '../sender-authentication/signing.ts'
import { buildOnce, post } from './service.ts'

const BRAND = ed25519Key()
const ATTACKER = ed25519Key()

/** Of careful.example, which also signs that there is no Reply-To, so that nobody adds one. */
const CAREFUL = rsaKey()

/** `brаnd.example`, with the Cyrillic letter U+0430, as the DNS has it. */
const LOOKALIKE = 'xn--brnd-63d.example'

/** Of the attacker: example.net, a cousin of the brand's domain, and one that looks like it. */
const ZONE: Zone = {
  'brand.example': { TXT: ['v=spf1 ip4:192.0.2.1 -all'] },
  '_dmarc.brand.example': { TXT: ['v=DMARC1; p=reject'] },
  's._domainkey.brand.example': { TXT: [BRAND.record] },
  'example.net': { TXT: ['v=spf1 ip4:192.0.2.66 -all'] },
  '_dmarc.example.net': { TXT: ['v=DMARC1; p=reject'] },
  's._domainkey.careful.example': { TXT: [CAREFUL.record] },
  's._domainkey.example.net': { TXT: [ATTACKER.record] },
  's._domainkey.brand-service.example': { TXT: [ATTACKER.record] },
  [`s._domainkey.${LOOKALIKE}`]: { TXT: [ATTACKER.record] },
}

const TRUE_CLIENT = { 'x-sender-ip': '192.0.2.1', 'x-sender-email': 'bounces@brand.example' }

/** The attacker's own server, which example.net names in its SPF record. */
const ATTACKER_CLIENT = { 'x-sender-ip': '192.0.2.66', 'x-sender-email': 'a@example.net' }

/** A client that nobody vouches for. */
const STRANGER = { 'x-sender-ip': '192.0.2.99', 'x-sender-email': 'a@unlisted.example' }

type Headers = Readonly<Record<string, string>>

const STATEMENT = `From: Brand <service@brand.example>
To: ada@example.org
Subject: Your statement for October is ready
Date: Fri, 20 Nov 2026 12:00:00 +0000
Message-ID: <statement-10@brand.example>

Dear Ada, your statement for October is ready. You find it in your account under documents,
together with those of the last twelve months. No payment is due before the end of November.
`

/** Another of the brand, in other words. */
const INVITATION = `From: Brand <service@brand.example>
To: ada@example.org
Subject: We repaint our branch in Mill Lane
Date: Fri, 20 Nov 2026 15:00:00 +0000
Message-ID: <branch-4@brand.example>

Our branch in Mill Lane is closed from Monday until Wednesday for the painters. The machines in
the entrance work all the time, and our people at the market square are glad to help you.
`

/** What the attacker wants Ada to read. */
const DEMAND = `To: ada@example.org
Subject: Your account has been limited
Date: Fri, 20 Nov 2026 18:00:00 +0000
Message-ID: <limited-1@example.net>

We noticed unusual activity. Confirm your password within 24 hours at
http://login.example.net/confirm or your account will be closed and your balance withheld.
`

/** Fields that put a message into the brand's list and thread. */
const LIST_FIELD = 'List-Id: Brand news <news.brand.example>\n'
const REFERENCES = 'References: <statement-10@brand.example> <answer-2@example.org>\n'

const FROM_BRAND = 'From: Brand <service@brand.example>\n'

const RECEIVED =
  'Received: from mail.example.net ([192.0.2.66]) by mx.example.org; Fri, 20 Nov 2026 18:00:01 +0000\n'

let users = 0

function newUser(): string {
  return `user-${++users}`
}

async function classify(app: FastifyInstance, message: string, userId: string, client: Headers) {
  const headers = { ...client, 'x-user-id': userId }
  const response = await post(app, '/classify-stream', message, headers)
  assert.equal(response.statusCode, 200)
  return response.json()
}

async function authenticationOf(app: FastifyInstance, message: string, client: Headers) {
  const response = await post(app, '/classify/diagnostic-stream', message, client)
  assert.equal(response.statusCode, 200)
  return response.json().email.authentication
}

async function correct(
  app: FastifyInstance,
  message: string,
  userId: string,
  client: Headers,
  isSpam: boolean,
) {
  const response = await post(app, '/feedback-stream', message, {
    ...client,
    'x-user-id': userId,
    'x-is-spam': `${isSpam}`,
  })
  assert.equal(response.statusCode, 200)
}

async function addRule(
  app: FastifyInstance,
  message: string,
  userId: string,
  client: Headers,
  [ruleType, label]: readonly [ruleType: string, label: string],
) {
  const headers = { ...client, 'x-user-id': userId, 'x-rule-type': ruleType, 'x-label': label }
  const response = await post(app, '/personalization/rules/create-stream', message, headers)
  assert.equal(response.statusCode, 201)
  return response.json()
}

function bySigner(key: typeof BRAND, domain: string, text: string): Promise<string> {
  return signed(text, { key, domain })
}

function byBrand(text: string): Promise<string> {
  return bySigner(BRAND, 'brand.example', text)
}

const dns: DnsServer = await startDnsServer({ after: after as TestContext['after'] }, ZONE)

describe('where senders are verified by DNS', () => {
  const app = buildOnce({ config: { authDns: dns.address, learning: 'off' } })

  /** They allow the true sender: by a rule, by a rule of each other type, by a correction. */
  const allowers: string[] = []

  /** Who allows the brand's list. */
  let reader = ''

  before(async () => {
    const statement = await byBrand(STATEMENT)
    for (const ruleType of ['Sender', 'Thread', 'Template']) {
      const userId = newUser()
      await addRule(app(), statement, userId, TRUE_CLIENT, [ruleType, 'ham'])
      allowers.push(userId)
    }
    const ofList = await byBrand(LIST_FIELD + STATEMENT)
    reader = newUser()
    await addRule(app(), ofList, reader, TRUE_CLIENT, ['List', 'ham'])
    const corrector = newUser()
    await correct(app(), statement, corrector, TRUE_CLIENT, false)
    allowers.push(corrector)
  })

  describe('the true message', () => {
    it('is authenticated, and the diagnostic tells by what', async () => {
      const message = await byBrand(STATEMENT)
      const verdict = await classify(app(), message, newUser(), TRUE_CLIENT)
      assert.equal(verdict.senderAuthenticated, true)
      assert.deepEqual(await authenticationOf(app(), message, TRUE_CLIENT), {
        source: 'verified',
        spf: { result: 'pass', domain: 'brand.example' },
        dkim: [{ result: 'pass', domain: 'brand.example' }],
        dmarc: { result: 'pass', domain: 'brand.example', policy: 'reject' },
        arc: { result: 'none' },
      })
    })
    it('profits from each of them', async () => {
      const statement = await byBrand(STATEMENT)
      for (const userId of allowers) {
        const verdict = await classify(app(), statement, userId, TRUE_CLIENT)
        assert.deepEqual([verdict.isSpam, verdict.bypassReason], [false, 'user_rule'])
      }
    })
  })

  interface Spoof {
    readonly name: string
    /** By default the attacker's own server. */
    readonly client?: Headers
    readonly message: () => Promise<string> | string
    /** That `senderAuthenticated` has to be true: only for a domain of the attacker's own. */
    readonly authenticated?: true
    /** By default DMARC fails for the brand; null where it says nothing. */
    readonly dmarc?: { readonly result: string; readonly domain: string } | null
    /** The result of ARC: an attacker's own chain passes, and proves nothing. */
    readonly arc?: 'pass'
  }

  const DMARC_FAIL = { result: 'fail', domain: 'brand.example' }
  const FORGED_RESULTS =
    'Authentication-Results: mx.example.org; spf=pass smtp.mailfrom=brand.example;\n dkim=pass header.d=brand.example; dmarc=pass header.from=brand.example\n'

  const spoofs: Spoof[] = [
    {
      name: 'From alone',
      message: () => crlf(FROM_BRAND + DEMAND),
    },
    {
      name: 'the true message, its signature kept and a link put in',
      message: async () =>
        (await byBrand(STATEMENT)).replace('your account', 'http://login.example.net/'),
    },
    {
      name: 'a signature of the attacker over From',
      message: () => bySigner(ATTACKER, 'example.net', FROM_BRAND + DEMAND),
    },
    {
      name: 'a domain that looks like it, signed by its owner',
      client: STRANGER,
      message: () => bySigner(ATTACKER, LOOKALIKE, `From: Brand <service@${LOOKALIKE}>\n${DEMAND}`),
      authenticated: true,
      dmarc: { result: 'none', domain: LOOKALIKE },
    },
    {
      name: 'a cousin domain, signed by its owner',
      client: STRANGER,
      message: () =>
        bySigner(
          ATTACKER,
          'brand-service.example',
          `From: Brand <service@brand-service.example>\n${DEMAND}`,
        ),
      authenticated: true,
      dmarc: { result: 'none', domain: 'brand-service.example' },
    },
    {
      name: 'a subdomain of the brand that does not exist',
      message: () => crlf(`From: Brand <service@billing.brand.example>\n${DEMAND}`),
      dmarc: { result: 'fail', domain: 'billing.brand.example' },
    },
    {
      name: 'forged Authentication-Results on top',
      message: () => crlf(FORGED_RESULTS + RECEIVED + FROM_BRAND + DEMAND),
    },
    {
      name: 'a chain of seals by the attacker',
      message: () => sealed(FROM_BRAND + DEMAND, 'example.net', ATTACKER, dns),
      arc: 'pass',
    },
    {
      name: 'a From field above that of the true message',
      message: async () => `From: a@example.net\r\n${await byBrand(STATEMENT)}`,
      dmarc: null,
    },
    {
      name: 'a From field below that of the true message',
      message: async () =>
        (await byBrand(INVITATION)).replace('\r\nTo:', '\r\nFrom: a@example.net\r\nTo:'),
    },
    {
      name: 'a From field of two addresses',
      message: () => crlf(`From: service@brand.example, a@example.net\n${DEMAND}`),
    },
    {
      name: "the null sender, and the brand's name in HELO",
      client: { 'x-sender-ip': '192.0.2.66', 'x-sender-email': '<>' },
      message: () =>
        crlf(RECEIVED.replace('mail.example.net', 'brand.example') + FROM_BRAND + DEMAND),
    },
    {
      name: "the brand's list and thread in its own fields",
      message: () => crlf(FROM_BRAND + LIST_FIELD + REFERENCES + DEMAND),
    },
    {
      name: "the brand's list and thread, from the attacker's own server",
      message: () => crlf(`From: a@example.net\n${LIST_FIELD}${REFERENCES}${DEMAND}`),
      authenticated: true,
      dmarc: { result: 'pass', domain: 'example.net' },
    },
    {
      name: 'a group of which the address is the name',
      message: () => crlf(`From: "service@brand.example": a@example.net;\n${DEMAND}`),
      dmarc: null,
    },
  ]

  for (const spoof of spoofs) {
    const { name, client = ATTACKER_CLIENT, message, authenticated = false } = spoof
    const { dmarc = DMARC_FAIL } = spoof
    describe(`a spoof by ${name}`, () => {
      it(authenticated ? 'proves a domain that is not the brand' : 'proves nothing', async () => {
        const text = await message()
        const verdict = await classify(app(), text, newUser(), client)
        assert.equal(verdict.senderAuthenticated, authenticated)
        const authentication = await authenticationOf(app(), text, client)
        assert.equal(authentication.source, 'verified')
        const found = authentication.dmarc
        assert.deepEqual([found?.result, found?.domain], [dmarc?.result, dmarc?.domain])
        if (spoof.arc !== undefined) assert.equal(authentication.arc.result, spoof.arc)
      })
      it('has nothing of what was allowed the true sender', async () => {
        const text = await message()
        for (const userId of [...allowers, reader]) {
          const { bypassReason } = await classify(app(), text, userId, client)
          assert.equal(bypassReason, null)
        }
      })
    })
  }
})
