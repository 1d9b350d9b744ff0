/**
 * What `npm pack` puts into a package beside its package.json: `tamis` is the service compiled with all
 * that it imports, the console, the models, the examples and the licences, without the laboratory;
 * `tamis-lab` is the laboratory with its written mail. Run as prepack, with the folder of the package in
 * packages/ as the argument.
 *
 * Folders stand to each other in dist/ as they do in packages/, so that a path from one file to
 * another is the same in both.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, globSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')

/** Files and folders that a package has unchanged from the repository. */
const COPIED: Readonly<Record<string, readonly string[]>> = {
  service: ['artifacts', 'examples', 'licences', 'LICENSE', 'NOTICE', 'README.md'],
  lab: ['artifacts', 'licences', 'LICENSE', 'NOTICE'],
}

const [name = ''] = process.argv.slice(2)
const copied = COPIED[name]
if (copied === undefined) throw new RangeError(`${name} is none of ${Object.keys(COPIED)}`)
const folder = join(ROOT, 'packages', name)

rmSync(join(folder, 'dist'), { recursive: true, force: true })
execFileSync(process.execPath, [join(ROOT, 'packages/client/build-types.js')], { stdio: 'inherit' })
execFileSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', join(folder, 'tsconfig.build.json')], {
  stdio: 'inherit',
})
// Tables that the compiled modules read, beside them.
for (const table of globSync('packages/{mail,service}/**/*.tsv', {
  cwd: ROOT,
  exclude: (path) => /(?:^|\/)(?:dist|test|node_modules)$/.test(path),
})) {
  cpSync(join(ROOT, table), join(folder, table.replace('packages', 'dist')))
}
if (name === 'service') {
  execFileSync(process.execPath, [join(ROOT, 'scripts/build-console.js')], { stdio: 'inherit' })
  cpSync(join(ROOT, 'packages/console/dist'), join(folder, 'dist/console/dist'), {
    recursive: true,
  })
} else {
  for (const path of ['data', 'knowledge/strike-outs.tsv']) {
    cpSync(join(folder, path), join(folder, 'dist/lab', path), { recursive: true })
  }
}
for (const path of copied) {
  rmSync(join(folder, path), { recursive: true, force: true })
  cpSync(join(ROOT, path), join(folder, path), { recursive: true })
}
