/**
 * Gives the memory that the start needed for loading modules back to the system.
 * V8 would keep it while the process rests. `npm start` exposes the collector; without the option nothing happens.
 */
export function collectStartGarbage(): void {
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
