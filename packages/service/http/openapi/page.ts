/**
 * The reference for people (`/docs`), made from the tasks and the document. Each task and each
 * operation has an anchor: the task its words, the operation its `operationId`. The page says all it
 * has to say without a script; packages/console/docs adds search and the forms of 'Try it'.
 */
import type { MediaType, OpenApiDocument, Operation, Parameter, Schema } from './document.ts'
import { type Html, html, prose } from './html.ts'
import { BASE_URL } from './samples.ts'
import type { ReadyStep, ReadyTask } from './tasks.ts'

/** The most members of an example's array that are shown; an embedding has 384. */
const ARRAY_SHOWN_MAX = 8

/** The most levels of fields inside fields in one table; no schema has more. */
const DEPTH_MAX = 4

/** The languages of the samples: their class on the page, their name, and their name in the document. */
const LANGUAGES = [
  { id: 'curl', name: 'curl', lang: 'Shell' },
  { id: 'typescript', name: 'TypeScript', lang: 'TypeScript' },
  { id: 'python', name: 'Python', lang: 'Python' },
] as const

/** Where the page goes in its frame, packages/console/docs.html. */
const PLACE = '<!-- reference -->'

/** The page without style and script, where the console is not built. */
export const PLAIN_FRAME = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API · Tamis</title>
</head>
<body>
${PLACE}
</body>
</html>
`

interface Placed {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

/** The page in `frame`, a page with a comment in the place of its content. */
export function referencePage(
  document: OpenApiDocument,
  tasks: readonly ReadyTask[],
  frame: string = PLAIN_FRAME,
): string {
  const { info, tags } = document
  const operations = operationsOf(document)
  const byTag = tags.map((tag) => ({
    ...tag,
    operations: operations.filter(({ operation }) => operation.tags[0] === tag.name),
  }))
  const content = html`<a class="skip" href="#top">Skip to content</a>
<header class="top"><a class="brand" href="./">Tamis</a>
<fieldset class="languages"><legend class="for-readers">Language of the examples</legend>
${LANGUAGES.map(({ id, name }, index) => html`<label><input type="radio" name="language" value="${id}"${index === 0 ? html` checked` : undefined}> ${name}</label>`)}
</fieldset>
<div class="top-end" id="tools"></div></header>
<div class="columns">
<nav class="contents" aria-label="Contents"><details><summary>Contents</summary>
<h2>Tasks</h2><ul>${tasks.map(({ id, title }) => html`<li><a class="plain" href="#${id}">${title}</a></li>`)}</ul>
${byTag.map(({ name, operations: those }) => html`<h2>${name}</h2><ul>${those.map(navigationItem)}</ul>`)}
<h2>More</h2><ul><li><a class="plain" href="#message">The message of the examples</a></li><li><a class="plain" href="#errors">Errors</a></li></ul>
</details></nav>
<main id="top" tabindex="-1">
<header><h1>${info.title} API</h1>
<p>${prose(info.description)}</p>
<p>Version ${info.version} of the interface. The same for programs: <a href="openapi.json">openapi.json</a> (OpenAPI ${document.openapi}).</p>
</header>
<section aria-labelledby="tasks"><h2 class="tag" id="tasks">Tasks</h2>
<p>Each example works as it stands, if the service has no keys. <i>Try it</i> sends the request to this service.</p>
<details><summary>If the service has keys</summary><p>Send yours with each request:</p>${samples(KEY_SAMPLES)}</details>
${tasks.map(taskSection)}
</section>
${byTag.map((tag) => html`<h2 class="tag">${tag.name}</h2><p>${prose(tag.description)}</p>${tag.operations.map((each) => operationSection(each, document))}`)}
${messageSection(document)}
${errorSection(document)}
</main>
</div>`
  return frame.replace(PLACE, () => content.text)
}

/** How each language sends a key. */
const KEY_SAMPLES = {
  curl: "-H 'Authorization: Bearer KEY'",
  typescript: `const tamis = new TamisClient({ url: '${BASE_URL}', key: 'KEY' })`,
  python: 'headers={"Authorization": "Bearer KEY"}',
} as const

type Language = (typeof LANGUAGES)[number]['id']

/** A sample in each language; the style shows the one that the reader has chosen. */
function samples(texts: Readonly<Record<Language, string>>): Html[] {
  return LANGUAGES.map(
    ({ id, name }) =>
      html`<div class="sample ${id}"><h4>${name}</h4><pre tabindex="0"><code>${texts[id]}</code></pre></div>
`,
  )
}

function taskSection({ id, title, text, steps, curl, typeScript, python }: ReadyTask): Html {
  return html`<section id="${id}" class="task" aria-labelledby="${id}-title">
<h3 id="${id}-title"><a href="#${id}">${title}</a></h3>
<p>${prose(text)}</p>
${samples({ curl, typescript: typeScript, python })}
${steps.map(({ title: step, operation, filled }) => tryIt(operation.operationId, step, filled))}
<p class="small">Reference: ${[...new Map(steps.map((step) => [step.operation.operationId, referenceLink(step)])).values()]}</p>
</section>
`
}

function referenceLink({ operation: { operationId, method, path } }: ReadyStep): Html {
  return html`<a href="#${operationId}"><code>${method} ${path}</code></a> `
}

/** Where the script puts the form that sends the operation to the service. */
function tryIt(operationId: string, step?: string, filled?: ReadyStep['filled']): Html {
  const example = filled && html` data-example="${JSON.stringify(filled)}"`
  return html`<details class="try" data-operation="${operationId}"${example}><summary>Try it${step && `: ${step}`}</summary><div></div></details>
`
}

function operationsOf({ paths }: OpenApiDocument): Placed[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  )
}

function navigationItem({ method, path, operation }: Placed): Html {
  return html`<li><a href="#${operation.operationId}"><span class="method ${method}">${method}</span> ${breakable(path)}</a></li>
`
}

/** A path in which a line may break before each slash. */
function breakable(path: string): Html[] {
  return path.split(/(?=\/)/).map((piece) => html`<wbr>${piece}`)
}

function operationSection({ method, path, operation }: Placed, document: OpenApiDocument): Html {
  const { operationId: id, summary, description, parameters = [], requestBody } = operation
  const [scope] = operation.security.flatMap((each) => each['key'] ?? [])
  return html`<section id="${id}" class="route" aria-labelledby="${id}-path">
<h3 id="${id}-path"><a href="#${id}"><span class="method ${method}">${method}</span> ${breakable(path)}</a></h3>
<p class="summary"><strong>${summary}.</strong> ${prose(description)}</p>
<p class="small">${scope === undefined ? 'Needs no key.' : html`A key needs the scope <code>${scope}</code>.`}</p>
${parameters.length === 0 ? undefined : parameterTable(id, parameters)}
${requestBody && bodySection(id, requestBody.content, document)}
${samples(samplesOf(operation))}
${tryIt(id)}
${answerSections(operation, document)}
<p class="small">Errors: ${errorLinks(operation)}</p>
</section>
`
}

function samplesOf(operation: Operation): Record<Language, string> {
  const sources = LANGUAGES.map(({ id, lang }) => [
    id,
    operation['x-codeSamples'].find((each) => each.lang === lang)?.source ?? '',
  ])
  return Object.fromEntries(sources)
}

function parameterTable(id: string, parameters: readonly Parameter[]): Html {
  return table(
    `Parameters of ${id}`,
    `${id}.parameter.`,
    parameters.map(({ name, in: place, required, description = '', schema, example }) => ({
      name,
      type: `${place}, ${typeOf(schema)}`,
      required: required === true,
      text: html`${prose(description)}${example === undefined ? undefined : html` <span class="small">For example <code>${String(example)}</code></span>`}`,
    })),
  )
}

function bodySection(
  id: string,
  content: Readonly<Record<string, MediaType>>,
  document: OpenApiDocument,
): Html[] {
  return Object.entries(content).map(([type, { schema, example }]) =>
    type === 'message/rfc822'
      ? html`<p>Body: the raw message, <code>${type}</code>, <a href="#message">for example</a>.</p>`
      : html`<h4>Body <code>${type}</code></h4>${fieldTable(`${id}.body.`, schema, document)}${exampleBlock(example)}`,
  )
}

function answerSections(
  { operationId: id, responses }: Operation,
  document: OpenApiDocument,
): Html[] {
  const answers = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  // 201 comes before 200: first the answer for a new thing, then the one for an old thing.
  return answers.toReversed().map(([status, { description, content }], index) => {
    const [[type, media] = ['', undefined]] = Object.entries(content)
    if (index > 0) return html`<p>${status}: ${description}; the answer is the same.</p>`
    return html`<h4>${status}: ${description} <code>${type}</code></h4>
${exampleBlock(media?.example)}
<details><summary>Fields</summary>${media && fieldTable(`${id}.answer.`, media.schema, document)}</details>
`
  })
}

function errorLinks({ responses }: Operation): Html[] {
  const errors = Object.entries(responses).filter(([status]) => !status.startsWith('2'))
  return errors.map(
    ([status, { content }]) =>
      html`${status} ${Object.values(content).flatMap(({ examples = {} }) =>
        Object.keys(examples).map((code) => html`<a href="#${code}"><code>${code}</code></a> `),
      )}`,
  )
}

function exampleBlock(example: unknown): Html {
  const text = typeof example === 'string' ? example : JSON.stringify(shortened(example), null, 2)
  return html`<pre tabindex="0"><code>${text}</code></pre>`
}

/** Shortens long arrays of numbers to their first members. */
function shortened(value: unknown): unknown {
  if (Array.isArray(value)) {
    const shown = value.slice(0, ARRAY_SHOWN_MAX).map(shortened)
    return value.length > ARRAY_SHOWN_MAX
      ? [...shown, `… ${value.length - ARRAY_SHOWN_MAX} more`]
      : shown
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shortened(each)]))
}

interface Row {
  readonly name: string
  readonly type: string
  readonly required: boolean
  readonly text: Html | Html[]
}

/** `anchor` begins the anchor of each field. */
function fieldTable(anchor: string, schema: Schema, document: OpenApiDocument): Html {
  const rows = fieldRows(schema, document, '', 0)
  return rows.length === 0
    ? html`<p>${prose(`${resolve(schema, document)['description'] ?? ''}`)}</p>`
    : table(`Fields of ${anchor.slice(0, -1).replace('.', ', ')}`, anchor, rows)
}

function table(label: string, anchor: string, rows: readonly Row[]): Html {
  return html`<div class="table-scroll" tabindex="0" role="region" aria-label="${label}"><table><thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead><tbody>
${rows.map(
  ({ name, type, required, text }) =>
    html`<tr id="${anchor}${name}"><th scope="row"><code>${name}</code>${required ? undefined : html` <span class="small">optional</span>`}</th><td>${type}</td><td>${text}</td></tr>
`,
)}</tbody></table></div>`
}

/** The fields of an object; nested ones are named `outer.inner`. */
function fieldRows(
  schema: Schema,
  document: OpenApiDocument,
  prefix: string,
  depth: number,
): Row[] {
  const { properties, required = [] } = resolve(schema, document) as {
    properties?: Record<string, Schema>
    required?: readonly string[]
  }
  if (depth > DEPTH_MAX) return []
  return Object.entries(properties ?? {}).flatMap(([name, given]) => {
    const field = resolve(given, document)
    const items = field['items'] as Schema | undefined
    const inner = items ?? given
    const path = prefix + name
    const row = {
      name: path,
      type: typeOf(field),
      required: required.includes(name),
      text: prose(`${field['description'] ?? ''}`),
    }
    return [row, ...fieldRows(inner, document, `${path}${items ? '[]' : ''}.`, depth + 1)]
  })
}

function resolve(schema: Schema, { components }: OpenApiDocument): Schema {
  const { $ref } = schema
  if (typeof $ref !== 'string') return schema
  return components.schemas[$ref.slice('#/components/schemas/'.length)] ?? {}
}

/** The type of a field in words: 'number, 0 to 1', 'one of a, b'. */
function typeOf(schema: Schema): string {
  const { type, enum: names, const: only, minimum, maximum, anyOf, items } = schema
  if (only !== undefined) return `"${only}"`
  if (Array.isArray(names)) return `one of ${names.join(', ')}`
  if (Array.isArray(anyOf)) return anyOf.map((each) => typeOf(each as Schema)).join(' or ')
  if (type === 'array') return `array of ${typeOf((items ?? {}) as Schema)}`
  if (typeof (schema['$ref'] ?? undefined) === 'string') return 'object'
  const range = minimum !== undefined && maximum !== undefined ? `, ${minimum} to ${maximum}` : ''
  return `${Array.isArray(type) ? type.join(' or ') : (type ?? 'any')}${range}`
}

function messageSection({ components }: OpenApiDocument): Html {
  return html`<section id="message"><h2>The message of the examples</h2>
<p>In the commands it is <code>message.eml</code>. Lines end in CR LF.</p>
<pre tabindex="0"><code>${String(components.examples['message']?.value)}</code></pre></section>
`
}

function errorSection({ components }: OpenApiDocument): Html {
  const errors = Object.entries(components.examples).filter(([name]) => name !== 'message')
  return html`<section id="errors"><h2>Errors</h2>
<p>Every answer that is not a success has a JSON body with <code>code</code>, which is stable, and <code>error</code>, a sentence for people. Match on <code>code</code>.</p>
${errors.map(
  ([code, { value }]) =>
    html`<h3 id="${code}" class="code"><a href="#${code}">${code}</a></h3><pre tabindex="0"><code>${JSON.stringify(value, null, 2)}</code></pre>
`,
)}</section>
`
}
