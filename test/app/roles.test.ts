import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OperatorError } from '../../src/platform/core/errors.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import {
  hasOperatorSocket,
  ownerOf,
  partsOf,
  requireForRole,
  type ProcessRole,
} from '../../src/platform/config/roles.ts'

const ROLES: readonly ProcessRole[] = ['all', 'edge', 'gateway', 'services', 'worker']

test('the roles together do what the role `all` does, each part once', () => {
  const [all, ...others] = ROLES.map(partsOf)
  const edges = others.filter(({ edge }) => edge)
  const workers = others.filter(({ worker }) => worker)
  const operators = ROLES.slice(1).filter(hasOperatorSocket)
  assert.deepEqual([edges.length, workers.length, operators.length], [1, 1, 1])
  assert.deepEqual(
    others.map(({ api }) => api),
    [null, 'forwards', 'behind', null],
  )
  assert.deepEqual(all, {
    edge: true,
    api: 'whole',
    worker: true,
    clickhouse: true,
  })
  assert.equal(hasOperatorSocket('all'), true)
})

const OWNERS: readonly [target: string, ...owners: Record<ProcessRole, string | null>[]][] = [
  ['/v1', { all: 'api', edge: 'edge', gateway: 'api', services: 'api', worker: null }],
  ['/v1/links?x=1', { all: 'api', edge: 'edge', gateway: 'api', services: 'api', worker: null }],
  ...[
    '/mcp',
    '/yourls-api.php?action=version',
    '/rest/v3/short-urls',
    '/rest/health',
    '/api/v2/links',
    '/compat/dub/links',
    '/.well-known/oauth-authorization-server',
    '/.well-known/oauth-protected-resource/mcp',
    '/app',
    '/app/',
    '/app/assets/a.js',
    '/app?x',
    '/billing/events',
    '/report-abuse?url=x',
    '/share/abc',
  ].map(
    (target) =>
      [
        target,
        { all: 'api', edge: 'edge', gateway: 'api', services: 'api', worker: null },
      ] as const satisfies [string, Record<ProcessRole, string | null>],
  ),
  ...['/robots.txt', '/favicon.ico', '/favicon.svg?v=1'].map(
    (target) =>
      [
        target,
        { all: 'api', edge: 'api', gateway: 'api', services: 'api', worker: null },
      ] as const satisfies [string, Record<ProcessRole, string | null>],
  ),
  ['/internal/x', { all: 'edge', edge: 'edge', gateway: null, services: null, worker: null }],
  ['/rest', { all: 'edge', edge: 'edge', gateway: null, services: null, worker: null }],
  ['/compat/spring', { all: 'edge', edge: 'edge', gateway: null, services: null, worker: null }],
  ['/apple', { all: 'edge', edge: 'edge', gateway: null, services: null, worker: null }],
  ['/favicon.svgs', { all: 'edge', edge: 'edge', gateway: null, services: null, worker: null }],
  ['/v1links', { all: 'edge', edge: 'edge', gateway: null, services: null, worker: null }],
  ['/docs', { all: 'edge', edge: 'edge', gateway: null, services: null, worker: null }],
  ['/', { all: 'edge', edge: 'edge', gateway: null, services: null, worker: null }],
  ['http://a/v1', { all: 'edge', edge: 'edge', gateway: null, services: null, worker: null }],
  ...['/health', '/ready', '/metrics', '/health?x', '/internal/tls-ask?domain=a'].map(
    (target) =>
      [
        target,
        {
          all: 'probes',
          edge: 'probes',
          gateway: 'probes',
          services: 'probes',
          worker: 'probes',
        },
      ] as const satisfies [string, Record<ProcessRole, string>],
  ),
  ['/healthy', { all: 'edge', edge: 'edge', gateway: null, services: null, worker: null }],
]
for (const [target, owners] of OWNERS)
  test(`${target} is answered by ${JSON.stringify(owners)}`, () => {
    for (const role of ROLES) assert.equal(ownerOf(role, target), owners![role], role)
  })

const WHOLE = {
  DATABASE_URL: 'postgres://u@db/s',
  CLICKHOUSE_URL: 'http://u@clicks:8123/s',
  SECRET_KEY: 'k'.repeat(32),
  SERVICES_URL: 'http://services:3000',
  INTERNAL_TOKEN: 't'.repeat(32),
  PUBLIC_URL: 'https://links.example',
}
const NEEDED: Record<ProcessRole, string[]> = {
  all: [],
  edge: ['DATABASE_URL', 'CLICKHOUSE_URL', 'SECRET_KEY'],
  gateway: [
    'DATABASE_URL',
    'CLICKHOUSE_URL',
    'SECRET_KEY',
    'SERVICES_URL',
    'INTERNAL_TOKEN',
    'PUBLIC_URL',
  ],
  services: ['DATABASE_URL', 'CLICKHOUSE_URL', 'SECRET_KEY', 'INTERNAL_TOKEN', 'PUBLIC_URL'],
  worker: ['DATABASE_URL', 'CLICKHOUSE_URL', 'SECRET_KEY'],
}

for (const role of ROLES)
  test(`the role ${role} needs ${NEEDED[role].join(', ') || 'nothing'}, and says so`, () => {
    requireForRole(readConfig({ ...WHOLE, SIGNPOST_ROLE: role }))
    for (const name of Object.keys(WHOLE)) {
      const config = readConfig({ ...WHOLE, [name]: '', SIGNPOST_ROLE: role })
      if (!NEEDED[role].includes(name)) {
        requireForRole(config)
        continue
      }
      assert.throws(() => requireForRole(config), isSentence(new RegExp(`needs ${name}\\b`)))
    }
    const nothing = readConfig({ SIGNPOST_ROLE: role })
    if (NEEDED[role].length > 0)
      assert.throws(() => requireForRole(nothing), isSentence(/DATABASE_URL, .+ and [A-Z]/))
  })

test('either of the two addresses is enough', () => {
  const config = { ...WHOLE, PUBLIC_URL: '', SHORT_URL: 'https://s.example' }
  for (const role of ['gateway', 'services'])
    requireForRole(readConfig({ ...config, SIGNPOST_ROLE: role }))
})

function isSentence(says: RegExp) {
  return (error: unknown) =>
    error instanceof OperatorError &&
    /^The role [a-z]+ needs [^\n]+\.$/.test(error.message) &&
    says.test(error.message)
}
