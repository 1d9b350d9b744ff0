import { workerData } from 'node:worker_threads'
import { answerCalls } from '../threads/calls.ts'
import { type SqliteWriterData, sqliteWriter } from './sqlite-writer.ts'

const { settings, changes } = workerData as SqliteWriterData
answerCalls(sqliteWriter(settings, new Int32Array(changes)))
