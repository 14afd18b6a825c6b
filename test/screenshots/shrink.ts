// Small pictures for the repository: a page has few colours, so each picture gets a palette of at most 256.
// Supports only the PNG of Chromium: 8 bits a channel, not interlaced.
import { deflateSync, inflateSync } from 'node:zlib';

interface Image {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly pixels: Buffer;
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const paletteSize = 256;

/** The same picture with a palette; PNG in, PNG out. */
export function shrink(png: Buffer): Buffer {
  const image = decoded(png);
  const count = image.width * image.height;
  const frequency = new Map<number, number>();
  const colourAt = (at: number): number => image.pixels.readUIntBE(at * image.channels, 3);
  for (let at = 0; at < count; at++) {
    const colour = colourAt(at);
    frequency.set(colour, (frequency.get(colour) ?? 0) + 1);
  }
  const palette = paletteOf(frequency);
  const indexOf = new Map(palette.map((colour, index) => [colour, index]));
  const rows = Buffer.alloc((image.width + 1) * image.height);
  for (let at = 0; at < count; at++) {
    const colour = colourAt(at);
    let index = indexOf.get(colour);
    if (index === undefined) {
      index = nearest(palette, colour);
      indexOf.set(colour, index);
    }
    rows[at + Math.floor(at / image.width) + 1] = index;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(image.width, 0);
  header.writeUInt32BE(image.height, 4);
  header.set([8, 3], 8);
  const colours = Buffer.from(palette.flatMap((one) => [one >> 16, (one >> 8) & 255, one & 255]));
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('PLTE', colours),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Number of the most frequent colours that stay exact: surfaces, lines, text. */
const exact = 64;

/** Adds the most frequent colour of each shade, so that a small green dot is not lost among shades of grey. */
function paletteOf(frequency: ReadonlyMap<number, number>): readonly number[] {
  const shades = new Map<number, { colour: number; count: number; most: number }>();
  for (const [colour, count] of frequency) {
    const shade = colour & 0xf0f0f0;
    const one = shades.get(shade) ?? { colour, count: 0, most: 0 };
    one.count += count;
    if (count > one.most) Object.assign(one, { colour, most: count });
    shades.set(shade, one);
  }
  const frequent = [...frequency].sort((a, b) => b[1] - a[1]).map(([colour]) => colour);
  const others = [...shades.values()].sort((a, b) => b.count - a.count).map(({ colour }) => colour);
  return [...new Set([...frequent.slice(0, exact), ...others])].slice(0, paletteSize);
}

function nearest(palette: readonly number[], colour: number): number {
  let best = 0;
  let least = Infinity;
  palette.forEach((one, index) => {
    const distance = [16, 8, 0].reduce(
      (sum, shift) => sum + (((one >> shift) & 255) - ((colour >> shift) & 255)) ** 2,
      0,
    );
    if (distance < least) [best, least] = [index, distance];
  });
  return best;
}

function decoded(png: Buffer): Image {
  const data: Buffer[] = [];
  let [width, height, channels] = [0, 0, 3];
  for (let at = signature.length; at < png.length;) {
    const length = png.readUInt32BE(at);
    const name = png.toString('latin1', at + 4, at + 8);
    const body = png.subarray(at + 8, at + 8 + length);
    if (name === 'IHDR') {
      [width, height] = [body.readUInt32BE(0), body.readUInt32BE(4)];
      channels = body[9] === 6 ? 4 : 3;
    }
    if (name === 'IDAT') data.push(body);
    at += length + 12;
  }
  return {
    width,
    height,
    channels,
    pixels: unfiltered(inflateSync(Buffer.concat(data)), width * channels, channels),
  };
}

/** PNG, second edition, 9.2: each byte is stored as the difference from a neighbour. */
function unfiltered(rows: Buffer, rowBytes: number, channels: number): Buffer {
  const height = rows.length / (rowBytes + 1);
  const pixels = Buffer.alloc(rowBytes * height);
  for (let y = 0; y < height; y++) {
    const filter = rows[y * (rowBytes + 1)] ?? 0;
    for (let x = 0; x < rowBytes; x++) {
      const left = x < channels ? 0 : (pixels[y * rowBytes + x - channels] ?? 0);
      const above = y === 0 ? 0 : (pixels[(y - 1) * rowBytes + x] ?? 0);
      const corner = y === 0 || x < channels ? 0 : (pixels[(y - 1) * rowBytes + x - channels] ?? 0);
      const added = [0, left, above, (left + above) >> 1, paeth(left, above, corner)][filter] ?? 0;
      pixels[y * rowBytes + x] = (rows[y * (rowBytes + 1) + 1 + x] ?? 0) + added;
    }
  }
  return pixels;
}

function paeth(left: number, above: number, corner: number): number {
  const estimate = left + above - corner;
  const [a, b, c] = [left, above, corner].map((one) => Math.abs(estimate - one)) as [number, number, number];
  if (a <= b && a <= c) return left;
  return b <= c ? above : corner;
}

function chunk(name: string, body: Buffer): Buffer {
  const framed = Buffer.concat([Buffer.from(name, 'latin1'), body]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(body.length);
  sum.writeUInt32BE(crc(framed));
  return Buffer.concat([length, framed, sum]);
}

function crc(bytes: Buffer): number {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  }
  return (sum ^ 0xffffffff) >>> 0;
}
