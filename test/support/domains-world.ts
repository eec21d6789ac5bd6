import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Config } from '../../src/platform/config/config.ts'
import { openDnsServer } from './dns-server.ts'
import { openWorld, type Member } from './world.ts'

export const TARGET = 'edge.signpost.test'
export const EDGE = '198.51.100.7'

let serial = 0

/** The program with a name server of its own, on which branded hosts point to {@link EDGE}. */
export async function openDomainsWorld(t: TestContext, config: Partial<Config> = {}) {
  const dns = await openDnsServer(t)
  dns.set(TARGET, { addresses: [EDGE] })
  const world = await openWorld(t, {
    pace: 5,
    config: {
      shortUrl: 'https://s.signpost.test',
      cnameTarget: TARGET,
      dnsServers: [dns.address],
      ...config,
    },
  })
  return {
    ...world,
    dns,
    freshHost: () => `go.zone-${++serial}.test`,
    async claim(member: Member, hostname: string, fields: object = {}) {
      const { status, body } = await member.post('/domains', { hostname, ...fields })
      assert.equal(status, 201, JSON.stringify(body))
      return body.data
    },
    /** Publishes the proof of a domain, and its route. */
    publish({ hostname, verification }: { hostname: string; verification: { token: string } }) {
      dns.set(`_signpost.${hostname}`, { texts: [`signpost-verify=${verification.token}`] })
      dns.set(hostname, { cname: [TARGET], addresses: [EDGE] })
    },
    async verify(member: Member, id: string) {
      const { status, body } = await member.post(`/domains/${id}/verify`)
      assert.equal(status, 200, JSON.stringify(body))
      return body.data
    },
    async eventsOf(member: Member) {
      const rows = await world.sql<{ type: string; data: string }[]>`
        select type, data from events
        where workspace_id = ${member.workspaceId} and type like 'domain.%' order by id`
      return rows.map(({ type, data }) => ({ type, data: JSON.parse(data) }))
    },
  }
}
