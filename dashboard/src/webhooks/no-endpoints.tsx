import { useMay } from '../api/workspace.ts'
import { Button } from '../kit/button.tsx'
import { Empty } from '../kit/layout.tsx'
import { text } from '../text/webhooks.ts'
import { ListenCommand, ReceiverSample } from './receiver-sample.tsx'

/** Explains webhooks, and the three steps to the first delivery. */
export function NoEndpoints({ onNew }: { onNew: () => void }) {
  const mayManage = useMay('admin')
  return (
    <>
      <Empty
        icon="webhook"
        title={text.webhooks.none}
        action={
          mayManage && (
            <Button look="primary" icon="plus" onClick={onNew}>
              {text.webhooks.newEndpoint}
            </Button>
          )
        }
      >
        {text.webhooks.noneExplain} {!mayManage && text.webhooks.noneForRole}
      </Empty>
      <div className="mx-auto flex max-w-2xl flex-col gap-6">
        {mayManage && (
          <ol className="flex flex-col gap-3">
            {text.webhooks.steps.map(([title, explain], index) => (
              <li key={title} className="flex items-center gap-3">
                <span
                  className={`inline-flex h-8 w-11 shrink-0 items-center font-semibold ${index === 0 ? 'arm bg-way ps-3 text-on-way' : 'justify-center rounded border border-edge'}`}
                >
                  {index + 1}
                </span>
                <span>
                  <b className="block font-semibold">{title}</b>
                  <span className="text-sm text-soft">{explain}</span>
                </span>
              </li>
            ))}
          </ol>
        )}
        <ReceiverSample />
        <ListenCommand />
      </div>
    </>
  )
}
