/** `tamis-lab knowledge`: lists of domains and networks -> artifact. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Command } from 'commander'
import { printJson } from '../../terminal/output.ts'
import { knowledgeFiles } from '../knowledge/build-knowledge.ts'

/** Of the artifact, apart from the models': year, month, count. */
const KNOWLEDGE_VERSION = '2026.11.1'

interface KnowledgeOptions {
  readonly out: string
  readonly json?: boolean
}

export function addKnowledgeCommand(program: Command): void {
  program
    .command('knowledge')
    .description('make the table of known domains and sending networks from lists')
    .argument('<folder>', 'folder of the lists (docs/data.md)')
    .requiredOption('--out <folder>', 'where to write the artifact')
    .option('--json', 'what was written as one JSON object')
    .addHelpText(
      'after',
      `
The same lists give the same bytes.

Examples:
  tamis-lab knowledge /var/tmp/knowledge --out artifacts/`,
    )
    .action(writeKnowledge)
}

function writeKnowledge(folder: string, { out, json }: KnowledgeOptions): void {
  const files = knowledgeFiles(folder, KNOWLEDGE_VERSION)
  for (const [path, bytes] of files) {
    mkdirSync(dirname(join(out, path)), { recursive: true })
    writeFileSync(join(out, path), bytes)
  }
  const written = [...files].map(([path]) => join(out, path))
  if (json) printJson({ version: KNOWLEDGE_VERSION, written })
}
