import { createHash, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { DAY_MS } from '../../platform/core/clock.ts'

const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2'
const ACME_IDENTIFIER = '1.3.6.1.5.5.7.1.31'
const COMMON_NAME = '2.5.4.3'
const EXTENSION_REQUEST = '1.2.840.113549.1.9.14'
const SUBJECT_ALT_NAME = '2.5.29.17'

/** The host is in the subjectAltName only: authorities ignore the subject, and a common name is limited to 64. */
export function createSigningRequest(privateKey: KeyObject, hostname: string): Buffer {
  const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'der' })
  const extension = sequence(objectId(SUBJECT_ALT_NAME), octets(toAltNames(hostname)))
  const attribute = sequence(objectId(EXTENSION_REQUEST), setOf(sequence(extension)))
  const request = sequence(smallInteger(0), sequence(), publicKey, tagged(0, attribute, true))
  const signature = sign('sha256', request, privateKey)
  return sequence(request, sequence(objectId(ECDSA_WITH_SHA256)), bits(signature))
}

/** The self-signed certificate that answers an authority in a handshake (RFC 8737, 3), in PEM. */
export function createChallengeCertificate(hostname: string, answer: string) {
  const privateKey = newPrivateKey()
  const name = sequence(setOf(sequence(objectId(COMMON_NAME), utf8('ACME challenge'))))
  const algorithm = sequence(objectId(ECDSA_WITH_SHA256))
  const digest = createHash('sha256').update(answer).digest()
  const extensions = sequence(
    sequence(objectId(SUBJECT_ALT_NAME), octets(toAltNames(hostname))),
    sequence(objectId(ACME_IDENTIFIER), bool(true), octets(octets(digest))),
  )
  const signed = sequence(
    tagged(0, smallInteger(2), true),
    smallInteger(1),
    algorithm,
    name,
    sequence(utcTime(new Date(Date.now() - DAY_MS)), utcTime(new Date(Date.now() + DAY_MS))),
    name,
    createPublicKey(privateKey).export({ type: 'spki', format: 'der' }),
    tagged(3, extensions, true),
  )
  const certificate = sequence(signed, algorithm, bits(sign('sha256', signed, privateKey)))
  const lines = certificate.toString('base64').replace(/.{64}(?=.)/g, '$&\n')
  const cert = `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`
  return { cert, key: toPem(privateKey) }
}

/** The value of a subjectAltName with one host (RFC 5280, 4.2.1.6). */
function toAltNames(hostname: string): Buffer {
  return sequence(tagged(2, Buffer.from(hostname, 'ascii'), false))
}

/** Encodes values in DER (X.690). */

function sequence(...parts: Buffer[]): Buffer {
  return tlv(0x30, ...parts)
}

function setOf(part: Buffer): Buffer {
  return tlv(0x31, part)
}

function bool(value: boolean): Buffer {
  return tlv(0x01, Buffer.of(value ? 0xff : 0))
}

/** @param value from 0 to 127 */
function smallInteger(value: number): Buffer {
  return tlv(0x02, Buffer.of(value))
}

function octets(value: Buffer): Buffer {
  return tlv(0x04, value)
}

function bits(value: Buffer): Buffer {
  return tlv(0x03, Buffer.of(0), value)
}

/** @param dotted such as `1.2.840.10045.4.3.2` */
function objectId(dotted: string): Buffer {
  const [first, second, ...rest] = dotted.split('.').map(Number)
  const bytes = [first! * 40 + second!]
  for (const arc of rest) {
    const groups = [arc & 127]
    for (let left = arc >>> 7; left > 0; left >>>= 7) groups.unshift((left & 127) | 128)
    bytes.push(...groups)
  }
  return tlv(0x06, Buffer.from(bytes))
}

function utf8(text: string): Buffer {
  return tlv(0x0c, Buffer.from(text))
}

/** @param date from 1950 to 2049, in whole seconds (`YYMMDDHHMMSSZ`) */
function utcTime(date: Date): Buffer {
  return tlv(0x17, Buffer.from(`${date.toISOString().slice(2, 19).replace(/\D/g, '')}Z`))
}

function tagged(number: number, value: Buffer, isConstructed: boolean): Buffer {
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

/** A new key on the curve P-256, for an account or a certificate. */
export function newPrivateKey(): KeyObject {
  return generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey
}

export function toPem(privateKey: KeyObject): string {
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}

export function toJwk(privateKey: KeyObject) {
  const { crv, kty, x, y } = createPublicKey(privateKey).export({ format: 'jwk' })
  return { crv, kty, x, y }
}

export function thumbprintOf(privateKey: KeyObject): string {
  return createHash('sha256')
    .update(JSON.stringify(toJwk(privateKey)))
    .digest('base64url')
}

/**
 * A signed request body (RFC 7515, flattened JSON, ES256).
 * @param payload '' for a request that only reads (POST-as-GET)
 */
export function signBody(
  privateKey: KeyObject,
  header: Record<string, unknown>,
  payload: object | '',
): string {
  const head = toBase64Url(JSON.stringify({ alg: 'ES256', ...header }))
  const body = payload === '' ? '' : toBase64Url(JSON.stringify(payload))
  const input = Buffer.from(`${head}.${body}`)
  const signature = sign('sha256', input, { key: privateKey, dsaEncoding: 'ieee-p1363' })
  return JSON.stringify({
    protected: head,
    payload: body,
    signature: signature.toString('base64url'),
  })
}

function toBase64Url(text: string): string {
  return Buffer.from(text).toString('base64url')
}
