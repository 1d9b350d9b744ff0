/** Wrappers made by hand after their makers' forms; every target is a reserved name. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { unwrapped } from '../../urls/unwrap.ts'
import { inCpuMs } from '../helpers/cpu-time.ts'

const TARGET = 'https://example.com/a/b?c=d&e=f'
const ESCAPED = encodeURIComponent(TARGET)
const BASE64 = Buffer.from(TARGET).toString('base64')

const WRAPPED: Readonly<Record<string, string>> = {
  'Safe Links': `https://nam12.safelinks.protection.outlook.com/?url=${ESCAPED}&data=05%7C01&sdata=x&reserved=0`,
  'Safe Links of another region': `https://eur03.safelinks.protection.outlook.com/ap/w-59584e83/?url=${ESCAPED}&data=05`,
  'Safe Links in Teams': `https://statics.teams.cdn.office.net/evergreen-assets/safelinks/1/atp-safelinks.html?url=${ESCAPED}&locale=en-us`,
  'URL Defense 1': `https://urldefense.proofpoint.com/v1/url?u=${ESCAPED}&k=abc`,
  'URL Defense 2': `https://urldefense.proofpoint.com/v2/url?u=${ESCAPED.replaceAll('%2F', '_').replaceAll('%', '-')}&d=DwMFaQ&c=xyz`,
  'URL Defense 3': 'https://urldefense.com/v3/__https://example.com/a/b?c=d*e=f__;Jg!!AbC!xyz$',
  'URL Defense 3 with a run of characters':
    'https://urldefense.com/v3/__https://example.com/**B?c=d&e=f__;YS9i!!AbC!xyz$',
  'URL Defense 3 with one slash lost':
    'https://urldefense.com/v3/__https:/example.com/a/b?c=d&e=f__;!!AbC!xyz$',
  Barracuda: `https://linkprotect.cudasvc.com/url?a=${ESCAPED}&c=E,1,abc&typo=1`,
  Cisco: `https://secure-web.cisco.com/1abcDEF-_x/${ESCAPED}`,
  Sophos: `https://eu-west-1.protection.sophos.com?d=example.com&u=${BASE64}&i=x&t=y`,
  'Trend Micro': `https://imsva91-ctp.trendmicro.com/wis/clicktime/v1/query?url=${ESCAPED}&umid=x`,
  FireEye: `https://protect2.fireeye.com/v1/url?k=1-2&q=1&e=3&u=${ESCAPED}`,
  'Check Point': `https://checkpoint.url-protection.com/v1/r07/url?o=${ESCAPED}&g=x&h=y`,
  'Google q': `https://www.google.com/url?q=${ESCAPED}&sa=D`,
  'Google url': `https://www.google.co.uk/url?sa=t&url=${ESCAPED}`,
  'Google AMP': 'https://www.google.com/amp/s/example.com/a/b?c=d&e=f',
  Bing: `https://www.bing.com/ck/a?!&p=0&u=a1${Buffer.from(TARGET).toString('base64url')}&ntb=1`,
  Facebook: `https://l.facebook.com/l.php?u=${ESCAPED}&h=AT0`,
  LinkedIn: `https://www.linkedin.com/safety/go?url=${ESCAPED}&trk=x`,
  'YouTube, host in capitals': `HTTPS://WWW.YOUTUBE.COM/redirect?event=x&q=${ESCAPED}`,
}

describe('unwrapped', () => {
  for (const [name, href] of Object.entries(WRAPPED)) {
    it(`reads the target out of a link of ${name}`, () => {
      assert.deepEqual(unwrapped(href), [TARGET])
    })
  }

  it('decodes letters beyond ASCII by characters, as URL Defense counts them', () => {
    const characters = Buffer.from('é').toString('base64url')
    const href = `https://urldefense.com/v3/__https://example.com/caf*__;${characters}!!AbC!x$`
    assert.deepEqual(unwrapped(href), ['https://example.com/café'])
  })

  it('gives each target of wrappers within wrappers, the outermost first', () => {
    const inner = `https://www.google.com/url?q=${ESCAPED}`
    const outer = `https://nam12.safelinks.protection.outlook.com/?url=${encodeURIComponent(inner)}`
    assert.deepEqual(unwrapped(outer), [inner, TARGET])
  })

  it('opens five wrappers and no more', () => {
    let href = TARGET
    for (let i = 0; i < 8; i += 1)
      href = `https://slack-redir.net/link?url=${encodeURIComponent(href)}`
    assert.ok(href.length < 4_096)
    assert.equal(unwrapped(href).length, 5)
  })

  const NO_WRAPPERS: Readonly<Record<string, string>> = {
    'a host that only ends alike': `https://evilsafelinks.protection.outlook.com.example.net/?url=${ESCAPED}`,
    'a wrapper named in the path': `https://example.net/nam12.safelinks.protection.outlook.com/?url=${ESCAPED}`,
    'another page of the same site': `https://www.google.com/search?q=${ESCAPED}`,
    'a search for words': 'https://www.google.com/url?q=hello',
    'another scheme': 'https://www.google.com/url?q=javascript:alert(1)',
    'a number instead of a target': 'https://protect-eu.mimecast.com/s/AbCdE?domain=example.com',
    'escapes that are none': 'https://secure-web.cisco.com/1abc/https%3A%2F%2F%zz',
    'what is no URL': 'not a url at all',
  }
  for (const [name, href] of Object.entries(NO_WRAPPERS)) {
    it(`gives nothing for ${name}`, () => {
      assert.deepEqual(unwrapped(href), [])
    })
  }

  it('takes little time for hostile wrappers', () => {
    inCpuMs(500, () => {
      unwrapped(`https://www.google.com/url?q=${'%'.repeat(10_000_000)}`)
      unwrapped(`https://www.google.com/url?${'q&'.repeat(1_000_000)}`)
      unwrapped(`https://urldefense.com/v3/__https://example.com/${'*'.repeat(1_000_000)}__;!!`)
      unwrapped('https://www.google.com/url?q='.repeat(100_000))
    })
  })
})
