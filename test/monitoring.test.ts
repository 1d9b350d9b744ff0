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

const RULES_FILE = join(DEPLOY, 'prometheus/tamis.rules.yml')

interface Rule {
  readonly alert?: string
  readonly record?: string
  readonly expr: string
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
}

interface Panel {
  readonly title: string
  readonly targets?: readonly { readonly expr: string }[]
}

interface Dashboard {
  readonly panels: readonly Panel[]
  readonly templating: { readonly list: readonly { readonly definition?: string }[] }
}

function rules(): readonly Rule[] {
  const { groups } = parse(readFileSync(RULES_FILE, 'utf8')) as {
    groups: { rules: readonly Rule[] }[]
  }
  return groups.flatMap((group) => group.rules)
}

/** The expressions of the dashboard's panels, by the title of their panel; Grafana's variables have values. */
function panelExpressions(): readonly { title: string; expr: string }[] {
  return dashboard().panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({ title, expr: expr.replaceAll('$__rate_interval', '5m') })),
  )
}

/** What the dashboard's variables ask for: `label_values(tamis_info, job)`. */
function variableQueries(): readonly string[] {
  return dashboard().templating.list.flatMap(({ definition }) => definition ?? [])
}

function dashboard(): Dashboard {
  return JSON.parse(readFileSync(join(DEPLOY, 'grafana/tamis.json'), 'utf8'))
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
    const recorded = rules().flatMap(({ record }) => record ?? [])
    const ofProcess = (await new KeptMetrics().all()).map(({ name }) => name)
    const known = new Set([...sampleNames(body), ...ofProcess, ...recorded, ...OF_PROMETHEUS])
    const expressions = [...rules(), ...panelExpressions()].map(({ expr }) => expr)
    const variables = variableQueries().map((query) => /\((\w+)/.exec(query)![1]!)
    const named = [...expressions.flatMap(namesIn), ...variables]
    assert.ok(new Set(named).size > 20)
    assert.deepEqual(
      named.filter((name) => !known.has(name)),
      [],
    )
  })

  it('take for judging the routes that judge mail, and no other', () => {
    const expressions = [...rules(), ...panelExpressions()].map(({ expr }) => expr)
    const patterns = expressions.flatMap((expr) =>
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

  it('say of every alert how urgent it is and what to do', () => {
    const alerts = rules().filter(({ alert }) => alert !== undefined)
    assert.ok(alerts.length > 0)
    for (const { alert, labels, annotations } of alerts) {
      assert.match(labels?.['severity'] ?? '', /^(?:critical|warning)$/, alert)
      assert.ok(annotations?.['summary'], alert)
      assert.ok((annotations?.['description'] ?? '').length > 100, alert)
    }
  })
})
