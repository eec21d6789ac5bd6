import { route } from '../../platform/routes/route.ts'
import { idParams } from '../../platform/resources/shapes.ts'
import type { Links } from '../link/links.ts'
import { LogoQrOptions, QrOptions } from './qr-options.ts'
import type { LinkQr } from './qr.ts'

const Params = idParams('lnk', 'link')
const common = {
  requires: { credential: 'any', role: 'viewer', scope: 'links:read' },
  sends: ['image/png', 'image/svg+xml'],
  tag: 'Links',
} as const

export const linkQrRoutes = (links: Pick<Links, 'find'>, qr: LinkQr) => [
  route('GET /links/:id/qr', {
    ...common,
    name: 'getLinkQrCode',
    summary: 'Read the QR code of a link',
    description:
      'Sends an image of the QR code of the short URL, with the image of `qrLogoMediaId` in its middle. Scans of it count as visits with `qr=1`.',
    shapes: { params: Params, query: QrOptions },
    find: links.find,
    handle: (principal, { params, query }, signal) =>
      qr.draw(principal, { id: params.id, options: query, signal }),
  }),
  route('POST /links/:id/qr', {
    ...common,
    name: 'drawLinkQrCode',
    summary: 'Draw the QR code of a link with another logo',
    description:
      'Sends an image of the QR code with a logo in its middle: a PNG or JPEG of at most 64 KiB. Nothing is stored.',
    accepts: { multipart: true, file: 'logo' },
    shapes: { params: Params, fields: LogoQrOptions },
    find: links.find,
    handle: (principal, { params, body }, signal) =>
      qr.draw(principal, { id: params.id, options: body.fields, file: body.bytes, signal }),
  }),
]
