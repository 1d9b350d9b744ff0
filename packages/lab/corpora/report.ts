/** Where it is said what of the corpora is left out: no figure shall rest on less than one thinks. */
export type Report = (line: string) => void

export function reportOnStderr(line: string): void {
  process.stderr.write(`${line}\n`)
}
