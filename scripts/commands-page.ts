/** docs/cli.md, from the help of the commands themselves. */
import type { Command } from 'commander'
import { EXIT } from '../packages/errors/exit-status.ts'
import { labProgram } from '../packages/lab/cli/program.ts'
import { tamisProgram } from '../packages/service/cli/program.ts'

/** Columns of the help, independent of the terminal. */
const WIDTH = 100

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

The command is \`tamis\` with the Debian package or after \`npm install -g\`, and \`npm run -s tamis --\` in the repository.
\`npm run docs\` generates this page from \`--help\`.

- The command uses the settings of the service ([configuration.md](configuration.md)): \`TAMIS_*\`, or the file that
  \`TAMIS_CONFIG\` names, by default \`/etc/tamis/tamis.json\` if it exists.
- \`keys\`, \`learn\` and \`migrate\` open the store of the service, and \`backup\` reads it. The first line of the former, on
  standard error, says which it is, who owns it, and whether it was made just now. \`keys add\` and \`learn\` make a store only where the settings name it in full, by
  \`DATABASE_URL\` or an absolute \`TAMIS_DATA_DIR\`; \`migrate\` always makes one. Otherwise the exit status is 78
  ([operations.md](operations.md#which-store-a-command-uses)).
- \`feedback\`, \`rules\`, \`site-rules\`, \`weighted-rules\`, \`recipients\`, \`user\`, \`history\`, \`milter\` and \`spamd\` ask a running service: the one of
  the settings (\`TAMIS_HOST\`, \`TAMIS_PORT\`), or the one that \`--url\` or \`TAMIS_URL\` names. The key is in \`TAMIS_API_KEY\` or
  in the file of \`--key-file\`. It is never an argument, because other users of the machine can see arguments.
- Results go to standard output, as columns separated by tabs or, with \`--json\`, as JSON. On a terminal, lists have headings
  and aligned columns. If a list is empty, standard error says so. Work that takes longer than a second shows its progress
  on standard error.

## Exit statuses

The statuses follow sysexits.h where it has one.

| status | name | meaning |
|--:|---|---|
${Object.entries(EXIT)
  .map(([key, status]) => {
    const [name, meaning] = STATUSES[key as keyof typeof EXIT]
    return `| ${status} | ${name} | ${meaning} |`
  })
  .join('\n')}

${sections(await tamisProgram())}

# The laboratory

\`tamis-lab\` trains the models and measures how good they are. It is only in the repository, as
\`npm run -s tamis-lab --\`. How fast they are, and the service, is measured by \`npm run bench NAME\`, which lists its
measurements without a name.

${sections(labProgram())}
`
}

function sections(program: Command): string {
  return leaves(program, [])
    .map(({ names, command }) => `## ${names.join(' ')}\n\n\`\`\`text\n${helpOf(command)}\n\`\`\``)
    .join('\n\n')
}

interface Leaf {
  readonly names: readonly string[]
  readonly command: Command
}

/** The commands that do something, in the order of the help. */
function leaves(command: Command, parents: readonly string[]): Leaf[] {
  const names = [...parents, command.name()]
  const below = command.commands.flatMap((each) => leaves(each, names))
  const acts = command.commands.length === 0 || command.registeredArguments.length > 0
  return acts || command.options.length > 0 ? [{ names, command }, ...below] : below
}

/** The whole help of a command, with what follows the options. */
function helpOf(command: Command): string {
  let text = ''
  command
    .configureOutput({ writeOut: (piece) => (text += piece), getOutHelpWidth: () => WIDTH })
    .outputHelp()
  return text.trimEnd()
}
