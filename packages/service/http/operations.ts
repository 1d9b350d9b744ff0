/** All routes of the HTTP API. */
import type { Operation } from './route.ts'
import { CLASSIFY } from './routes/classify.ts'
import { CORRESPONDENTS } from './routes/correspondents.ts'
import { DIAGNOSTIC } from './routes/diagnostic.ts'
import { EMBED_TEXT } from './routes/embed-text.ts'
import { FEEDBACK } from './routes/feedback.ts'
import { HEALTH } from './routes/health.ts'
import { HISTORY } from './routes/history.ts'
import { JOBS } from './routes/jobs.ts'
import { METRICS } from './routes/metrics.ts'
import { MODELS } from './routes/models.ts'
import { OPENAPI } from './routes/openapi.ts'
import { OPERATOR_RULES } from './routes/operator-rules.ts'
import { REASONS } from './routes/reasons.ts'
import { RECIPIENTS } from './routes/recipients.ts'
import { RULES } from './routes/rules.ts'
import { TABS } from './routes/tabs.ts'
import { USERS } from './routes/users.ts'

/** In the document the operations of each tag stand in this order. */
export const HTTP_OPERATIONS: readonly Operation[] = [
  ...CLASSIFY,
  ...RECIPIENTS,
  ...REASONS,
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
