/** How Swagger UI shows the document at /docs (docs/decisions/0021-docs-page.md). */
import type { FastifySwaggerUiOptions } from '@fastify/swagger-ui'

/** Writes descriptions without HTML, which the policy of the page forbids. Runs in the browser. */
const textAlone = ({ React: { createElement } }: BrowserSystem) => ({
  components: {
    Markdown: ({ source }: { readonly source?: string }) =>
      createElement('div', { className: 'markdown' }, createElement('p', {}, source ?? '')),
  },
})

interface BrowserSystem {
  readonly React: { createElement(type: string, props: object, child: unknown): unknown }
}

export const PAGE_OPTIONS: FastifySwaggerUiOptions = {
  routePrefix: '/docs',
  // Relative, for a service below a path of a reverse proxy.
  indexPrefix: '.',
  theme: { title: 'API · Tamis' },
  logo: null as never,
  uiConfig: { layout: 'BaseLayout', plugins: [textAlone as never] },
  // A message is typed into the page, where bytes would have to be a file.
  transformSpecification: (document) =>
    JSON.parse(
      JSON.stringify({ ...document, servers: [{ url: '..' }] }).replaceAll(
        '"contentMediaType":"message/rfc822","format":"binary",',
        '',
      ),
    ),
}
