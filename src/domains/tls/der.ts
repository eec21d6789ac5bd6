/** Encodes values in DER (X.690). */

export function sequence(...parts: Buffer[]): Buffer {
  return tlv(0x30, ...parts)
}

export function setOf(part: Buffer): Buffer {
  return tlv(0x31, part)
}

export function bool(value: boolean): Buffer {
  return tlv(0x01, Buffer.of(value ? 0xff : 0))
}

/** @param value from 0 to 127 */
export function smallInteger(value: number): Buffer {
  return tlv(0x02, Buffer.of(value))
}

export function octets(value: Buffer): Buffer {
  return tlv(0x04, value)
}

export function bits(value: Buffer): Buffer {
  return tlv(0x03, Buffer.of(0), value)
}

/** @param dotted such as `1.2.840.10045.4.3.2` */
export function objectId(dotted: string): Buffer {
  const [first, second, ...rest] = dotted.split('.').map(Number)
  const bytes = [first! * 40 + second!]
  for (const arc of rest) {
    const groups = [arc & 127]
    for (let left = arc >>> 7; left > 0; left >>>= 7) groups.unshift((left & 127) | 128)
    bytes.push(...groups)
  }
  return tlv(0x06, Buffer.from(bytes))
}

export function utf8(text: string): Buffer {
  return tlv(0x0c, Buffer.from(text))
}

/** @param date from 1950 to 2049, in whole seconds (`YYMMDDHHMMSSZ`) */
export function utcTime(date: Date): Buffer {
  return tlv(0x17, Buffer.from(`${date.toISOString().slice(2, 19).replace(/\D/g, '')}Z`))
}

export function tagged(number: number, value: Buffer, isConstructed: boolean): Buffer {
  return tlv((isConstructed ? 0xa0 : 0x80) + number, value)
}

function tlv(tag: number, ...parts: Buffer[]): Buffer {
  const value = Buffer.concat(parts)
  const { length } = value
  const head =
    length < 128
      ? [tag, length]
      : length < 256
        ? [tag, 0x81, length]
        : [tag, 0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from(head), value])
}
