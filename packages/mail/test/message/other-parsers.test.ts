/** Rendered mail of many mail clients and mailing systems (the canary set), read as postal-mime and parse5 read it. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type DefaultTreeAdapterTypes, parse } from 'parse5'
import PostalMime from 'postal-mime'
import { CANARY_FOLDER, readWritten } from '../../../lab/corpora/written.ts'
import { parseAddresses } from '../../message/address.ts'
import { headerBody } from '../../message/message.ts'
import { memoryOctets } from '../../message/octets.ts'
import { parseMessage } from '../../message/parse.ts'

const MAIL = readWritten(CANARY_FOLDER, 1).map(({ id, bytes }) => ({
  id,
  bytes,
  message: parseMessage(memoryOctets(bytes)),
}))

const NOT_SHOWN = new Set(['script', 'style', 'title', 'template'])

/** Text and link targets of the tree that the HTML standard demands. */
function readTree(node: DefaultTreeAdapterTypes.Node): { text: string; links: string[] } {
  if ('value' in node) return { text: node.value, links: [] }
  if (!('childNodes' in node) || NOT_SHOWN.has(node.nodeName)) return { text: '', links: [] }
  const inside = node.childNodes.map(readTree)
  const href = 'attrs' in node ? node.attrs.find(({ name }) => name === 'href')?.value : undefined
  return {
    text: inside.map(({ text }) => text).join(''),
    links: [
      ...(node.nodeName === 'a' && href !== undefined ? [href.trim()] : []),
      ...inside.flatMap(({ links }) => links),
    ],
  }
}

const withoutSpace = (text: string) => text.replace(/[\s\p{Default_Ignorable_Code_Point}]+/gu, '')

describe('other parsers', () => {
  it('postal-mime reads the same subject, sender and text', async () => {
    for (const { id, bytes, message } of MAIL) {
      const theirs = await PostalMime.parse(bytes)
      assert.equal(message.subject, theirs.subject ?? '', id)
      const [from] = parseAddresses(headerBody(message, 'from') ?? '')
      assert.equal(from?.address, theirs.from?.address, id)
      const plain = message.texts.find(({ kind }) => kind === 'plain')
      if (plain) assert.equal(withoutSpace(plain.source), withoutSpace(theirs.text ?? ''), id)
    }
  })

  it('parse5 reads the same links, and the same text where nothing is hidden', () => {
    for (const { id, message } of MAIL) {
      for (const { html, source } of message.texts) {
        if (html === undefined) continue
        const { text, links } = readTree(parse(source, { scriptingEnabled: false }))
        assert.deepEqual(
          html.links.map(({ href }) => href),
          links,
          id,
        )
        if (html.hidingMethods.length === 0) {
          assert.equal(withoutSpace(html.visibleText), withoutSpace(text), id)
        }
      }
    }
  })
})
