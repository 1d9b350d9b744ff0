/**
 * Writes a computation as an ONNX file: the protocol buffers of onnx.proto3 (ONNX 1.19, IR version 10), of
 * which a graph without control flow needs eight messages.
 */

/** A value that flows between nodes, by its name. */
export type Value = string

/** Numbers that come with the file. */
export interface Constant {
  readonly name: string
  readonly dimensions: readonly number[]
  readonly values: Float32Array | Int8Array
}

export interface Node {
  readonly operator: string
  readonly inputs: readonly Value[]
  readonly output: Value
  readonly attributes: Readonly<Record<string, number | Real | readonly number[]>>
  /** Empty for ONNX's own operators. */
  readonly domain: string
}

/** An attribute of type float; plain numbers are integers. */
export interface Real {
  readonly real: number
}

/** A tensor of floats whose dimensions are numbers or names of what is known only when it runs. */
export interface Port {
  readonly name: Value
  readonly dimensions: readonly (number | string)[]
}

export interface Graph {
  readonly name: string
  readonly inputs: readonly Port[]
  readonly outputs: readonly Port[]
  readonly constants: readonly Constant[]
  readonly nodes: readonly Node[]
}

const IR_VERSION = 10

/** The version of each set of operators. */
const OPERATORS: Readonly<Record<string, number>> = { '': 17, 'com.microsoft': 1 }

/** TensorProto.DataType */
const FLOAT = 1
const INT8 = 3

/** AttributeProto.AttributeType */
const ATTRIBUTE_FLOAT = 1
const ATTRIBUTE_INT = 2
const ATTRIBUTE_INTS = 7

export function onnxFile(graph: Graph): Buffer {
  return Buffer.concat([
    integer(1, IR_VERSION),
    text(2, 'tamis-lab'),
    message(7, graphProto(graph)),
    ...Object.entries(OPERATORS).map(([domain, version]) =>
      message(8, [text(1, domain), integer(2, version)]),
    ),
  ])
}

function graphProto({ name, inputs, outputs, constants, nodes }: Graph): Buffer[] {
  return [
    ...nodes.map((node) => message(1, nodeProto(node))),
    text(2, name),
    ...constants.map((constant) => message(5, tensorProto(constant))),
    ...inputs.map((port) => message(11, valueInfoProto(port))),
    ...outputs.map((port) => message(12, valueInfoProto(port))),
  ]
}

function nodeProto({ operator, inputs, output, attributes, domain }: Node): Buffer[] {
  return [
    ...inputs.map((input) => text(1, input)),
    text(2, output),
    text(4, operator),
    ...Object.entries(attributes).map(([name, value]) => message(5, attributeProto(name, value))),
    text(7, domain),
  ]
}

function attributeProto(name: string, value: number | Real | readonly number[]): Buffer[] {
  if (typeof value === 'number')
    return [text(1, name), integer(3, value), integer(20, ATTRIBUTE_INT)]
  if ('real' in value) return [text(1, name), float(2, value.real), integer(20, ATTRIBUTE_FLOAT)]
  return [text(1, name), ...value.map((one) => integer(8, one)), integer(20, ATTRIBUTE_INTS)]
}

function tensorProto({ name, dimensions, values }: Constant): Buffer[] {
  const type = values instanceof Float32Array ? FLOAT : INT8
  const raw = Buffer.from(values.buffer, values.byteOffset, values.byteLength)
  return [
    ...dimensions.map((dimension) => integer(1, dimension)),
    integer(2, type),
    text(8, name),
    bytes(9, raw),
  ]
}

function valueInfoProto({ name, dimensions }: Port): Buffer[] {
  const shape = dimensions.map((dimension) =>
    message(1, [typeof dimension === 'number' ? integer(1, dimension) : text(2, dimension)]),
  )
  return [text(1, name), message(2, [message(1, [integer(1, FLOAT), message(2, shape)])])]
}

// Protocol buffers, encoding: a key of field number and wire type, then the value.

const VARINT = 0
const DELIMITED = 2
const FIXED32 = 5

function message(field: number, content: readonly Buffer[]): Buffer {
  return bytes(field, Buffer.concat(content))
}

function text(field: number, value: string): Buffer {
  return bytes(field, Buffer.from(value, 'utf8'))
}

function bytes(field: number, value: Buffer): Buffer {
  return Buffer.concat([varint(field * 8 + DELIMITED), varint(value.length), value])
}

function float(field: number, value: number): Buffer {
  const encoded = Buffer.alloc(4)
  encoded.writeFloatLE(value)
  return Buffer.concat([varint(field * 8 + FIXED32), encoded])
}

/** Negative ones are two's complement of 64 bits. */
function integer(field: number, value: number): Buffer {
  return Buffer.concat([varint(field * 8 + VARINT), varint(value)])
}

function varint(value: number): Buffer {
  const groups: number[] = []
  let rest = BigInt.asUintN(64, BigInt(value))
  while (rest >= 0x80n) {
    groups.push(Number(rest & 0x7fn) | 0x80)
    rest >>= 7n
  }
  return Buffer.from([...groups, Number(rest)])
}
