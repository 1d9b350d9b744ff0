/**
 * The page templates of mailings: the markup that the builders of mailing services and the
 * templates of web frameworks put around a text. After their open-source or published forms
 * (MJML, Postmark's transactional templates, the classic Mailchimp and Salesforce skeletons). They stand
 * in packages/lab/data/rendering/bulk-markup.
 *
 * {{…}} are places for colours, fonts and content; `row` goes around every block.
 */
import type { BlockMarkup } from './block-html.ts'
import { readMarkups } from './templates.ts'

export interface BulkMarkup extends Omit<BlockMarkup, 'list'> {
  /** Holds {{lang}} {{title}} {{preheader}} {{rows}} {{pixel}}. */
  readonly document: string
  readonly row: string
  readonly linkAttributes: string
}

export const BULK_MARKUP: Readonly<Record<string, BulkMarkup>> = readMarkups('bulk-markup')
