import type { ParseArgsOptionsConfig } from 'node:util'
import type { Client } from '../../typescript/src/index.ts'

/** A mistake in the command, which ends it with exit code 2. */
export class UserError extends Error {}

/** What a command reads and writes: the process, or a test's stand-in. */
export type Io = {
  env: Readonly<Record<string, string | undefined>>
  write(text: string): void
  /** For people who wait: not part of the result. */
  note(text: string): void
  /** Of the input. */
  lines(): AsyncIterable<string>
  /** A user is there: somebody types the input, and reads the notes. */
  isTerminal: boolean
  openInBrowser(url: string): void
  signal: AbortSignal
}

export type Given = {
  args: string[]
  options: Record<string, string | boolean | undefined>
}

export type Command = {
  /** After the name: `URL`. */
  args?: string
  summary: string
  options?: ParseArgsOptionsConfig & Record<string, { about: string; value?: string }>
  /** The result, which `--json` prints as it is; a text is for people. Nothing where the command prints by itself. */
  run(io: Io, given: Given, client: () => Client): Promise<Result | void>
}

export type Result = { data: unknown; text: string }

/** Text of others, without what could control the terminal. */
export function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
}

export function textOption({ options }: Given, name: string): string | undefined {
  const value = options[name]
  return typeof value === 'string' ? value : undefined
}

/** Columns as wide as their longest cell. */
export function table(rows: readonly (readonly string[])[]): string {
  const safe = rows.map((cells) => cells.map(plain))
  const widths = safe.reduce<number[]>(
    (found, cells) => cells.map((cell, i) => Math.max(found[i] ?? 0, cell.length)),
    [],
  )
  return safe
    .map((cells) =>
      cells
        .map((cell, i) => cell.padEnd(widths[i]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
