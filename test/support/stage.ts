import { randomBytes } from 'node:crypto'
import { ROLES, type Role } from '../../src/platform/routes/principal.ts'
import { must } from './calls.ts'
import type { Session, World } from './world.ts'
import { addMembership, addUser } from './fixtures.ts'

/** A user with a session. */
export type Actor = { userId: string; email: string; session: Session }
export type Player = Actor & { role: Role; apiKey: string }

/** A workspace with one member of each role. */
export type Stage = {
  world: World
  workspaceId: string
  cast: Record<Role, Player>
  /** A key of the owner's with these scopes. */
  keyWith(...scopes: string[]): Promise<string>
}

export async function openStage(world: World): Promise<Stage> {
  const owner = await playerOf(world, 'owner')
  const { workspaceId } = owner.session
  const others = ROLES.filter((role) => role !== 'owner')
  const rest = await Promise.all(others.map((role) => playerOf(world, role, workspaceId!)))
  const players = [...rest, owner].map((player) => [player.role, player] as const)
  const keys = new Map<string, string>()
  return {
    world,
    workspaceId: workspaceId!,
    cast: Object.fromEntries(players) as Record<Role, Player>,
    async keyWith(...scopes) {
      const name = scopes.join(' ').slice(0, 50)
      if (!keys.has(name)) {
        const made = await must(201, owner.session.post('/api-keys', { name, scopes }))
        keys.set(name, made.body.data.key)
      }
      return keys.get(name)!
    },
  }
}

async function playerOf(world: World, role: Role, workspaceId?: string): Promise<Player> {
  const { apiKey, ...made } = await world.member({ role, ...(workspaceId && { workspaceId }) })
  const session = await world.session(made)
  const [row] = await world.sql<{ email: string }[]>`
    select email from users where id = ${made.userId}`
  return { userId: made.userId, email: row!.email, role, apiKey, session }
}

/** A new user with a verified address, without a password or a workspace. */
export async function addActor(world: World, passwordHash: string | null = null): Promise<Actor> {
  const { id: userId, email } = await addUser(world.sql, { passwordHash, nowMs: world.clock.now })
  return { userId, email, session: await world.session({ userId, workspaceId: null }) }
}

export async function addMember({ world, workspaceId }: Stage, userId: string, role: Role) {
  await addMembership(world.sql, { workspaceId, userId, role, nowMs: world.clock.now })
}

export function freshEmail(): string {
  return `fresh-${randomBytes(8).toString('hex')}@example.com`
}
