/** docs/configuration.md, from the table of settings. */
import { allowedText, SETTINGS, type Setting } from '../packages/service/config.ts'

const HEAD = `# Configuration

This page is generated from \`packages/service/config.ts\` by \`npm run docs\`.

Tamis runs without any configuration. A setting is an environment variable, or a key in a JSON
file: the one that \`TAMIS_CONFIG\` names, or else \`/etc/tamis/tamis.json\` if it exists. Commands read the same
settings. If both set a value, the environment wins. If a name does not exist or a value is not allowed, the service does
not start, and the error message names the setting and says what is allowed. \`tamis check\` says so without a start. A list is
a text separated by commas, in the file also a JSON array.

\`\`\`json
{ "port": 9000, "threshold": "cautious", "pathRoots": ["/var/spool/mail"] }
\`\`\`

| variable | key | allowed | default |
|---|---|---|---|
`

/** The whole page. */
export function configurationPage(): string {
  const rows = Object.entries(SETTINGS)
  const reasons = rows.map(
    ([, { environment, description }]) => `- \`${environment}\`: ${description}`,
  )
  return `${HEAD}${rows.map(tableRow).join('\n')}\n\n## What each setting does\n\n${reasons.join('\n')}\n`
}

function tableRow([key, setting]: [key: string, setting: Setting]): string {
  const cells = [
    `\`${setting.environment}\``,
    `\`${key}\``,
    allowedText(setting),
    setting.defaultText ?? `\`${defaultText(setting.default)}\``,
  ]
  return `| ${cells.join(' | ')} |`
}

/** As it would be written in the environment. */
function defaultText(value: unknown): string {
  if (!Array.isArray(value)) return String(value)
  return value.length === 0 ? '(none)' : value.join(',')
}
