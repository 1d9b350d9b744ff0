/** A process for the office alone (office.ts): the store, the shipped models and a log, and nothing that judges mail. */
import { readCanary, readModels } from '../../artifact-files/artifact-files.ts'
import { feedSources } from '../feeds/sources.ts'
import { openLog } from '../http/log.ts'
import { LogLines } from '../http/log-lines.ts'
import { METRICS, processRegistry } from '../http/process-metrics.ts'
import { BACKGROUND_FAILED, Office } from '../office.ts'
import { OperatorRules } from '../rules/operator-rules.ts'
import { openStore } from '../store/open.ts'
import {
  type Links,
  type Running,
  runUnderSupervisor,
  type StartOrder,
} from './under-supervisor.ts'

runUnderSupervisor(open)

async function open({ config }: StartOrder, { siblings, commonStore }: Links): Promise<Running> {
  const log = openLog(new LogLines(process.stdout), config.logLevel)
  const models = await readModels(config.models)
  const canary = await readCanary(models)
  const store = await openStore(config, commonStore)
  const onError = (error: unknown) => log.error({ err: error }, BACKGROUND_FAILED)
  const rules = await OperatorRules.open({ path: config.rules, store, onError })
  const parts = { config, models, canary, store, rules, log, onError }
  const office = await Office.open({ ...parts, workers: siblings })
  rules.onLearning = () => office.choicesChanged()
  const metrics = processRegistry()
  siblings.on(METRICS, () => metrics.getMetricsAsJSON())
  return {
    modelsVersion: models.version,
    prepare: async (next) => {
      feedSources(next.feeds)
      const base = await readModels(next.models)
      const baseCanary = await readCanary(base)
      const rulesFile = await rules.prepare(next.rules)
      return {
        apply: async () => {
          await office.reload(next, base, baseCanary)
          rulesFile.use()
          log.level = next.logLevel
        },
        discard: async () => {},
      }
    },
    tell: (changes) => store.tell(changes),
    close: async () => {
      await office.close()
      rules.close()
      await store.close()
    },
  }
}
