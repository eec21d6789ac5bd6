import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { builtDashboard } from './dashboard-checkout.ts'
import { eventually } from './eventually.ts'
import { openWorld, type World } from './world.ts'

/** The whole program with its dashboard, sending webhooks to receivers of this machine. */
export async function openDashboardWorld(
  t: TestContext,
  options: Parameters<typeof openWorld>[1] = {},
): Promise<World> {
  return openWorld(t, {
    isClockReal: true,
    checkout: await builtDashboard(),
    ...options,
    config: {
      egressAllowedCidrs: ['127.0.0.0/8'],
      webhookAllowHttp: true,
      ...options.config,
    },
  })
}

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1'

/** Opens a short link as a phone does; a first look-up may take longer than the edge waits, which is a 503. */
export function openLink(world: World, path: string, headers = {}): Promise<Response> {
  return eventually(async () => {
    const response = await fetch(`${world.origin}/${path}`, {
      redirect: 'manual',
      headers: { 'user-agent': IPHONE, ...headers },
    })
    assert.notEqual(response.status, 503)
    return response
  })
}
