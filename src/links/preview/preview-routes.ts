import { route } from '../../platform/routes/route.ts'
import type { LinkPreviews } from './preview.ts'
import { LinkPreview, PreviewQuery } from './preview-shapes.ts'

export const linkPreviewRoutes = (previews: LinkPreviews) => [
  route('GET /links/preview', {
    requires: { credential: 'any', role: 'viewer', scope: 'links:read' },
    tier: 'preview',
    skipConcurrencyLimit: true,
    name: 'previewLink',
    summary: 'Preview a destination',
    description:
      'Reads title, description, image and icon of a page, as messengers do. A page that cannot be read is answered with a title from its URL and null for the rest, without a reason.',
    tag: 'Links',
    shapes: { query: PreviewQuery, reply: LinkPreview },
    handle: (principal, { query }, signal) => previews.preview(principal, query, signal),
  }),
]
