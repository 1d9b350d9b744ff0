#!/usr/bin/env node
/** The `tamis` command: one file per subcommand. */
import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { readConfig } from '../config.ts'
import { TamisError } from '../errors.ts'
import { addClassifyCommand } from './classify.ts'
import { addEvaluateCommand } from './evaluate.ts'
import { addFeedsCommand } from './feeds.ts'
import { addKeysCommand } from './keys.ts'
import { addLearnCommand } from './learn.ts'
import { addServeCommand } from './serve.ts'
import { addTrainCommand } from './train.ts'

/** Could not be done, for a reason that the message gives. */
const EXIT_FAILED = 2

const program = new Command('tamis')
  .description('Email classification: raw message in, verdict out')
  .showHelpAfterError()

addServeCommand(program)
addKeysCommand(program)
addClassifyCommand(program)
addLearnCommand(program)
addFeedsCommand(program, () => readConfig(process.env, (path) => readFileSync(path, 'utf8')))
addTrainCommand(program)
addEvaluateCommand(program)

try {
  await program.parseAsync()
} catch (error) {
  if (!(error instanceof TamisError) && !isSystemError(error)) throw error
  process.stderr.write(`tamis: ${error.message} (${error.code})\n`)
  process.exitCode = EXIT_FAILED
}

/** A file that is not there, a folder that may not be read: the text says which. */
function isSystemError(error: unknown): error is NodeJS.ErrnoException & { code: string } {
  return error instanceof Error && 'syscall' in error && 'code' in error
}
