import { useState } from 'react'
import { api, dataOf, fileUrl } from '../api/client.ts'
import { useMay } from '../api/workspace.ts'
import { buttonClass } from '../kit/button.tsx'
import { Popup } from '../kit/drawer.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { SelectField } from '../kit/field.tsx'
import { Icon } from '../kit/icon.tsx'
import { ImageField } from '../kit/image-picker.tsx'
import { useAction } from '../kit/use-action.ts'
import { text } from '../text/link-page.ts'
import type { Link } from './queries.ts'

const SIZES = ['256', '512', '1024', '2048'] as const

/** The QR code of the server, so that the preview is the download. */
export function QrPopup({ link, onClose }: { link: Link; onClose: () => void }) {
  const [size, setSize] = useState<(typeof SIZES)[number]>('512')
  const [logoId, setLogoId] = useState(link.qrLogoMediaId)
  const path = `/links/${link.id}/qr`
  // The API ignores `v`: a browser that has the picture of an address asks for another one alone.
  const drawn = { format: 'svg', margin: '4', v: logoId ?? undefined }
  const mayWrite = useMay('member')
  const params = { path: { id: link.id } }
  const setLogo = useAction(
    (qrLogoMediaId: string | null) =>
      dataOf(api.PATCH('/links/{id}', { params, body: { qrLogoMediaId } })),
    { showsErrors: true, onDone: ({ qrLogoMediaId }) => setLogoId(qrLogoMediaId) },
  )
  return (
    <Popup title={text.links.qrTitle(link.slug)} onClose={onClose}>
      <img
        src={fileUrl(path, drawn)}
        alt={text.links.qrAlt(link.shortUrl)}
        width={240}
        height={240}
        className="self-center rounded border border-line bg-[#fff]"
      />
      <p className="text-sm text-soft">{text.links.qrHint}</p>
      {mayWrite && (
        <ImageField
          label={text.links.qrLogo}
          hint={text.links.qrLogoHint}
          value={logoId}
          onValue={(id) => setLogo.mutate(id)}
        />
      )}
      <ErrorNote error={setLogo.error} />
      <SelectField
        label={text.links.qrSize}
        value={size}
        options={SIZES.map((each) => ({ value: each, label: `${each} × ${each}` }))}
        onValue={setSize}
      />
      <div className="flex flex-wrap gap-2">
        <a className={buttonClass()} href={fileUrl(path, drawn)} download={`${link.slug}.svg`}>
          <Icon name="download" /> SVG
        </a>
        <a
          className={buttonClass()}
          href={fileUrl(path, { format: 'png', size, margin: '4' })}
          download={`${link.slug}.png`}
        >
          <Icon name="download" /> PNG
        </a>
      </div>
    </Popup>
  )
}
