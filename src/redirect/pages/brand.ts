import { contrastOf, labelOn, MIN_CONTRAST } from '../../platform/facts/page-theme.ts'
import {
  COLORS,
  escapeHtml,
  htmlPage,
  LOGO_ELEMENT,
  styleHashes,
} from '../../platform/http/html.ts'

/** Of the workspace that a host belongs to. */
export type Brand = {
  name: string
  logoMediaId: string | null
  /** `#rrggbb`, which goes into a style as it is. */
  color: string | null
}

/** How a page shows a brand: parts of its HTML, and the sources that its policy allows. */
export type Branding = { mark: string; style: string; styleSource: string; imageSource: string }

/** Of pages without a brand, which show only the tab's icon. */
export const NO_BRANDING = toBranding(LOGO_ELEMENT, '')

const known = new WeakMap<Brand, Branding>()

/** Made once for a brand, since one domain may receive a flood of unknown slugs. */
export function brandingOf(brand: Brand | null, sharedOrigin: () => string): Branding {
  if (brand === null) return NO_BRANDING
  let branding = known.get(brand)
  if (!branding) known.set(brand, (branding = drawBrand(brand, sharedOrigin())))
  return branding
}

function drawBrand({ name, logoMediaId, color }: Brand, sharedOrigin: string): Branding {
  const style = color === null ? '' : colorStyle(color)
  if (logoMediaId === null) return toBranding('', style)
  const url = `${sharedOrigin}/media-public/${logoMediaId}`
  const mark = `<img class="brand" src="${escapeHtml(url)}?size=wide" alt="${escapeHtml(name)}">`
  return toBranding(mark, LOGO_STYLE + style, ` ${url}`)
}

function toBranding(mark: string, style: string, logoSource = ''): Branding {
  const styleSource = styleHashes(htmlPage({ title: '', content: '', style }))
  return { mark, style, styleSource, imageSource: `'self'${logoSource}` }
}

/** White in both schemes, so that a logo is as readable in the dark as in the light. */
const LOGO_STYLE =
  '.brand{flex:none;max-width:50%;max-height:2.5rem;padding:.25rem;border-radius:5px;color:#000;background:#fff}\n'

/** Links and outlines keep their own color where the brand's is hard to see, and buttons get a border. */
function colorStyle(color: string): string {
  const schemes = (['light', 'dark'] as const).map((scheme) => {
    const isSeen = contrastOf(color, COLORS[scheme].card) >= MIN_CONTRAST
    const rule = isSeen ? `:root{--accent:${color}}` : 'button,.button{border-color:var(--control)}'
    return `@media(prefers-color-scheme:${scheme}){${rule}}\n`
  })
  return `button,.button:not(.quiet){color:${labelOn(color)};background:${color}}\n${schemes.join('')}`
}
