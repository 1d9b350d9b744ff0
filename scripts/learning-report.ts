/**
 * Simulates attacks on what the shared model learns from users, and writes packages/lab/reports/learning/README.md. Some
 * ten minutes.
 *
 *   node scripts/learning-report.ts --corpora DIR
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { readCanary } from '../packages/artifact-files/artifact-files.ts'
import { evaluateLearning } from '../packages/lab/evaluation/learning/evaluate-learning.ts'
import { renderLearningReport } from '../packages/lab/evaluation/learning/report.ts'
import { META_NUMBERING } from '../packages/mail/features/meta-features.ts'

const { values } = parseArgs({ options: { corpora: { type: 'string' } } })
if (values.corpora === undefined) throw new TypeError('--corpora DIR is missing')

// The models are trained here, on the features that this code draws.
const canary = await readCanary({ metaNumbering: META_NUMBERING })
const evaluation = evaluateLearning(values.corpora, canary, () => process.stderr.write('.'))
const report = renderLearningReport(evaluation, 'node scripts/learning-report.ts --corpora DIR')
const folder = new URL('../packages/lab/reports/learning/', import.meta.url)
mkdirSync(folder, { recursive: true })
writeFileSync(new URL('README.md', folder), report)
process.stdout.write(report)
