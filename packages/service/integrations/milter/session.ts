/**
 * One connection of an MTA: it turns packets into messages, and verdicts into replies. The connection has
 * one SMTP session, or, with SMFIC_QUIT_NC, several in turn; a session has any number of messages.
 *
 * Steps get no reply if the MTA allows that; the one reply that matters is that to the end of a message.
 */
import { isUtf8 } from 'node:buffer'
import { performance } from 'node:perf_hooks'
import type { Outlet } from '../../admission/queue.ts'
import type { Config } from '../../config.ts'
import { QUEUE_ID_PATTERN } from '../../history/history-entry.ts'
import { messageLine } from '../../http/message-line.ts'
import { userIdOf } from '../../http/user-of.ts'
import type { SpamAction } from '../../on-judged.ts'
import type { FilterParts } from '../filter.ts'
import { CollectedMessage } from './collected-message.ts'
import { clientIp, receivedField, senderEmail, senderIp } from './envelope.ts'
import { ForeignFields, fieldsFor, TOO_MANY_FORGED } from './fields.ts'
import { type Judgement, judgementOf, type Unscanned } from './judgement.ts'
import {
  ACTION,
  type Agreement,
  agree,
  COMMAND,
  clientOf,
  firstText,
  headerFieldOf,
  isReplied,
  macrosOf,
  NO_AGREEMENT,
  type Packet,
  ProtocolError,
  REPLY,
  type RepliedStep,
} from './protocol.ts'
import { Submission, senderOf } from './submission.ts'

/** Macros read in one packet; MTAs send a dozen. */
const MACROS_MAX = 64

/** Bytes of a queue id or host name that are kept. */
const MACRO_LENGTH_MAX = 256

/** The place below the Received field of the MTA, which is at 0. */
const OWN_FIELDS_INDEX = 1

/** Users that one message is judged for: more recipients Postfix does not take by default (smtpd_recipient_limit). */
const USERS_MAX = 1_000

/** The SMTP reply to a message that the operator's limits refuse. */
const REJECT_REPLY = '550 5.7.1 This message looks like spam'

const CRLF = Buffer.from('\r\n')
const COLON = Buffer.from(':')
const COLON_SPACE = Buffer.from(': ')
const NOTHING: readonly Buffer[] = []

type Found = Judgement | Unscanned | { readonly kind: 'skipped' }

export type MilterSettings = Pick<Config, 'userOf' | 'milterSpamFlag'>

export interface SessionDependencies extends FilterParts {
  readonly settings: MilterSettings
}

/** A message that is arriving. */
class Message {
  /** The path as in MAIL FROM. */
  mailFrom: string | undefined
  recipients = 0
  readonly userIds = new Set<string>()
  /** True when a recipient is no user. */
  ofOthers = false
  /** Recipients who would be users beyond the most of them. */
  usersLeft = 0
  /** Macro {auth_authen}; undefined without a login. */
  login: string | undefined
  /** Set for a message that a known user sends. */
  submission: Submission | undefined
  queueId: string | undefined
  readonly foreign: ForeignFields
  /** Set from the first header field on; undefined for a message that is not judged. */
  collected: CollectedMessage | undefined
  part: 'envelope' | 'header' | 'body' = 'envelope'

  constructor(spamFlag: boolean) {
    this.foreign = new ForeignFields(spamFlag)
  }
}

/** A client of the MTA. */
interface Peer {
  readonly host: string
  readonly ip: string | undefined
  helo: string | undefined
}

const NOBODY: Peer = { host: 'unknown', ip: undefined, helo: undefined }

export class MilterSession {
  readonly #dependencies: SessionDependencies
  /** The connection. */
  readonly #outlet: Outlet
  #agreement: Agreement = NO_AGREEMENT
  #peer: Peer = { ...NOBODY }
  /** Name of the MTA, macro j. */
  #mta: string | undefined
  #message: Message
  #quit = false

  constructor(dependencies: SessionDependencies, outlet: Outlet) {
    this.#dependencies = dependencies
    this.#outlet = outlet
    this.#message = new Message(this.#spamFlag)
  }

  /** True once the MTA has said that it is done. */
  get hasQuit(): boolean {
    return this.#quit
  }

  /** True from MAIL FROM on to the end of the message. */
  get isInTransaction(): boolean {
    return this.#message.mailFrom !== undefined
  }

  /** True while the MTA sends a message, which it does without pauses. */
  get isInMessage(): boolean {
    return this.#message.part !== 'envelope'
  }

  /**
   * The replies to `packet`.
   *
   * @throws ProtocolError
   */
  async take({ command, data }: Packet): Promise<readonly Buffer[]> {
    switch (command) {
      case COMMAND.negotiate:
        return this.#negotiate(data)
      case COMMAND.macro:
        return this.#learnMacros(data)
      case COMMAND.connect: {
        const { host, address } = clientOf(data)
        this.#peer = { host, ip: clientIp(address), helo: undefined }
        return this.#done('connect')
      }
      case COMMAND.helo:
        this.#peer.helo = firstText(data)
        return this.#done('helo')
      case COMMAND.mail:
        await this.#beginMessage(firstText(data))
        return this.#done('mail')
      case COMMAND.rcpt:
        // Bytes that are not UTF-8 would be decoded to U+FFFD, which might be another user's name.
        this.#addRecipient(isUtf8(data) ? firstText(data) : '')
        return this.#done('rcpt')
      case COMMAND.data:
        return this.#done('data')
      case COMMAND.header:
        await this.#addHeaderField(data)
        return this.#done('header')
      case COMMAND.endOfHeader:
        await this.#endHeader()
        return this.#done('endOfHeader')
      case COMMAND.body:
        await this.#addToBody(data)
        return this.#done('body')
      case COMMAND.endOfMessage:
        if (data.length > 0) await this.#addToBody(data)
        return await this.#endMessage()
      case COMMAND.abort:
        await this.#dropMessage()
        return NOTHING
      case COMMAND.quitForNewConnection:
        await this.#dropMessage()
        this.#peer = { ...NOBODY }
        return NOTHING
      case COMMAND.quit:
        this.#quit = true
        return NOTHING
      case COMMAND.unknown:
        return this.#done('unknown')
      default:
        throw new ProtocolError(`There is no command ${JSON.stringify(command)}`)
    }
  }

  /** Gives back everything that the session holds. */
  async close(): Promise<void> {
    await this.#message.collected?.release()
  }

  #negotiate(data: Buffer): readonly Buffer[] {
    const actions = ACTION.addHeaders | ACTION.changeHeaders | ACTION.quarantine
    this.#agreement = agree(data, actions)
    return [REPLY.agreement(this.#agreement)]
  }

  #learnMacros(data: Buffer): readonly Buffer[] {
    const macros = macrosOf(data, MACROS_MAX)
    const kept = (name: string) => macros.get(name)?.slice(0, MACRO_LENGTH_MAX)
    this.#mta = kept('j') ?? this.#mta
    this.#message.queueId = kept('i') ?? this.#message.queueId
    this.#message.login = kept('auth_authen') || this.#message.login
    return NOTHING
  }

  /** Begins a message. Its macros came before MAIL FROM. */
  async #beginMessage(mailFrom: string): Promise<void> {
    const { queueId, login } = this.#message
    await this.#dropMessage()
    const { settings } = this.#dependencies
    const userId = login === undefined ? undefined : senderOf(mailFrom, login, settings)
    const submission = userId === undefined ? undefined : new Submission(userId, mailFrom)
    Object.assign(this.#message, { mailFrom, queueId, login, submission })
  }

  #addRecipient(path: string): void {
    const { userOf } = this.#dependencies.settings
    const message = this.#message
    message.recipients += 1
    message.submission?.addRecipient(path)
    const userId = userIdOf(path, userOf)
    if (userId === undefined) message.ofOthers = true
    else if (message.userIds.size < USERS_MAX) message.userIds.add(userId)
    else if (!message.userIds.has(userId)) message.usersLeft += 1
  }

  async #addHeaderField(data: Buffer): Promise<void> {
    const { name, body } = headerFieldOf(data)
    this.#message.submission?.seeField(name, body)
    const collected = await this.#collected()
    this.#message.foreign.see(name, data.length)
    const colon = this.#agreement.leadingSpace ? COLON : COLON_SPACE
    await collected?.add(Buffer.concat([name, colon, withCrlf(body), CRLF]))
  }

  async #endHeader(): Promise<void> {
    const collected = await this.#collected()
    this.#message.part = 'body'
    await collected?.add(CRLF)
  }

  async #addToBody(data: Buffer): Promise<void> {
    if (this.#message.part !== 'body') await this.#endHeader()
    await this.#message.collected?.add(data)
  }

  /** Where the message is kept, which begins with the Received field that the MTA has not sent; undefined when it is not judged. */
  async #collected(): Promise<CollectedMessage | undefined> {
    const message = this.#message
    if (message.part !== 'envelope') return message.collected
    message.part = 'header'
    // It goes out, and its recipients are no users.
    if (message.login !== undefined) return undefined
    message.collected = new CollectedMessage(this.#dependencies.services.classifier.receiver)
    const reception = {
      ...this.#peer,
      mta: this.#mta,
      receivedAt: new Date(),
    }
    await message.collected.add(Buffer.from(receivedField(reception), 'latin1'))
    return message.collected
  }

  async #endMessage(): Promise<readonly Buffer[]> {
    const started = performance.now()
    if (this.#message.part !== 'body') await this.#endHeader()
    const message = this.#message
    const found = await this.#judge(message)
    if (this.#outlet.destroyed) return NOTHING
    const isForged = message.foreign.left > 0 && this.#mayDo(ACTION.changeHeaders)
    const action = isForged ? 'reject' : this.#actionFor(found)
    this.#log(message, found, action, performance.now() - started)
    this.#tellSubmission(message, action)
    const replies = this.#repliesFor(message, found, action)
    await this.#dropMessage()
    return replies
  }

  async #judge({
    collected,
    mailFrom,
    userIds,
    ofOthers,
    usersLeft,
    queueId,
  }: Message): Promise<Found> {
    if (collected === undefined) return { kind: 'skipped' }
    collected.end()
    const ip = senderIp(this.#peer.ip)
    const sender = mailFrom === undefined ? undefined : senderEmail(mailFrom)
    return await judgementOf(this.#dependencies, {
      collected,
      metadata: {
        ...(ip !== undefined && { senderIp: ip }),
        ...(sender !== undefined && { mailFrom: sender }),
        ...(queueId !== undefined && QUEUE_ID_PATTERN.test(queueId) && { queueId }),
      },
      users: [...userIds],
      ofOthers: ofOthers || usersLeft > 0,
      outlet: this.#outlet,
    })
  }

  /** What became of a message. @param ms from its end to the reply */
  #log(message: Message, found: Found, action: SpamAction, ms: number): void {
    const { queueId, recipients, collected, foreign, usersLeft } = message
    const { kind, ...details } = found
    const line = {
      ...{ action, queueId, recipients, bytes: collected?.length ?? 0 },
      ...('verdict' in details
        ? messageLine(details.summary, details)
        : { verdict: kind, ...details }),
      ms: Math.round(ms),
      // Beyond those that can be removed: then the message is refused.
      ...(foreign.left > 0 && { foreignFieldsLeft: foreign.left }),
      ...(usersLeft > 0 && kind === 'judged' && { usersLeft }),
    }
    this.#dependencies.log[kind === 'unscanned' ? 'warn' : 'info'](line, 'message')
  }

  /** What is refused nobody gets. */
  #tellSubmission({ submission }: Message, action: SpamAction): void {
    const told = action === 'accept' ? submission?.told() : undefined
    if (told === undefined) return
    this.#dependencies.services.correspondents.learnSent(told.userId, told.outgoing)
  }

  #actionFor(found: Found): SpamAction {
    if (found.kind !== 'judged') return 'accept'
    const { action } = found
    return action === 'quarantine' && !this.#mayDo(ACTION.quarantine) ? 'accept' : action
  }

  #repliesFor(message: Message, found: Found, action: SpamAction): readonly Buffer[] {
    if (action === 'reject') {
      const text = message.foreign.left > 0 ? TOO_MANY_FORGED : REJECT_REPLY
      return [REPLY.reject(text)]
    }
    return [
      ...this.#removals(message),
      ...(found.kind === 'skipped' ? [] : this.#additions(message, found)),
      ...(action === 'quarantine' ? [REPLY.quarantine('Tamis: spam')] : []),
      REPLY.continue,
    ]
  }

  /** Removals come first: fields that we add would be counted with the others. */
  #removals({ foreign }: Message): Buffer[] {
    if (!this.#mayDo(ACTION.changeHeaders)) return []
    return [...foreign.toRemove()].map(({ index, name }) => REPLY.removeHeader(index, name))
  }

  #additions({ collected }: Message, found: Judgement | Unscanned): Buffer[] {
    if (!this.#mayDo(ACTION.addHeaders)) return []
    const space = this.#agreement.leadingSpace ? ' ' : ''
    // Each field is inserted above the one before it.
    return fieldsFor(found, collected?.isCut ?? false, this.#spamFlag)
      .toReversed()
      .map(({ name, body }) => REPLY.insertHeader(OWN_FIELDS_INDEX, name, space + body))
  }

  get #spamFlag(): boolean {
    return this.#dependencies.settings.milterSpamFlag === 'on'
  }

  #mayDo(action: number): boolean {
    return (this.#agreement.actions & action) !== 0
  }

  /** The reply to a step that needs no answer. */
  #done(step: RepliedStep): readonly Buffer[] {
    return isReplied(this.#agreement, step) ? [REPLY.continue] : NOTHING
  }

  async #dropMessage(): Promise<void> {
    const { collected } = this.#message
    this.#message = new Message(this.#spamFlag)
    await collected?.release()
  }
}

/** MTAs write the lines of a folded field with LF alone. */
function withCrlf(body: Buffer): Buffer {
  if (!body.includes(0x0a)) return body
  return Buffer.from(body.toString('latin1').replace(/\r?\n/g, '\r\n'), 'latin1')
}
