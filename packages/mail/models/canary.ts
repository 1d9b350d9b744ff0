/**
 * The canary set: mail written for this project and kept out of training, whose labels are beyond doubt. What is learned from
 * a crowd may not make the models judge it worse than they did when shipped. As a file it has the features of each message as
 * the log of corrections keeps them (features/event-features.ts), made by `tamis-lab canary` from packages/lab/data/canary.
 */
import { TamisError } from '../../errors/errors.ts'
import { decodeEventFeatures, type EventFeatures } from '../features/event-features.ts'
import { renumbered } from '../features/meta-features.ts'
import { featureVersion } from '../features/version.ts'
import { type Shaped, shaped } from '../manifest.ts'
import { predict } from './logistic.ts'
import { fuse, type Models } from './models.ts'
import { CLASSES, type MessageClass } from './prediction.ts'
import { predictClasses } from './softmax-regression.ts'

const CANARY = {
  featureVersion: 'string',
  metaFeatures: ['string'],
  messages: [
    {
      id: 'string',
      spam: 'boolean',
      class: 'string',
      language: 'string',
      /** As `encodeEventFeatures` made them, in base64. */
      features: 'string',
    },
  ],
} as const

export type CanaryFile = Shaped<typeof CANARY>

export interface CanaryMessage extends EventFeatures {
  readonly spam: boolean
  readonly messageClass: MessageClass
}

export type Canary = readonly CanaryMessage[]

/** How many of a number of messages are judged wrong. */
export interface CanaryErrors {
  readonly wrong: number
  readonly of: number
}

/**
 * In the features of `models`: by name, since they may know other meta features.
 *
 * @throws TamisError ARTIFACT_MISMATCH when it is damaged, or of other text features than this code draws.
 */
export function canaryFrom(
  content: unknown,
  { metaNumbering }: Pick<Models, 'metaNumbering'>,
): Canary {
  const file = shaped(CANARY, content, 'canary')
  const { metaFeatures } = file
  const version = featureVersion(metaFeatures)
  if (file.featureVersion !== version) {
    throw mismatch(`has features ${file.featureVersion}, not ${version}`)
  }
  return file.messages.map(({ id, spam, class: name, features }) => {
    const decoded = decodeEventFeatures(Buffer.from(features, 'base64'), metaFeatures.length)
    if (decoded === undefined) throw mismatch(`has damaged features for ${id}`)
    const messageClass = CLASSES.find((each) => each === name)
    if (messageClass === undefined) throw mismatch(`has no class for ${id}`)
    const meta = renumbered(decoded.meta, metaFeatures, metaNumbering)
    return { text: decoded.text, meta, spam, messageClass }
  })
}

function mismatch(what: string): TamisError {
  return new TamisError('ARTIFACT_MISMATCH', `The canary set ${what}; see artifacts/README.md`)
}

/** Ham above the threshold `balanced`, and spam that is not. */
export function spamErrors(models: Models, canary: Canary): readonly CanaryErrors[] {
  const wrong = { ham: 0, spam: 0 }
  let spam = 0
  for (const message of canary) {
    const { probability } = fuse(
      models.fusion,
      predict(models.text, message.text),
      predict(models.meta, message.meta),
    )
    const isCalledSpam = probability > models.fusion.thresholds.balanced
    if (message.spam) spam++
    if (isCalledSpam !== message.spam) wrong[message.spam ? 'spam' : 'ham']++
  }
  return [
    { wrong: wrong.ham, of: canary.length - spam },
    { wrong: wrong.spam, of: spam },
  ]
}

/** Messages for which the likeliest class is not theirs. */
export function classErrors(models: Models, canary: Canary): readonly CanaryErrors[] {
  const wrong = canary.filter(({ text, meta, messageClass }) => {
    const classes = predictClasses(models.tabs, [text, meta])
    return CLASSES.some((name) => classes[name] > classes[messageClass])
  })
  return [{ wrong: wrong.length, of: canary.length }]
}
