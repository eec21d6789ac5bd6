type Page = {
  readonly data: readonly unknown[]
  readonly meta: { readonly offset: number; readonly total: number }
}

/** The offset of the page after this one; undefined: it is the last. */
export function nextOffset({ data, meta }: Page): number | undefined {
  const next = meta.offset + data.length
  return data.length > 0 && next < meta.total ? next : undefined
}
