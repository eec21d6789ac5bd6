import { test } from 'node:test'
import { SKIP_WITHOUT_BROWSER } from '../support/browser-program.ts'
import { mouseOf } from '../support/hand.ts'
import { liveFirstStories } from '../support/first-story.ts'

test('a new user gets from the sign-up to a delivery', { skip: SKIP_WITHOUT_BROWSER }, (t) =>
  liveFirstStories(t, [{ name: 'phone', handOf: mouseOf, look: { size: 'phone' } }]),
)
