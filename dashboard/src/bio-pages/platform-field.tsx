import { SelectField } from '../kit/field.tsx'
import { text } from '../text/en.ts'
import type { SocialDraft } from './draft.ts'

type Platform = SocialDraft['platform']

const PLATFORMS: readonly Platform[] = [
  ...(['instagram', 'tiktok', 'youtube', 'x', 'facebook', 'threads', 'bluesky'] as const),
  ...(['mastodon', 'linkedin', 'github', 'twitch', 'discord', 'spotify'] as const),
  ...(['soundcloud', 'pinterest', 'snapchat', 'whatsapp', 'telegram', 'signal'] as const),
  ...(['email', 'phone', 'website'] as const),
]

/** The platform of a profile, whose sign the page shows. */
export function PlatformField({
  value,
  onValue,
  error,
}: {
  value: string
  onValue: (platform: Platform) => void
  error?: string | undefined
}) {
  return (
    <SelectField
      label={text.bioPages.platform}
      value={value as Platform}
      options={PLATFORMS.map((platform) => ({
        value: platform,
        label: text.bioPages.platforms[platform],
      }))}
      onValue={onValue}
      error={error}
    />
  )
}
