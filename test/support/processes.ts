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
