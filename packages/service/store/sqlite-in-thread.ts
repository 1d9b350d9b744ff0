/**
 * SQLite on a thread of its own: operations come as messages, results go back.
 *
 * SQLite waits for the disk and for locks on the thread that calls it, and the thread that answers
 * HTTP has no time for that. A whole operation is one message: were it one a statement, each
 * statement would wait for two threads to be scheduled on processors that are busy with mail.
 */
import { workerData } from 'node:worker_threads'
import { answerCalls } from '../threads/calls.ts'
import { sqliteCalls } from './sqlite-calls.ts'
import type { SqliteSettings } from './sqlite-connection.ts'

answerCalls(sqliteCalls(workerData as SqliteSettings))
