/** The one sentence that says what a message is, and why. */
import type { Contribution, DiagnosticAnswer } from '../api.ts'
import { senderClause } from './sender-clause.ts'
import { isSignal, signalClause } from './signal-clauses.ts'
import { type Level, standingOf } from './standing.ts'

/** A sentence whose last words may be the sender's or a user's. */
export interface Sentence {
  /** 'Probably spam'. */
  readonly verdict: string
  /** 'a link leads to a bare IP address, the greeting is generic'; '' where there is no more to say. */
  readonly reasons: string
  /** What stands between the reasons and the stop, and was not written here: a pattern of a rule. */
  readonly quoted?: string
  /** Sentences of their own that follow. */
  readonly more: string
}

/** Reasons that are named. */
const REASONS_MAX = 3

/** Log-odds below which a signal is no reason worth naming: a fifth more or less of the odds. */
const REASON_LOGIT_MIN = 0.2

export function sentenceOf(answer: DiagnosticAnswer): Sentence {
  const { result, explanation } = answer
  if (explanation === null) {
    return {
      verdict: 'Not checked for spam',
      reasons: 'the licence includes only message classes',
      more: '',
    }
  }
  const alone = standingOf(explanation.probability, explanation.threshold).level
  const overruled = overruling(answer)
  if (overruled !== undefined) {
    return {
      verdict: result.isSpam ? 'Spam' : 'Not spam',
      more: `The models alone say: ${alone}.`,
      ...overruled,
    }
  }
  const unread = result.bypassReason === 'parse_error'
  return {
    verdict: verdictOf(standingOf(result.spamProbability, explanation.threshold).level),
    reasons: reasonsOf(answer).join(', '),
    more: unread ? 'Only part of the message could be read.' : '',
  }
}

/** Who overruled the models; undefined where they decided. */
export function overruling({
  result,
  personalization,
  urlScanner,
}: DiagnosticAnswer): Pick<Sentence, 'reasons' | 'quoted'> | undefined {
  switch (result.bypassReason) {
    case 'phishtank_match':
      return { reasons: 'a link is in the feed', quoted: urlScanner.match?.feed ?? '' }
    case 'user_rule': {
      const verb = result.isSpam ? 'blocks' : 'allows'
      const { ruleType = 'Template', pattern = '', source } = personalization.rule ?? {}
      const rule = `a ${source === 'site' ? 'site' : 'user'} rule ${verb}`
      if (ruleType === 'Template') return { reasons: `${rule} this kind of mail` }
      return { reasons: `${rule} the ${ruleType.toLowerCase()}`, quoted: pattern }
    }
    case 'knn_memory': {
      const same = personalization.memory?.sameMessage
      return {
        reasons: same
          ? 'the user has corrected this very message'
          : 'the user has corrected similar mail',
      }
    }
    default:
      return undefined
  }
}

/** The level with the verdict in it. */
function verdictOf(level: Level): string {
  return level === 'suspicious' ? 'Suspicious, but not spam' : capital(level)
}

/** What spoke most for the verdict; for a suspicious message, what makes it so. */
function reasonsOf({ result, explanation }: DiagnosticAnswer): string[] {
  if (explanation === null) return []
  const { level } = standingOf(result.spamProbability, explanation.threshold)
  const leansToSpam = result.isSpam || level === 'suspicious'
  const terms = leansToSpam ? explanation.for : explanation.against
  const clauses = new Set(terms.filter(isReason).map(clauseOf))
  const named = [...clauses].slice(0, REASONS_MAX)
  const byWords = leansToSpam ? result.textSpamScore > 0.5 : result.textSpamScore < 0.5
  if (named.length < REASONS_MAX && byWords) {
    named.push(leansToSpam ? 'its words are typical of spam' : 'its words are typical of ham')
  }
  return named
}

type Reason = Extract<
  Contribution,
  { kind: 'meta' | 'sender' | 'personal' | 'correspondent' | 'list' | 'gtube' }
>

function isReason(term: Contribution): term is Reason {
  if (Math.abs(term.logit) < REASON_LOGIT_MIN) return false
  if (term.kind === 'meta') return isSignal(term.name)
  return ['sender', 'personal', 'correspondent', 'list', 'gtube'].includes(term.kind)
}

function clauseOf(term: Reason): string {
  if (term.kind === 'meta') return signalClause(term.name)
  if (term.kind === 'list') return `the list ${term.list} contains ${term.listed}`
  if (term.kind === 'gtube') return 'it has the test text for spam filters'
  if (term.kind === 'correspondent') return 'the user knows the sender'
  if (term.kind === 'personal') return 'the user has corrected mail of this kind'
  return senderClause(term)
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}
