/** Two services of one server process each on one PostgreSQL, which is what two machines of one operator share. */
import { makeSchema } from '../../../service/test/helpers/postgres.ts'
import { type ServiceProcess, startService } from '../../../service/test/helpers/service-process.ts'

/** What `measure` gives for two services that run until then, on a schema of their own. */
export async function withTwoServices<Result>(
  environment: Readonly<Record<string, string>>,
  measure: (here: ServiceProcess, there: ServiceProcess) => Promise<Result>,
): Promise<Result> {
  const ends: (() => Promise<unknown>)[] = []
  const shared = {
    ...environment,
    DATABASE_URL: await makeSchema((drop) => ends.unshift(drop)),
  }
  const start = async () => {
    const service = await startService({ environment: shared })
    ends.unshift(() => service.stop())
    return service
  }
  try {
    return await measure(await start(), await start())
  } finally {
    for (const end of ends) await end()
  }
}
