/** A PNG of one red pixel. */
export const LOGO = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)

/** The body of a form as a client sends it; buffers are files. */
export async function toFormBody(
  parts: Readonly<Record<string, string | Buffer>>,
  type = 'image/png',
): Promise<{ contentType: string; bytes: Buffer }> {
  const form = new FormData()
  for (const [name, part] of Object.entries(parts))
    if (typeof part === 'string') form.append(name, part)
    else form.append(name, new Blob([new Uint8Array(part)], { type }), 'file')
  const response = new Response(form)
  return {
    contentType: response.headers.get('content-type')!,
    bytes: Buffer.from(await response.arrayBuffer()),
  }
}
