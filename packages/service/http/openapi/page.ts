/**
 * The reference for people (`/docs`), made from the document: one page without a script that loads
 * nothing else. Each operation has an anchor, its `operationId`.
 */
import { createHash } from 'node:crypto'
import type { MediaType, OpenApiDocument, Operation, Parameter, Schema } from './document.ts'
import { type Html, html, prose } from './html.ts'
import { STYLE } from './style.ts'

/** The most members of an example's array that are shown; an embedding has 384. */
const ARRAY_SHOWN_MAX = 8

/** The most levels of fields inside fields in one table; no schema has more. */
const DEPTH_MAX = 4

/** The policy lets the page load its own style, and nothing else. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

interface Placed {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

export function referencePage(document: OpenApiDocument): string {
  const { info, tags } = document
  const operations = operationsOf(document)
  const byTag = tags.map((tag) => ({
    ...tag,
    operations: operations.filter(({ operation }) => operation.tags[0] === tag.name),
  }))
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${info.title}: reference</title>
<style>${rawStyle()}</style>
</head>
<body>
<a class="skip" href="#top">To the reference</a>
<nav aria-label="Operations"><details><summary>Operations</summary>
${byTag.map(({ name, operations: those }) => html`<h2>${name}</h2><ul>${those.map(navigationItem)}</ul>`)}
<h2>More</h2><ul><li><a class="plain" href="#message">The message of the examples</a></li><li><a class="plain" href="#errors">Errors</a></li></ul>
</details></nav>
<main id="top">
<header><h1>${info.title}</h1>
<p>${prose(info.description)}</p>
<p>Version ${info.version} of the interface. The same for programs: <a href="/openapi.json">openapi.json</a> (OpenAPI ${document.openapi}).</p>
</header>
${byTag.map((tag) => html`<h2 class="tag">${tag.name}</h2><p>${prose(tag.description)}</p>${tag.operations.map((each) => operationSection(each, document))}`)}
${messageSection(document)}
${errorSection(document)}
</main>
</body>
</html>
`
  return page.text
}

/** The page has one style, whose hash is in the policy. So it must not be escaped. */
function rawStyle(): Html {
  return html([STYLE] as unknown as TemplateStringsArray)
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
  return html`<section id="${id}" aria-labelledby="${id}-path">
<h3 id="${id}-path"><a href="#${id}"><span class="method ${method}">${method}</span> ${breakable(path)}</a></h3>
<p><strong>${summary}.</strong> ${prose(description)}</p>
<p class="small">${scope === undefined ? 'Needs no key.' : html`A key needs the scope <code>${scope}</code>.`}</p>
${parameters.length === 0 ? undefined : parameterTable(parameters)}
${requestBody && bodySection(requestBody.content, document)}
${operation['x-codeSamples'].map(
  ({
    lang,
    source,
  }) => html`<h4>${lang === 'Shell' ? 'curl' : 'tamis-client'}</h4><pre tabindex="0"><code>${source}</code></pre>
`,
)}
${answerSections(operation, document)}
<p class="small">Errors: ${errorLinks(operation)}</p>
</section>
`
}

function parameterTable(parameters: readonly Parameter[]): Html {
  return table(
    parameters.map(({ name, in: place, required, description = '', schema, example }) => ({
      name,
      type: `${place}, ${typeOf(schema)}`,
      required: required === true,
      text: html`${prose(description)}${example === undefined ? undefined : html` <span class="small">For example <code>${String(example)}</code></span>`}`,
    })),
  )
}

function bodySection(
  content: Readonly<Record<string, MediaType>>,
  document: OpenApiDocument,
): Html[] {
  return Object.entries(content).map(([type, { schema, example }]) =>
    type === 'message/rfc822'
      ? html`<p>Body: the raw message, <code>${type}</code>, <a href="#message">for example</a>.</p>`
      : html`<h4>Body <code>${type}</code></h4>${fieldTable(schema, document)}${exampleBlock(example)}`,
  )
}

function answerSections({ responses }: Operation, document: OpenApiDocument): Html[] {
  const answers = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  // 201 comes before 200: first the answer for a new thing, then the one for an old thing.
  return answers.toReversed().map(([status, { description, content }], index) => {
    const [[type, media] = ['', undefined]] = Object.entries(content)
    if (index > 0) return html`<p>${status}: ${description}; the answer is the same.</p>`
    return html`<h4>${status}: ${description} <code>${type}</code></h4>
${exampleBlock(media?.example)}
<details><summary>Fields</summary>${media && fieldTable(media.schema, document)}</details>
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

function fieldTable(schema: Schema, document: OpenApiDocument): Html {
  const rows = fieldRows(schema, document, '', 0)
  return rows.length === 0
    ? html`<p>${prose(`${resolve(schema, document)['description'] ?? ''}`)}</p>`
    : table(rows)
}

function table(rows: readonly Row[]): Html {
  return html`<div class="table" tabindex="0"><table><thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead><tbody>
${rows.map(
  ({ name, type, required, text }) =>
    html`<tr><th scope="row"><code>${name}</code>${required ? undefined : html` <span class="small">optional</span>`}</th><td>${type}</td><td>${text}</td></tr>
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
    html`<h3 id="${code}"><a href="#${code}">${code}</a></h3><pre tabindex="0"><code>${JSON.stringify(value, null, 2)}</code></pre>
`,
)}</section>
`
}
