import { useSuspenseQuery } from '@tanstack/react-query'
import { Outlet, useSearch } from '@tanstack/react-router'
import { sessionQuery } from '../api/session.ts'
import { Empty, PageHead } from '../kit/layout.tsx'
import { OuterLayout } from '../kit/outer-layout.tsx'
import { text } from '../text/server.ts'

const PAGES = [
  { to: '/server', name: 'workspaces' },
  { to: '/server/users', name: 'users' },
  { to: '/server/reports', name: 'reports' },
  { to: '/server/blocks', name: 'blocks' },
  { to: '/server/health', name: 'health' },
] as const

/** The pages of operators, outside every workspace. */
export function ServerLayout() {
  const { from } = useSearch({ from: '/signed-in/server' })
  const { data: session } = useSuspenseQuery(sessionQuery)
  const isOperator = session?.isOperator ?? false
  return (
    <OuterLayout
      title={text.server.title}
      note={window.location.host}
      back={text.server.back}
      from={from}
      pages={
        isOperator ? PAGES.map(({ to, name }) => ({ to, label: text.server.pages[name] })) : []
      }
      className="max-w-5xl"
    >
      {isOperator ? <Outlet /> : <OnlyOperators />}
    </OuterLayout>
  )
}

function OnlyOperators() {
  return (
    <>
      <PageHead title={text.server.title} />
      <Empty icon="lock" title={text.server.onlyOperators}>
        {text.server.onlyOperatorsExplain}
      </Empty>
    </>
  )
}
