/** What the files of programs name is there: the compiler does not see into them. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { BULK_MARKUP } from '../../rendering/bulk-html.ts'
import type { Shares } from '../../rendering/dice.ts'
import { PERSONAL_MARKUP } from '../../rendering/personal-html.ts'
import {
  drawsOf,
  MAIL_CLIENTS,
  MAILBOX_SYSTEMS,
  MAILING_PROVIDERS,
  platformOf,
} from '../../rendering/programs.ts'

describe('the files of programs', () => {
  it('name markups, parts and mail programs that there are', () => {
    const platforms = ['google', 'linkedin', 'github'].map((name) => platformOf(`${name}.com`)!)
    const providers = [...Object.values(MAILING_PROVIDERS), ...platforms]
    const clients = Object.values(MAIL_CLIENTS)
    for (const [name] of providers.flatMap(({ markup }) => markup)) assert.ok(name in BULK_MARKUP)
    for (const { markup } of clients) assert.ok(markup in PERSONAL_MARKUP, markup)
    for (const [name] of Object.values(MAILBOX_SYSTEMS).flatMap((system) => system.clients)) {
      assert.ok(name in MAIL_CLIENTS, name)
    }
    for (const use of ['campaign', 'notice', 'office', 'own', 'forging']) {
      for (const [name] of drawsOf<Shares<string>>(`${use} providers`)) {
        assert.ok(name in MAILING_PROVIDERS, name)
      }
    }
    for (const [name] of drawsOf<Shares<string>>('own domain systems')) {
      assert.ok(name in MAILBOX_SYSTEMS, name)
    }
    for (const [parts] of [...providers, ...clients].flatMap((program) => program.parts)) {
      assert.ok(['alternative', 'html', 'plain'].includes(parts), parts)
    }
  })
})
