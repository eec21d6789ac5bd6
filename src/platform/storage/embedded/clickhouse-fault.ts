/** An error as ClickHouse writes it, of which the official client reads code and name. */
export function clickHouseFault(code: number, name: string, message: string): Error {
  return new Error(`Code: ${code}. DB::Exception: ${message}. (${name})`)
}

/** The engine's errors have ClickHouse's form already; those of Node get it here. */
export function faultText({ message }: Error): string {
  if (/^Code: \d+\./.test(message)) return message
  return clickHouseFault(1002, 'UNKNOWN_EXCEPTION', message).message
}
