import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RATES } from '../../src/platform/limits/rates.ts'
import { openWorld } from '../support/world.ts'

type Body = Record<string, unknown>

const APIS = [
  {
    path: '/yourls-api.php?format=json&action=version',
    toKey: (key: string) => ({ body: new URLSearchParams({ password: key }) }),
    wrong: 403,
    isLimited: (body: Body) => body.errorCode === '429' && typeof body.message === 'string',
  },
  {
    path: '/yourls-api.php/key_01ARZ3NDEKTSV4RRFFQ69G5FAV?format=json&action=version',
    toKey: (key: string) => ({
      body: new URLSearchParams({ timestamp: '1', signature: key.padEnd(32, '0') }),
    }),
    wrong: 403,
    isLimited: (body: Body) => body.errorCode === '429',
  },
  {
    path: '/rest/v3/short-urls',
    toKey: (key: string) => ({ headers: { 'x-api-key': key } }),
    wrong: 401,
    isLimited: (body: Body) => body.status === 429 && body.type === 'about:blank',
  },
  {
    path: '/api/v2/links',
    toKey: (key: string) => ({ headers: { 'x-api-key': key } }),
    wrong: 401,
    isLimited: (body: Body) => typeof body.error === 'string',
  },
  {
    path: '/compat/dub/links',
    toKey: (key: string) => ({ headers: { authorization: `Bearer ${key}` } }),
    wrong: 401,
    isLimited: ({ error }: Body) => (error as Body).code === 'rate_limit_exceeded',
  },
]
const AT_A_TIME = 50

test('wrong keys of a network are counted over all APIs, and each refuses more in its format', async (t) => {
  const world = await openWorld(t)
  const { apiKey } = await world.member()
  const send = ({ path, toKey }: (typeof APIS)[number], key: string) => {
    const init: RequestInit = toKey(key)
    return fetch(`${world.origin}${path}`, { ...init, method: init.body ? 'POST' : 'GET' })
  }
  const { points } = RATES.refusals
  const perApi = Number(points) / APIS.length
  for (const api of APIS)
    for (let sent = 0; sent < perApi; sent += AT_A_TIME) {
      const answers = await Promise.all(
        Array.from({ length: Math.min(AT_A_TIME, perApi - sent) }, () => send(api, 'wrong')),
      )
      for (const answer of answers) assert.equal(answer.status, api.wrong, await answer.text())
    }
  for (const api of APIS) {
    const limited = await send(api, 'wrong')
    assert.equal(limited.status, 429, api.path)
    assert.ok(Number(limited.headers.get('retry-after')) > 0, api.path)
    assert.ok(api.isLimited((await limited.json()) as Body), api.path)
  }
  const [yourls, , ...others] = APIS
  for (const api of [yourls!, ...others])
    assert.equal((await send(api, apiKey)).status, 200, api.path)
})
