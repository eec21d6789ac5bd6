import type { Platform, PageElement } from '../../platform/facts/bio-page.ts'

type Icon = { name: string; shapes: readonly PageElement[] }

/** Platform icons on a 24 by 24 grid, drawn as lines in the text color. */
const ICONS: Record<Platform, Icon> = {
  instagram: icon('Instagram', rect(3, 3, 18, 18, 5), circle(12, 12, 4.2), path('M17.2 6.8h.01')),
  tiktok: icon('TikTok', path('M13.5 3v12.2a3.8 3.8 0 1 1-3.8-3.8M13.5 3c.3 3 2.3 5 5.5 5.2')),
  youtube: icon('YouTube', rect(2, 5, 20, 14, 4), path('m10 9 5 3-5 3z')),
  x: icon('X', path('M4 4h4l12 16h-4zM19.5 4l-6.3 7M4.5 20l6.3-7')),
  facebook: icon('Facebook', path('M15.5 3H14a4 4 0 0 0-4 4v14M6.5 12.5h8')),
  threads: icon(
    'Threads',
    circle(12, 12, 9),
    path('M8.5 10a3.6 3.6 0 0 1 7 1.3c0 3-1.5 4.7-3.8 4.7-3.5 0-3.4-4 .2-4 2.6 0 3.6.6 4.3 2.2'),
  ),
  bluesky: icon(
    'Bluesky',
    path(
      'M12 11.5C10.5 8.5 7.5 5.5 5 4.5c-2-.8-2.5.5-2.3 2.5.3 4 .8 6 4.3 6-2.5.5-3.5 2-1.5 4 2.5 2.5 4.5.5 6.5-3.5 2 4 4 6 6.5 3.5 2-2 1-3.5-1.5-4 3.5 0 4-2 4.3-6 .2-2-.3-3.3-2.3-2.5-2.5 1-5.5 4-7 7z',
    ),
  ),
  mastodon: icon(
    'Mastodon',
    path(
      'M8 20.5c4 .8 7.5 0 9-1.5M6 16c-2.5-1-3-9-1-11.5 2-2 12-2 14 0 2 2.5 1 9-1 10.5-2.5 1.5-9 2-12 1zM8.5 13V9a1.75 1.75 0 0 1 3.5 0v2.5V9a1.75 1.75 0 0 1 3.5 0v4',
    ),
  ),
  linkedin: icon(
    'LinkedIn',
    rect(3, 3, 18, 18, 3),
    path('M7.5 10.5v6M7.5 7.5h.01M11.5 16.5v-6M11.5 13a2.5 2.5 0 0 1 5 0v3.5'),
  ),
  github: icon(
    'GitHub',
    path(
      'M9 21v-3.5c-3.5 1-4.5-1.5-5.5-2M15 21v-3.5c0-1.2-.4-2-1-2.5 3-.4 5-1.7 5-5.2 0-1.5-.5-2.6-1.3-3.5.2-1 .1-2-.2-2.8-1.2 0-2.2.6-3 1.3a11 11 0 0 0-5 0C8.7 4.1 7.7 3.5 6.5 3.5c-.3.8-.4 1.8-.2 2.8C5.5 7.2 5 8.3 5 9.8c0 3.5 2 4.8 5 5.2-.6.5-1 1.3-1 2.5',
    ),
  ),
  twitch: icon('Twitch', path('M5 3h15v11l-4 4h-4l-3 3v-3H4V7zM11 8v4M16 8v4')),
  discord: icon(
    'Discord',
    path(
      'M8.5 5.5C6.5 6 5 6.5 4.5 7.5 3 10.5 2.5 14 3 17c1.5 1.3 3 2 4.5 2l1-2M15.5 5.5c2 .5 3.5 1 4 2 1.5 3 2 6.5 1.5 9.5-1.5 1.3-3 2-4.5 2l-1-2M7.5 7c3-1.2 6-1.2 9 0M7 16.5c3.5 1.3 6.5 1.3 10 0M9 12.5h.01M15 12.5h.01',
    ),
  ),
  spotify: icon(
    'Spotify',
    circle(12, 12, 9.5),
    path('M6.5 9.5c4-1.2 8-.8 11.5 1M7.5 12.7c3.2-.9 6.2-.5 9 .9M8.3 15.7c2.5-.6 4.8-.3 7 .8'),
  ),
  soundcloud: icon(
    'SoundCloud',
    path('M3 12v4M6 10v7M9 8.5V17M12 17V7.5c3-2 7 .5 6.5 4 3.5.5 3 5.5-.5 5.5z'),
  ),
  pinterest: icon(
    'Pinterest',
    circle(12, 12, 9.5),
    path(
      'M12 9.5 9.5 20M8.5 12.5C6.5 8.5 10 6.5 12.5 6.5c3 0 4 2 4 3.8 0 2.5-1.5 4.7-3.5 4.7-1 0-1.7-.4-2-1',
    ),
  ),
  snapchat: icon(
    'Snapchat',
    path(
      'M12 3c-3 0-4.5 2-4.5 4.5V10L6 10.5c0 1.5 1.5 1.5 1.5 2.5 0 1.5-2 3-3.5 3.5.5 1 2 1 2.5 1.5l.5 1.2c1.5-.4 2.3-.1 3 .6.6.7 1.2 1.2 2 1.2s1.4-.5 2-1.2c.7-.7 1.5-1 3-.6l.5-1.2c.5-.5 2-.5 2.5-1.5-1.5-.5-3.5-2-3.5-3.5 0-1 1.5-1 1.5-2.5l-1.5-.5V7.5C16.5 5 15 3 12 3z',
    ),
  ),
  whatsapp: icon(
    'WhatsApp',
    path(
      'M3 21l1.5-4.8A8.8 8.8 0 1 1 8 19.6zM9 8c-.7 3.5 3.5 7.7 7 7l.5-2-2-1-1 1c-1.5-.5-2-1-2.5-2.5l1-1-1-2z',
    ),
  ),
  telegram: icon('Telegram', path('M21 4 2.5 11l6 2.5L18 7l-7 8 6.5 5zM8.5 13.5V20l2.5-3.5')),
  signal: icon('Signal', path('M4 20.5 5 16a8.5 8.5 0 1 1 3 3z')),
  email: icon('E-mail', rect(2.5, 5, 19, 14, 2.5), path('m3 7 9 6.5L21 7')),
  phone: icon(
    'Phone',
    path(
      'M8.5 3.5H5A1.5 1.5 0 0 0 3.5 5C4 13.5 10.5 20 19 20.5a1.5 1.5 0 0 0 1.5-1.5v-3.5l-4.5-1.5-2 2a13 13 0 0 1-6-6l2-2z',
    ),
  ),
  website: icon(
    'Website',
    circle(12, 12, 9.5),
    path('M2.5 12h19M12 2.5c3.3 3 3.3 16 0 19M12 2.5c-3.3 3-3.3 16 0 19'),
  ),
}

/** Hidden from screen readers; the link has the name. */
export function iconOf(platform: Platform): PageElement {
  return toSvg(ICONS[platform].shapes)
}

export function nameOf(platform: Platform): string {
  return ICONS[platform].name
}

export const PLAY_ICON = toSvg([circle(12, 12, 9.5), path('m10 8.5 5.5 3.5-5.5 3.5z')])

function icon(name: string, ...shapes: PageElement[]): Icon {
  return { name, shapes }
}

function toSvg(shapes: readonly PageElement[]): PageElement {
  return {
    tag: 'svg',
    attributes: { viewBox: '0 0 24 24', 'aria-hidden': 'true' },
    children: shapes,
  }
}

function path(d: string): PageElement {
  return { tag: 'path', attributes: { d }, children: [] }
}

function circle(cx: number, cy: number, r: number): PageElement {
  const attributes = { cx: String(cx), cy: String(cy), r: String(r) }
  return { tag: 'circle', attributes, children: [] }
}

function rect(x: number, y: number, width: number, height: number, rx: number): PageElement {
  const attributes = {
    x: String(x),
    y: String(y),
    width: String(width),
    height: String(height),
    rx: String(rx),
  }
  return { tag: 'rect', attributes, children: [] }
}
