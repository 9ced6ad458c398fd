/** The number types of ONNX that are used here. */
export const onnxTypes = { float32: 1, int64: 7, float16: 10 } as const;
type OnnxType = keyof typeof onnxTypes;

type Attribute = number | number[] | { float: number };

/** Parts of the file. They are concatenated once, at the end, so that weights are copied only once. */
type Bytes = Uint8Array[];

/** Writes a model in the ONNX format (protocol buffers; onnx.proto defines the fields). */
export class OnnxGraph {
  private readonly nodes: Bytes[] = [];
  private readonly constants: Bytes[] = [];
  private readonly inputs: Bytes[] = [];
  private count = 0;

  /** Adds an input: a matrix of integers. */
  input(name: string): string {
    this.inputs.push(field(11, valueInfo(name, 'int64', 2)));
    return name;
  }

  constant(type: OnnxType, dims: number[], data: Uint8Array): string {
    const name = `c${(this.count += 1)}`;
    const tensor = [
      ...dims.map((dim) => number(1, dim)),
      number(2, onnxTypes[type]),
      text(8, name),
      field(9, [data]),
    ];
    this.constants.push(field(5, ...tensor));
    return name;
  }

  int64(values: number[]): string {
    return this.constant('int64', [values.length], bytesOf(BigInt64Array.from(values, BigInt)));
  }

  float32(value: number): string {
    return this.constant('float32', [], bytesOf(Float32Array.of(value)));
  }

  /** Adds an operation. @returns the name of its output */
  node(operator: string, inputs: string[], attributes: Record<string, Attribute> = {}): string {
    const output = `n${(this.count += 1)}`;
    this.nodes.push(
      field(
        1,
        ...inputs.map((name) => text(1, name)),
        text(2, output),
        text(4, operator),
        ...Object.entries(attributes).map(([name, value]) => field(5, text(1, name), attribute(value))),
      ),
    );
    return output;
  }

  /** The file with one output, a matrix. */
  build(output: string, opset: number): Buffer {
    const graph = field(
      7,
      ...this.nodes,
      text(2, 'graph'),
      ...this.constants,
      ...this.inputs,
      field(12, valueInfo(output, 'float32', 2)),
    );
    return Buffer.concat([number(1, 9), graph, field(8, number(2, opset))].flat());
  }
}

function attribute(value: Attribute): Bytes {
  if (typeof value === 'number') return [...number(3, value), ...number(20, 2)];
  if (Array.isArray(value)) return [...value.flatMap((each) => number(8, each)), ...number(20, 7)];
  return [varint((2 << 3) | 5), bytesOf(Float32Array.of(value.float)), ...number(20, 1)];
}

/** The description of a tensor with variable dimensions. */
function valueInfo(name: string, type: OnnxType, dimensions: number): Bytes {
  const shape = Array.from({ length: dimensions }, (_, k) => field(1, text(2, `${name}${k}`)));
  return [...text(1, name), ...field(2, field(1, number(1, onnxTypes[type]), field(2, ...shape)))];
}

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView) =>
  new Uint8Array(buffer, byteOffset, byteLength);

const text = (id: number, value: string) => field(id, [Buffer.from(value)]);

function field(id: number, ...parts: Bytes[]): Bytes {
  const bytes = parts.flat();
  const length = bytes.reduce((sum, part) => sum + part.length, 0);
  return [varint((id << 3) | 2), varint(length), ...bytes];
}

const number = (id: number, value: number): Bytes => [varint(id << 3), varint(value)];

/** Negative numbers are written as 64 bits in two's complement. */
function varint(value: number): Uint8Array {
  let rest = BigInt.asUintN(64, BigInt(value));
  const bytes: number[] = [];
  do {
    const more = rest > 127n;
    bytes.push(Number(rest & 127n) | (more ? 128 : 0));
    rest >>= 7n;
  } while (rest > 0n);
  return Uint8Array.from(bytes);
}
