#!/usr/bin/env node
/** Starts the `tamis` command. */
import { runProgram } from '../../terminal/run-program.ts'
import { tamisProgram } from './program.ts'

const DAEMONS = ['serve', 'milter', 'spamd']

await runProgram(await tamisProgram(process.argv[2]), DAEMONS)
