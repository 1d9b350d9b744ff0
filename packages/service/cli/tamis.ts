#!/usr/bin/env node
/** Starts the `tamis` command, and says how it ended. */
import { failureOf } from '../../terminal/failure.ts'
import { tamisProgram } from './program.ts'

/** They go on when nobody reads their log any more. */
const DAEMONS = ['serve', 'milter', 'spamd']

const program = await tamisProgram(process.argv[2])
program.hook('preAction', (_program, command) => {
  if (!DAEMONS.includes(command.name())) process.stdout.on('error', endWithReader)
})

try {
  await program.parseAsync()
} catch (error) {
  const failure = failureOf(error)
  if (failure === undefined) throw error
  if (failure.text !== undefined) process.stderr.write(`tamis: ${failure.text}\n`)
  process.exitCode = failure.status
}

/** `tamis ... | head`: whoever read has seen enough. */
function endWithReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
  process.exit()
}
