import { readFileSync } from 'node:fs'

export type TreeCpu = {
  /** Of the process itself with those of the program, and of all other descendants, in microseconds; NaN without /proc. */
  own: number
  descendants: number
}

const MICROS_PER_TICK = 10_000
const OF_PROGRAM = /src\/(server|redirect)-process\.ts/

/** User and system time of a process and of its descendants, those that have ended included. */
export function readTreeCpu(pid: number): TreeCpu {
  const [own, ended] = readTimes(pid)
  const sum = { own, descendants: ended }
  for (const child of readChildren(pid)) {
    const cpu = readTreeCpu(child)
    sum[OF_PROGRAM.test(readProc(`/proc/${child}/cmdline`)) ? 'own' : 'descendants'] += cpu.own
    sum.descendants += cpu.descendants
  }
  return sum
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
