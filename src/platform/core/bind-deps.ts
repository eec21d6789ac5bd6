type Operation<Deps> = (deps: Deps, ...args: never[]) => unknown
type Bound<F> = F extends (deps: never, ...args: infer Args) => infer Result
  ? (...args: Args) => Result
  : never

/** Binds the dependencies of each operation: `{ create(deps, who, input) }` becomes `{ create(who, input) }`. */
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
