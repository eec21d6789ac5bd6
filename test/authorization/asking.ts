import assert from 'node:assert/strict'
import type { Route } from '../../src/platform/routes/route.ts'
import { listErrorCodes } from '../../src/api/openapi/openapi-errors.ts'
import { fetchAnswer, type Answer } from '../support/calls.ts'
import type { World } from '../support/world.ts'
import type { Asked } from './requests.ts'
import { nameOf } from './routes.ts'
import { cookiesIn, secretsIn } from './state.ts'

/** Headers that identify the caller. */
export type Credential = Record<string, string>

export const bearer = (key: string): Credential => ({ authorization: `Bearer ${key}` })
export const anonymous: Credential = {}

export function pathOf({ path }: Pick<Route, 'path'>, { params = {}, query = {} }: Asked): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? 'missing')
  const search = new URLSearchParams(query).toString()
  return `/v1${filled}${search && `?${search}`}`
}

/** Asks routes of one world, checks the shape of every error, and remembers every secret. */
export function createAsking(world: World) {
  const secrets = new Set<string>()
  const documented = new Map(
    world.app.routes.map((row) => [nameOf(row), new Set<string>(listErrorCodes(row))]),
  )
  let asked = 0

  async function send(
    row: Pick<Route, 'method' | 'path'>,
    request: Asked,
    credential: Credential,
  ): Promise<Answer> {
    asked++
    const { body, cookie, upload } = request
    const cookies = [credential['cookie'], cookie].filter((each) => each).join('; ')
    const answer = await fetchAnswer(`${world.origin}${pathOf(row, request)}`, {
      method: row.method,
      headers: {
        ...credential,
        ...(cookies && { cookie: cookies, origin: world.origin }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(upload && { 'content-type': upload.contentType }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(upload && { body: upload.bytes }),
    })
    if (answer.status >= 400) {
      checkError(answer)
      const { code } = answer.body.error
      const isDocumented = documented.get(nameOf(row))?.has(code) ?? true
      assert.ok(
        isDocumented,
        `${nameOf(row)} answers ${code}; name it in the \`errors\` of its row`,
      )
    }
    const found = [...secretsIn(request), ...secretsIn(answer.body), ...cookiesIn(answer.headers)]
    for (const each of found) secrets.add(each)
    return answer
  }

  return { send, secrets, count: () => asked }
}
export type Asking = ReturnType<typeof createAsking>

/** Every error has one shape, and its message is a sentence (contract, Error body). */
function checkError({ status, body, headers }: Answer): void {
  const told = `${status} ${JSON.stringify(body)}`
  assert.deepEqual(Object.keys(body ?? {}), ['error', 'meta'], told)
  const { error, meta } = body
  assert.deepEqual(Object.keys(error), ['code', 'message', 'details', 'requestId'], told)
  assert.match(error.code, /^[A-Z][A-Z_]+$/, told)
  assert.match(error.message, /^[A-Za-z][^\n]*\.$/, told)
  assert.equal(typeof error.details, 'object', told)
  for (const detail of [error.details].flat().filter((each) => 'path' in each))
    assert.match(detail.message, /^[A-Za-z][^\n]*\.$/, told)
  assert.equal(error.requestId, headers.get('x-request-id'), told)
  assert.deepEqual(meta, { requestId: error.requestId }, told)
  if (status === 401) assert.equal(headers.get('www-authenticate'), 'Bearer', told)
}
