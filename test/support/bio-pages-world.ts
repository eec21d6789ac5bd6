import { addDomain as insertDomain } from './fixtures.ts'
import type { Member, World } from './world.ts'

let serial = 0

/** A verified domain of the workspace of a member, which the edge of the world serves. */
export async function addDomain(
  world: World,
  { workspaceId }: Member,
  fields: { caseSensitive?: boolean } = {},
) {
  const hostname = `page-${++serial}.example.com`
  const id = await insertDomain(world.sql, { workspaceId, hostname, ...fields })
  await world.sql`insert into link_changes (key) values (${`@${id}`})`
  return { id, hostname }
}
