/** The files for Prometheus, as promtool reads them, and what the alerts say when something goes wrong. */
import assert from 'node:assert/strict'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { programOf, run } from '../packages/service/test/integrations/programs.ts'
import { PROMETHEUS_FILE, panelExpressions, RULES_FILE } from './monitoring-files.ts'
import { temporaryFolder } from './temporary-folder.ts'

const promtool = programOf('promtool')

const SCENES = join(import.meta.dirname, 'prometheus')

async function succeeds(...args: readonly string[]): Promise<void> {
  const { status, stdout, stderr } = await run(promtool.path, args)
  assert.equal(status, 0, stdout + stderr)
}

describe('promtool', { skip: promtool.missing }, () => {
  it('takes the rules', () => succeeds('check', 'rules', '--lint-fatal', RULES_FILE))

  it('takes the settings of Prometheus', () => succeeds('check', 'config', PROMETHEUS_FILE))

  for (const name of readdirSync(SCENES)) {
    it(`sees the alerts of ${name} fire, and no other`, () =>
      succeeds('test', 'rules', join(SCENES, name)))
  }

  it('takes every expression of the dashboard', async () => {
    const folder = temporaryFolder()
    const file = join(folder, 'panels.yml')
    const rules = panelExpressions().map(({ expr }, index) => ({ record: `panel:${index}`, expr }))
    // JSON is YAML too.
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'panels', rules }] }))
    await succeeds('check', 'rules', file)
  })
})
