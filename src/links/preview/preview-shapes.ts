import { Type, type Static } from 'typebox'
import { named } from '../../platform/routes/shape.ts'
import { nullable, text } from '../../platform/resources/shapes.ts'
import { targetUrl } from '../options/option-shapes.ts'

export const PREVIEW_TITLE_MAX_CHARS = 255
export const PREVIEW_DESCRIPTION_MAX_CHARS = 1_000
export const PREVIEW_URL_MAX_CHARS = 2_048

export const PreviewQuery = Type.Object({
  url: targetUrl('The page: an http or https URL.', 'https://example.com/spring'),
})

export const LinkPreview = named(
  'LinkPreview',
  Type.Object({
    url: text('The URL of the request, as a link would store it.', 'https://example.com/spring'),
    finalUrl: nullable(
      text(
        'The URL of the page, after redirects; null when it could not be read.',
        'https://example.com/spring',
      ),
    ),
    title: text(
      'Title of the page. Without one, or when the page could not be read, host and path of the URL.',
      'Spring sale',
    ),
    description: nullable(text('Description of the page.', 'Everything at half price.')),
    image: nullable(
      text(
        'URL of the image that the page names. The server has not fetched it.',
        'https://example.com/spring.png',
      ),
    ),
    favicon: nullable(text('URL of the icon that the page names.', 'https://example.com/icon.png')),
    siteName: nullable(text('Name of the site.', 'Example')),
  }),
)
export type LinkPreview = Static<typeof LinkPreview>
