import { fileUrl } from '../api/client.ts'

/** The icon of the site of a destination, read by the server: the browser asks no other host. */
export function LinkIcon({ destinationUrl, size = 16 }: { destinationUrl: string; size?: number }) {
  const site = URL.parse(destinationUrl)
  const isWeb = site?.protocol === 'https:' || site?.protocol === 'http:'
  return isWeb ? (
    <img
      src={fileUrl('/links/icon', { url: `${site.origin}/` })}
      alt=""
      width={size}
      height={size}
      loading="lazy"
      decoding="async"
      className="shrink-0 rounded-sm"
    />
  ) : (
    <span className="shrink-0" style={{ width: size, height: size }} />
  )
}
