import { createHash } from 'node:crypto'
import { must } from '../support/calls.ts'
import { CALLBACK } from '../support/oauth.ts'
import { addActor, type Actor, type Stage } from '../support/stage.ts'
import type { World } from '../support/world.ts'
import type { Asked } from './requests.ts'

const VERIFIER = 'v'.repeat(43)

export const REGISTRATION = { client_name: 'Agent', redirect_uris: [CALLBACK] }

export async function authorization(world: World) {
  const answer = await must(
    201,
    world.call('POST', '/v1/auth/oauth/register', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(REGISTRATION),
    }),
  )
  return {
    response_type: 'code',
    client_id: answer.body.client_id as string,
    redirect_uri: CALLBACK,
    scope: 'links:read',
    code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
    code_challenge_method: 'S256',
  }
}

async function ask(world: World, query: Record<string, string>): Promise<string> {
  const search = new URLSearchParams(query).toString()
  const answer = await must(302, world.call('GET', `/v1/auth/oauth/authorize?${search}`))
  const page = new URL(answer.headers.get('location')!, world.origin)
  return page.searchParams.get('request')!
}

export async function request({ world }: Stage): Promise<Asked> {
  return { params: { request: await ask(world, await authorization(world)) } }
}

async function newWorkspace({ session }: Actor): Promise<string> {
  return (await must(201, session.post('/workspaces', { name: 'Apps' }))).body.data.id
}

export async function toAllow(at: Stage, caller: Actor): Promise<Asked> {
  const body = { workspaceId: await newWorkspace(caller), scopes: ['links:read'] }
  return { ...(await request(at)), body }
}

/** The request of an app that a user has just allowed. */
export async function withCode(world: World) {
  const user = await addActor(world)
  const query = await authorization(world)
  const body = { workspaceId: await newWorkspace(user), scopes: ['links:read'] }
  const path = `/auth/oauth/requests/${await ask(world, query)}/allow`
  const { redirectUrl } = (await must(200, user.session.post(path, body))).body.data
  return {
    grant_type: 'authorization_code',
    client_id: query.client_id,
    code: new URL(redirectUrl).searchParams.get('code')!,
    redirect_uri: CALLBACK,
    code_verifier: VERIFIER,
  }
}

export async function token(world: World): Promise<string> {
  const answer = await must(
    200,
    world.call('POST', '/v1/auth/oauth/token', {
      body: new URLSearchParams(await withCode(world)),
    }),
  )
  return answer.body.refresh_token
}
