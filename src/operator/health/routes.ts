import { route } from '../../platform/routes/route.ts'
import { OPERATES } from '../requirements.ts'
import { readHealth, type HealthDeps } from './health.ts'
import { ServerHealth } from './schema.ts'

export const serverHealthRoutes = (deps: HealthDeps) => [
  route('GET /operator/health', {
    ...OPERATES,
    name: 'getServerHealth',
    summary: 'Read how the server is',
    description: 'Returns checks, queues, repeated work, click journals and sizes.',
    shapes: { reply: ServerHealth },
    handle: async () => ({ data: await readHealth(deps) }),
  }),
]
