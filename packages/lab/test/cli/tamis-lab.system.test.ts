/** The command of the laboratory as a person runs it. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, it } from 'node:test'

const ROOT = join(import.meta.dirname, '../../../..')

function tamisLab(...args: string[]) {
  return spawnSync(process.execPath, ['packages/lab/cli/tamis-lab.ts', ...args], {
    cwd: ROOT,
    encoding: 'utf8',
  })
}

describe('tamis-lab', () => {
  it('lists its commands', () => {
    const { stdout, status } = tamisLab('--help')
    for (const command of ['train', 'knowledge', 'evaluate']) {
      assert.match(stdout, new RegExp(`^ {2}${command} `, 'm'))
    }
    assert.equal(status, 0)
  })

  for (const command of ['train', 'knowledge', 'evaluate', 'evaluate stream']) {
    it(`shows examples of ${command}, and that it writes JSON`, () => {
      const { stdout } = tamisLab(...command.split(' '), '--help')
      assert.match(stdout, new RegExp(`\nExamples:\n {2}tamis-lab ${command}\\b`))
      assert.match(stdout, /^ {2}--json /m)
    })
  }
})

describe('tamis-lab train', () => {
  it('says that a folder without corpora has nothing to train on', () => {
    const { stderr, status } = tamisLab('train', '--corpora', 'docs', '--out', '/nonexistent')
    assert.match(stderr, /No corpus was found in docs.*CORPUS_INVALID/)
    assert.equal(status, 65)
  })
})
