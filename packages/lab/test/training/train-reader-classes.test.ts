/** Classes by the reader, on numbers made by hand: one number for each class, and a tabs model that knows two of four. */
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { byClass, CLASSES } from '../../../mail/models/prediction.ts'
import { headLogit, readClasses } from '../../../mail/models/reader.ts'
import { randomSource } from '../../training/random.ts'
import {
  type ClassExample,
  type TrainedClasses,
  trainReaderClasses,
} from '../../training/train-reader-classes.ts'

const SOURCES = ['household_2025', 'lists', 'finds', 'written']

/** The tabs model tells the first two classes from the others, and no more; the encoder's numbers tell all four. */
function mail(): ClassExample[] {
  const random = randomSource(5)
  return Array.from({ length: 800 }, (_, i) => {
    const label = i % CLASSES.length
    const source = SOURCES[(i >> 2) % SOURCES.length]!
    const tabs = byClass(label < 2 ? [0.4, 0.4, 0.1, 0.1] : [0.1, 0.1, 0.4, 0.4])
    const means = Float32Array.from(CLASSES, (_, c) => (c === label ? 1 : 0) + 0.3 * random())
    return { source, group: `${source} ${i}`, means, label, weight: 1, tabs }
  })
}

describe('trainReaderClasses', () => {
  let trained: TrainedClasses
  let fits = 0
  before(() => {
    trained = trainReaderClasses(mail(), () => fits++)
  })

  it('fits once without each fold, and once on all', () => {
    assert.equal(fits, 6)
  })

  it('has a head for each class, which rises with its own number alone', () => {
    assert.equal(trained.classes.length, CLASSES.length)
    trained.classes.forEach(({ weights }, c) => {
      weights.forEach((weight, at) => {
        assert.ok(at === c ? weight > 0 : weight < 0, `weight ${at} of class ${c} is ${weight}`)
      })
    })
  })

  it('lets the reader say what the tabs model cannot tell', () => {
    const { classes, classFusion } = trained
    assert.ok(classFusion.reader > 0)
    const right = mail().filter(({ means, tabs, label }) => {
      const read = classes.map((head) => headLogit(head, means))
      const of = readClasses(classFusion, tabs, read)
      return CLASSES.every((name, c) => c === label || of[name] < of[CLASSES[label]!])
    })
    assert.equal(right.length, 800)
  })
})
