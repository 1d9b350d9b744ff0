/**
 * A small ONNX model for tests, written as bytes: https://github.com/onnx/onnx/blob/v1.17.0/onnx/onnx.proto,
 * encoded as https://protobuf.dev/programming-guides/encoding/ has it.
 *
 * It looks its input_ids up in a table, and that is all. Row i is 1 at i and 0 elsewhere, so that
 * what comes of a text can be worked out by hand.
 */
import { DIMENSIONS } from '../../../mail/embedding/embedding-model.ts'

export interface TinyModel {
  /** Rows of the table. */
  readonly rows: number
  readonly dimensions?: number
  readonly inputs?: readonly string[]
  /** Name of the output with a vector for each piece; none without. */
  readonly perPiece?: string
  /** Name of an output with the largest of each dimension, twice as long as the mean or more; none without. */
  readonly pooled?: string
}

const BERT_INPUTS = ['input_ids', 'attention_mask', 'token_type_ids']

const IR_VERSION = 8
const OPSET_VERSION = 13
const FLOAT = 1
const INT64 = 7
const ATTRIBUTE_INT = 2
const ATTRIBUTE_INTS = 7

export function tinyOnnxModel(model: TinyModel): Uint8Array {
  return bytes([
    number(1, IR_VERSION),
    nested(7, graph(model)),
    nested(8, [text(1, ''), number(2, OPSET_VERSION)]),
  ])
}

function graph(model: TinyModel): Field[] {
  const { rows, dimensions = DIMENSIONS, inputs = BERT_INPUTS, perPiece, pooled } = model
  const pieces = perPiece ?? 'pieces'
  const fields = [
    node('Gather', ['table', inputs[0]!], pieces),
    text(2, 'tiny'),
    table(rows, dimensions),
    ...inputs.map((name) => nested(11, value(name, INT64, ['batch', 'length']))),
  ]
  if (perPiece !== undefined) {
    fields.push(nested(12, value(perPiece, FLOAT, ['batch', 'length', dimensions])))
  }
  if (pooled !== undefined) {
    fields.push(node('ReduceMax', [pieces], pooled, OVER_PIECES))
    fields.push(nested(12, value(pooled, FLOAT, ['batch', dimensions])))
  }
  return fields
}

/** Attributes: over the second axis, which is gone afterwards. */
const OVER_PIECES = [
  nested(5, [text(1, 'axes'), number(8, 1), number(20, ATTRIBUTE_INTS)]),
  nested(5, [text(1, 'keepdims'), number(3, 0), number(20, ATTRIBUTE_INT)]),
]

/** NodeProto. */
function node(
  operator: string,
  inputs: readonly string[],
  output: string,
  attributes: readonly Field[] = [],
): Field {
  const names = inputs.map((name) => text(1, name))
  return nested(1, [...names, text(2, output), text(4, operator), ...attributes])
}

/** TensorProto, an initializer. */
function table(rows: number, dimensions: number): Field {
  const values = new Float32Array(rows * dimensions)
  for (let row = 0; row < Math.min(rows, dimensions); row++) values[row * dimensions + row] = 1
  return nested(5, [
    number(1, rows),
    number(1, dimensions),
    number(2, FLOAT),
    text(8, 'table'),
    octets(9, new Uint8Array(values.buffer)),
  ])
}

/** ValueInfoProto; a dimension is a number, or a name where it varies. */
function value(name: string, type: number, shape: readonly (string | number)[]): Field[] {
  const dimensions = shape.map((length) =>
    nested(1, [typeof length === 'number' ? number(1, length) : text(2, length)]),
  )
  return [text(1, name), nested(2, [nested(1, [number(1, type), nested(2, dimensions)])])]
}

type Field = Uint8Array

function number(field: number, content: number): Field {
  return bytes([varint(field << 3), varint(content)])
}

function octets(field: number, content: Uint8Array): Field {
  return bytes([varint((field << 3) | 2), varint(content.length), content])
}

function text(field: number, content: string): Field {
  return octets(field, Buffer.from(content))
}

function nested(field: number, content: readonly Field[]): Field {
  return octets(field, bytes(content))
}

function varint(content: number): Uint8Array {
  const septets: number[] = []
  let rest = content
  for (; rest > 0x7f; rest >>>= 7) septets.push((rest & 0x7f) | 0x80)
  return Uint8Array.from([...septets, rest])
}

function bytes(parts: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(parts)
}
