/**
 * Builds the console (packages/console) into packages/console/dist.
 *
 * npm runs it as `prepare`, so it is JavaScript: where development dependencies are left out,
 * neither Vite nor the Node that reads TypeScript is there. With --if-possible that is no error.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const CONSOLE = join(ROOT, 'packages/console')
const OUT = join(CONSOLE, 'dist')

const { build } = await vite()
rmSync(OUT, { recursive: true, force: true })
await build({
  configFile: false,
  root: CONSOLE,
  publicDir: 'public',
  // Relative, so that files are found also when the page is below a path of a reverse proxy.
  base: './',
  logLevel: 'warn',
  esbuild: { jsx: 'automatic', jsxImportSource: 'preact' },
  build: {
    outDir: OUT,
    emptyOutDir: true,
    target: 'es2022',
    // Files inlined as data: would be loaded whether they are shown or not.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
})

/** Loads Vite; it may be missing, or have no binary for this machine. */
async function vite() {
  try {
    return await import('vite')
  } catch (error) {
    if (!process.argv.includes('--if-possible')) throw error
    process.stderr.write(`Vite cannot be loaded, so the console is not built: ${error}\n`)
    process.exit(0)
  }
}
