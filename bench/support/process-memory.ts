import { readFileSync } from 'node:fs'

/** Megabytes of a process: its proportional set, and the anonymous part. Zeros once it has ended. */
export function readMegabytes(pid: number): { pss: number; anonymous: number } {
  const rollup = readProc(pid, 'smaps_rollup')
  const megabytes = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(rollup)?.[1] ?? 0) / 1_024
  return { pss: megabytes('Pss'), anonymous: megabytes('Anonymous') }
}

export function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}
