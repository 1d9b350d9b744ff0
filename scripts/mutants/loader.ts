/**
 * Loaded before a test run with `--import`: replaces the source of the file MUTANT_FILE by that of
 * MUTANT_SOURCE in this process, its threads, and the processes that it starts.
 */
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'

const file = process.env['MUTANT_FILE']
const source = process.env['MUTANT_SOURCE']
if (file === undefined || source === undefined) throw new TypeError('No mutant is named')
const url = pathToFileURL(file).href

registerHooks({
  load(asked, context, nextLoad) {
    if (asked !== url) return nextLoad(asked, context)
    return { format: 'module-typescript', source: readFileSync(source), shortCircuit: true }
  },
})
