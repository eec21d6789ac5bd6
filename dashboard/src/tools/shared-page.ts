type SharedPage = { url?: string }

/** A page that another app shares. Android sends its address as a text. */
export function readSharedPage(search: Record<string, unknown>): SharedPage {
  const found = [search['url'], search['text'], search['title']]
    .flatMap((value) => (typeof value === 'string' ? value.match(/https?:\/\/\S+/i) : null) ?? [])
    .at(0)
  return found === undefined ? {} : { url: found }
}
