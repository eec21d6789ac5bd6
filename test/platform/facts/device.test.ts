import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createDevices } from '../../../src/platform/facts/device.ts'
import { anyText } from '../../support/any-text.ts'

const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)'
const LINUX = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko)'
const MAC =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)'
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'
const IPAD =
  'Mozilla/5.0 (iPad; CPU OS 17_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'
const webkit = (system: string) => `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko)`

const TABLE: [device: string, browser: string, os: string, userAgent: string][] = [
  ['desktop', 'Chrome', 'Windows', `${WINDOWS} Chrome/131.0.0.0 Safari/537.36`],
  ['desktop', 'Edge', 'Windows', `${WINDOWS} Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0`],
  ['desktop', 'Opera', 'Windows', `${WINDOWS} Chrome/131.0.0.0 Safari/537.36 OPR/116.0.0.0`],
  [
    'desktop',
    'Vivaldi',
    'Windows',
    `${WINDOWS} Chrome/130.0.0.0 Safari/537.36 Vivaldi/7.0.3495.27`,
  ],
  [
    'desktop',
    'Yandex Browser',
    'Windows',
    `${WINDOWS} Chrome/128.0.0.0 YaBrowser/24.10 Safari/537.36`,
  ],
  [
    'desktop',
    'Electron',
    'Windows',
    `${WINDOWS} discord/1.0.9170 Chrome/128.0 Electron/32.2.2 Safari/537.36`,
  ],
  [
    'desktop',
    'Firefox',
    'Windows',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:133.0) Gecko/20100101 Firefox/133.0',
  ],
  [
    'desktop',
    'Internet Explorer',
    'Windows',
    'Mozilla/5.0 (Windows NT 6.1; WOW64; Trident/7.0; rv:11.0) like Gecko',
  ],
  ['desktop', 'Safari', 'macOS', `${MAC} Version/18.1 Safari/605.1.15`],
  ['desktop', 'Chrome', 'macOS', `${MAC} Chrome/131.0.0.0 Safari/537.36`],
  ['desktop', 'Chrome', 'Linux', `${LINUX} Chrome/131.0.0.0 Safari/537.36`],
  ['desktop', 'Headless Chrome', 'Linux', `${LINUX} HeadlessChrome/131.0.0.0 Safari/537.36`],
  [
    'desktop',
    'Firefox',
    'Linux',
    'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0',
  ],
  [
    'desktop',
    'Firefox',
    'FreeBSD',
    'Mozilla/5.0 (X11; FreeBSD amd64; rv:130.0) Gecko/20100101 Firefox/130.0',
  ],
  [
    'desktop',
    'Chrome',
    'ChromeOS',
    `${webkit('X11; CrOS x86_64 14541.0.0')} Chrome/131.0.0.0 Safari/537.36`,
  ],
  ['mobile', 'Safari', 'iOS', `${IPHONE} Version/18.1 Mobile/15E148 Safari/604.1`],
  ['mobile', 'Chrome', 'iOS', `${IPHONE} CriOS/131.0.6778.73 Mobile/15E148 Safari/604.1`],
  ['mobile', 'Firefox', 'iOS', `${IPHONE} FxiOS/133.0 Mobile/15E148 Safari/605.1.15`],
  ['mobile', 'Edge', 'iOS', `${IPHONE} Version/18.0 EdgiOS/131.0 Mobile/15E148 Safari/605.1.15`],
  [
    'mobile',
    'DuckDuckGo',
    'iOS',
    `${IPHONE} Version/18.1 Mobile/15E148 DuckDuckGo/7 Safari/605.1.15`,
  ],
  ['mobile', 'Google App', 'iOS', `${IPHONE} GSA/341.2.691 Mobile/15E148 Safari/604.1`],
  ['mobile', 'WebKit', 'iOS', `${IPHONE} Mobile/15E148`],
  [
    'mobile',
    'Instagram',
    'iOS',
    `${IPHONE} Mobile/15E148 Instagram 355.0.0.27.90 (iPhone15,2; iOS 18_1; en_US)`,
  ],
  [
    'mobile',
    'Facebook',
    'iOS',
    `${IPHONE} Mobile/22B83 [FBAN/FBIOS;FBAV/489.0.0.57.97;FBDV/iPhone15,2;FBLC/en_US]`,
  ],
  ['mobile', 'LinkedIn', 'iOS', `${IPHONE} Mobile/15E148 [LinkedInApp]/9.30.1184`],
  ['mobile', 'X', 'iOS', `${IPHONE} Mobile/22B83 Twitter for iPhone/10.67`],
  ['mobile', 'TikTok', 'iOS', `${IPHONE} Mobile/15E148 musical_ly_36.9.0 BytedanceWebview/d8a21c6`],
  ['tablet', 'Safari', 'iOS', `${IPAD} Version/17.6 Mobile/15E148 Safari/604.1`],
  [
    'mobile',
    'Chrome',
    'Android',
    `${webkit('Linux; Android 10; K')} Chrome/131.0.0.0 Mobile Safari/537.36`,
  ],
  [
    'tablet',
    'Chrome',
    'Android',
    `${webkit('Linux; Android 10; K')} Chrome/131.0.0.0 Safari/537.36`,
  ],
  [
    'tablet',
    'Chrome',
    'Android',
    `${webkit('Linux; Android 13; SM-X710')} Chrome/131.0.0.0 Safari/537.36`,
  ],
  [
    'mobile',
    'Samsung Internet',
    'Android',
    `${webkit('Linux; Android 14; SM-S921B')} SamsungBrowser/27.0 Chrome/125.0.0.0 Mobile Safari/537.36`,
  ],
  [
    'mobile',
    'Chrome WebView',
    'Android',
    `${webkit('Linux; Android 14; Pixel 8 Build/AP2A; wv')} Version/4.0 Chrome/131.0 Mobile Safari/537.36`,
  ],
  [
    'mobile',
    'Firefox',
    'Android',
    'Mozilla/5.0 (Android 14; Mobile; rv:133.0) Gecko/133.0 Firefox/133.0',
  ],
  [
    'mobile',
    'Opera Mini',
    'Android',
    'Opera/9.80 (Android; Opera Mini/7.5.54678/28.2555; U; ru) Presto/2.10.289 Version/12.02',
  ],
  [
    'mobile',
    'Huawei Browser',
    'HarmonyOS',
    `${webkit('Linux; Android 12; HarmonyOS; ANA-AN00')} Chrome/92 HuaweiBrowser/13 Mobile Safari/537.36`,
  ],
  ['mobile', 'unknown', 'Android', 'Dalvik/2.1.0 (Linux; U; Android 13; Pixel 7)'],
  [
    'other',
    'Silk',
    'Android',
    `${webkit('Linux; Android 9; AFTMM')} Silk/120.1 like Chrome/120.0 Safari/537.36`,
  ],
  [
    'other',
    'Samsung Internet',
    'Tizen',
    `${webkit('SMART-TV; Linux; Tizen 7.0')} SamsungBrowser/4.0 Chrome/94.0 TV Safari/537.36`,
  ],
  [
    'other',
    'Safari',
    'PlayStation',
    'Mozilla/5.0 (PlayStation; PlayStation 5/2.26) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.0 Safari/605.1.15',
  ],
  ['other', 'unknown', 'unknown', ''],
  ['other', 'node', 'unknown', 'node'],
  ['other', 'undici', 'unknown', 'undici'],
  ['other', 'curl', 'unknown', 'curl/8.11.0'],
  ['other', 'Wget', 'Linux', 'Wget/1.20.3 (linux-gnu)'],
  ['other', 'Requests', 'unknown', 'python-requests/2.32.3'],
  ['other', 'axios', 'unknown', 'axios/1.7.7'],
  ['other', 'OkHttp', 'unknown', 'okhttp/4.12.0'],
  ['other', 'Go', 'unknown', 'Go-http-client/1.1'],
  ['other', 'unknown', 'unknown', 'unheard/1.0'],
  [
    'desktop',
    'Chrome',
    'Linux',
    `${webkit('X11; Kubuntu; Linux x86_64')} Chrome/131.0 Safari/537.36`,
  ],
  [
    'other',
    'unknown',
    'unknown',
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  ],
]

test('user agents are read as device, browser and operating system', () => {
  const devices = createDevices()
  for (const round of [1, 2])
    for (const [device, browser, os, agent] of TABLE)
      assert.deepEqual(devices(agent), { device, browser, os }, `round ${round}: ${agent}`)
})

test('labels do not depend on the spelling of the user agent', () => {
  const devices = createDevices()
  assert.deepEqual(devices(`${WINDOWS} cHrOmE/131.0 sAfArI/537.36`), devices(TABLE[0]![3]))
  assert.equal(devices(`${WINDOWS} nokit browser/1`).browser, 'unknown')
})

test('any user agent gives labels from the closed lists', () => {
  const devices = createDevices(64)
  const pieces = TABLE.flatMap(([, , , agent]) => agent.split(/(?=[ ;(])/))
  const soup = fc.array(fc.oneof(fc.constantFrom(...pieces), anyText()), {
    maxLength: 20,
  })
  fc.assert(
    fc.property(soup, (words) => {
      const { device, browser, os } = devices(words.join(''))
      assert.match(device, /^(?:desktop|mobile|tablet|other)$/)
      assert.match(`${browser}/${os}`, /^[\w\- ]{1,24}\/[\w\- ]{1,24}$/)
    }),
    { numRuns: 2_000 },
  )
})

test('a full cache evicts the user agent that was used longest ago', () => {
  const devices = createDevices(2)
  const [first, second, third] = ['curl/1', 'curl/2', 'curl/3'].map((agent) => devices(agent))
  assert.notEqual(devices('curl/1'), first, 'pushed out by the third')
  assert.equal(devices('curl/3'), third)
  assert.notEqual(devices('curl/2'), second)
})
