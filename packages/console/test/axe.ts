/** A page held against WCAG 2.2 A and AA as far as axe can tell, and against the width of its screen. */
import axe from 'axe-core'
import type { Page } from 'playwright-core'

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly target: unknown; readonly failureSummary?: string }[]
}

/** What axe finds on `page` against WCAG 2.2 A and AA; empty if it finds nothing. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const found = await page.evaluate(
    "axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }).then((results) => results.violations)",
  )
  return (found as Violation[]).flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${String(target)} ${failureSummary ?? ''}`),
  )
}

/** True when the page is wider than the screen, so that it has to be moved to be read. */
export const OVERFLOWS =
  'document.documentElement.scrollWidth > document.documentElement.clientWidth'
