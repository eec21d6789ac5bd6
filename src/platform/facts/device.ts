import { UAParser } from 'my-ua-parser'
import { memoize } from '../core/functions.ts'

type DeviceKind = 'desktop' | 'mobile' | 'tablet' | 'other'

/** Product names from a closed list, or `unknown`. For other programs `browser` is the HTTP library. */
export type Device = { device: DeviceKind; browser: string; os: string }

const MAX_LENGTH = 512
const UNKNOWN = 'unknown'

const BROWSERS = names(`
  360 Browser, Alipay, Android Browser, Avast Secure Browser, AVG Secure Browser, Baidu, Basilisk, Brave,
  Chrome, Chrome WebView, Chromium, Cobalt, Coc Coc, Comodo Dragon, Dolphin=Dolphin, DuckDuckGo, Edge,
  Electron, Epiphany, Facebook, Falkon, Firefox, Firefox Focus, Firefox Reality=Firefox, Focus=Firefox Focus,
  GSA=Google App, Chrome Headless=Headless Chrome, Huawei Browser, Heytap=HeyTap Browser, IceCat, IE=Internet Explorer,
  IEMobile=Internet Explorer, Instagram, KakaoTalk, KakaoStory, Kindle, Klar=Firefox Focus, Klarna, Konqueror,
  LBBROWSER=LieBao, Line, LinkedIn, Links, Lynx, Maxthon, Midori, MIUI Browser, Mobile Safari=Safari, Naver,
  NetFront, NetSurf, Nokia Browser, NokiaBrowser=Nokia Browser, Oculus Browser, Opera, Opera Coast=Opera,
  Opera GX, Opera Mini, Opera Mobi=Opera, Opera Tablet=Opera, Opera Touch=Opera, Ovi=Nokia Browser,
  Pale Moon=Pale Moon, PaleMoon=Pale Moon, PhantomJS, Puffin, QQ, QQBrowser=QQ Browser, QQBrowserLite=QQ Browser,
  QupZilla, Safari, Sailfish Browser, Samsung Internet, SeaMonkey, Silk, Skyfire, Sleipnir,
  Smart Lenovo Browser, Snapchat, Sogou Explorer, Sogou Mobile, Tesla, TikTok, Tizen Browser,
  TizenBrowser=Tizen Browser, Twitter=X, UCBrowser=UC Browser, Viera, vivo Browser, Vivaldi, w3m, Waterfox,
  WebKit, WeChat, Weibo, Whale, Yandex=Yandex Browser, 2345Explorer=2345 Explorer
`)

const LIBRARIES = names(`
  aiohttp, Apache-HttpClient=Apache HttpClient, axios, curl, Dart, Deno, Bun, fasthttp, Faraday, Go-http-client=Go,
  GuzzleHttp=Guzzle, HTTPie, insomnia=Insomnia, Java, Java-http-client=Java, Jersey, k6, libcurl=curl,
  libwww-perl, lua-resty-http, lwp-trivial=libwww-perl, node, node-fetch, okhttp=OkHttp, PostmanRuntime=Postman,
  python-httpx=HTTPX, python-requests=Requests, Python-urllib=urllib, python-urllib3=urllib3, reqwest,
  RestSharp, Ruby, Symfony HttpClient, undici, Wget, WinHttp
`)

const SYSTEMS = names(`
  Android, Android-x86=Android, AIX, Arch=Linux, Bada, BeOS, BlackBerry, CentOS=Linux, Chromecast,
  Chromium OS=ChromeOS, Debian=Linux, DragonFly, Fedora=Linux, Firefox OS, FreeBSD, Fuchsia, Gentoo=Linux, GNU=Linux,
  Haiku, HarmonyOS, HP-UX, Hurd, iOS, KaiOS, Kubuntu=Linux, Linux, Lubuntu=Linux, Mac OS=macOS, Mac OS X=macOS, Maemo,
  Manjaro=Linux, MeeGo, Mint=Linux, NetBSD, NetTV, Nintendo, OpenBSD, OpenSUSE=Linux, Palm, PlayStation, QNX,
  Raspbian=Linux, Red Hat=Linux, RedHat=Linux, RIM Tablet OS=BlackBerry, Sailfish, SerenityOS, Series40,
  Slackware=Linux, Solaris, SunOS=Solaris, SUSE=Linux, Symbian, Tizen, Ubuntu=Linux, Unix, Viera, watchOS, webOS,
  Windows, Windows Mobile, Windows Phone, Windows Phone OS=Windows Phone, Xbox, Xubuntu=Linux
`)

const DESKTOPS = new Set(['Windows', 'macOS', 'Linux', 'ChromeOS', 'FreeBSD', 'OpenBSD', 'NetBSD'])

const PHONE_SYSTEMS = new Set(
  names('Android, iOS, HarmonyOS, KaiOS, Windows Phone, BlackBerry, Symbian, Series40').values(),
)

const UNKNOWN_DEVICE: Device = { device: 'other', browser: UNKNOWN, os: UNKNOWN }

/** A parse takes thirty microseconds, and few user agents make most of the traffic. */
export function createDevices(capacity = 8_192): (userAgent: string) => Device {
  const parseCached = memoize(capacity, parse)
  return (userAgent) => parseCached(userAgent.slice(0, MAX_LENGTH))
}

const SYSTEM_NAMES = canonicalNames(SYSTEMS)
const BROWSER_NAMES = canonicalNames(BROWSERS, LIBRARIES)

/** Ignores case; null if no visitor has it. */
export function toSystemLabel(name: string): string | null {
  return SYSTEM_NAMES.get(name.toLowerCase()) ?? null
}

export function toBrowserLabel(name: string): string | null {
  return BROWSER_NAMES.get(name.toLowerCase()) ?? null
}

function parse(agent: string): Device {
  if (agent.trim() === '') return UNKNOWN_DEVICE
  const parser = new UAParser(agent)
  const browser = BROWSERS.get(parser.getBrowser().name?.toLowerCase() ?? '') ?? UNKNOWN
  const product = agent.split('/', 1)[0]!.trim().toLowerCase()
  const os = SYSTEMS.get(parser.getOS().name?.toLowerCase() ?? '') ?? UNKNOWN
  const device = toDeviceKind(parser.getDevice().type, browser, os)
  return {
    device,
    browser: browser === UNKNOWN ? (LIBRARIES.get(product) ?? UNKNOWN) : browser,
    os,
  }
}

function toDeviceKind(type: string | undefined, browser: string, os: string): DeviceKind {
  if (type === 'mobile' || type === 'tablet') return type
  if (type !== undefined) return 'other'
  if (browser === UNKNOWN) return 'other'
  if (PHONE_SYSTEMS.has(os)) return 'mobile'
  return DESKTOPS.has(os) ? 'desktop' : 'other'
}

function names(list: string): ReadonlyMap<string, string> {
  return new Map(
    list.split(',').map((entry) => {
      const [from = '', to = from] = entry.trim().split('=')
      return [from.toLowerCase(), to] as const
    }),
  )
}

function canonicalNames(...lists: readonly ReadonlyMap<string, string>[]) {
  const products = lists.flatMap((list) => [...list.values()])
  return new Map(products.map((name) => [name.toLowerCase(), name]))
}
