/** An error in ClickHouse's own terms: what its HTTP interface answers, and its client understands. */
export class ClickHouseFault extends Error {
  override name = 'ClickHouseFault'
  readonly code: number

  /** @param type the code's name, such as `SYNTAX_ERROR` */
  constructor(code: number, type: string, message: string) {
    super(`Code: ${code}. DB::Exception: ${message}. (${type})`)
    this.code = code
  }
}

const UNKNOWN_EXCEPTION = 1002

/** HTTP statuses as ClickHouse's `exceptionCodeToHTTPStatus` gives them; all others are 500. */
const STATUS: Record<number, readonly number[]> = {
  400: [6, 26, 27, 36, 38, 41, 42, 43, 44, 50, 53, 62, 69, 70, 72, 117, 130, 131, 306, 456, 457],
  401: [194],
  403: [192, 193, 497, 516],
  404: [16, 46, 47, 60, 63, 81, 115],
  408: [159],
  413: [229],
  501: [48],
  503: [76, 209],
}
const STATUS_OF = new Map(
  Object.entries(STATUS).flatMap(([status, codes]) => codes.map((code) => [code, Number(status)])),
)

/** What to answer for an error of the engine or of the front. */
export function describeFault(error: unknown): { status: number; code: number; text: string } {
  const { message, clickhouseCode } = error as Error & { clickhouseCode?: number }
  const found = /^Code: (\d+)\./.exec(message)?.[1]
  const code =
    error instanceof ClickHouseFault
      ? error.code
      : (clickhouseCode ?? Number(found ?? UNKNOWN_EXCEPTION))
  const text = found ? message : `Code: ${code}. DB::Exception: ${message}. (UNKNOWN_EXCEPTION)`
  return { status: STATUS_OF.get(code) ?? 500, code, text: `${text}\n` }
}
