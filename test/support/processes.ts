import { readFileSync, readdirSync } from 'node:fs'

/** All descendants of a process, by /proc; none where there is no /proc. */
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
