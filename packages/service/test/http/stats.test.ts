/** What GET /stats counts. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { build, post } from './service.ts'

const messageOf = (sender: string, id: string) =>
  `From: ${sender}\r\nMessage-ID: <${id}@example.net>\r\nSubject: Offer ${id}\r\n\r\nHello ${id}\r\n`

describe('GET /stats', () => {
  it('counts the rules of users as their lists have them: explicit ones, and one for each corrected sender', async (t) => {
    const { app } = await build(t)
    const headers = { 'x-user-id': 'ann', 'x-is-spam': 'true' }
    for (const [sender, id] of [
      ['shop@example.com', '1'],
      ['shop@example.com', '2'],
      ['news@example.org', '3'],
    ] as const) {
      await post(app, '/feedback-stream', messageOf(sender, id), headers)
    }
    const rule = { userId: 'ben', ruleType: 'Sender', pattern: 'example.com' }
    const create = (url: string, payload: object) => app.inject({ method: 'POST', url, payload })
    await create('/personalization/rules', { ...rule, label: 'ham' })
    await create('/personalization/tabs/rules', { ...rule, classification: 'updates' })
    const listed = await Promise.all(
      ['rules?userId=ann', 'rules?userId=ben', 'tabs/rules?userId=ben'].map(
        async (path) => (await app.inject(`/personalization/${path}`)).json().rules.length,
      ),
    )
    assert.deepEqual(listed, [2, 1, 1])
    const { rules, users, corrections } = (await app.inject('/stats')).json()
    assert.deepEqual(
      { rules, users, corrections },
      { rules: 4, users: 1, corrections: { spam: 3, tabs: 0 } },
    )
  })
})
