/** A process for the office alone (office.ts): the store, the shipped models and a log, and nothing that judges mail. */
import { readCanary, readModels } from '../../artifact-files/artifact-files.ts'
import { feedSources } from '../feeds/sources.ts'
import { JsonLog } from '../http/json-log.ts'
import { LogLines } from '../http/log-lines.ts'
import { METRICS } from '../http/merged-metrics.ts'
import { processRegistry } from '../http/process-registry.ts'
import { BACKGROUND_FAILED, Office } from '../office.ts'
import { openStore } from '../store/open.ts'
import { Tenants } from '../tenants/tenants.ts'
import {
  type Links,
  type Running,
  runUnderSupervisor,
  type StartOrder,
} from './under-supervisor.ts'

runUnderSupervisor(open)

async function open({ config }: StartOrder, { siblings, commonStore }: Links): Promise<Running> {
  const log = new JsonLog(new LogLines(process.stdout), config.logLevel)
  const models = await readModels(config.models)
  const canary = await readCanary(models)
  const store = await openStore(config, commonStore)
  const tenants = await Tenants.open(store)
  const onError = (error: unknown) => log.error({ err: error }, BACKGROUND_FAILED)
  const parts = { config, models, canary, store, tenants, log, onError }
  const office = await Office.open({ ...parts, workers: siblings })
  const metrics = processRegistry()
  siblings.on(METRICS, () => metrics.getMetricsAsJSON())
  return {
    modelsVersion: models.version,
    prepare: async (next) => {
      feedSources(next.feeds)
      const base = await readModels(next.models)
      const baseCanary = await readCanary(base)
      return {
        apply: async () => {
          await office.reload(next, base, baseCanary)
          log.level = next.logLevel
        },
        discard: async () => {},
      }
    },
    tell: (changes) => store.tell(changes),
    close: async () => {
      await office.close()
      tenants.close()
      await store.close()
    },
  }
}
