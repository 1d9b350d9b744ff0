import { workerData } from 'node:worker_threads'
import { answerCalls } from '../threads/calls.ts'
import { type SqliteData, sqliteCalls } from './sqlite-calls.ts'

answerCalls(sqliteCalls(workerData as SqliteData))
