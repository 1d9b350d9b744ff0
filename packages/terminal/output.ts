/** What commands write on standard output: columns separated by tabs, or with `--json` one object per line. */

export function printRow(...columns: readonly (string | number)[]): void {
  process.stdout.write(`${columns.join('\t')}\n`)
}

export function printJson(value: object): void {
  process.stdout.write(`${JSON.stringify(value)}\n`)
}
