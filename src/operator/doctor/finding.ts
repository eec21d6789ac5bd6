/** One line of `signpost doctor`. A `fail` sets exit code 1; `advice` is '' when there is nothing to do. */
export type Finding = {
  check: string
  state: 'ok' | 'warn' | 'fail'
  message: string
  advice: string
}

export function ok(check: string, message: string): Finding {
  return { check, state: 'ok', message, advice: '' }
}

export function warn(check: string, message: string, advice: string): Finding {
  return { check, state: 'warn', message, advice }
}

export function fail(check: string, message: string, advice: string): Finding {
  return { check, state: 'fail', message, advice }
}
