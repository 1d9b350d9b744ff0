/**
 * The file of settings: the one that TAMIS_CONFIG names, else /etc/tamis/tamis.json where there is
 * one. So a command finds the settings of the machine's service, in whichever folder it runs.
 */
import { existsSync } from 'node:fs'

const CONFIG_FILE = '/etc/tamis/tamis.json'

type Environment = Readonly<Record<string, string | undefined>>

/** Undefined for none. @param machines the file of this machine's service; for tests. */
export function configFile(
  { TAMIS_CONFIG }: Environment,
  machines: string = CONFIG_FILE,
): string | undefined {
  return TAMIS_CONFIG ?? (existsSync(machines) ? machines : undefined)
}
