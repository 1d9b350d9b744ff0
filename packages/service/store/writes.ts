/**
 * Writes: plain functions, each in a transaction. They run one after another, over all replicas, so that what they number is
 * numbered in the order of commits.
 */
export {
  dropAutomaticRule,
  endCorrection,
  expireCorrections,
  recordCorrection,
  withdrawCorrection,
} from './corrections.ts'
export {
  addCorrespondents,
  expireCorrespondents,
  learnCorrespondents,
  removeCorrespondents,
} from './correspondents.ts'
export { deleteUser } from './delete-user.ts'
export { addHistory, expireHistory } from './history.ts'
export {
  finishDeletions,
  prune,
  queueLearning,
  renewLearning,
  takeLearning,
} from './jobs.ts'
export { addKey, revokeKey, waiveKeys } from './keys.ts'
export { promote, rollback, saveLearned, saveModel } from './models.ts'
export { addRule, removeRules, setOperatorRules } from './rules.ts'
