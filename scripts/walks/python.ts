/** A developer of a product in Python: the OpenAPI document, and the program of docs/programs.md. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import { startTamis, URL_SHOWN } from './started-tamis.ts'
import { blockOf, type Persona, Terminal, type Walk } from './walk.ts'

const PAGE = 'docs/programs.md'

export const PYTHON: Persona = {
  name: 'python',
  title: 'A program in Python, from the OpenAPI document',
  skip: spawnSync('python3', ['--version']).status === 0 ? false : 'python3 is not installed',
  go,
}

async function go(walk: Walk, clone: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tamis-walk-'))
  const tamis = await startTamis(walk, clone)
  try {
    await walk.step(PAGE, 'fetch `/openapi.json`; it is valid', async () => {
      const document = (await (await fetch(`${tamis.url}/openapi.json`)).json()) as object
      const { valid, errors } = await new Validator().validate({ ...document })
      assert.ok(valid, JSON.stringify(errors))
    })
    const program = join(folder, 'judge.py')
    await walk.step(PAGE, 'save the program as `judge.py`', () => {
      writeFileSync(program, blockOf(PAGE, 'python', 'urlopen').replace(URL_SHOWN, tamis.url))
    })
    const command = blockOf(PAGE, 'sh', 'python3')
    const printed = await walk.step(PAGE, `\`${command}\``, () =>
      new Terminal(clone).run(command.replace('judge.py', program)),
    )
    await walk.step(PAGE, 'read the verdicts, and the code of the error', () => {
      const [order, phishing, refused] = printed.split('\n')
      assert.match(order!, /^examples\/order\.eml False 0[\d.]* transactions$/)
      assert.match(phishing!, /^examples\/phishing\.eml True [01][\d.]* \w+$/)
      assert.equal(refused, '400 HEADER_INVALID X-Sender-IP')
    })
  } finally {
    await tamis.end()
    rmSync(folder, { recursive: true })
  }
}
