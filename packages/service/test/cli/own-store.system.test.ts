/** Which store the commands open, what they say of it, and whom the files belong to that they make. */
import assert from 'node:assert/strict'
import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { chownSync, mkdirSync, readdirSync, renameSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { openStore } from '../../store/open.ts'
import { startService } from '../helpers/service-process.ts'
import { ROOT, tamis } from '../helpers/tamis.ts'

const START = join(ROOT, 'packages/service/start.ts')

const ME = userInfo().username

const ADD = ['keys', 'add', '--name', 'mail-host'] as const

/** The user `nobody` of Debian and most others: one that is not root. */
const OTHER = { uid: 65_534, gid: 65_534 }

/** Tests that give files to another user need root. */
const skip = process.getuid?.() === 0 ? false : 'Only root can make files for another user'

function firstLine({ stderr }: SpawnSyncReturns<string>): string {
  return stderr.split('\n')[0]!
}

describe('the first line of a command', () => {
  it('names the store, its owner, and whether it was made just now', () => {
    const dataDir = temporaryFolder()
    const env = { TAMIS_DATA_DIR: dataDir }
    const line = `Store: ${join(dataDir, 'tamis.sqlite')} (owner ${ME})`
    assert.equal(firstLine(tamis([...ADD, '--json'], env)), `${line}, made just now`)
    const mail = ['--spam', 'examples/phishing.eml']
    for (const args of [
      ADD,
      ['keys', 'list'],
      ['keys', 'list', '--json'],
      ['learn', '--user', 'ann', ...mail],
      ['migrate'],
      ['migrate', '--status', '--json'],
    ]) {
      const ran = tamis(args, env)
      assert.equal(firstLine(ran), line, args.join(' '))
      assert.equal(ran.status, 0, args.join(' '))
    }
  })
})

describe('a command in another folder than the service', () => {
  it('makes no second store, and says what names the first', () => {
    const elsewhere = temporaryFolder()
    const mail = ['--spam', join(ROOT, 'examples/phishing.eml')]
    for (const args of [ADD, ['keys', 'list'], ['learn', '--user', 'ann', ...mail]]) {
      const { stdout, stderr, status } = tamis(args, {}, elsewhere)
      assert.equal(
        stderr,
        `tamis: There is no store at ${join(elsewhere, 'data/tamis.sqlite')}. Name the store of the service with TAMIS_CONFIG, TAMIS_DATA_DIR or DATABASE_URL; to create a new one there, run \`tamis migrate\` (CONFIG_INVALID)\n`,
      )
      assert.equal(stdout, '')
      assert.equal(status, 78)
    }
    assert.deepEqual(readdirSync(elsewhere), [])
  })
})

describe('root, beside a service of another user', { skip }, () => {
  it('adds a key before the first start, and the service has all files and accepts the key', async (t) => {
    const dataDir = foldersOfOther()
    const added = tamis([...ADD, '--json'], { TAMIS_DATA_DIR: dataDir })
    const name = /^Store: .* \(owner (.*)\), made just now$/.exec(firstLine(added))?.[1]
    assert.equal(name, 'nobody')
    assertAllBelongToOther(dataDir)

    const service = await startService({ dataDir, user: OTHER })
    t.after(() => service.stop())
    const { key } = JSON.parse(added.stdout)
    const reply = (headers: Record<string, string>) =>
      fetch(`${service.url}/classify-stream`, {
        method: 'POST',
        headers: { 'content-type': 'message/rfc822', ...headers },
        body: 'From: a@example.com\r\n\r\nHello',
      })
    assert.equal((await reply({})).status, 401)
    assert.equal((await reply({ authorization: `Bearer ${key}` })).status, 200)

    // Beside the service, and after it.
    const env = { TAMIS_DATA_DIR: dataDir }
    assert.equal(tamis(['keys', 'list'], env).status, 0)
    assertAllBelongToOther(dataDir)
    await service.end('SIGKILL')
    const mail = ['--spam', 'examples/phishing.eml']
    assert.equal(tamis(['learn', '--user', 'ann', ...mail], env).status, 0)
    assert.equal(tamis(['migrate', '--status'], env).status, 0)
    assertAllBelongToOther(dataDir)
  })

  it('is told by the service of a store and a folder of root, which it cannot open', async () => {
    const ofRoot = temporaryFolder()
    await (await openStore({ dataDir: ofRoot })).close()
    const ofOther = foldersOfOther()
    renameSync(join(ofRoot, 'tamis.sqlite'), join(ofOther, 'tamis.sqlite'))
    for (const [dataDir, what] of [
      [ofOther, `${ofOther}/tamis.sqlite`],
      [ofRoot, `the folder ${ofRoot}`],
    ] as const) {
      const env = { PATH: process.env['PATH'], TAMIS_DATA_DIR: dataDir, TAMIS_PORT: '0' }
      const options = { cwd: ROOT, encoding: 'utf8', env, ...OTHER } as const
      const { stderr, status } = spawnSync(process.execPath, [START], options)
      assert.equal(
        stderr.replace(/: (?:EACCES: [^;]*|the user nobody has no permission);/, ';'),
        `tamis: Cannot open ${what}; ${what.replace('the folder ', '')} belongs to root, and this process runs as nobody\n`,
      )
      assert.equal(status, 75)
    }
  })

  /** A data folder of another user. */
  function foldersOfOther(): string {
    const folder = temporaryFolder()
    chownSync(folder, OTHER.uid, OTHER.gid)
    const dataDir = join(folder, 'data')
    mkdirSync(dataDir, { mode: 0o700 })
    chownSync(dataDir, OTHER.uid, OTHER.gid)
    return dataDir
  }

  function assertAllBelongToOther(folder: string): void {
    for (const name of readdirSync(folder, { recursive: true }).map(String)) {
      const { uid, gid } = statSync(join(folder, name))
      assert.deepEqual({ uid, gid }, OTHER, name)
    }
  }
})
