/** What the files of programs name is there: the compiler does not see into them. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { BULK_MARKUP } from '../../rendering/bulk-html.ts'
import {
  MAIL_CLIENTS,
  MAILBOX_SYSTEMS,
  OWN_DOMAIN_SYSTEMS,
  SYSTEM_OF_HOST,
} from '../../rendering/mail-clients.ts'
import * as mailings from '../../rendering/mailing-providers.ts'
import { PERSONAL_MARKUP } from '../../rendering/personal-html.ts'

const { MAILING_PROVIDERS, platformOf, ...providerShares } = mailings

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
    for (const [name] of Object.values(providerShares).flat()) {
      assert.ok(name in MAILING_PROVIDERS, name)
    }
    const systems = [
      ...OWN_DOMAIN_SYSTEMS.map(([name]) => name),
      ...SYSTEM_OF_HOST.map(([, name]) => name),
    ]
    for (const name of systems) assert.ok(name in MAILBOX_SYSTEMS, name)
    for (const [parts] of [...providers, ...clients].flatMap((program) => program.parts)) {
      assert.ok(['alternative', 'html', 'plain'].includes(parts), parts)
    }
  })
})
