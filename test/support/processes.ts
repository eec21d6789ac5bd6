import { readFileSync, readdirSync } from 'node:fs'

/** All descendants of a process, from /proc; empty on systems without /proc. */
export function childrenOf(pid: number): number[] {
  try {
    const direct = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
    )
    return direct.map(Number).flatMap((child) => [child, ...childrenOf(child)])
  } catch {
    return []
  }
}

/** The processes of EDGE_PROCESSES that a server has started. */
export function edgeProcessesOf(pid: number): number[] {
  return childrenOf(pid).filter(isEdgeProcess)
}

/** False for a process that has ended. */
export function isEdgeProcess(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('edge-process.ts')
  } catch {
    return false
  }
}
