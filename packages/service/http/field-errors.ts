/** Says what a schema finds wrong with a body or a query, in a sentence for the developer of the client. */
import { TamisError } from '../../errors/errors.ts'

/** An error as TypeBox gives it, named by the keywords of JSON Schema. */
export interface Finding {
  readonly keyword: string
  /** The path of the field, '/texts/3'; '' is the whole body. */
  readonly instancePath: string
  readonly message: string
  readonly params: {
    readonly requiredProperties?: readonly string[]
    readonly allowedValues?: readonly unknown[]
    readonly type?: string
    readonly limit?: number
  }
}

/** The longest part of a caller's own field name that the answer repeats, in characters. */
const FIELD_LENGTH_MAX = 64

const ARTICLES: Readonly<Record<string, string>> = { array: 'an', integer: 'an', object: 'an' }

/** FIELD_INVALID for `field`. It says what is allowed and not what was sent: that may be somebody's address. */
export function invalidField(field: string, fault: string): TamisError {
  return new TamisError('FIELD_INVALID', `${field} ${fault}`, { details: { field } })
}

/** FIELD_INVALID, with the field that `finding` is about, if it is about one. */
export function fieldError(finding: Finding): TamisError {
  const [name] = finding.params.requiredProperties ?? [finding.instancePath.replace('/', '')]
  const field = name?.slice(0, FIELD_LENGTH_MAX)
  return new TamisError(
    'FIELD_INVALID',
    `${field ? spoken(field) : 'The body'} ${complaint(finding)}`,
    field ? { details: { field } } : {},
  )
}

/** A path as code has it: 'texts[3]' for 'texts/3'. */
function spoken(field: string): string {
  return field.replaceAll(/\/([0-9]{1,9})(?=\/|$)/g, '[$1]').replaceAll('/', '.')
}

function complaint({ keyword, message, params }: Finding): string {
  switch (keyword) {
    case 'required':
      return 'is missing'
    // A field that the schema does not know has the schema `false`.
    case 'boolean':
      return 'is not a known field'
    case 'enum':
      return `must be ${oneOf(params.allowedValues ?? [])}`
    case 'type':
      return `must be ${ARTICLES[params.type ?? ''] ?? 'a'} ${params.type}`
    case 'minLength':
    case 'minItems':
      return `must have at least ${counted(keyword, params.limit)}`
    case 'maxLength':
    case 'maxItems':
      return `must have at most ${counted(keyword, params.limit)}`
    default:
      return message
  }
}

function counted(keyword: string, limit: number | undefined): string {
  const unit = keyword.endsWith('Items') ? 'item' : 'character'
  return `${limit} ${unit}${limit === 1 ? '' : 's'}`
}

/** The values that are allowed, in words: 'true or false', 'one of primary, promotions, updates'. */
export function oneOf(choices: readonly unknown[]): string {
  return choices.length > 2 ? `one of ${choices.join(', ')}` : choices.join(' or ')
}
