import { readFileSync } from 'node:fs'

export type TreeCpu = {
  /** Of the process itself and of all its descendants, in microseconds; NaN without /proc. */
  own: number
  descendants: number
}

const MICROS_PER_TICK = 10_000

/** User and system time of a process and of its descendants, those that have ended included. */
export function readTreeCpu(pid: number): TreeCpu {
  const [own, ended] = readTimes(pid)
  const descendants = readChildren(pid).map((child) => {
    const cpu = readTreeCpu(child)
    return cpu.own + cpu.descendants
  })
  return { own, descendants: descendants.reduce((sum, micros) => sum + micros, ended) }
}

/** Own time, and that of the children that have ended and were waited for (proc_pid_stat(5)). */
function readTimes(pid: number): [own: number, ended: number] {
  const fields = readProc(`/proc/${pid}/stat`).split(') ')[1]?.split(' ') ?? []
  const ticks = (at: number) => Number(fields[at]) * MICROS_PER_TICK
  return [ticks(11) + ticks(12), ticks(13) + ticks(14)]
}

function readChildren(pid: number): number[] {
  const text = readProc(`/proc/${pid}/task/${pid}/children`)
  return text.split(' ').filter(Boolean).map(Number)
}

function readProc(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
