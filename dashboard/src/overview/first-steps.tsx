import { Link as RouterLink } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { useWorkspace } from '../api/workspace.ts'
import type { Summary } from '../figures/queries.ts'
import { IconButton } from '../kit/button.tsx'
import { Icon } from '../kit/icon.tsx'
import { Card } from '../kit/layout.tsx'
import { text } from '../text/overview.ts'
import { areStepsHidden, hideSteps, useSteps, type Step } from './steps.ts'

/** First steps in a new workspace, until all are done or the user hides them. */
export function FirstSteps({ summary }: { summary: Summary }) {
  const { id } = useWorkspace()
  const [isHidden, setHidden] = useState(() => areStepsHidden(id))
  const steps = useSteps(summary)
  if (isHidden || !steps) return null
  const done = steps.filter(({ isDone }) => isDone).length
  if (done === steps.length) return null
  return (
    <Card
      title={text.overview.stepsTitle}
      note={text.overview.stepsDone(done, steps.length)}
      action={
        <IconButton
          icon="x"
          label={text.overview.dismissSteps}
          onClick={() => {
            hideSteps(id)
            setHidden(true)
          }}
        />
      }
    >
      <div className="px-4 pt-1 pb-4">
        <StepList steps={steps} link={summary.data.topLinks[0]?.link.id} />
      </div>
    </Card>
  )
}

/** The steps in order: a done one is ticked, and the next one is an arm. */
export function StepList({
  steps,
  link,
  isNarrow = false,
}: {
  steps: readonly Step[]
  /** A link of the workspace, which is to be opened once. */
  link?: string | undefined
  isNarrow?: boolean
}) {
  const next = steps.findIndex(({ isDone }) => !isDone)
  return (
    <ol className={`grid gap-3 ${isNarrow ? '' : 'lg:grid-cols-2'}`}>
      {steps.map(({ id, isDone }, index) => {
        const { title, explain } = text.overview.steps[id]
        return (
          <li key={id} className="flex min-h-11 items-center gap-3">
            <span
              className={`inline-flex h-8 w-11 shrink-0 items-center font-semibold ${index === next ? 'arm bg-way ps-3 text-on-way' : 'justify-center rounded border border-edge'}`}
            >
              {isDone ? (
                <Icon name="check" label={text.overview.done} className="text-ok" />
              ) : (
                index + 1
              )}
            </span>
            <span>
              <b className={`block font-semibold ${isDone ? 'text-soft' : ''}`}>
                {isDone ? title : <StepLink id={id} link={link} title={title} />}
              </b>
              {!isDone && <span className="text-sm text-soft">{explain}</span>}
            </span>
          </li>
        )
      })}
    </ol>
  )
}

/** Leads to the page of the step. */
function StepLink({
  id,
  link,
  title,
}: {
  id: Step['id']
  link: string | undefined
  title: string
}): ReactNode {
  const { id: workspaceId } = useWorkspace()
  const params = { workspaceId }
  const look = '-my-2.5 inline-flex min-h-6 items-center py-2.5 text-ink underline'
  switch (id) {
    case 'link':
      return title
    case 'click':
      return link === undefined ? (
        <RouterLink to="/$workspaceId/links" params={params} className={look}>
          {title}
        </RouterLink>
      ) : (
        <RouterLink
          to="/$workspaceId/links/$linkId"
          params={{ workspaceId, linkId: link }}
          className={look}
        >
          {title}
        </RouterLink>
      )
    case 'webhook':
      return (
        <RouterLink to="/$workspaceId/webhooks" params={params} className={look}>
          {title}
        </RouterLink>
      )
    case 'team':
      return (
        <>
          <RouterLink to="/$workspaceId/settings/members" params={params} className={look}>
            {title}
          </RouterLink>
          {', '}
          <RouterLink to="/$workspaceId/settings/api-keys" params={params} className={look}>
            {text.overview.steps.team.or}
          </RouterLink>
        </>
      )
  }
}
