/** The commands in README and guides do what the text says: each is run as written. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import type { Command, CommanderError } from 'commander'
import { labProgram } from '../packages/lab/cli/program.ts'
import { tamisProgram } from '../packages/service/cli/program.ts'
import { readConfig } from '../packages/service/config.ts'
import { blocks } from './document-blocks.ts'

const ROOT = join(import.meta.dirname, '..')

const FOLDERS = ['docs', 'docs/integrations', 'docs/decisions']
const PAGES = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`),
)
const DOCUMENTS = ['README.md', 'CONTRIBUTING.md', 'packages/README.md', ...PAGES]

describe('documents', () => {
  for (const file of DOCUMENTS) {
    it(`${file} links to files that are there`, () => {
      const text = readFileSync(join(ROOT, file), 'utf8')
      const targets = [...text.matchAll(/\]\(([^)#]+)\)/g)].map((match) => match[1]!)
      const missing = targets.filter(
        (target) => !/^https?:/.test(target) && !existsSync(join(ROOT, dirname(file), target)),
      )
      assert.deepEqual(missing, [])
    })
  }

  for (const file of DOCUMENTS.filter((file) => file !== 'docs/cli.md')) {
    it(`${file} names no command and no option that \`tamis\` does not have`, async () => {
      for (const command of commandsIn(readFileSync(join(ROOT, file), 'utf8'))) {
        await assert.doesNotReject(parsed(command), command)
      }
    })

    it(`${file} starts the service with settings that it takes`, () => {
      for (const block of blocks('sh', readFileSync(join(ROOT, file), 'utf8'))) {
        const settings = /^((?:[A-Z_]+=\S+ )+)npm start$/m.exec(block)?.[1]
        if (settings === undefined) continue
        const env = Object.fromEntries(settings.trim().split(' ').map(assignment))
        assert.ok(
          readConfig(env, () => ''),
          block,
        )
      }
    })
  }
})

function assignment(text: string): [string, string] {
  const [name = '', value = ''] = text.split('=')
  return [name, value]
}

/** Every `tamis ...` and `tamis-lab ...` of a document, within a line and in blocks; settings before it left out. */
function commandsIn(text: string): string[] {
  const inline = [...text.matchAll(/(?<!`)`([^`\n]+)`(?!`)/g)].map((match) => match[1]!)
  const lines = blocks('sh', text).flatMap((block) => block.replaceAll('\\\n', ' ').split('\n'))
  return [...inline, ...lines]
    .map(
      (command) => /^(?:[A-Z_]+=\S+ )*(tamis(?:-lab)?(?: .*?)?)(?: &| +#.*)?$/.exec(command)?.[1],
    )
    .filter((command) => command !== undefined)
}

/** Reads `command` as its program would, and does nothing. */
async function parsed(command: string): Promise<void> {
  const [name, ...args] = command.match(/"[^"]*"|'[^']*'|[^\s"']+/g) ?? []
  const program = name === 'tamis-lab' ? labProgram() : await tamisProgram()
  disarm(program)
  try {
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    // A command or an option that is named lacks what would follow it.
    const { code = '' } = error as CommanderError
    const isNamed = /missing/i.test(code) && (args.length < 3 || args.at(-1)!.startsWith('--'))
    if (!isNamed && !/^commander\.(?:help|version)/.test(code)) throw error
  }
}

/** Makes every command below `command` parse its line without acting or printing. */
function disarm(command: Command): void {
  command.exitOverride().configureOutput({ writeOut: () => {}, writeErr: () => {} })
  for (const child of command.commands) disarm(child.action(() => {}))
}
