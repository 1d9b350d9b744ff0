/** The first steps of newcomers, as `npm run walks` times them: here in this checkout, without a clone and `npm ci`. */
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { ADMINISTRATOR } from '../scripts/walks/administrator.ts'
import { CONSOLE } from '../scripts/walks/console.ts'
import { PYTHON } from '../scripts/walks/python.ts'
import { TYPESCRIPT } from '../scripts/walks/typescript.ts'
import { Walk } from '../scripts/walks/walk.ts'

const ROOT = join(import.meta.dirname, '..')

describe('the documents lead a newcomer', () => {
  for (const { title, skip, go } of [ADMINISTRATOR, TYPESCRIPT, PYTHON, CONSOLE]) {
    it(`to the end: ${title}`, { skip }, async (t) => {
      const walk = new Walk(({ told, seconds }) => t.diagnostic(`${seconds.toFixed(1)} s ${told}`))
      await go(walk, ROOT)
    })
  }
})
