/** The signpost: a post, an arm that points on, an arm that points back. */
export function Logo({ size = 24 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" className="shrink-0">
      <path d="M10.5 1h3v22h-3z" fill="currentColor" />
      <path d="M3 3.5h14l4 3.75-4 3.75H3z" fill="#f6c21c" />
      <path d="M21 12.5H7l-4 3.75L7 20h14z" className="fill-lake" />
    </svg>
  )
}
