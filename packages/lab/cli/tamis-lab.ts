#!/usr/bin/env node
/** Starts the `tamis-lab` command. */
import '../../terminal/prerequisites.js'

const { runProgram } = await import('../../terminal/command.ts')
const { labProgram } = await import('./program.ts')
await runProgram(labProgram())
