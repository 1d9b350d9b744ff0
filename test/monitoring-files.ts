/** The files for Prometheus and Grafana in deploy/, and the expressions (PromQL) in them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

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

export function rules(): readonly Rule[] {
  const { groups } = parse(readFileSync(RULES_FILE, 'utf8')) as {
    groups: { rules: readonly Rule[] }[]
  }
  return groups.flatMap((group) => group.rules)
}

/** The expressions of the dashboard's panels, by the title of their panel; Grafana's variables have values. */
export function panelExpressions(): readonly { title: string; expr: string }[] {
  return dashboard().panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({ title, expr: expr.replaceAll('$__rate_interval', '5m') })),
  )
}

/** What the dashboard's variables ask for: `label_values(tamis_info, job)`. */
export function variableQueries(): readonly string[] {
  return dashboard().templating.list.flatMap(({ definition }) => definition ?? [])
}

function dashboard(): Dashboard {
  return JSON.parse(readFileSync(join(DEPLOY, 'grafana/tamis.json'), 'utf8'))
}
