/** The office thread (office.ts): the store, the shipped models and a log, and nothing that judges mail. */
import { readCanary, readModels } from '../../artifact-files/artifact-files.ts'
import { LogLines, openLog } from '../http/log.ts'
import { BACKGROUND_FAILED, Office } from '../office.ts'
import { OperatorRules } from '../rules/operator-rules.ts'
import { damageOf } from '../store/damage.ts'
import { openStore } from '../store/open.ts'
import { type Links, type Running, runUnderMain, type StartOrder } from './under-main.ts'

runUnderMain(open)

async function open({ config }: StartOrder, { shared }: Links): Promise<Running> {
  const log = openLog(new LogLines(process.stdout), config.logLevel)
  const models = await readModels(config.models, shared)
  const canary = await readCanary(models)
  const store = await openStore(config, { shared })
  await damageOf(store, shared, log)
  const onError = (error: unknown) => log.error({ err: error }, BACKGROUND_FAILED)
  const rules = await OperatorRules.open({ path: config.rules, store, onError })
  const office = await Office.open({ config, models, canary, store, rules, log, onError })
  rules.onLearning = () => office.choicesChanged()
  return {
    modelsVersion: models.version,
    async close() {
      await office.close()
      rules.close()
      await store.close()
    },
  }
}
