/** Alert rules and dashboard in deploy/ use metrics that the service has. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { parse } from 'yaml'
import { HTTP_OPERATIONS } from '../packages/service/http/operations.ts'
import { KeptMetrics } from '../packages/service/main/kept-metrics.ts'
import { build } from '../packages/service/test/http/service.ts'

const DEPLOY = join(import.meta.dirname, '../deploy')

const RULES = JSON.stringify(parse(read('prometheus/tamis.rules.yml')))

/** Grafana's own variable has a value. */
const DASHBOARD = read('grafana/tamis.json').replaceAll('$__rate_interval', '5m')

function read(name: string): string {
  return readFileSync(join(DEPLOY, name), 'utf8')
}

/** What has the key `name` anywhere in rules and dashboard. */
function valuesOf(name: string): string[] {
  const found: string[] = []
  const keep = (key: string, value: unknown) => {
    if (key === name && typeof value === 'string') found.push(value)
    return value
  }
  for (const text of [RULES, DASHBOARD]) JSON.parse(text, keep)
  return found
}

/** Words of PromQL that stand where a name could. */
const KEYWORDS = new Set(['and', 'by', 'offset', 'on', 'or', 'unless'])

/** Metrics of Prometheus itself, about every target. */
const OF_PROMETHEUS = ['up']

/** Samples of a histogram. */
const SUFFIXES = ['_bucket', '_sum', '_count']

/** The names of metrics in `expr`: what is no label, string, duration, function or keyword. */
function namesIn(expr: string): string[] {
  const text = expr
    .replaceAll(/"[^"]*"/g, '')
    .replaceAll(/\{[^}]*\}|\[[^\]]*\]/g, ' ')
    .replaceAll(/\b(?:by|on) ?\([^)]*\)/g, ' ')
  const words = text.match(/(?<![\w.:])[a-zA-Z_][\w:]*(?! *\(|[\w:])/g) ?? []
  return words.filter((word) => !KEYWORDS.has(word))
}

/** The names of all samples in `text`, a page of /metrics. */
function sampleNames(text: string): string[] {
  return [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) =>
    type === 'histogram' ? SUFFIXES.map((suffix) => name + suffix) : name,
  )
}

describe('deploy/prometheus and deploy/grafana', () => {
  it('name no metric that /metrics does not have', async (t) => {
    const { app } = await build(t)
    const { body } = await app.inject('/metrics')
    const ofProcess = (await new KeptMetrics().all()).map(({ name }) => name)
    const known = new Set([
      ...sampleNames(body),
      ...ofProcess,
      ...valuesOf('record'),
      ...OF_PROMETHEUS,
    ])
    // A variable of the dashboard: `label_values(tamis_info, job)`.
    const variables = valuesOf('definition').map((query) => /\((\w+)/.exec(query)![1]!)
    const named = [...valuesOf('expr').flatMap(namesIn), ...variables]
    assert.ok(new Set(named).size > 20)
    assert.deepEqual(
      named.filter((name) => !known.has(name)),
      [],
    )
  })

  it('take for judging the routes that judge mail, and no other', () => {
    const patterns = valuesOf('expr').flatMap((expr) =>
      [...expr.matchAll(/route=~"([^"]*)"/g)].map((match) => match[1]!),
    )
    const [pattern, ...others] = new Set(patterns)
    assert.deepEqual(others, [])
    const isJudging = (path: string) => new RegExp(`^(?:${pattern})$`).test(path)
    assert.ok(isJudging('/checkv2'))
    for (const { path, scope, body } of HTTP_OPERATIONS) {
      if (scope === 'classify' && body === 'message') assert.ok(isJudging(path), path)
      if (scope !== 'classify') assert.ok(!isJudging(path), path)
    }
  })
})
