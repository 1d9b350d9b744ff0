/** The command as a person runs it: a process, its output, its exit status. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, it } from 'node:test'

const ROOT = join(import.meta.dirname, '../..')

function tamis(args: string[], input = '') {
  return spawnSync(process.execPath, [join(ROOT, 'src/cli/tamis.ts'), ...args], {
    cwd: ROOT,
    encoding: 'utf8',
    input,
  })
}

describe('tamis classify', () => {
  it('writes one JSON line a message and exits with 1 when one is spam', () => {
    const { stdout, status } = tamis([
      'classify',
      'examples/appointment.eml',
      'examples/phishing.eml',
    ])
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    assert.deepEqual(
      lines.map(({ name, isSpam }) => ({ name, isSpam })),
      [
        { name: 'examples/appointment.eml', isSpam: false },
        { name: 'examples/phishing.eml', isSpam: true },
      ],
    )
    assert.equal(status, 1)
  })

  it('exits with 0 when none is spam', () => {
    assert.equal(tamis(['classify', 'examples/appointment.eml']).status, 0)
  })

  it('reads standard input', () => {
    const { stdout } = tamis(['classify', '-'], 'From: a@example.com\nSubject: hi\n\nhello\n')
    assert.equal(JSON.parse(stdout).name, '-')
  })

  it('names what is no message and exits with 2', () => {
    const { stdout, status } = tamis(['classify', '-'], 'no header field here\n')
    assert.equal(JSON.parse(stdout).code, 'NOT_A_MESSAGE')
    assert.equal(status, 2)
  })

  it('says which file is not there and exits with 2', () => {
    const { stderr, status } = tamis(['classify', 'no-such-file.eml'])
    assert.match(stderr, /no-such-file\.eml/)
    assert.equal(status, 2)
  })
})

describe('tamis --help', () => {
  it('lists the commands', () => {
    const { stdout, status } = tamis(['--help'])
    for (const command of ['serve', 'classify', 'train', 'evaluate'])
      assert.match(stdout, new RegExp(command))
    assert.equal(status, 0)
  })

  for (const command of ['serve', 'classify', 'train', 'evaluate']) {
    it(`shows examples of ${command}`, () => {
      assert.match(
        tamis([command, '--help']).stdout,
        new RegExp(`Examples:\\n {2}(TAMIS_.*)?tamis ${command}`),
      )
    })
  }
})

describe('tamis train', () => {
  it('says that a folder without corpora has nothing to train on', () => {
    const { stderr, status } = tamis(['train', '--corpora', 'docs', '--out', '/nonexistent'])
    assert.match(stderr, /No corpus found in docs.*CORPUS_INVALID/)
    assert.equal(status, 2)
  })
})
