#!/usr/bin/env node
/** Starts the `tamis-lab` command. */
import { runProgram } from '../../terminal/run-program.ts'
import { labProgram } from './program.ts'

await runProgram(labProgram())
