/**
 * Reads: plain functions on a connection, which the store gives (`Store`). On SQLite they run on the calling thread, so none may
 * take more than some milliseconds at a stretch; see long-reads.ts.
 */
export { correctionsInOrder } from './corrections.ts'
export { correspondentKinds } from './correspondents.ts'
export { jobById, learningState } from './jobs.ts'
export { keys, keysNeeded } from './keys.ts'
export { models, promotedModel } from './models.ts'
export { operatorRules } from './rules.ts'
export {
  correctedFeatures,
  standingOf,
  userProfile,
} from './user-profile.ts'
