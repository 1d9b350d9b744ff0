/**
 * docs/api.md says what is so: its commands and its program are run in their order against a whole
 * service, and each answer it shows has the fields that the last command before it gave.
 */
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { buildOnce, listen } from '../packages/service/test/http/service.ts'

const ROOT = join(import.meta.dirname, '..')

const URL_SHOWN = 'http://127.0.0.1:8025'

const run = promisify(execFile)

const app = buildOnce()

let url: string | undefined
async function serviceUrl(): Promise<string> {
  url ??= (await listen(app())).url
  return url
}

interface Block {
  readonly language: string
  readonly text: string
}

const BLOCKS: readonly Block[] = [
  ...readFileSync(join(ROOT, 'docs/api.md'), 'utf8').matchAll(
    /```(sh|json|ts)\n([^`]*(?:`(?!``)[^`]*)*)```/g,
  ),
].map(([, language = '', text = '']) => ({ language, text: text.trim() }))

describe('docs/api.md', () => {
  it('shows commands that are answered as it says', async (t) => {
    if (spawnSync('curl', ['--version']).error) return t.skip('curl is not installed')
    let answer = ''
    for (const { language, text } of BLOCKS) {
      if (language === 'sh') answer = await lastAnswer(text)
      if (language === 'json')
        assert.deepEqual(shapeOf(JSON.parse(answer)), shapeOf(JSON.parse(text)))
    }
  })

  it('shows a program that runs', async () => {
    const program = programIn('ts')
      .replace("'tamis-client'", `'${pathToFileURL(join(ROOT, 'packages/client/client.ts'))}'`)
      .replace(URL_SHOWN, await serviceUrl())
    const arguments_ = ['--input-type=module-typescript', '-e', program]
    const { stdout } = await run(process.execPath, arguments_, { cwd: ROOT })
    assert.match(stdout, /^\S+ TAMIS_BASE/m)
    assert.match(stdout, /^ham example\.org explicit$/m)
    assert.match(stdout, /^HEADER_INVALID 400 X-Sender-IP$/m)
  })
})

/** The blocks in `language`, one after the other. */
function programIn(language: string): string {
  return BLOCKS.filter((each) => each.language === language)
    .map(({ text }) => text)
    .join('\n')
}

/** Runs the commands of a block, each of which has to be answered with success. */
async function lastAnswer(commands: string): Promise<string> {
  const each = commands
    .replaceAll(URL_SHOWN, await serviceUrl())
    .replace(/^curl /gm, 'curl --silent --show-error --fail-with-body ')
    .split(/\n(?=curl )/)
  let answer = ''
  for (const command of each) {
    answer = (await run('sh', ['-c', command], { cwd: ROOT })).stdout
  }
  return answer
}

/** Ids and times, which differ from run to run. */
const MADE_UP = /^([0-9a-f]{8}-[0-9a-f-]{27}|20\d\d-\d\d-\d\dT.*Z)$/

/** The part of an answer that is the same every time; scores are written by `npm run docs`. */
function shapeOf(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(MADE_UP, 'made up')
  if (typeof value === 'number') return 'number'
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shapeOf(each)]))
}
