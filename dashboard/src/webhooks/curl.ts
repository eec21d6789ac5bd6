type Request = { url: string; headers: Readonly<Record<string, string>>; body: string }

/** The request as a command for a shell, each value in quotes that let nothing of it act. */
export function toCurl({ url, headers, body }: Request): string {
  // With `--globoff`, brackets of the address are not a pattern; `--data-raw` reads no file.
  const lines = [
    `curl -sS --globoff -X POST ${quote(url)}`,
    ...Object.entries(headers).map(([name, value]) =>
      // A name with a colon alone would take the header off.
      value === '' ? `-H ${quote(`${name};`)}` : `-H ${quote(`${name}: ${value}`)}`,
    ),
    `--data-raw ${quote(body)}`,
  ]
  return lines.join(' \\\n  ')
}

function quote(value: string): string {
  return `'${value.replaceAll("'", `'\\''`)}'`
}
