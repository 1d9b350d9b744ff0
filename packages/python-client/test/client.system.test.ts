/**
 * The Python client as somebody else gets it: the wheel that the command of its README makes, installed
 * with its libraries in a venv of its own, against a running service. test_client.py has the tests;
 * mypy, of one version, reads the types.
 */
import assert from 'node:assert/strict'
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { blocks } from '../../../test/document-blocks.ts'
import { temporaryFolder } from '../../../test/temporary-folder.ts'
import { type ServiceProcess, startService } from '../../service/test/helpers/service-process.ts'

const ROOT = join(import.meta.dirname, '../../..')

const README = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')

const MYPY = 'mypy==1.19.1'

/** Another Python than that of the machine: an older one, say. */
const PYTHON = process.env['TAMIS_TEST_PYTHON'] ?? 'python3'

const run = promisify(execFile)

const skip = reasonToSkip()

describe('the Python client', { skip }, () => {
  const folder = temporaryFolder()
  const python = join(folder, 'venv/bin/python')
  let service: ServiceProcess
  before(async () => {
    execFileSync(PYTHON, ['-m', 'venv', join(folder, 'venv')])
    const command = blocks('sh', README)[0]!
      .replace('python3', python)
      .replace('--wheel-dir dist', `--wheel-dir ${folder}`)
    execFileSync('sh', ['-c', command], { cwd: ROOT, stdio: 'pipe' })
    const wheel = join(folder, 'tamis_client-0.1.0-py3-none-any.whl')
    execFileSync(python, ['-m', 'pip', 'install', '--quiet', wheel, MYPY], { stdio: 'pipe' })
    service = await startService()
  })
  after(() => service?.stop())

  it('does what its tests say', async (t) => {
    const test = join(import.meta.dirname, 'test_client.py')
    const env = { ...process.env, TAMIS_URL: service.url, PYTHONDONTWRITEBYTECODE: '1' }
    const { stderr } = await run(python, [test, '--verbose'], { cwd: folder, env })
    t.diagnostic(stderr.trimEnd().split('\n').at(-3)!)
    assert.match(stderr, /^OK$/m)
  })

  it('brings its licence and says that it is typed', () => {
    const list = execFileSync(python, ['-m', 'pip', 'show', '--files', 'tamis-client'], {
      encoding: 'utf8',
    })
    assert.match(list, /licenses\/LICENSE$/m)
    assert.match(list, /tamis_client\/py\.typed$/m)
  })

  it('runs the program of its README', async () => {
    const program = blocks('python', README)[0]!.replace('http://127.0.0.1:8025', service.url)
    const { stdout } = await run(python, ['-c', program], { cwd: ROOT })
    assert.equal(stdout, 'spam\n')
  })

  it('has types that hold by themselves, and refuse what there is not', () => {
    writeFileSync(
      join(folder, 'program.py'),
      [
        'from tamis_client import TamisClient',
        'tamis = TamisClient("http://127.0.0.1:9")',
        'verdict = tamis.classify_stream(b"", user_id="ann", sender_ip="192.0.2.1")',
        'is_spam: bool = verdict.is_spam',
        'verdict.spam',
        'tamis.feedback_stream(b"", is_spam=True)',
        'tamis.classify_stream(b"", userid="ann")',
        'tamis.create_rule(user_id="a", rule_type="Sender", pattern="b.example", label="junk")',
      ].join('\n'),
    )
    const check = (...args: string[]) =>
      spawnSync(python, ['-m', 'mypy', '--strict', ...args], { cwd: folder, encoding: 'utf8' })
    const { stdout } = check('program.py')
    const lines = [...stdout.matchAll(/^program\.py:(\d+): error/gm)].map((match) =>
      Number(match[1]),
    )
    assert.deepEqual([...new Set(lines)], [5, 6, 7, 8], stdout)
    const own = check('-p', 'tamis_client')
    assert.equal(own.status, 0, own.stdout)
  })
})

function reasonToSkip(): string | false {
  const program = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 9))'
  const { status } = spawnSync(PYTHON, ['-c', program])
  return status === 0 ? false : 'there is no Python 3.9 or later with venv (scripts/ci-services)'
}
