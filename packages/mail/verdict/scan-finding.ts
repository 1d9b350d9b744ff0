/**
 * What a virus scanner says of a message, and what that adds to the log-odds of spam.
 *
 * The scanner is asked by the service (docs/scanner.md). A signature that matches is spam whatever else speaks
 * for the message, and no rule and no memory of a user delivers it: whoever allowed the sender did not know
 * of it. ClamAV's own guesses count for little, since honest mail has them too.
 */

/** Why the scanner did not say what it knows (docs/scanner.md). */
export type ScanFailure = 'UNREACHABLE' | 'NO_ANSWER' | 'TOO_LARGE' | 'REFUSED' | 'NOT_A_SCANNER'

/** What the scanner said. */
export interface ScanFinding {
  /** The name of the signature that matches, as `signatureName` gives it; null when none does, or there was no answer. */
  readonly signature: string | null
  /** True when the message is longer than what is scanned: then it is the beginning that was. */
  readonly isPartial: boolean
  /** Null when the scanner answered. */
  readonly failure: ScanFailure | null
}

/** What a find adds to the log-odds of spam. */
export interface ScanTerm {
  readonly kind: 'scan'
  /** A virus for a signature of something known, a suspicion for a guess. */
  readonly result: 'virus' | 'suspicion'
  readonly signature: string
  readonly logit: number
}

/** The reason that each result is. */
export const SCAN_REASONS = { virus: 'TAMIS_VIRUS', suspicion: 'TAMIS_SCAN_SUSPICION' } as const

/** The result that the reason `name` is; undefined for another. */
export function resultNamed(name: string): ScanTerm['result'] | undefined {
  if (name === SCAN_REASONS.virus) return 'virus'
  return name === SCAN_REASONS.suspicion ? 'suspicion' : undefined
}

/** What a signature adds to the log-odds of spam: beyond every threshold, like the test text of operators (score-terms.ts). */
const VIRUS_LOGIT = 40

/** What a guess adds: less than a DNS list that names a spam source (docs/lists.md), more than one that guesses. */
const SUSPICION_LOGIT = 2

/**
 * Names of guesses: by the form of a message or a file (encrypted archives, macros, addresses that differ from
 * what is shown), and programs that are unwanted but do no harm by themselves.
 * https://docs.clamav.net/manual/Signatures/SignatureNames.html
 */
const GUESS = /^(?:Heuristics|PUA)\./

/** Characters of a name: longer than any in ClamAV's own databases, short enough for a header field. */
const NAME_LENGTH_MAX = 80

/** What is not in the names of ClamAV's own databases. It could end a header field, or a quotation in a sentence. */
const NOT_IN_NAMES = /[^\w.:/@+-]/g

/** The name of a signature as it is shown: in ASCII and at most NAME_LENGTH_MAX characters, with `_` for what names do not have. */
export function signatureName(name: string): string {
  return name.slice(0, NAME_LENGTH_MAX).replace(NOT_IN_NAMES, '_')
}

/** The term of `finding`, if the scanner found anything. */
export function scanTerms(finding: ScanFinding | undefined): ScanTerm[] {
  const signature = finding?.signature ?? null
  if (signature === null) return []
  return GUESS.test(signature)
    ? [{ kind: 'scan', result: 'suspicion', signature, logit: SUSPICION_LOGIT }]
    : [{ kind: 'scan', result: 'virus', signature, logit: VIRUS_LOGIT }]
}

/** Whether the scanner knows what the message carries, and does not only suspect it. */
export function hasVirus(finding: ScanFinding | undefined): boolean {
  return scanTerms(finding)[0]?.result === 'virus'
}
