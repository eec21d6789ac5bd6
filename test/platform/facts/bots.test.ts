import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  CRAWLERS,
  CRAWLER_PHRASES,
  PREVIEWERS,
  PREVIEWER_PHRASES,
  classifyAgent,
} from '../../../src/platform/facts/bots.ts'
import { anyText } from '../../support/any-text.ts'

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36'
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15'
const PIXEL = 'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36'

/** HTTP libraries and command-line tools. */
const LIBRARIES = [
  '',
  'node',
  'undici',
  'curl/8.11.0',
  'Wget/1.24.5',
  'Wget/1.20.3 (linux-gnu)',
  'python-requests/2.32.3',
  'python-httpx/0.27.2',
  'Python-urllib/3.12',
  'Python/3.12 aiohttp/3.10.10',
  'axios/1.7.7',
  'okhttp/4.12.0',
  'Go-http-client/1.1',
  'Go-http-client/2.0',
  'node-fetch/1.0 (+https://github.com/bitinn/node-fetch)',
  'got (https://github.com/sindresorhus/got)',
  'Java/21.0.1',
  'Apache-HttpClient/4.5.14 (Java/17.0.9)',
  'Ruby',
  'Faraday v2.12.0',
  'GuzzleHttp/7',
  'PHP/8.3',
  'libwww-perl/6.77',
  'reqwest/0.12.9',
  'Deno/2.0.6',
  'Bun/1.1.34',
  'PostmanRuntime/7.42.0',
  'insomnia/10.1.1',
  'HTTPie/3.2.4',
  'Dart/3.5 (dart:io)',
  'Mozilla/5.0 (Windows NT; Windows NT 10.0; en-US) WindowsPowerShell/5.1.22621.4391',
]

const BROWSERS = [
  CHROME,
  `${CHROME} Edg/131.0.0.0`,
  `${CHROME} OPR/116.0.0.0`,
  'Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
  `${IPHONE} (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1`,
  `${PIXEL} (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36`,
  // Headless browsers.
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/131.0.0.0 Safari/537.36',
  `${CHROME} Playwright/1.48.0`,
  `${CHROME} Puppeteer`,
  'Mozilla/5.0 (Unknown; Linux x86_64) AppleWebKit/538.1 (KHTML, like Gecko) PhantomJS/2.1.1 Safari/538.1',
  // In-app browsers and desktop clients of services that also send crawlers or previewers.
  `${IPHONE} (KHTML, like Gecko) Mobile/15E148 Instagram 355.0.0.27.90 (iPhone15,2; iOS 18_1; en_US)`,
  `${IPHONE} (KHTML, like Gecko) Mobile/22B83 [FBAN/FBIOS;FBAV/489.0.0.57.97;FBDV/iPhone15,2;FBLC/en_US]`,
  `${IPHONE} (KHTML, like Gecko) Mobile/15E148 [LinkedInApp]/9.30.1184`,
  `${IPHONE} (KHTML, like Gecko) Mobile/15E148 [Pinterest/iOS]`,
  `${IPHONE} (KHTML, like Gecko) Mobile/22B83 Twitter for iPhone/10.67`,
  `${IPHONE} (KHTML, like Gecko) Mobile/15E148 Snapchat/13.12.0.44 (like Safari/8619.2.8.10.7, panda)`,
  `${IPHONE} (KHTML, like Gecko) Mobile/15E148 KAKAOTALK/11.4.4 (INAPP)`,
  `${IPHONE} (KHTML, like Gecko) Mobile/15E148 Safari Line/14.17.0`,
  `${IPHONE} (KHTML, like Gecko) Mobile/15E148 NAVER(inapp; search; 2000; 12.7.2; 15PRO)`,
  `${IPHONE} (KHTML, like Gecko) GSA/341.2.691 Mobile/15E148 Safari/604.1`,
  `${IPHONE} (KHTML, like Gecko) Version/18.1 Mobile/15E148 DuckDuckGo/7 Safari/605.1.15`,
  `${IPHONE} (KHTML, like Gecko) Mobile/22B83 musical_ly_36.9.0 BytedanceWebview/d8a21c6`,
  `${PIXEL} (KHTML, like Gecko) Version/4.0 Chrome/131.0 Mobile Safari/537.36 YaApp_Android/24.11 YaSearchBrowser/24.11`,
  `${CHROME} coc_coc_browser/131.0`,
  'Mozilla/5.0 (Windows NT 10.0; WOW64) AppleWebKit/537.36 (KHTML, like Gecko) discord/1.0.9170 Chrome/128.0.6613.186 Electron/32.2.2 Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Slack_SSB/4.41.97 Chrome/130.0 Electron/33.0 Safari/537.36',
  // A maker of phones whose name ends in bot.
  'Mozilla/5.0 (Linux; Android 9; CUBOT_X18_Plus Build/PPR1) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/96.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Linux; Android 12; CUBOT P60) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/110.0 Mobile Safari/537.36',
]

const BOTS = [
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Googlebot-Image/1.0',
  `${PIXEL} (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)`,
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm) Chrome/116.0.1938.76 Safari/537.36',
  'Mozilla/5.0 (compatible; Yahoo! Slurp; http://help.yahoo.com/help/us/ysearch/slurp)',
  'DuckDuckBot/1.1; (+http://duckduckgo.com/duckduckbot.html)',
  'Mozilla/5.0 (compatible; Baiduspider/2.0; +http://www.baidu.com/search/spider.html)',
  'Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)',
  'Sogou web spider/4.0(+http://www.sogou.com/docs/help/webmasters.htm#07)',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.1.1 Safari/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)',
  'Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)',
  'Mozilla/5.0 (compatible; SemrushBot/7~bl; +http://www.semrush.com/bot.html)',
  'Mozilla/5.0 (compatible; MJ12bot/v1.4.8; http://mj12bot.com/)',
  'Mozilla/5.0 (compatible; DotBot/1.2; +https://opensiteexplorer.org/dotbot; help@moz.com)',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)',
  'CCBot/2.0 (https://commoncrawl.org/faq/)',
  'Mozilla/5.0 (Linux; Android 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Mobile Safari/537.36 (compatible; Bytespider; spider-feedback@bytedance.com)',
  'meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)',
  'Mozilla/5.0 (compatible; Amazonbot/0.1; +https://developer.amazon.com/support/amazonbot)',
  'Mozilla/5.0+(compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)',
  'Pingdom.com_bot_version_1.4_(http://www.pingdom.com/)',
  'Uptime-Kuma/1.23.13',
  'Amazon-Route53-Health-Check-Service (ref 3b6c5b6e; report http://amzn.to/1vsZADi)',
  'Feedly/1.0 (+http://www.feedly.com/fetcher.html; 12 subscribers; like FeedFetcher-Google)',
  'FeedFetcher-Google; (+http://www.google.com/feedfetcher.html)',
  'Tiny Tiny RSS/23.10 (https://tt-rss.org/)',
  'Mozilla/5.0 (compatible; CensysInspect/1.1; +https://about.censys.io/)',
  'Mozilla/5.0 zgrab/0.x',
  'ia_archiver (+http://www.alexa.com/site/help/webmasters; crawler@alexa.com)',
  'Scrapy/2.11.2 (+https://scrapy.org)',
  'Screaming Frog SEO Spider/21.0',
  // Not on the list, but named like a bot.
  'ExampleBot/1.0 (+https://example.com/bot)',
  'Mozilla/5.0 (compatible; unheard-of-crawler/0.3)',
]

const PREVIEWS = [
  'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  'facebookexternalhit/1.1;line-poker/1.0',
  // Messages on Apple devices imitates three others.
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0',
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  'Slack-ImgProxy (+https://api.slack.com/robots)',
  'Twitterbot/1.0',
  'WhatsApp/2.24.23.80 A',
  'TelegramBot (like TwitterBot)',
  'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
  'LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)',
  'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com',
  'Mozilla/5.0 (compatible; redditbot/1.0; +http://www.reddit.com/feedback)',
  'Mozilla/5.0 (Windows NT 6.1; WOW64) AppleWebKit/534+ (KHTML, like Gecko) BingPreview/1.0b',
  'Mozilla/5.0 (compatible; Embedly/0.2; +http://support.embed.ly/)',
  'Iframely/1.3.1 (+https://iframely.com/docs/about) Atlassian',
  'http.rb/5.2.0 (Mastodon/4.3.1; +https://mastodon.example/) Bot',
  'Mozilla/5.0 (compatible; Bluesky Cardyb/1.1; +mailto:support@bsky.app)',
  'Synapse (bot; +https://github.com/matrix-org/synapse)',
  'Mozilla/5.0 (compatible; Snap URL Preview Service; bot; snapchat; https://developers.snap.com/robots)',
  'Mozilla/5.0 (compatible; vkShare; +http://vk.com/dev/Share)',
  'Mozilla/4.0 (compatible; ms-office; MSOffice 16)',
]

test('HTTP libraries, command-line tools and an absent user agent are human', () => {
  for (const agent of LIBRARIES) assert.equal(classifyAgent(agent), 'human', agent)
})

test('browsers are human: headless, in an app, or on a phone whose maker ends in bot', () => {
  for (const agent of BROWSERS) assert.equal(classifyAgent(agent), 'human', agent)
})

test('named crawlers, monitors, feed readers and scanners are bots', () => {
  for (const agent of BOTS) assert.equal(classifyAgent(agent), 'bot', agent)
})

test('a client that draws a card of a link is a preview, even if it names crawlers too', () => {
  for (const agent of PREVIEWS) assert.equal(classifyAgent(agent), 'preview', agent)
})

test('every name on the list is recognized, in any case and with any version', () => {
  for (const name of CRAWLERS) {
    assert.equal(
      classifyAgent(`Mozilla/5.0 (compatible; ${name}/1.0; +https://example.com/)`),
      'bot',
      name,
    )
    assert.equal(classifyAgent(name.toUpperCase()), 'bot', name)
  }
  for (const name of PREVIEWERS) assert.equal(classifyAgent(`${name}/2.0`), 'preview', name)
  for (const phrase of CRAWLER_PHRASES) assert.equal(classifyAgent(`x ${phrase}/1`), 'bot', phrase)
  for (const phrase of PREVIEWER_PHRASES)
    assert.equal(classifyAgent(`x ${phrase}`), 'preview', phrase)
})

test('the list has no duplicates, and every name is one token of a user agent', () => {
  const names = [...CRAWLERS, ...PREVIEWERS].map((name) => name.toLowerCase())
  assert.deepEqual(
    names.filter((name, at) => names.indexOf(name) !== at),
    [],
  )
  for (const name of names) assert.match(name, /^[a-z0-9][a-z0-9._-]*$/)
})

test('only the first 512 characters are read', () => {
  assert.equal(classifyAgent(`${'x '.repeat(256)}Googlebot/2.1`), 'human')
})

test('no user agent throws or takes long', () => {
  fc.assert(
    fc.property(anyText({ maxLength: 2_000 }), (agent) => {
      assert.ok(['human', 'bot', 'preview'].includes(classifyAgent(agent)))
    }),
    { numRuns: 500 },
  )
  for (const piece of ['bot', 'cu', '-', 'a-', 'bot.', '._-', 'spiders'])
    classifyAgent(piece.repeat(700))
})
