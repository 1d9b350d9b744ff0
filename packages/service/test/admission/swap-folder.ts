/** Swaps a folder for a link to another one, and back, as fast as it can: `node swap-folder.ts SPOT REAL LINK`. */
import { renameSync } from 'node:fs'

const [, , spot, real, link] = process.argv

for (;;) {
  // The folder leaves and the link takes its place; then the other way round.
  renameSync(spot!, real!)
  renameSync(link!, spot!)
  renameSync(spot!, link!)
  renameSync(real!, spot!)
}
