import { SelectField } from '../kit/field.tsx'
import { optionsOf } from '../kit/lists.ts'
import type { Bound } from '../kit/use-form.ts'
import { text } from '../text/bio-pages.ts'
import type { SocialDraft } from './draft.ts'

type Platform = SocialDraft['platform']

/** The platform of a profile, whose sign the page shows. */
export function PlatformField({
  value,
  ...bound
}: Omit<Bound<Platform>, 'value'> & { value: string }) {
  return (
    <SelectField
      label={text.bioPages.platform}
      value={value as Platform}
      options={optionsOf(text.bioPages.platforms)}
      {...bound}
    />
  )
}
