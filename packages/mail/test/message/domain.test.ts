import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { hostOf, registrableDomain } from '../../message/domain.ts'

describe('hostOf', () => {
  it('gives the host in lower case, without port or dot at the end', () => {
    assert.equal(hostOf('HTTP://WWW.Example.COM.:8080/a'), 'www.example.com')
  })
  it('gives Unicode names in punycode', () => {
    assert.equal(hostOf('https://bücher.example/'), 'xn--bcher-kva.example')
  })
  it('gives the host after the user name, as a browser reads it', () => {
    assert.equal(hostOf('https://bank.example@evil.example/'), 'evil.example')
    assert.equal(hostOf('https://evil.example\\@bank.example/'), 'evil.example')
  })
  it('gives IP addresses in one form', () => {
    assert.equal(hostOf('http://0x7f.1/'), '127.0.0.1')
    assert.equal(hostOf('http://2130706433/'), '127.0.0.1')
    assert.equal(hostOf('http://①②⑦.0.0.1/'), '127.0.0.1')
    assert.equal(hostOf('http://[2001:DB8:0:0::1]/'), '[2001:db8::1]')
  })
  it('passes over tabs and line ends inside, and spaces around', () => {
    assert.equal(hostOf(' ht\ntp://exam\tple.com/\r\n '), 'example.com')
  })
  it('mends slashes as a browser does', () => {
    assert.equal(hostOf('https:example.com/a'), 'example.com')
    assert.equal(hostOf('http:\\\\example.com\\a'), 'example.com')
  })
  it('gives nothing for a name longer than DNS has, unless what is too much is not seen', () => {
    const marks = '\u0315\u0300'.repeat(1_000)
    assert.equal(hostOf(`http://a${marks}.example/`), undefined)
    assert.equal(hostOf(`http://${marks}@evil.example/${marks}`), 'evil.example')
    assert.equal(hostOf(`http://${'\u00ad\t'.repeat(1_000)}evil.example/`), 'evil.example')
    assert.equal(hostOf(`http://b${'%C3%BC'.repeat(50)}cher.example/\u00fc`)?.slice(0, 4), 'xn--')
  })
  it('gives nothing for other schemes and for what is no address', () => {
    // biome-ignore format: in one line
    for (const href of ['mailto:a@example.com', 'cid:1', 'javascript:a', 'ftp://example.com/', '//example.com/', '/a', '#', '', 'http://', 'http://a b/']) {
      assert.equal(hostOf(href), undefined, href)
    }
  })
})

describe('registrableDomain', () => {
  it('is one label below the public suffix', () => {
    assert.equal(registrableDomain('www.shop.example.co.uk'), 'example.co.uk')
    assert.equal(registrableDomain('a.b.example.com'), 'example.com')
  })
  it('is that of the company for its customers, not theirs', () => {
    assert.equal(registrableDomain('someone.github.io'), 'github.io')
  })
  it('is the host itself for IP addresses, suffixes and single labels', () => {
    for (const host of ['127.0.0.1', '[2001:db8::1]', 'co.uk', 'localhost', '']) {
      assert.equal(registrableDomain(host), host)
    }
  })
})
