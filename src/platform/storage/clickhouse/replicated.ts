/** Whether the tables of an engine clause have the same rows on each server of a cluster. */
export function isReplicated(engine: string): boolean {
  return /^(Replicated|Shared)/.test(engine)
}
