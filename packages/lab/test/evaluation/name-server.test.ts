import assert from 'node:assert/strict'
import { Resolver } from 'node:dns/promises'
import { describe, it } from 'node:test'
import { startNameServer } from '../../peers/name-server.ts'

describe('the name server of a peer', () => {
  it('says at once that no name exists, whatever is asked for', async (t) => {
    const { port, close } = await startNameServer()
    t.after(close)
    const resolver = new Resolver({ timeout: 5_000, tries: 1 })
    resolver.setServers([`127.0.0.1:${port}`])
    await assert.rejects(resolver.resolve4('example.com'), { code: 'ENOTFOUND' })
    await assert.rejects(resolver.resolveTxt('abc.phishtank.example.com'), { code: 'ENOTFOUND' })
  })
})
