/** All routes of the HTTP API. */
import type { Operation } from './route.ts'
import { CLASSIFY, DIAGNOSTIC, TABS } from './routes/classify.ts'
import { CORRESPONDENTS } from './routes/correspondents.ts'
import { EMBED_TEXT } from './routes/embed-text.ts'
import { FEEDBACK } from './routes/feedback.ts'
import { HEALTH, METRICS, OPENAPI } from './routes/health.ts'
import { HISTORY } from './routes/history.ts'
import { MODELS } from './routes/models.ts'
import { OPERATOR_RULES } from './routes/operator-rules.ts'
import { RULES } from './routes/rules.ts'
import { JOBS, USERS } from './routes/users.ts'

/** In the document the operations of each tag stand in this order. */
export const HTTP_OPERATIONS: readonly Operation[] = [
  ...CLASSIFY,
  ...TABS,
  ...DIAGNOSTIC,
  ...EMBED_TEXT,
  ...FEEDBACK,
  ...RULES,
  ...USERS,
  ...CORRESPONDENTS,
  ...JOBS,
  ...OPERATOR_RULES,
  ...MODELS,
  ...HEALTH,
  ...HISTORY,
  ...METRICS,
  ...OPENAPI,
]
