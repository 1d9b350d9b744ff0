import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { passedSockets, readConfig } from '../config.ts'

describe('passedSockets', () => {
  it('counts those that were passed to this process, and none that were passed to another', () => {
    assert.equal(passedSockets({ LISTEN_PID: `${process.pid}`, LISTEN_FDS: '2' }), 2)
    assert.equal(passedSockets({ LISTEN_PID: `${process.ppid}`, LISTEN_FDS: '2' }), 0)
    assert.equal(passedSockets({}), 0)
  })
})

const FILE = '/etc/tamis.json'

/** The settings of an environment, and of a file where there is one. */
function read(environment: Record<string, string>, file?: string) {
  const named = file === undefined ? environment : { ...environment, TAMIS_CONFIG: FILE }
  return readConfig(named, (path) => {
    if (file === undefined) throw new Error(`ENOENT: ${path}`)
    return file
  })
}

describe('readConfig', () => {
  it('reads text, numbers and lists from the environment', () => {
    const config = read({
      TAMIS_HOST: '::1',
      TAMIS_PORT: '9000',
      TAMIS_THRESHOLD: '0.9',
      TAMIS_ENTITLEMENTS: 'classification',
      TAMIS_PATH_ROOTS: '/var/mail, /srv/mail',
      TAMIS_AUTH_DNS: '192.0.2.1,[2001:db8::1]:53',
    })
    assert.equal(config.host, '::1')
    assert.equal(config.port, 9000)
    assert.equal(config.threshold, 0.9)
    assert.deepEqual(config.entitlements, ['classification'])
    assert.deepEqual(config.pathRoots, ['/var/mail', '/srv/mail'])
    assert.equal(config.authDns, '192.0.2.1,[2001:db8::1]:53')
  })

  it('reads a JSON file, a list as an array or as a text, and the environment wins over it', () => {
    const file = {
      port: 9000,
      threshold: 'strict',
      pathRoots: ['/srv/a,b'],
      feeds: 'openphish, imported',
    }
    const config = read({ TAMIS_PORT: '9001' }, `\uFEFF${JSON.stringify(file)}`)
    assert.equal(config.port, 9001)
    assert.equal(config.threshold, 'strict')
    assert.deepEqual(config.pathRoots, ['/srv/a,b'])
    assert.deepEqual(config.feeds, ['openphish', 'imported'])
  })

  // biome-ignore format: a row each
  const REFUSED: [what: string, environment: Record<string, string>, message: RegExp][] = [
    ['a number that is none', { TAMIS_PORT: 'abc' }, /^TAMIS_PORT is "abc"; allowed: a whole number from 0 to 65535$/],
    ['a number out of range', { TAMIS_PORT: '65536' }, /^TAMIS_PORT is "65536"; allowed: a whole number from 0 to 65535$/],
    ['a value that is empty', { TAMIS_QUEUE_DEPTH: '' }, /^TAMIS_QUEUE_DEPTH is ""; allowed: a whole number/],
    ['a name that is none of those allowed', { TAMIS_THRESHOLD: 'lenient' }, /^TAMIS_THRESHOLD is "lenient"; allowed: cautious, balanced, strict, a number above 0 and below 1$/],
    ['a list with something else in it', { TAMIS_ENTITLEMENTS: 'spam,ham' }, /^TAMIS_ENTITLEMENTS is "spam,ham" \(at 1\); allowed: a list, separated by commas, of: spam, classification$/],
    ['a licence that includes nothing', { TAMIS_ENTITLEMENTS: '' }, /^TAMIS_ENTITLEMENTS is ""; allowed: a list/],
    ['buffers too small for the largest body in memory', { TAMIS_BUFFER_BYTES: '1000' }, /^TAMIS_BUFFER_BYTES is "1000"; allowed: a whole number from 11534336 to /],
    ['a variable that does not exist', { TAMIS_PROT: '80' }, /^TAMIS_PROT in the environment is not a setting. Did you mean TAMIS_PORT\? Settings: TAMIS_CONFIG, TAMIS_HOST/],
    ['the URL of another database, and does not show its password', { DATABASE_URL: 'mysql://tamis:hunter2@192.0.2.1/tamis' }, /^DATABASE_URL has a value that is not allowed; allowed: (?!.*hunter2)/],
    ['a file that is not there', { TAMIS_CONFIG: FILE }, /^TAMIS_CONFIG is "\/etc\/tamis.json", which cannot be read/],
  ]
  for (const [what, environment, message] of REFUSED) {
    it(`refuses ${what}`, () => {
      assert.throws(() => read(environment), { code: 'CONFIG_INVALID', message })
    })
  }

  // biome-ignore format: a row each
  const REFUSED_FILES: [what: string, file: string, message: RegExp][] = [
    ['a key that does not exist', '{"prot":80}', /^prot in \/etc\/tamis.json is not a setting. Did you mean port\?/],
    ['a key like no other', '{"colour":"red"}', /^colour in \/etc\/tamis.json is not a setting. Settings: host,/],
    ['a value of another type', '{"port":true}', /^"port" is true; allowed: a whole number/],
    ['an item of a list, and says which', '{"pathRoots":["/srv","mail"]}', /^"pathRoots" is \["\/srv","mail"\] \(at 1\); allowed: a list, separated by commas, of: absolute paths$/],
    ['a field of an item, and does not show it where it may hold a key', '{"dnsLists":["spamhaus",{"name":"own","zone":"bl.example.com","kind":"ip","codes":{"127.0.0.2":{"meaning":"x","logOdds":"2"}}}]}', /^"dnsLists" has a value that is not allowed \(at 1\/codes\/127.0.0.2\/logOdds\); allowed:/],
    ['a list that is a number', '{"pathRoots":80}', /^"pathRoots" is 80; allowed: a list/],
    ['what is not JSON', '{port:80}', /^TAMIS_CONFIG is "\/etc\/tamis.json", which cannot be read as JSON/],
    ['what is no object', '[]', /^TAMIS_CONFIG is "\/etc\/tamis.json", which is not a JSON object$/],
  ]
  for (const [what, file, message] of REFUSED_FILES) {
    it(`refuses in the file ${what}`, () => {
      assert.throws(() => read({}, file), { code: 'CONFIG_INVALID', message })
    })
  }
})
