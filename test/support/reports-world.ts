import assert from 'node:assert/strict'
import { newId } from '../../src/platform/core/ids.ts'
import { unmarkCell } from '../../src/platform/resources/csv.ts'
import { must } from './calls.ts'
import { eventually, type Member, type World } from './world.ts'

/** Asks for a report, and waits for the end of its run. */
export async function makeReport(member: Pick<Member, 'get' | 'post'>, input: object) {
  const { id } = (await must(202, member.post('/reports', input))).body.data
  return finished(member, id)
}

export function finished(member: Pick<Member, 'get'>, id: string) {
  return eventually(async () => {
    const { data } = (await must(200, member.get(`/reports/${id}`))).body
    assert.match(data.status, /completed|failed/)
    return data
  })
}

/** The file of a report as bytes, and its answer. */
export async function download(
  world: World,
  { apiKey }: Member,
  id: string,
  headers: Record<string, string> = {},
) {
  const answer = await fetch(`${world.origin}/v1/reports/${id}/download`, {
    headers: { authorization: `Bearer ${apiKey}`, ...headers },
  })
  return { answer, bytes: Buffer.from(await answer.arrayBuffer()) }
}

/** Records of a CSV file as objects by their header. */
export function parseCsv(bytes: Buffer): Record<string, string>[] {
  const cells = bytes
    .toString('utf8')
    .replace('\ufeff', '')
    .matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)
  const records: string[][] = [[]]
  for (const [, quoted, plain, end] of cells) {
    records.at(-1)!.push(unmarkCell(quoted?.replaceAll('""', '"') ?? plain!))
    if (end === '\r\n') records.push([])
  }
  const [header, ...rows] = records.slice(0, -1)
  return rows.map((row) => Object.fromEntries(header!.map((name, i) => [name, row[i]!])))
}

/** Keeps the runs of a workspace waiting behind an older one, until the returned function is called. */
export async function holdRuns(
  { sql }: World,
  workspaceId: string,
  kind = 'reports',
): Promise<() => Promise<void>> {
  const id = newId('run', 0)
  await sql`
    insert into jobs (id, workspace_id, kind, asker, input, created_at, ready_at)
    values (${id}, ${workspaceId}, ${kind}, '{}', '{}', to_timestamp(0), now() + interval '1 day')`
  return async () => void (await sql`delete from jobs where id = ${id}`)
}
