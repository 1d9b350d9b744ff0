/** What forms need to know of the routes, from the service's OpenAPI document. */
import { SERVICE } from './request.ts'

export interface Parameter {
  readonly in: 'path' | 'query' | 'header'
  readonly name: string
  readonly required: boolean
  readonly description?: string
  readonly example?: unknown
  readonly schema: { readonly enum?: readonly (string | null)[] }
}

export interface Route {
  readonly method: string
  /** With parameters as `{name}`. */
  readonly path: string
  readonly parameters: readonly Parameter[]
  /** Content type of the body; undefined if the route takes none. */
  readonly bodyType: string | undefined
  /** A body that works: a raw message or JSON. */
  readonly bodyExample: string
  /** Whether the request changes what the service stores. */
  readonly changes: boolean
}

/** Groups of operations that change what the service stores, unless they read it. */
const CHANGING: readonly (string | undefined)[] = ['Correct', 'Rules', 'Site', 'Users', 'Models']

/** The parts of the document that are read here. */
interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly examples: { readonly message: { readonly value: string } } }
}

interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly example?: unknown }>>
  }
}

let routes: Promise<ReadonlyMap<string, Route>> | undefined

/** The route with this `operationId`. The document is loaded once, and again if that failed. */
export async function routeOf(operationId: string): Promise<Route> {
  routes ??= loadRoutes().catch((error) => {
    routes = undefined
    throw error
  })
  const route = (await routes).get(operationId)
  if (route === undefined) throw new Error('The service has changed. Please load the page again')
  return route
}

async function loadRoutes(): Promise<ReadonlyMap<string, Route>> {
  const response = await fetch(new URL('openapi.json', SERVICE))
  if (!response.ok) throw new Error(`openapi.json was answered with ${response.status}`)
  const { paths, components }: OpenApi = await response.json()
  const message = components.examples.message.value.replaceAll('\r\n', '\n')
  return new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [
        operation.operationId,
        routeFrom(method, path, operation, message),
      ]),
    ),
  )
}

function routeFrom(
  method: string,
  path: string,
  { tags: [tag], parameters = [], requestBody }: Operation,
  message: string,
): Route {
  const [[bodyType, { example }] = [undefined, {}]] = Object.entries(requestBody?.content ?? {})
  const bodyExample =
    bodyType === undefined ? '' : example === undefined ? message : JSON.stringify(example, null, 2)
  const changes = method !== 'get' && CHANGING.includes(tag)
  return { method: method.toUpperCase(), path, parameters, bodyType, bodyExample, changes }
}
