/** A page without a form: a title, and a sentence or two below it. */
type Said = { title: string; text: string }

/** What visitors of links read, in one language. Pages for programs are in English only. */
export type VisitorTexts = {
  pages: Record<
    | 'missing'
    | 'pending'
    | 'expired'
    | 'exhausted'
    | 'suspended'
    | 'blocked'
    | 'noPreview'
    | 'malformed'
    | 'tooLong'
    | 'unavailable'
    | 'broken',
    Said
  >
  /** Before the status, as in "Error 404". */
  error: string
  reportAbuse: string
  password: {
    title: string
    intro: string
    wrong: string
    label: string
    open: string
    cookie: string
  }
  attempts: { title: string; wait: (time: string) => string; back: string }
  app: { title: string; without: (host: string) => string; open: string; browser: string }
  inspection: { title: string; conditional: string; mixedScript: string }
}
