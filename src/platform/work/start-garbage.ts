/** Returns the memory that loading modules took; V8 would keep it while idle. Needs `--expose-gc`, which `npm start` sets. */
export function collectStartGarbage(): void {
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
