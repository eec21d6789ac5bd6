import { test } from 'node:test'
import { SKIP_WITHOUT_BROWSER } from '../support/browser-program.ts'
import { keyboardOf, mouseOf } from '../support/hand.ts'
import { liveFirstStories } from '../support/first-story.ts'

test(
  'a new user gets from the sign-up to a delivery',
  { skip: SKIP_WITHOUT_BROWSER, concurrency: true },
  (t) =>
    liveFirstStories(t, [
      { name: 'mouse', handOf: mouseOf, look: { size: 'desktop', isMoving: true } },
      { name: 'keyboard', handOf: keyboardOf, look: { size: 'desktop' } },
      { name: 'small phone', handOf: mouseOf, look: { size: 'small', theme: 'dark' } },
      {
        name: 'keyboard zoomed',
        handOf: keyboardOf,
        look: { size: 'zoomed', forcedColors: true },
      },
    ]),
)
