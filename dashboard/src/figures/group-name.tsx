import { useQuery } from '@tanstack/react-query'
import { useWorkspace } from '../api/workspace.ts'
import { groupNameQuery } from './groups.ts'
import type { Group } from './search.ts'

/** The name of a link, folder, campaign or domain; its id until that is read, or when it is gone. */
export function GroupName({ group, value }: { group: Group; value: string }) {
  const { id } = useWorkspace()
  return <>{useQuery(groupNameQuery(id, group, value)).data ?? value}</>
}
