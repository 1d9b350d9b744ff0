#!/usr/bin/env node
/** Starts the `tamis` command. */
import '../../terminal/prerequisites.js'

const { runProgram } = await import('../../terminal/command.ts')
const { tamisProgram } = await import('./program.ts')
await runProgram(await tamisProgram(process.argv[2]))
