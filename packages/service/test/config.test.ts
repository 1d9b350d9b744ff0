import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { passedSockets, readConfig, settings } from '../config.ts'

describe('passedSockets', () => {
  it('counts those that were passed to this process', () => {
    assert.equal(passedSockets({ LISTEN_PID: `${process.pid}`, LISTEN_FDS: '2' }), 2)
  })

  it('counts none that were passed to the process that has started this one, and none by default', () => {
    assert.equal(passedSockets({ LISTEN_PID: `${process.ppid}`, LISTEN_FDS: '2' }), 0)
    assert.equal(passedSockets({}), 0)
  })
})

describe('readConfig', () => {
  it('reads text, numbers and lists from the environment', () => {
    const config = readConfig(
      {
        TAMIS_HOST: '::1',
        TAMIS_PORT: '9000',
        TAMIS_THRESHOLD: '0.9',
        TAMIS_ENTITLEMENTS: 'classification',
        TAMIS_PATH_ROOTS: '/var/mail, /srv/mail',
        TAMIS_MODELS: '/srv/models',
      },
      noFile,
    )
    assert.equal(config.host, '::1')
    assert.equal(config.port, 9000)
    assert.equal(config.threshold, 0.9)
    assert.deepEqual(config.entitlements, ['classification'])
    assert.deepEqual(config.pathRoots, ['/var/mail', '/srv/mail'])
    assert.equal(config.models, '/srv/models')
  })

  it('reads a JSON file, and the environment wins over it', () => {
    const file = { port: 9000, threshold: 'strict', pathRoots: ['/srv/a,b'] }
    const config = readConfig(
      { TAMIS_CONFIG: '/etc/tamis.json', TAMIS_PORT: '9001' },
      fileOf('/etc/tamis.json', JSON.stringify(file)),
    )
    assert.equal(config.port, 9001)
    assert.equal(config.threshold, 'strict')
    assert.deepEqual(config.pathRoots, ['/srv/a,b'])
  })

  for (const [key, environment, items] of [
    ['ownDomains', 'TAMIS_OWN_DOMAINS', ['example.com', 'example.org']],
    ['pathRoots', 'TAMIS_PATH_ROOTS', ['/var/mail', '/srv/mail']],
    ['entitlements', 'TAMIS_ENTITLEMENTS', ['spam', 'classification']],
    ['dnsLists', 'TAMIS_DNS_LISTS', ['spamhaus', 'spamcop']],
    ['feeds', 'TAMIS_FEEDS', ['openphish', 'imported']],
    ['authDns', 'TAMIS_AUTH_DNS', ['192.0.2.1', '[2001:db8::1]:53']],
  ] as const) {
    it(`reads ${key} from an array and from a text separated by commas, in file and environment`, () => {
      const read = (environment: Record<string, string>, file: unknown = {}) =>
        String(
          readConfig(
            { ...environment, TAMIS_CONFIG: '/etc/tamis.json' },
            fileOf('/etc/tamis.json', JSON.stringify(file)),
          )[key],
        )
      const expected = items.join(',')
      assert.equal(read({}, { [key]: items }), expected)
      assert.equal(read({}, { [key]: items.join(', ') }), expected)
      assert.equal(read({ [environment]: items.join(', ') }), expected)
      assert.equal(read({ [environment]: JSON.stringify(items) }), expected)
    })
  }

  const refused: [name: string, environment: Record<string, string>, text: string][] = [
    [
      'a number that is none',
      { TAMIS_PORT: 'abc' },
      'TAMIS_PORT is "abc"; allowed: a whole number from 0 to 65535',
    ],
    [
      'a number out of range',
      { TAMIS_PORT: '65536' },
      'TAMIS_PORT is "65536"; allowed: a whole number from 0 to 65535',
    ],
    [
      'a value that is empty',
      { TAMIS_QUEUE_DEPTH: '' },
      'TAMIS_QUEUE_DEPTH is ""; allowed: a whole number from 0 to 1000000',
    ],
    [
      'a name that is not one of those allowed',
      { TAMIS_THRESHOLD: 'lenient' },
      'TAMIS_THRESHOLD is "lenient"; allowed: cautious, balanced, strict, a number above 0 and below 1',
    ],
    [
      'a list with something else in it',
      { TAMIS_ENTITLEMENTS: 'spam,ham' },
      'TAMIS_ENTITLEMENTS is "spam,ham" (item 2); allowed: a list, separated by commas, of: spam, classification',
    ],
    [
      'a licence that includes nothing',
      { TAMIS_ENTITLEMENTS: '' },
      'TAMIS_ENTITLEMENTS is ""; allowed: a list, separated by commas, of: spam, classification',
    ],
    [
      'a folder that is not absolute',
      { TAMIS_PATH_ROOTS: 'mail' },
      'TAMIS_PATH_ROOTS is "mail"; allowed: a list, separated by commas, of: absolute paths',
    ],
    [
      'buffers too small for the largest body in memory',
      { TAMIS_BUFFER_BYTES: '1000' },
      'TAMIS_BUFFER_BYTES is 1000; allowed: at least 11534336, which is TAMIS_MEMORY_BYTES_MAX plus 1 MiB. With less, a message of that size could never be received',
    ],
    [
      'a worker ended before its message may be',
      { TAMIS_CPU_MS_MAX: '3000' },
      'TAMIS_WORKER_KILL_MS is 3000; allowed: more than TAMIS_CPU_MS_MAX (3000), so that a long message is stopped before its thread is ended',
    ],
  ]
  for (const [name, environment, message] of refused) {
    it(`refuses ${name}, saying what is allowed`, () => {
      assert.throws(() => readConfig(environment, noFile), { code: 'CONFIG_INVALID', message })
    })
  }

  it('does not show a password in what it says of a database', () => {
    const environment = { DATABASE_URL: 'mysql://tamis:hunter2@192.0.2.1/tamis' }
    assert.throws(
      () => readConfig(environment, noFile),
      (error: Error) => {
        assert.match(error.message, /^DATABASE_URL has a value that is not allowed; allowed: a URL/)
        assert.doesNotMatch(error.message, /hunter2/)
        return true
      },
    )
  })

  it('refuses a variable that does not exist', () => {
    assert.throws(() => readConfig({ TAMIS_PROT: '80' }, noFile), {
      code: 'CONFIG_INVALID',
      message:
        /^TAMIS_PROT in the environment is not a setting. Did you mean TAMIS_PORT\? Settings: TAMIS_CONFIG, TAMIS_HOST/,
    })
  })

  const refusedFiles: [name: string, text: string, message: RegExp][] = [
    [
      'a key that does not exist',
      '{"prot":80}',
      /^prot in \/etc\/tamis.json is not a setting. Did you mean port\?/,
    ],
    [
      'a key like no other',
      '{"colour":"red"}',
      /^colour in \/etc\/tamis.json is not a setting. Settings: host,/,
    ],
    ['a value of another type', '{"port":"80"}', /^"port" is "80"; allowed: a whole number/],
    [
      'an item of a list, and says which',
      '{"ownDomains":["example.com","Example.ORG"]}',
      /^"ownDomains" is \["example.com","Example.ORG"\] \(item 2\); allowed: a list, separated by commas, of: domains/,
    ],
    [
      'a field of an item, and does not show it where it may hold a key',
      '{"dnsLists":["spamhaus",{"name":"own","zone":"bl.example.com","kind":"ip","codes":{"127.0.0.2":{"meaning":"x","logOdds":"2"}}}]}',
      /^"dnsLists" has a value that is not allowed \(item 2, codes\/127.0.0.2\/logOdds\); allowed:/,
    ],
    [
      'a list that is a number',
      '{"pathRoots":80}',
      /^"pathRoots" is 80; allowed: a list, separated by commas, of: absolute paths$/,
    ],
    ['what is not JSON', '{port:80}', /^TAMIS_CONFIG is "\/etc\/tamis.json", which cannot be read/],
    [
      'what is no object',
      '[]',
      /^TAMIS_CONFIG is "\/etc\/tamis.json", which is not a JSON object$/,
    ],
  ]
  for (const [name, text, message] of refusedFiles) {
    it(`refuses in the file ${name}`, () => {
      assert.throws(
        () => readConfig({ TAMIS_CONFIG: '/etc/tamis.json' }, fileOf('/etc/tamis.json', text)),
        { code: 'CONFIG_INVALID', message },
      )
    })
  }

  it('refuses a file that is not there', () => {
    assert.throws(() => readConfig({ TAMIS_CONFIG: '/etc/tamis.json' }, noFile), {
      code: 'CONFIG_INVALID',
      message: /^TAMIS_CONFIG is "\/etc\/tamis.json", which cannot be read/,
    })
  })
})

describe('settings', () => {
  it('have each a variable of their own, a reason, and a default that is allowed', () => {
    const rows = settings()
    assert.equal(new Set(rows.map((row) => row.environment)).size, rows.length)
    for (const { environment, reason, default: value, defaultText } of rows) {
      // DATABASE_URL has the name that every host of databases gives it.
      assert.match(environment, /^(TAMIS_[A-Z_]+|DATABASE_URL)$/)
      assert.ok(reason.endsWith('.'), `${environment} has no reason`)
      assert.ok(value !== undefined || defaultText !== undefined, `${environment} has no default`)
    }
  })
})

function noFile(path: string): never {
  throw new Error(`ENOENT: ${path}`)
}

function fileOf(path: string, text: string): (asked: string) => string {
  return (asked) => (asked === path ? text : noFile(asked))
}
