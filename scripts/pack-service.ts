/**
 * What `npm pack` puts into the package `tamis`, made in packages/service: the service compiled with
 * all that it imports, the console, the models, the examples, and the licences. No laboratory.
 *
 * Folders stand to each other in dist/ as they do in packages/, so that a path from one file to
 * another is the same in both.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')

const PACKAGE = join(ROOT, 'packages/service')

/** Files and folders that the package has unchanged from the repository. */
const COPIED = ['artifacts', 'examples', 'licences', 'LICENSE', 'NOTICE', 'README.md']

rmSync(join(PACKAGE, 'dist'), { recursive: true, force: true })
execFileSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', join(ROOT, 'tsconfig.build.json')], {
  stdio: 'inherit',
})
execFileSync(process.execPath, [join(ROOT, 'scripts/build-console.js')], { stdio: 'inherit' })
cpSync(join(ROOT, 'packages/console/dist'), join(PACKAGE, 'dist/console/dist'), { recursive: true })
for (const name of COPIED) {
  rmSync(join(PACKAGE, name), { recursive: true, force: true })
  cpSync(join(ROOT, name), join(PACKAGE, name), { recursive: true })
}
