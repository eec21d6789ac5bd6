import { useSuspenseQuery } from '@tanstack/react-query'
import { Outlet, useSearch } from '@tanstack/react-router'
import { sessionQuery } from '../api/session.ts'
import { ACCOUNT_PAGES } from '../kit/navigation.ts'
import { OuterLayout } from '../kit/outer-layout.tsx'
import { useTabTitle } from '../kit/tab-title.ts'
import { text } from '../text/account.ts'

/** The pages of the user, outside every workspace. */
export function AccountLayout() {
  const { from } = useSearch({ from: '/signed-in/account' })
  const { data: session } = useSuspenseQuery(sessionQuery)
  useTabTitle(text.account.title)
  return (
    <OuterLayout
      title={text.account.title}
      note={session?.user.email}
      back={text.account.back}
      from={from}
      pages={ACCOUNT_PAGES.map(({ to, name }) => ({ to, label: text.account[name] }))}
      className="max-w-3xl"
    >
      <div className="flex flex-col gap-4">
        <Outlet />
      </div>
    </OuterLayout>
  )
}
