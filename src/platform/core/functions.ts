type Operation<Deps> = (deps: Deps, ...args: never[]) => unknown
type Bound<F> = F extends (deps: never, ...args: infer Args) => infer Result
  ? (...args: Args) => Result
  : never

/** `{ create(deps, principal, input) }` becomes `{ create(principal, input) }`. */
export function bindDeps<Deps, Operations extends Record<string, Operation<Deps>>>(
  deps: Deps,
  operations: Operations,
): { [Name in keyof Operations]: Bound<Operations[Name]> } {
  const bound = Object.entries(operations).map(([name, operation]) => [
    name,
    (...args: never[]) => operation(deps, ...args),
  ])
  return Object.fromEntries(bound) as { [Name in keyof Operations]: Bound<Operations[Name]> }
}

/** Caches about `limit` results of a pure function, in two generations: a full one replaces the older one. */
export function memoize<T>(
  limit: number,
  answer: (argument: string) => T,
): (argument: string) => T {
  let young = new Map<string, T>()
  let old = new Map<string, T>()
  return (argument) => {
    let value = young.get(argument)
    if (value !== undefined) return value
    value = old.get(argument) ?? answer(argument)
    if (young.size >= limit / 2) {
      old = young
      young = new Map()
    }
    young.set(argument, value)
    return value
  }
}

export function dropOldest(cache: Map<string, unknown>, maxSize: number): void {
  for (const key of cache.keys()) {
    if (cache.size <= maxSize) return
    cache.delete(key)
  }
}
