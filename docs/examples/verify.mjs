// node verify.mjs <secret> <x-service-signature> [now] < body
import { createHmac, timingSafeEqual } from 'node:crypto'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const TOLERANCE_SECONDS = 300

/** `rawBody` is the Buffer as it arrived, before any JSON parser saw it. */
export function verify(secret, header, rawBody, now = Math.floor(Date.now() / 1000)) {
  const [, timestamp, signature] = /^t=(\d{1,15}),v1=([0-9a-f]{64})$/.exec(header) ?? []
  if (signature === undefined) return false
  if (Math.abs(now - Number(timestamp)) > TOLERANCE_SECONDS) return false
  const expected = createHmac('sha256', secret).update(`t.${timestamp}.`).update(rawBody).digest()
  return timingSafeEqual(expected, Buffer.from(signature, 'hex'))
}

// When this file is the program, also through a symbolic link: without this it would end with 0 unverified.
const [, program = ''] = process.argv
if (existsSync(program) && realpathSync(program) === realpathSync(fileURLToPath(import.meta.url))) {
  const [secret, header, now] = process.argv.slice(2)
  const isValid = verify(secret, header, readFileSync(0), now && Number(now))
  process.exitCode = isValid ? 0 : 1
}
