#!/usr/bin/env node
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { run } from './run.ts'

const stop = new AbortController()
process.once('SIGINT', () => stop.abort())
process.once('SIGTERM', () => stop.abort())
// The reader of a pipe may end first: signpost links ls | head -1.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})

/** The URL is an argument of the program, and never read by a shell. */
function openInBrowser(url: string): void {
  if (!/^https?:\/\//.test(url)) return
  const [program, ...args] =
    process.platform === 'darwin'
      ? ['open']
      : process.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler']
        : ['xdg-open']
  spawn(program!, [...args, url], { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref()
}

process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  write: (line) => void process.stdout.write(`${line}\n`),
  note: (line) => void process.stderr.write(`${line}\n`),
  lines: () => createInterface({ input: process.stdin }),
  isTerminal: process.stdin.isTTY && process.stderr.isTTY,
  openInBrowser,
  signal: stop.signal,
})
