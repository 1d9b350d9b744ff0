/** `tamis feeds` as a process of its own, with settings that stand here. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { PHISHTANK_CSV, TEXT } from './samples.ts'

const ROOT = join(import.meta.dirname, '../../../..')

const PROGRAM = `
import { Command } from './packages/terminal/command.ts'
import { addFeedsCommand } from './packages/service/cli/feeds.ts'
const [feeds, dataDir, ...args] = process.argv.slice(1)
const program = new Command('tamis')
addFeedsCommand(program, () => ({ feeds, dataDir }))
try {
  await program.parseAsync(args, { from: 'user' })
} catch (error) {
  process.stderr.write(error.code)
}`

const dataDir = temporaryFolder()

function tamis(feeds: string, ...args: readonly string[]) {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', PROGRAM, '--', feeds, dataDir, 'feeds', ...args],
    { cwd: ROOT, encoding: 'utf8' },
  )
  return { stdout, stderr, status }
}

function file(name: string, content: string): string {
  const path = join(dataDir, name)
  writeFileSync(path, content)
  return path
}

describe('tamis feeds', () => {
  it('imports a file and tells of it afterwards', () => {
    const path = file('verified_online.csv', PHISHTANK_CSV)
    assert.equal(tamis('imported', 'status').stdout, 'imported\tnone yet\n')
    assert.equal(tamis('imported', 'import', path).stdout, 'imported\t3 entries\t0 skipped\n')
    assert.match(tamis('imported', 'status').stdout, /^imported\t3 entries\t20\d\d-\S+Z\n$/)
  })

  it('imports a file as one of the feeds that are named', () => {
    const path = file('feed.txt', TEXT)
    const { stdout } = tamis('openphish,imported', 'import', path, '--feed', 'openphish')
    assert.equal(stdout, 'openphish\t3 entries\t0 skipped\n')
  })

  it('refuses what is no feed, and exits with 65', () => {
    const path = file('page.html', '<html></html>\n')
    const { stderr, status } = tamis('imported', 'import', path)
    assert.match(stderr, /page\.html was refused: The file is a web page\. \(HTML_PAGE\)/)
    assert.equal(status, 65)
  })

  it('says when no feed of that name is set', () => {
    const { stderr } = tamis('openphish', 'import', file('feed.txt', TEXT))
    assert.equal(stderr, 'CONFIG_INVALID')
  })

  it('updates what it can, and exits with 2 when it cannot', () => {
    const path = file('own.txt', TEXT)
    assert.deepEqual(tamis(`file:${path}`, 'update'), {
      stdout: 'file:own.txt\t3 entries\tup to date\n',
      stderr: '',
      status: 0,
    })
    rmSync(path)
    const { stdout, status } = tamis(`file:${path}`, 'update')
    assert.equal(stdout, 'file:own.txt\t3 entries\tnot updated: FILE\n')
    assert.equal(status, 2)
  })
})
