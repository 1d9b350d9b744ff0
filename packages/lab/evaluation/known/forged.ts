/**
 * Spam sent again in the name of others: what a forged From gains over a stranger's, without checks of the
 * sender and with them. All that is said of the sender is replaced; text, subject and form stay.
 */
import { analyse } from '../../../mail/analyse.ts'
import { memoryOctets } from '../../../mail/message/octets.ts'
import type { Models } from '../../../mail/models/models.ts'
import { decide } from '../../../mail/verdict/decide.ts'
import { type Evidence, NO_EVIDENCE } from '../../../mail/verdict/evidence.ts'
import { CORPUS_FACTS, CORPUS_KNOWLEDGE } from '../../corpora/facts.ts'
import type { Sample } from '../../corpora/sample.ts'
import { shippedPolicy } from '../outcome.ts'

/** Letters that are sent in each name: one is a point of a hundred. */
const LETTERS_MAX = 95

/** Reads them all, at the last of NAMES. */
const RECIPIENT = 'Ada Berg <ada.berg@berg-keramik.com>'

/** All write from the same address of their domain, so that nothing but the domain and the name differs. */
const LOCAL_PART = 'order-update'

/** Somebody at a domain that no list has, with whom all others are compared. */
const STRANGER: Sender = ['Harbour Notices', 'harbour-notices.com']

/** Other such senders: what a name is worth that says nothing of what is sent. */
const OTHER_STRANGERS: readonly Sender[] = [
  ['Jan Peters', 'peters-kontor.com'],
  ['Ruth Okafor', 'okafor-family.net'],
]

/** Display name and domain. */
type Sender = readonly [name: string, domain: string]

/** Seven companies that everybody knows, a bank, a parcel service, and the recipient's own domain. */
const NAMES: readonly Sender[] = [
  ['Amazon', 'amazon.com'],
  ['PayPal', 'paypal.com'],
  ['Microsoft', 'microsoft.com'],
  ['Netflix', 'netflix.com'],
  ['Apple', 'apple.com'],
  ['LinkedIn', 'linkedin.com'],
  ['eBay', 'ebay.com'],
  ['Deutsche Bank', 'deutsche-bank.de'],
  ['DHL', 'dhl.com'],
  ['Berg Keramik', 'berg-keramik.com'],
]

/** Fields that say what a message is and not who sent it. */
const KEPT = /^(?:subject|date|mime-version|content-[a-z-]+):/i

/** How spam in one name fared. */
export interface ForgedVerdicts {
  readonly name: string
  /** Caught without checks, and the same where the message claims a signature of the domain in From. */
  readonly unchecked: number
  readonly claiming: number
  /** Caught where checks find that DMARC fails under the policy `reject`: of what is caught from a stranger, and of the rest. */
  readonly checkedOfCaught: number
  readonly checkedOfRest: number
}

export interface ForgedSpam {
  readonly letters: number
  /** Caught from a stranger about whom checks find nothing. */
  readonly stranger: number
  /** The same from others of whom nobody knows anything. */
  readonly otherStrangers: readonly number[]
  readonly names: readonly ForgedVerdicts[]
}

const REFUSED: Evidence = { ...NO_EVIDENCE, sender: { result: 'failed', policy: 'reject' } }

/** How `models` judge spam of `samples`, which they were not trained on, in each name. */
export function forgedSpam(samples: readonly Sample[], models: Models): ForgedSpam {
  const letters = spread(samples.filter(({ spam }) => spam === true))
  const isCaught = judgeBy(models)
  const caughtFrom = (sender: Sender, isClaiming: boolean, evidence = NO_EVIDENCE) =>
    letters.map(({ bytes }) => isCaught(sentBy(bytes, sender, isClaiming), evidence))
  const stranger = caughtFrom(STRANGER, false)
  const names = NAMES.map((sender) => {
    const checked = caughtFrom(sender, true, REFUSED)
    return {
      name: sender[0],
      unchecked: count(caughtFrom(sender, false)),
      claiming: count(caughtFrom(sender, true)),
      checkedOfCaught: count(checked.filter((_, i) => stranger[i])),
      checkedOfRest: count(checked.filter((_, i) => !stranger[i])),
    }
  })
  const otherStrangers = OTHER_STRANGERS.map((sender) => count(caughtFrom(sender, false)))
  return { letters: letters.length, stranger: count(stranger), otherStrangers, names }
}

/** At most LETTERS_MAX of `samples`, as far apart as they can be: neighbours are of one kind. */
function spread(samples: readonly Sample[]): Sample[] {
  const length = Math.min(LETTERS_MAX, samples.length)
  return Array.from({ length }, (_, i) => samples[Math.floor((i * samples.length) / length)]!)
}

function judgeBy(models: Models): (bytes: Uint8Array, evidence: Evidence) => boolean {
  const policy = shippedPolicy({ fusion: models.fusion })
  return (bytes, evidence) => {
    const means = { knowledge: CORPUS_KNOWLEDGE }
    const analysis = analyse(memoryOctets(bytes), CORPUS_FACTS, models, means)
    return decide(analysis, evidence, policy).isSpam
  }
}

/** The message in `bytes` as `sender` sends it, with a signature that anybody can claim if `isClaiming`. */
export function sentBy(bytes: Uint8Array, [name, domain]: Sender, isClaiming: boolean): Uint8Array {
  const text = Buffer.from(bytes).toString('latin1').replace(/\r?\n/g, '\r\n')
  const end = text.indexOf('\r\n\r\n')
  const fields = text.slice(0, end).split(/\r\n(?![ \t])/)
  const signature = `DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=${domain}; s=mail; h=from:to:subject:date; bh=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=; b=dGhpcyBpcyBub3QgYSBzaWduYXR1cmU=`
  const header = [
    ...(isClaiming ? [signature] : []),
    `From: ${name} <${LOCAL_PART}@${domain}>`,
    `To: ${RECIPIENT}`,
    `Message-ID: <20261120.4711@${domain}>`,
    ...fields.filter((field) => KEPT.test(field)),
  ]
  return Buffer.from(`${header.join('\r\n')}${text.slice(end)}`, 'latin1')
}

function count(caught: readonly boolean[]): number {
  return caught.filter(Boolean).length
}
