import { rmSync } from 'node:fs'
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { OperatorError } from '../platform/core/errors.ts'
import type { Log } from '../platform/core/log.ts'
import {
  findRuntimeDir,
  openRuntimeDir,
  openSocketFolder,
} from '../platform/storage/embedded/runtime-dir.ts'
import { createSecrets, type Secrets } from '../platform/core/secrets.ts'

type Operations = Record<string, (input: never) => Promise<unknown>>

const [FOLDER, FILE] = ['operator', 'operator.sock']
const MAX_CHARS = 64 * 1024
const MAX_ANSWER_CHARS = 64 * 1024 * 1024

/** The socket is in a folder that only the server's system user can enter, so it needs no password. */
export async function openOperatorSocket(dataDir: string, operations: Operations, log: Log) {
  const path = join(openSocketFolder(await openRuntimeDir(dataDir), FOLDER), FILE)
  rmSync(path, { force: true })
  const server = createServer((request, response) => {
    void perform(request, operations, log).then(([status, body]) =>
      response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(JSON.stringify(body ?? null)),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, resolve)
  })
  return {
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      rmSync(path, { force: true })
    },
  }
}

async function perform(
  request: IncomingMessage,
  operations: Operations,
  log: Log,
): Promise<[status: number, body: unknown]> {
  try {
    const name = request.url?.slice(1) ?? ''
    const operation = Object.hasOwn(operations, name) ? operations[name] : undefined
    if (!operation)
      throw new OperatorError(
        `The server that runs on this DATA_DIR does not serve the command ${name}: run it with the DATA_DIR of a process whose role does, or with one that no server uses.`,
      )
    return [200, await operation(JSON.parse(await readText(request)) as never)]
  } catch (error) {
    if (error instanceof OperatorError) return [400, { message: error.message }]
    log.error({ err: error, operation: request.url }, 'an operator command failed')
    return [500, { message: 'The command failed in the server; its log has the reason.' }]
  }
}

export function operatorSocket(dataDir: string): string | null {
  const runtimeDir = findRuntimeDir(dataDir)
  return runtimeDir && join(runtimeDir, FOLDER, FILE)
}

/** Null when no server runs. @throws OperatorError with the server's message */
export async function callServer(
  dataDir: string,
  operation: string,
  input: unknown,
): Promise<unknown> {
  const path = operatorSocket(dataDir)
  if (path === null) return null
  const response = await new Promise<IncomingMessage | null>((resolve, reject) => {
    const request = httpRequest({ socketPath: path, path: `/${operation}`, method: 'POST' })
    request.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED') return resolve(null)
      reject(error.code === 'EACCES' ? deniedSocket(path) : error)
    })
    request.on('response', resolve)
    request.end(JSON.stringify(input))
  })
  if (!response) return null
  const body = JSON.parse(await readText(response, MAX_ANSWER_CHARS)) as { message?: string }
  if (response.statusCode !== 200)
    throw new OperatorError(body.message ?? 'The server refused the command without a reason.')
  return body
}

function deniedSocket(path: string): OperatorError {
  return new OperatorError(
    `The socket of the running server (${path}) is only open to the system user that runs it and to root; run this command as one of them.`,
  )
}

async function readText(stream: IncomingMessage, maxChars = MAX_CHARS): Promise<string> {
  let text = ''
  stream.setEncoding('utf8')
  for await (const chunk of stream) {
    text += String(chunk)
    if (text.length > maxChars)
      throw new OperatorError('The message is too long for the operator socket.')
  }
  return text
}

const PROBE = 'key-probe'

/** Shows whether another process has a key, without sending the key. */
export function sealProbe(secretKey: string): string {
  return createSecrets(secretKey).seal(PROBE, PROBE, PROBE).toString('base64')
}

export function opensProbe(secrets: Secrets, probe: string): boolean {
  try {
    return secrets.open(PROBE, PROBE, Buffer.from(probe, 'base64')) === PROBE
  } catch {
    return false
  }
}
