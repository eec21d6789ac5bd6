import { readFileSync } from 'node:fs'
import { closePostgres, openPostgres } from '../../src/platform/storage/postgres/postgres.ts'
import { isSound } from './figures.ts'
import { fillWorkspaces } from './many-links.ts'
import { startProgram } from './program-process.ts'

const SAMPLE_MS = 20
const NEW_LINE = '\n'.charCodeAt(0)
/** As `npm start` has it. */
const NODE_OPTIONS = ['--max-semi-space-size=16', '--heap-growing-percent=40']

/**
 * Measures how much the process of the program grows while one client reads `GET /links/export.csv` of a
 * workspace with so many links: the largest resident set by the one before, after an export that was ended early.
 */
export async function measureExport({ links }: { links: number }): Promise<void> {
  await using program = await startProgram({
    script: 'write-server.ts',
    nodeOptions: NODE_OPTIONS,
  })
  const { pid, origin } = program
  const [key = ''] = program.keys
  await fill(program.databaseUrl, links)
  await readExport(origin, key, links / 100)
  const before = residentMegabytes(pid)
  let largest = before
  const sampling = setInterval(() => {
    largest = Math.max(largest, residentMegabytes(pid))
  }, SAMPLE_MS)
  const startedAtMs = performance.now()
  const read = await readExport(origin, key, Infinity)
  clearInterval(sampling)
  const tookSeconds = (performance.now() - startedAtMs) / 1_000
  // One record is the header.
  if (!isSound('export', Math.abs(read.records - 1 - links))) return
  console.log(
    `export of ${links} links: ${tookSeconds.toFixed(1)} s, ${(read.bytes / 1e6).toFixed(0)} MB; resident set ${before.toFixed(0)} MB before, ${largest.toFixed(0)} MB at most, grown by ${(largest - before).toFixed(0)} MB`,
  )
}

async function fill(databaseUrl: string, links: number): Promise<void> {
  const sql = openPostgres(databaseUrl, { maxConnections: 1 })
  const [workspace] = await sql<[{ id: string }]>`select id from workspaces`
  await fillWorkspaces(sql, [{ name: workspace.id.replace(/^wsp_/, ''), links }])
  await closePostgres(sql)
}

/** Reads until the end, or until so many records have come. */
async function readExport(origin: string, key: string, maxRecords: number) {
  const response = await fetch(`${origin}/v1/links/export.csv?includeArchived=true`, {
    headers: { authorization: `Bearer ${key}` },
  })
  if (!response.ok) throw new Error(`the export answers ${response.status}`)
  let records = 0
  let bytes = 0
  for await (const chunk of response.body!) {
    bytes += chunk.length
    for (const byte of chunk) if (byte === NEW_LINE) records++
    if (records > maxRecords) break
  }
  return { records, bytes }
}

function residentMegabytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)![1]) / 1_024
}
