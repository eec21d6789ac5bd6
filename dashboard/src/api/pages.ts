type Page = {
  readonly data: readonly unknown[]
  readonly meta: { readonly offset: number; readonly total: number }
}

/** The offset of the page after this one; undefined: it is the last. */
export function nextOffset({ data, meta }: Page): number | undefined {
  const next = meta.offset + data.length
  return data.length > 0 && next < meta.total ? next : undefined
}

/** Rows of all pages, each once: new entries move older ones to the next page. */
export function distinctRows<Row extends { id: string }>(
  pages: readonly { data: readonly Row[] }[] = [],
): Row[] {
  const byId = new Map(pages.flatMap(({ data }) => data.map((row) => [row.id, row] as const)))
  return [...byId.values()]
}
