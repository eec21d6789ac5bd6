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

/** The redirect processes of a supervisor. */
export function redirectProcessesOf(pid: number): number[] {
  return childrenOf(pid).filter(isRedirectProcess)
}

/** The server process of a supervisor; undefined between two of them. */
export function serverProcessOf(pid: number): number | undefined {
  return childrenOf(pid).find((child) => hasProgram(child, 'server-process.ts'))
}

/** Whether it is a redirect process or a server process that runs. */
export function isOfProgram(pid: number): boolean {
  return isRedirectProcess(pid) || hasProgram(pid, 'server-process.ts')
}

/** False for a process that has ended. */
export function isRedirectProcess(pid: number): boolean {
  return hasProgram(pid, 'redirect-process.ts')
}

function hasProgram(pid: number, program: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(program)
  } catch {
    return false
  }
}

/** How many sessions of clients the PostgreSQL below a supervisor has. */
export function sessionsOf(pid: number): number {
  return childrenOf(pid).filter((child) => {
    try {
      return /^postgres: .*\[local\]/.test(readFileSync(`/proc/${child}/cmdline`, 'utf8'))
    } catch {
      return false
    }
  }).length
}
