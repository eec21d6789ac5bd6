import { ColorField } from '../kit/color-field.tsx'
import { Field, SelectField } from '../kit/field.tsx'
import { text } from '../text/link-page.ts'

export const SHAPES = ['square', 'rounded', 'dots'] as const
const MARGINS = ['0', '1', '2', '4', '8'] as const
const HEX = /^#[0-9a-f]{6}$/i
/** As the server refuses it: readers find no code below. */
const MIN_CONTRAST = 3

/** How codes look; colors with their `#`. */
export type QrStyle = {
  shape: (typeof SHAPES)[number]
  fg: string
  bg: string
  margin: (typeof MARGINS)[number]
}

export const PLAIN_STYLE: QrStyle = { shape: 'square', fg: '#000000', bg: '#ffffff', margin: '4' }

/** The parameters of a code. */
export function toQuery({ shape, fg, bg, margin }: QrStyle) {
  return { shape, fg: fg.slice(1), bg: bg.slice(1), margin }
}

/** Why readers would not find a code that looks so; null: they would. */
export function problemOf({ fg, bg }: QrStyle): string | null {
  if (!HEX.test(fg) || !HEX.test(bg)) return text.qrStyle.noColor
  const [dark, light] = [luminanceOf(fg), luminanceOf(bg)].toSorted((one, other) => one - other)
  return (light! + 0.05) / (dark! + 0.05) < MIN_CONTRAST ? text.qrStyle.lowContrast : null
}

/** The relative luminance of WCAG 2. */
function luminanceOf(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
}

export function QrStyleFields({
  style,
  onStyle,
}: {
  style: QrStyle
  onStyle: (style: QrStyle) => void
}) {
  const change = (part: Partial<QrStyle>) => onStyle({ ...style, ...part })
  return (
    <>
      <Field label={text.qrStyle.shape}>
        {({ id }) => (
          <div id={id} role="group" aria-label={text.qrStyle.shape} className="flex gap-2">
            {SHAPES.map((shape) => (
              <button
                key={shape}
                type="button"
                aria-pressed={shape === style.shape}
                className="flex min-h-9 flex-1 items-center justify-center gap-2 rounded border border-edge bg-card text-sm aria-pressed:border-ink aria-pressed:bg-ink aria-pressed:text-paper max-md:min-h-11"
                onClick={() => change({ shape })}
              >
                <Sample shape={shape} /> {text.qrStyle.shapes[shape]}
              </button>
            ))}
          </div>
        )}
      </Field>
      <div className="grid grid-cols-2 gap-3">
        <ColorField
          label={text.qrStyle.fg}
          value={style.fg}
          onValue={(fg) => change({ fg })}
          error={problemOf(style) ?? undefined}
        />
        <ColorField
          label={text.qrStyle.bg}
          value={style.bg}
          onValue={(bg) => change({ bg })}
          error={undefined}
        />
      </div>
      <SelectField
        label={text.qrStyle.margin}
        value={style.margin}
        options={MARGINS.map((value) => ({ value, label: text.qrStyle.margins[value] }))}
        onValue={(margin) => change({ margin })}
      />
    </>
  )
}

/** Four modules of a shape. */
function Sample({ shape }: { shape: QrStyle['shape'] }) {
  const radius = { square: 0, rounded: 1.6, dots: 3 }[shape]
  return (
    <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true" fill="currentColor">
      {[0, 8].flatMap((x) =>
        [0, 8].map((y) => <rect key={`${x} ${y}`} x={x} y={y} width="6" height="6" rx={radius} />),
      )}
    </svg>
  )
}
