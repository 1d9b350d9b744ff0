/** What overruled the models, beyond what the sentence says. */
import { standingOf } from '../../mail/verdict/standing.ts'
import type { DiagnosticAnswer } from '../api.ts'

/** A sentence of its own whose last words may be the sender's or a user's. */
export interface Overruling {
  /** 'The models alone say: almost certainly not spam.' */
  readonly models: string
  /** 'The rule is for the sender'. */
  readonly by: string
  /** What stands between that and the stop, and was not written here: a pattern of a rule, the name of a feed. */
  readonly quoted: string
}

/** Who overruled the models, and what they say alone; undefined where they decided. */
export function overruling({
  result,
  explanation,
  personalization,
  urlScanner,
}: DiagnosticAnswer): Overruling | undefined {
  if (explanation === null) return undefined
  const { level } = standingOf(explanation.probability, explanation.threshold)
  const models = `The models alone say: ${level}.`
  switch (result.bypassReason) {
    case 'phishtank_match':
      return { models, by: 'The feed is', quoted: urlScanner.match?.feed ?? '' }
    case 'user_rule': {
      const { ruleType = 'Template', pattern = '' } = personalization.rule ?? {}
      if (ruleType === 'Template')
        return { models, by: 'The rule is for this kind of mail', quoted: '' }
      if (ruleType === 'Operator')
        return { models, by: 'The rule of the operator is', quoted: pattern }
      return { models, by: `The rule is for the ${ruleType.toLowerCase()}`, quoted: pattern }
    }
    case 'knn_memory': {
      const same = personalization.memory?.sameMessage
      const by = same ? 'The correction was of this message' : 'The correction was of similar mail'
      return { models, by, quoted: '' }
    }
    default:
      return undefined
  }
}
