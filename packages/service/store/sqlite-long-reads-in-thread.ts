import { workerData } from 'node:worker_threads'
import { answerCalls } from '../threads/calls.ts'
import type { SqliteSettings } from './sqlite-file.ts'
import { sqliteLongReads } from './sqlite-long-reads.ts'

answerCalls(sqliteLongReads(workerData as SqliteSettings))
