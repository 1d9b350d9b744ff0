/**
 * packages/client/answers.ts, from the schemas of the HTTP API: types that need neither the
 * service's code nor a library, so that the client stands by itself.
 */

import { ERRORS } from '../packages/mail/errors.ts'
import { CLASSES } from '../packages/mail/models/prediction.ts'
import {
  ClassifyPathBody,
  DeletedData,
  DiagnosticResult,
  ErrorResult,
  FeedbackPathBody,
  FullResult,
  Health,
  JobResult,
  MemoryResult,
  ModelCards,
  ModelsResult,
  ModelVersion,
  Ready,
  ReasonsResult,
  RecentResult,
  RecipientsResult,
  RemovedFeedback,
  RemovedRules,
  RemoveRuleBody,
  ruleSchemas,
  SpamFeedbackResult,
  StatsResult,
  TabsFeedbackPathBody,
  TabsFeedbackResult,
  TabsPathBody,
  TabsResult,
  WithdrawnFeedback,
} from '../packages/service/http/schemas.ts'

/** What of JSON Schema (draft 2020-12) the schemas use. */
interface Schema {
  readonly title?: string
  readonly description?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
}

const SPAM_RULES = ruleSchemas({
  field: 'label',
  header: 'X-Label',
  labels: ['spam', 'ham'],
})

const CLASS_RULES = ruleSchemas({
  field: 'classification',
  header: 'X-Classification',
  labels: CLASSES,
})

/** As the client names them. */
const ANSWERS: Readonly<Record<string, object>> = {
  FullResult,
  ReasonsResult,
  WithdrawnFeedback,
  RecipientsResult,
  TabsResult,
  DiagnosticResult,
  SpamFeedbackResult,
  TabsFeedbackResult,
  RemovedFeedback,
  RemovedRules,
  RemoveRuleBody,
  DeletedData,
  MemoryResult,
  ModelsResult,
  ModelVersion,
  JobResult,
  RecentResult,
  ModelCards,
  StatsResult,
  Health,
  Ready,
  ErrorResult,
  ClassifyPathBody,
  TabsPathBody,
  FeedbackPathBody,
  TabsFeedbackPathBody,
}

const NAMED: readonly (readonly [name: string, schema: Schema])[] = [
  ...Object.entries(ANSWERS).map(([name, schema]) => [name, schema as Schema] as const),
  ...ruleTypes('SpamRule', SPAM_RULES),
  ...ruleTypes('ClassRule', CLASS_RULES),
]

/** A schema that another one holds is there by its name. */
const NAMES = new Map(NAMED.map(([name, schema]) => [schema, name]))

export function clientTypes(): string {
  const types = NAMED.map(([name, schema]) => {
    const type = schema.type === 'object' ? objectType(schema, '') : typeOf(schema, '')
    return `${comment(schema, '')}export type ${name} = ${type}\n`
  })
  const codes = Object.keys(ERRORS).map((code) => `  | '${code}'\n`)
  return `/** What the HTTP API takes and answers. Made by \`npm run docs\` from the service's schemas. */

/** The service's error codes: docs/errors.md. */
export type ErrorCode =
${codes.join('')}
${types.join('\n')}`
}

function ruleTypes(
  name: string,
  {
    record,
    list,
    body,
    pathBody,
  }: Readonly<Record<'record' | 'list' | 'body' | 'pathBody', object>>,
): [string, Schema][] {
  return [
    [name, record],
    [`${name}s`, list],
    [`${name}Body`, body],
    [`${name}PathBody`, pathBody],
  ]
}

/** `schema` as TypeScript; what is on further lines is indented by `indent`. */
function typeOf(schema: Schema, indent: string): string {
  const name = NAMES.get(schema)
  if (name !== undefined) return name
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.enum !== undefined) return schema.enum.map(literal).join(' | ')
  if (schema.anyOf !== undefined) {
    return schema.anyOf.map((each) => typeOf(each, indent)).join(' | ')
  }
  if (Array.isArray(schema.type)) {
    return schema.type.map((type: string) => typeOf({ ...schema, type }, indent)).join(' | ')
  }
  switch (schema.type) {
    case 'integer':
    case 'number':
      return 'number'
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type
    case 'array':
      return arrayOf(typeOf(schema.items!, indent))
    case 'object':
      return objectType(schema, indent)
    default:
      throw new TypeError(`No type for the schema ${JSON.stringify(schema)}`)
  }
}

function arrayOf(type: string): string {
  return type.includes(' | ') && !type.startsWith('{') ? `(${type})[]` : `${type}[]`
}

function objectType(schema: Schema, indent: string): string {
  const [values] = Object.values(schema.patternProperties ?? {})
  if (values !== undefined) return `Record<string, ${typeOf(values, indent)}>`
  const deeper = `${indent}  `
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const optional = schema.required?.includes(name) ? '' : '?'
    const key = /^[a-z]\w*$/i.test(name) ? name : `'${name}'`
    return `${comment(field, deeper)}${deeper}${key}${optional}: ${typeOf(field, deeper)}\n`
  })
  return `{\n${fields.join('')}${indent}}`
}

function comment({ description }: Schema, indent: string): string {
  return description === undefined ? '' : `${indent}/** ${description} */\n`
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : String(value)
}
