/**
 * The layers of multilingual-e5-small (BERT: Devlin and others, 2019) as a graph for onnxruntime. Weights of 4 bits
 * become integers of 7 with one scale for each output: of 8 bits, two products of a weight and an activation would
 * not fit the 16 bits in which processors without VNNI add them. Weights left in their blocks of 4 bits
 * ('MatMulNBits') take 1.7 times as long.
 */
import { dequantised, floats } from '../../encoder/blocks.ts'
import { meanOf, READ_LAYERS } from '../../encoder/encoder.ts'
import type { E5 } from './e5-file.ts'
import type { Constant, Graph, Node, Port, Value } from './onnx-file.ts'

/** The largest weight: 2 * 255 * 63 fits 16 bits with a sign. */
const WEIGHT_MAX = 63

/**
 * The layers up to the last that is read, and the rest of them, which an embedding wants besides.
 *
 * `first` takes `embedded` (1, pieces, hidden), the rows of pieces and positions; it gives `mean3`, `mean6`, `mean9`
 * (1, hidden), the means over pieces, and `hidden` (1, pieces, hidden), which `last` takes; `last` gives `mean12`.
 */
export function encoderGraphs(e5: E5): { readonly first: Graph; readonly last: Graph } {
  const lastRead = Math.max(...READ_LAYERS)
  const perPiece = [1, 'pieces', e5.hidden] as const

  const first = new Builder(e5)
  let x = first.node('', 'LayerNormalization', ['embedded', ...first.norm('emb.ln')], {
    axis: -1,
    epsilon: { real: e5.epsilon },
  })
  for (let layer = 1; layer <= lastRead; layer++) {
    x = first.layer(x, layer, layer === lastRead ? 'hidden' : undefined)
    if (READ_LAYERS.includes(layer)) first.mean(x, meanOf(layer))
  }

  const last = new Builder(e5)
  let y = 'hidden'
  for (let layer = lastRead + 1; layer <= e5.layers; layer++) y = last.layer(y, layer)
  last.mean(y, meanOf(e5.layers))

  return {
    first: first.graph(
      'first layers',
      [{ name: 'embedded', dimensions: perPiece }],
      [{ name: 'hidden', dimensions: perPiece }],
    ),
    last: last.graph('last layers', [{ name: 'hidden', dimensions: perPiece }], []),
  }
}

class Builder {
  readonly #constants: Constant[] = []
  readonly #nodes: Node[] = []
  readonly #means: Port[] = []
  readonly #e5: E5

  constructor(e5: E5) {
    this.#e5 = e5
  }

  graph(name: string, inputs: readonly Port[], outputs: readonly Port[]): Graph {
    return {
      name,
      inputs,
      outputs: [...outputs, ...this.#means],
      constants: this.#constants,
      nodes: this.#nodes,
    }
  }

  /** Layer 1, 2, ...: attention, then two dense layers, each added to what went in and normalised. */
  layer(input: Value, layer: number, output?: Value): Value {
    const { hidden, feedForward, heads } = this.#e5
    const name = `l${layer - 1}`
    const [query, key, value] = ['q', 'k', 'v'].map((of) =>
      this.dense(input, `${name}.${of}`, hidden, hidden),
    ) as [Value, Value, Value]
    const attention = this.node('com.microsoft', 'MultiHeadAttention', [query, key, value], {
      num_heads: heads,
    })
    const attended = this.add(
      input,
      this.dense(attention, `${name}.ao`, hidden, hidden),
      `${name}.aln`,
    )
    const wide = this.node('com.microsoft', 'Gelu', [
      this.dense(attended, `${name}.fi`, hidden, feedForward),
    ])
    const narrow = this.dense(wide, `${name}.fo`, feedForward, hidden)
    return this.add(attended, narrow, `${name}.oln`, output)
  }

  dense(input: Value, name: string, from: number, to: number): Value {
    const { integers, scales } = perOutput(this.#tensor(`${name}.w`), from, to)
    const weights = this.#constant(`${name}.w`, [from, to], integers)
    const scale = this.#constant(`${name}.scales`, [to], scales)
    const zero = this.#constant(`${name}.zeros`, [to], new Int8Array(to))
    const bias = this.#constant(`${name}.b`, [to], floats(this.#tensor(`${name}.b`)))
    return this.node('com.microsoft', 'DynamicQuantizeMatMul', [input, weights, scale, zero, bias])
  }

  add(input: Value, change: Value, norm: string, output?: Value): Value {
    return this.node(
      'com.microsoft',
      'SkipLayerNormalization',
      [input, change, ...this.norm(norm)],
      { epsilon: { real: this.#e5.epsilon } },
      output,
    )
  }

  norm(name: string): Value[] {
    return ['w', 'b'].map((of) => {
      const values = floats(this.#tensor(`${name}.${of}`))
      return this.#constant(`${name}.${of}`, [values.length], values)
    })
  }

  mean(input: Value, name: string): void {
    this.node('', 'ReduceMean', [input], { axes: [1], keepdims: 0 }, name)
    this.#means.push({ name, dimensions: [1, this.#e5.hidden] })
  }

  node(
    domain: string,
    operator: string,
    inputs: readonly Value[],
    attributes: Node['attributes'] = {},
    output = `v${this.#nodes.length}`,
  ): Value {
    this.#nodes.push({ operator, inputs, output, attributes, domain })
    return output
  }

  #constant(name: string, dimensions: readonly number[], values: Constant['values']): Value {
    this.#constants.push({ name, dimensions, values })
    return name
  }

  #tensor(name: string): Uint8Array {
    const tensor = this.#e5.tensors.get(name)
    if (tensor === undefined) throw new Error(`The encoder has no ${name}`)
    return tensor
  }
}

/**
 * Weights in blocks, (outputs, inputs) -> integers (inputs, outputs) and for each output the scale that its
 * largest weight asks for.
 */
function perOutput(blocks: Uint8Array, inputs: number, outputs: number) {
  const integers = new Int8Array(inputs * outputs)
  const scales = new Float32Array(outputs)
  for (let output = 0; output < outputs; output++) {
    const weights = dequantised(blocks, output * inputs, inputs)
    const largest = weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0)
    const scale = largest / WEIGHT_MAX
    scales[output] = scale
    weights.forEach((weight, input) => {
      integers[input * outputs + output] = Math.round(weight / scale)
    })
  }
  return { integers, scales }
}
