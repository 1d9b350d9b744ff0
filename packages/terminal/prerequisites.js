/**
 * What must be there before Tamis can start: a Node that reads its code, and the libraries. Without them it
 * ends with a sentence and EX_CONFIG, where Node would show a stack.
 *
 * The entries import it first, and load the rest only afterwards. It is JavaScript that Node 12 can read,
 * because an older Node has no TypeScript.
 */

/** The first release of each line that has `net.BoundSocket`, by which the supervisor holds the port. */
const NODE_MIN = { 24: 19, 26: 4 }

/** EX_CONFIG of exit-status.ts. */
const CONFIG = 78

/** What is missing, and how to get it; undefined if nothing is. */
function whatIsMissing() {
  const { node } = process.versions
  const [major, minor] = node.split('.').map(Number)
  if (major <= 26 && !(minor >= NODE_MIN[major])) {
    return `Tamis needs Node 24.19 or later, or 26.4 or later, and this is Node ${node}. In a clone of the repository, run \`npm ci\`, which brings Node 24, and then \`npm start\` or \`npm run -s tamis\`. Elsewhere, install Node 24 (https://nodejs.org)`
  }
  try {
    import.meta.resolve('commander')
  } catch {
    return 'The libraries of Tamis are not installed. In a clone of the repository, run `npm ci` first'
  }
}

const missing = whatIsMissing()
if (missing !== undefined) {
  process.stderr.write(`tamis: ${missing}\n`)
  process.exit(CONFIG)
}
