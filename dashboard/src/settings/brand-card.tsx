import { api, dataOf } from '../api/client.ts'
import { sessionQuery, workspacesQuery } from '../api/session.ts'
import { useWorkspace } from '../api/workspace.ts'
import { ColorField } from '../kit/color-field.tsx'
import { ImageField } from '../kit/image-picker.tsx'
import { Card } from '../kit/layout.tsx'
import { PageForm } from '../kit/page-form.tsx'
import { useForm } from '../kit/use-form.ts'
import { text } from '../text/settings.ts'

/** Logo and color of pages for visitors. */
export function BrandCard() {
  const { id, brandColor, logoMediaId } = useWorkspace()
  const form = useForm({
    start: () => ({ brandColor: brandColor ?? '', logoMediaId }),
    save: (draft) =>
      dataOf(
        api.PATCH('/workspaces/{id}', {
          params: { path: { id } },
          body: { ...draft, brandColor: draft.brandColor.trim() || null },
        }),
      ),
    refreshes: [workspacesQuery.queryKey, sessionQuery.queryKey],
    told: () => text.settings.saved,
  })
  return (
    <Card title={text.settings.brand}>
      <PageForm form={form} className="p-4" action={text.settings.saveBrand}>
        <p className="text-sm text-soft">{text.settings.brandExplain}</p>
        <ImageField label={text.settings.logo} {...form.field('logoMediaId')} />
        <ColorField
          label={text.settings.brandColor}
          hint={text.settings.brandColorHint}
          {...form.field('brandColor')}
        />
      </PageForm>
    </Card>
  )
}
