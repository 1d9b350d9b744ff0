/** A developer of a product in TypeScript: the packed client in an empty folder, and the program of docs/programs.md. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startTamis, URL_SHOWN } from './started-tamis.ts'
import { blockOf, type Persona, Terminal, type Walk } from './walk.ts'

const PAGE = 'docs/programs.md'

export const TYPESCRIPT: Persona = {
  name: 'typescript',
  title: 'A program in TypeScript, with the client',
  skip: false,
  go,
}

async function go(walk: Walk, clone: string): Promise<void> {
  const parent = mkdtempSync(join(tmpdir(), 'tamis-walk-'))
  const judge = join(parent, 'judge')
  const tamis = await startTamis(walk, clone)
  try {
    const terminal = new Terminal(clone)
    const run = (command: string) =>
      walk.step(PAGE, `\`${command}\``, () =>
        terminal.run(command.replace('../judge', judge).replace('../tamis', clone)),
      )
    for (const command of blockOf(PAGE, 'sh', 'npm pack').split('\n')) {
      if (command === 'cd ../judge') terminal.folder = judge
      else await run(command)
    }
    await walk.step(PAGE, 'save the program as `judge.mts`', () => {
      const program = blockOf(PAGE, 'ts', 'TamisClient').replace(URL_SHOWN, tamis.url)
      writeFileSync(join(judge, 'judge.mts'), program)
    })
    const [check = '', judgeExamples = ''] = blockOf(PAGE, 'sh', 'npx tsc').split('\n')
    await run(check)
    const lines = (await run(judgeExamples)).trimEnd().split('\n')
    await walk.step(PAGE, 'read what it has judged, and what the user has corrected', () => {
      assert.equal(lines.filter((line) => /^\S+\.eml [\d.]+$/.test(line)).length, 5)
      assert.match(lines.at(-1)!, /^spam: (?:false then true|true then false) (?:user_rule|knn_)/)
    })
  } finally {
    await tamis.end()
    rmSync(parent, { recursive: true })
  }
}
