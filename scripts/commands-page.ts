/** docs/cli.md, from the help of the commands. */
import type { Command, Option } from 'commander'
import { EXIT } from '../packages/errors/exit-status.ts'
import { labProgram } from '../packages/lab/cli/program.ts'
import { tamisProgram } from '../packages/service/cli/program.ts'

/** Options that many commands have; the page describes them once. */
const COMMON = ['--json', '--url', '--key-file']

/** What each status means; a test holds the numbers against those of the code. */
const STATUSES: Readonly<Record<keyof typeof EXIT, readonly [name: string, meaning: string]>> = {
  done: ['', 'Done. `classify`: no message was spam.'],
  spam: ['', '`classify`: at least one message was spam.'],
  partly: [
    '',
    'Only part was done: for example, one of several files is not a message, or one of several feeds could not be downloaded.',
  ],
  usage: ['EX_USAGE', 'The command line is wrong.'],
  data: [
    'EX_DATAERR',
    'The input is wrong: it is not a message, there is no such rule or key, or a corpus is incomplete.',
  ],
  noInput: ['EX_NOINPUT', 'A file or folder does not exist or cannot be read.'],
  unavailable: ['EX_UNAVAILABLE', 'There is no answer at `--url`.'],
  internal: ['EX_SOFTWARE', 'A bug in Tamis; the log of the service has the cause.'],
  cannotCreate: ['EX_CANTCREAT', 'A file or folder cannot be written.'],
  later: [
    'EX_TEMPFAIL',
    'Try again later: the service is busy or shutting down, the store is not available, an answer took too long, or a rate limit is used up. `migrate --status`: there is something to migrate.',
  ],
  protocol: ['EX_PROTOCOL', 'The program at `--url` is not Tamis, or is another version of it.'],
  refused: [
    'EX_NOPERM',
    'The API key is missing, unknown, or lacks the required scope or licence.',
  ],
  config: [
    'EX_CONFIG',
    'A setting is wrong, the models do not fit this version, or Node is too old.',
  ],
}

export async function commandsPage(): Promise<string> {
  return `# The command

\`tamis\` with the Debian package or after \`npm install -g\`, \`npm run -s tamis --\` in the repository. This page is generated
by \`npm run docs\`; \`tamis COMMAND --help\` adds notes, examples and the environment variable of each option.

- Settings are those of the service ([configuration.md](configuration.md)).
- \`keys\`, \`learn\` and \`migrate\` open the store of the service, \`backup\` reads it
  ([which store](operations.md#which-store-a-command-uses)).
- Commands with \`--url\` ask a running service, by default that of the settings; \`--key-file\` (or \`TAMIS_API_KEY\`) has the key.
- Results are columns separated by tabs or, with \`--json\`, one JSON object a line.

## Exit statuses

| status | sysexits.h | meaning |
|--:|---|---|
${Object.entries(EXIT)
  .map(([key, status]) => `| ${status} | ${STATUSES[key as keyof typeof EXIT].join(' | ')} |`)
  .join('\n')}

${leaves(await tamisProgram(), [])
  .map(section)
  .join('\n\n')}

# The laboratory

\`npm run -s tamis-lab -- COMMAND\` trains and evaluates the models; \`npm run bench NAME\` measures their speed.

${leaves(labProgram(), [])
  .map(({ names, command }) => `- \`${names.join(' ')}\`: ${command.description()}`)
  .join('\n')}
`
}

interface Leaf {
  readonly names: readonly string[]
  readonly command: Command
}

/** The commands that act, in the order of the help. */
function leaves(command: Command, parents: readonly string[]): Leaf[] {
  const names = [...parents, command.name()]
  const below = command.commands.flatMap((each) => leaves(each, names))
  const acts = command.commands.length === 0 || (parents.length > 0 && command.options.length > 0)
  return acts ? [{ names, command }, ...below] : below
}

function section({ names, command }: Leaf): string {
  const arguments_ = command.registeredArguments.map((argument) => {
    const text = argument.name() + (argument.variadic ? '...' : '')
    return argument.required ? `<${text}>` : `[${text}]`
  })
  const required = command.options.filter(({ mandatory }) => mandatory).map(({ flags }) => flags)
  const usage = [...names, ...required, ...arguments_].join(' ')
  const options = command.options.filter(
    ({ long }) => long !== '--version' && !COMMON.includes(long!),
  )
  const common = command.options.filter(({ long }) => COMMON.includes(long!))
  const also =
    common.length === 0 ? '' : ` Also ${common.map(({ long }) => `\`${long}\``).join(', ')}.`
  const lines = options.map((option) => `- ${optionLine(option)}`)
  const text = `## ${names.join(' ')}\n\n\`${usage}\`: ${command.description()}.${also}`
  return lines.length === 0 ? text : `${text}\n\n${lines.join('\n')}`
}

function optionLine({
  flags,
  description,
  defaultValue,
  defaultValueDescription,
  argChoices,
}: Option): string {
  const shown =
    defaultValueDescription ??
    (['string', 'number'].includes(typeof defaultValue) ? defaultValue : '')
  const more = [
    ...(argChoices === undefined ? [] : [argChoices.join(', ')]),
    ...(shown === '' ? [] : [`default ${shown}`]),
  ]
  return `\`${flags}\`: ${description}${more.length === 0 ? '' : ` (${more.join('; ')})`}`
}
