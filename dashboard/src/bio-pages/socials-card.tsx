import { Button, IconButton } from '../kit/button.tsx'
import { TextField } from '../kit/field.tsx'
import { Card } from '../kit/layout.tsx'
import { moved } from '../kit/lists.ts'
import { text } from '../text/bio-pages.ts'
import { newSocial, type SocialDraft } from './draft.ts'
import type { CardProps } from './page-cards.tsx'
import { PlatformField } from './platform-field.tsx'

const MAX_SOCIALS = 20

/** The profiles below the heading, as a row of signs. */
export function SocialsCard({ form }: CardProps) {
  const { socials } = form.draft
  const change = (at: number, part: Partial<SocialDraft>) =>
    form.change({ socials: socials.map((each, i) => (i === at ? { ...each, ...part } : each)) })
  return (
    <Card title={text.bioPages.socials}>
      <ol aria-label={text.bioPages.socials} className="flex flex-col gap-3 px-4 pt-3 empty:hidden">
        {socials.map(({ key, platform, url }, at) => (
          <li key={key} className="flex flex-wrap items-start gap-3">
            <div className="flex-1 basis-36">
              <PlatformField
                value={platform}
                onValue={(chosen) => change(at, { platform: chosen })}
                error={form.errorAt(`socials.${at}.platform`)}
              />
            </div>
            <div className="flex-2 basis-56">
              <TextField
                label={text.bioPages.profileUrl}
                required
                placeholder="https://"
                className="font-mono text-sm"
                value={url}
                onValue={(value) => change(at, { url: value })}
                error={form.errorAt(`socials.${at}.url`)}
              />
            </div>
            <div className="flex gap-1 self-end">
              <IconButton
                icon="arrow-up"
                label={text.bioPages.up(text.bioPages.platforms[platform])}
                aria-disabled={at === 0}
                onClick={() => at > 0 && form.change({ socials: moved(socials, at, at - 1) })}
              />
              <IconButton
                icon="trash-2"
                label={text.bioPages.remove(text.bioPages.platforms[platform])}
                onClick={() => form.change({ socials: socials.filter((_, i) => i !== at) })}
              />
            </div>
          </li>
        ))}
      </ol>
      <div className="px-4 py-3">
        <Button
          icon="plus"
          disabled={socials.length >= MAX_SOCIALS}
          onClick={() => form.change({ socials: [...socials, newSocial()] })}
        >
          {text.bioPages.addSocial}
        </Button>
      </div>
    </Card>
  )
}
