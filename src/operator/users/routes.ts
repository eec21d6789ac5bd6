import { Type } from 'typebox'
import { route } from '../../platform/routes/route.ts'
import { idParams, PageMeta } from '../../platform/resources/shapes.ts'
import { OPERATES } from '../requirements.ts'
import { ListServerUsers, ServerUser, ServerUserDetail } from './schema.ts'
import type { ServerUsers } from './users.ts'

export const serverUserRoutes = (users: ServerUsers) => [
  route('GET /operator/users', {
    ...OPERATES,
    name: 'listServerUsers',
    summary: 'List the users of this server',
    description: 'Pages through all accounts, newest first.',
    shapes: { query: ListServerUsers, reply: Type.Array(ServerUser), meta: PageMeta },
    handle: async (_caller, { query }) => ({ data: await users.list(query) }),
  }),
  route('GET /operator/users/:id', {
    ...OPERATES,
    name: 'getServerUser',
    summary: 'Read a user of this server',
    description: 'Returns an account with its workspaces.',
    errors: ['NOT_FOUND'],
    shapes: { params: idParams('usr', 'user'), reply: ServerUserDetail },
    handle: async (_caller, { params }) => ({ data: await users.get(params.id) }),
  }),
]
