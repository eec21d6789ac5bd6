import { useState } from 'react'
import { api, dataOf, fileUrl, readFile } from '../api/client.ts'
import { useMay } from '../api/workspace.ts'
import { Button, buttonClass } from '../kit/button.tsx'
import { Popup } from '../kit/drawer.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { SelectField } from '../kit/field.tsx'
import { Icon } from '../kit/icon.tsx'
import { ImageField } from '../kit/image-picker.tsx'
import { showToast } from '../kit/toast.ts'
import { useAction } from '../kit/use-action.ts'
import { useSettled } from '../kit/use-settled.ts'
import { text } from '../text/link-page.ts'
import { PLAIN_STYLE, problemOf, QrStyleFields, toQuery } from './qr-style.tsx'
import type { Link } from './queries.ts'

const SIZES = ['256', '512', '1024', '2048'] as const
/** Of a color that is dragged in the control of the browser. */
const CHOOSING_MS = 200

/** The QR code of the server, so that the preview is the download. */
export function QrPopup({ link, onClose }: { link: Link; onClose: () => void }) {
  const [size, setSize] = useState<(typeof SIZES)[number]>('512')
  const [style, setStyle] = useState(PLAIN_STYLE)
  const [logoId, setLogoId] = useState(link.qrLogoMediaId)
  const path = `/links/${link.id}/qr`
  // The last one that readers find; the API ignores `v`: a browser asks only for an address that it does not know.
  const [drawn, setDrawn] = useState(style)
  const settled = useSettled(style, CHOOSING_MS)
  if (settled !== drawn && problemOf(settled) === null) setDrawn(settled)
  const query = { ...toQuery(drawn), v: logoId ?? undefined }
  const addressOf = (format: 'svg' | 'png' | 'pdf') =>
    fileUrl(path, { ...query, format, ...(format === 'png' && { size }) })
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
        src={addressOf('svg')}
        alt={text.actions.qrAlt(link.shortUrl)}
        width={240}
        height={240}
        className="self-center rounded border border-line bg-[#fff]"
      />
      <div className="flex flex-wrap justify-center gap-2">
        {(['svg', 'png', 'pdf'] as const).map((format) => (
          <a
            key={format}
            className={buttonClass()}
            href={addressOf(format)}
            download={`${link.slug}.${format}`}
          >
            <Icon name="download" /> {format.toUpperCase()}
          </a>
        ))}
        <CopyImage address={addressOf('png')} />
      </div>
      <p className="text-sm text-soft">{text.links.qrHint}</p>
      <QrStyleFields style={style} onStyle={setStyle} />
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
    </Popup>
  )
}

/** Copies the image itself, where the browser can. */
function CopyImage({ address }: { address: string }) {
  // Absent on pages without HTTPS, and in older browsers.
  if (!('ClipboardItem' in globalThis) || !('clipboard' in navigator)) return null
  const copy = async () => {
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': readFile(address) })])
  }
  return (
    <Button
      icon="copy"
      onClick={() =>
        void copy().then(
          () => showToast(text.qrStyle.copied),
          () => showToast(text.qrStyle.notCopied, { isError: true }),
        )
      }
    >
      {text.actions.copy}
    </Button>
  )
}
