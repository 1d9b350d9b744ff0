/**
 * Runs in the browser at /docs: shows the OpenAPI document in Swagger UI. Requests from the page have the
 * key that was entered in the console or under 'Authorize', which is kept no longer than the tab.
 */
const SERVICE = new URL('.', location.href).href

/** Where the console keeps a key, under which name (packages/console/api.ts). */
const KEY = sessionStorage.getItem('tamis-key')

/** The reader's choice in the console (packages/console/theme.ts), or what the system has. */
const dark = matchMedia('(prefers-color-scheme: dark)')
applyTheme()
dark.addEventListener('change', applyTheme)

const response = await fetch(new URL('openapi.json', SERVICE))
const ui = globalThis.SwaggerUIBundle({
  spec: fitted(await response.json()),
  dom_id: '#document',
  deepLinking: true,
  plugins: [textAlone],
  requestInterceptor: inUtf8,
  showMutatedRequest: false,
  onComplete: () => KEY !== null && ui.preauthorizeApiKey('key', KEY),
})

function applyTheme() {
  const theme = localStorage.getItem('tamis-theme') ?? (dark.matches ? 'dark' : 'light')
  globalThis.document.documentElement.dataset.theme = theme
}

/** `document` for the service that the page came from. A message is to be typed, where bytes would have to be a file. */
function fitted(document) {
  for (const { requestBody } of Object.values(document.paths).flatMap(Object.values)) {
    const message = requestBody?.content['message/rfc822']
    if (message !== undefined) message.schema = { type: 'string' }
  }
  return { ...document, servers: [{ url: SERVICE }] }
}

/** Writes descriptions without HTML, which the policy of the page forbids: of Markdown they have `code` alone. */
function textAlone({ React: { createElement } }) {
  const Markdown = ({ source }) => {
    const pieces = `${source ?? ''}`.split('`')
    const text = pieces.map((piece, at) =>
      at % 2 === 1 ? createElement('code', {}, piece) : piece,
    )
    return createElement('div', { className: 'markdown' }, createElement('p', {}, ...text))
  }
  return { components: { Markdown } }
}

/** Header values are UTF-8 to the service and bytes to `fetch`, one character each. */
function inUtf8(request) {
  const headers = Object.entries(request.headers).map(([name, value]) => [
    name,
    Array.from(new TextEncoder().encode(value), (byte) => String.fromCharCode(byte)).join(''),
  ])
  return { ...request, headers: Object.fromEntries(headers) }
}
