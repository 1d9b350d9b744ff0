/** `tamis check`: whether the service could start, or reload, with its settings and what they name. */
import { readKnowledge, readModels } from '../../artifact-files/artifact-files.ts'
import type { Command } from '../../terminal/command.ts'
import { printJson } from '../../terminal/output.ts'
import { PathRoots } from '../admission/path-roots.ts'
import { type Config, readOwnConfig } from '../config.ts'
import { configFile } from '../config-file.ts'
import { dnsListsOf } from '../dns-lists/settings.ts'
import { feedSources } from '../feeds/sources.ts'
import { readRulesFile } from '../rules/rules-file.ts'

export function addCheckCommand(program: Command): void {
  program
    .command('check')
    .argument('[file]', 'a file of settings; by default that of the service')
    .description('test the settings without starting the service')
    .option('--json', 'print one JSON object')
    .notes(`
Reads the settings as the service does, from the file and from TAMIS_*, and the files that they name: rules and models. A fault names the setting, its value and what is allowed, and the exit status is 78. It opens no store and asks nobody.

Examples:
  tamis check
  tamis check /etc/tamis/tamis.json && systemctl reload tamis`)
    .action(check)
}

async function check(
  given: string | undefined,
  { json }: { readonly json?: boolean },
): Promise<void> {
  const file = given ?? configFile(process.env)
  const config = readOwnConfig(file)
  await checkNamed(config)
  const where = file === undefined ? 'the environment' : `${file} and the environment`
  if (json) printJson({ valid: true, file: file ?? null })
  else process.stdout.write(`The settings of ${where} can be used\n`)
}

/** @throws TamisError CONFIG_INVALID, ARTIFACT_MISMATCH for what the service would not start with. */
async function checkNamed(config: Config): Promise<void> {
  feedSources(config.feeds)
  dnsListsOf(config.dnsLists)
  await PathRoots.open(config.pathRoots)
  await readKnowledge()
  await readRulesFile(config.rules)
  await readModels(config.models)
}
