/**
 * What checks of the sender (SPF, DKIM, DMARC) add to the log-odds of spam, depending on whose domain From
 * is at. The weights are stated and not learned: corpora have no failed checks of forged mail, since their
 * receivers refuse it, and models that see no checks cannot weigh them (docs/decisions/0010).
 */
import type { Knowledge } from '../knowledge/knowledge.ts'
import type { Message } from '../message/message.ts'
import { signalLogit } from '../models/contributions.ts'
import type { Models } from '../models/models.ts'
import { signsAllMail } from '../signals/host-lists.ts'
import { fewByOwnLinks } from '../signals/known.ts'
import { isOwnDomain, originOf } from '../signals/origin.ts'
import { domainOf } from '../signals/per-message.ts'
import type { Signal } from '../signals/signal.ts'
import type { SignalName } from '../signals/table.ts'
import type { DmarcPolicy, SenderFinding } from './evidence.ts'

/** Whose domain From is at: one that the world knows, that of a recipient, of a large provider of mailboxes, or another. */
export type FromDomain = 'known' | 'own' | 'mailbox' | 'other'

/** What failed, by how much the domain asks to be believed. */
type Outcome = 'passed' | 'refused' | 'quarantined' | 'failed'

/**
 * What each outcome adds to the log-odds of spam.
 *
 * - `passed`: the models see a known domain but no checks, so they give a known From nothing; here is what it is worth. Any
 *   other domain proves itself as well as a spammer's.
 * - `refused` and `quarantined`: the domain's policy is `reject` or `quarantine`. An organisation that publishes one has its
 *   own mail pass, and a known name is what forgers borrow: 4 is odds of 55; with 5 nine of ten forged letters are caught.
 *   For the rest, whose policies are as often a mistake, the defaults of Rspamd (DMARC_POLICY_REJECT 2, _QUARANTINE 1.5).
 * - `failed`: the policy is `none` or unknown, or SPF alone fails: the domain does not know all that sends for it.
 *
 * A recipient's own domain fails like a known one, because whoever writes to it knows that much of it; and so
 * does a large provider of mailboxes, which signs all that its users send. To pass proves nothing of either.
 */
export const SENDER_LOGITS: Readonly<Record<FromDomain, Readonly<Record<Outcome, number>>>> = {
  known: { passed: -1.5, refused: 5, quarantined: 4, failed: 1.5 },
  own: { passed: 0, refused: 5, quarantined: 4, failed: 1.5 },
  mailbox: { passed: 0, refused: 5, quarantined: 4, failed: 1.5 },
  other: { passed: 0, refused: 2, quarantined: 1.5, failed: 0 },
}

const OUTCOME_OF_POLICY: Readonly<Record<DmarcPolicy, Outcome>> = {
  none: 'failed',
  quarantine: 'quarantined',
  reject: 'refused',
}

/** Whose domain the From of `message` is at, by its signals. */
export function fromDomainOf(message: Message, signals: readonly Signal[]): FromDomain {
  const isBrand = ({ name }: Signal) =>
    name === 'FROM_NAME_OWN_BRAND' && !originOf(message).isFreeMail
  if (signals.some((found) => found.name === 'KNOWN_FROM' || isBrand(found))) return 'known'
  if (isOwnDomain(message)) return 'own'
  const isMailbox = originOf(message).hosts.some((host) => signsAllMail(domainOf(message, host)))
  return isMailbox ? 'mailbox' : 'other'
}

/** What checks add to the log-odds of spam, and why. */
export interface SenderTerm {
  readonly kind: 'sender'
  readonly result: 'passed' | 'failed'
  readonly fromDomain: FromDomain
  readonly logit: number
}

/** What signals that speak against mail in an organisation's own name add to the log-odds of spam; absent where they are not raised. */
export interface OwnMailLogits {
  /** FROM_OWN_DOMAIN_OUTSIDE: the models know no checks, and take it for a forgery. */
  readonly outside?: number
  /** KNOWN_LINKS_FEW where it is raised by links to the domain of From alone, which the recipient knows. */
  readonly links?: number
}

/** The same of a message, given the signals of the reading that decided. */
export function ownMailLogits(
  message: Message,
  found: readonly Signal[],
  models: Models,
  knowledge: Knowledge | undefined,
): OwnMailLogits {
  const isRaised = (name: SignalName) => found.some((each) => each.name === name)
  const isFew = isRaised('KNOWN_LINKS_FEW') && knowledge && fewByOwnLinks(message, knowledge)
  return {
    ...(isRaised('FROM_OWN_DOMAIN_OUTSIDE') && {
      outside: signalLogit(models, 'FROM_OWN_DOMAIN_OUTSIDE'),
    }),
    ...(isFew && { links: signalLogit(models, 'KNOWN_LINKS_FEW') }),
  }
}

/** What to take back for mail in the organisation's own name, once something vouches for it. */
function takenBack(sender: SenderFinding, { outside = 0, links = 0 }: OwnMailLogits): number {
  if (sender.result !== 'passed') return 0
  // To and Cc, by which a domain is a recipient's own, are the sender's to write: links need more.
  return outside + (sender.isOwn === true ? links : 0)
}

/** The one term of the checks; none where they found nothing, or what they found weighs nothing. */
export function senderTerms(
  fromDomain: FromDomain,
  sender: SenderFinding | undefined,
  ownMail: OwnMailLogits = {},
): SenderTerm[] {
  if (sender === undefined || sender.result === 'unknown') return []
  const { result } = sender
  const outcome = result === 'passed' ? 'passed' : OUTCOME_OF_POLICY[sender.policy ?? 'none']
  const logit = SENDER_LOGITS[fromDomain][outcome] - takenBack(sender, ownMail)
  return logit === 0 ? [] : [{ kind: 'sender', result, fromDomain, logit }]
}
