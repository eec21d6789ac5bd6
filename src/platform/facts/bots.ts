/**
 * Names of programs that request pages automatically: one token of the user agent, or its part before a separator, so
 * `Googlebot` covers `Googlebot-Image`. HTTP libraries, headless browsers and in-app browsers are left out, because
 * users click with them. Previewers draw a card of a page in a message.
 */
export const PREVIEWERS = words(`
  facebookexternalhit facebookcatalog meta-externalhit line-poker kakaotalk-scrap Twitterbot WhatsApp
  TelegramBot ViberBot Discordbot LinkedInBot redditbot SkypeUriPreview BingPreview MicrosoftPreview
  Slackbot-LinkExpanding Slack-ImgProxy SnapURLPreview Cardyb Mastodon Pleroma Akkoma Misskey Firefish
  Iceshrimp GoToSocial Friendica Lemmy Pixelfed PeerTube Synapse Mattermost-Bot
  ZulipURLPreview Embedly Iframely vkShare FlipboardProxy FlipboardRSS Nuzzel XING-contenttabreceiver
  YahooMailProxy YahooCacheSystem GoogleImageProxy Google-PageRenderer Orlo-LinkPreview Bufferbot
  Bitlybot Bitrix NotionEmbedder OpenGraph OpenGraphCheck python-opengraph MetaInspector Microlink
  PocketParser PocketImageCache Raindropbot Refindbot DingTalkBot ms-office Signpost-Preview
`)

export const PREVIEWER_PHRASES = phrases(`
  bluesky cardyb, google web preview, microsoft office existence discovery,
  microsoft office protocol discovery, quora link preview, snap url preview, steamchaturllookup,
  yahoo link preview
`)

const SEARCH = `
  Googlebot Google-InspectionTool GoogleOther Google-Extended Google-CloudVertexBot Google-Read-Aloud
  Google-Safety Google-Site-Verification Google-Structured-Data-Testing-Tool Google-PhysicalWeb
  Google-Adwords-Instant Google-AdWords-Express Google-Ads-Conversions Google-Area120
  Google-Certificates-Bridge Google-Trust-Services GoogleAssociationService GoogleProducer AdsBot
  Mediapartners-Google Mediapartners APIs-Google DuplexWeb-Google Storebot-Google FeedFetcher-Google
  PlayStore-Google bingbot adidxbot msnbot BingLocalSearch Slurp YahooSeeker Yahoo-MMCrawler DuckDuckBot
  DuckAssistBot DuckDuckGo-Favicons-Bot Baiduspider Baidu-YunGuanCe YandexBot YandexImages YandexVideo
  YandexMedia YandexBlogs YandexFavicons YandexWebmaster YandexPagechecker YandexMetrika YandexDirect
  YandexDirectDyn YandexNews YandexOntoDB YandexCalendar YandexMarket YandexVertis YandexForDomain
  YandexSpravBot YandexSearchShop YandexTurbo YandexUserproxy YandexTracker YandexAdNet YandexRCA
  YandexRenderResourcesBot YandexScreenshotBot YandexAccessibilityBot YandexMobileBot YandexVerticals
  YandexAdditional YandexAdditionalBot YaDirectFetcher 360Spider HaosouSpider YisouSpider
  Toutiaospider PetalBot AspiegelBot Yeti NaverBot Daum Daumoa Exabot Qwantify Qwantbot SeznamBot
  MojeekBot Gigabot GigablastOpenSource Teoma Applebot coccoc coccocbot image.coccoc imagecoccoc
  Mail.RU_Bot Neevabot Kagibot kagi-fetcher Bravebot YouBot search.marginalia.nu StractBot Findxbot
  Cliqzbot yacybot Linespider ICC-Crawler ichiro SearchMonkey Swisscows SeekportBot Seekport GeedoBot
  GeedoProductSearch GeedoShopProductFinder IstellaBot Plukkie Jyxobot Voilabot OrangeBot FAST-WebCrawler
`
const AI = `
  GPTBot ChatGPT-User OAI-SearchBot OAI-AdsBot ClaudeBot Claude-Web Claude-User Claude-SearchBot
  anthropic-ai PerplexityBot Perplexity-User CCBot cohere-ai cohere-training-data-crawler AI2Bot
  Bytespider TikTokSpider MistralAI-User DeepSeekBot ChatGLM-Spider PanguBot Kimi-User AliyunSecBot
  meta-externalagent meta-externalfetcher meta-externalads meta-webindexer FacebookBot Facebot
  Google-NotebookLM Google-Agent Gemini-Deep-Research Amazonbot Amzn-SearchBot Amzn-User amazon-kendra
  amazon-QBusiness AmazonBuyForMe bedrockbot NovaAct Diffbot Omgili Omgilibot Webzio webzio-extended
  img2dataset ImagesiftBot Timpibot iaskspider iAskBot Andibot PhindBot KangarooBot Cotoyogi
  FirecrawlAgent Firecrawl Crawl4AI TavilyBot LinerBot LAIONDownloader laion-huggingface-processor
  VelenPublicWebCrawler FriendlyCrawler Factset_spyderbot Brightbot Bigsur.ai SemanticScholarBot
  SBIntuitionsBot WRTNBot Panscient panscient.com QualifiedBot QuillBot Thinkbot TerraCotta Echobot
  Crawlspace Cloudflare-AutoRAG Manus-User ShapBot Shap-User Sidetrade wpbot AIWebIndex
  Anomura ActiveComply aiHitBot ISSCyberRiskCrawler newsai Linguee
`
const SEO = `
  AhrefsBot AhrefsSiteAudit SemrushBot SiteAuditBot SplitSignalBot RSiteAuditor DotBot rogerbot MJ12bot
  BLEXBot SEOkicks SeobilityBot Seobility Sitebulb Serpstatbot SISTRIX SISTRIXCrawler XoviBot spbot
  OpenLinkProfiler LinkpadBot linkdex linkdexbot SearchmetricsBot DeepCrawl Lumar OnCrawl Botify RyteBot
  ContentKing Netpeak NetpeakCheckerBot SEOlyt SEOlizer seoscanners SEOZoom SeoSiteCheckup seo4ajax
  ZoominfoBot RankActiveLinkBot RankurBot RankSonicSiteAuditor BacklinkCrawler Barkrowler Cocolyzebot
  CognitiveSEO JamesBOT Domainstats DomainStatsBot DomainCrawler DomainAppender DomainSigmaCrawler
  Dataprovider dataprovider.com DataForSeoBot Hypefactors HypeStat MegaIndex MegaIndex.ru LinkWalker
  Linkbot LinkChecker LinkTiger W3C-checklink W3C_Validator W3C_CSS_Validator W3C_I18n-Checker
  W3C-mobileOK W3C_Unicorn Validator.nu Schema-Markup-Validator hCardValidator Xenu DeadLinkChecker
  www.deadlinkchecker.com Siteimprove SiteimproveBot Sitecheckerbot sitechecker.pro Silktide Monsidobot
  Monsido SiteExplorer MarketGoo MarketingMiner Woorank WhatCMS BuiltWith Wappalyzer Datanyze SimilarTech
  Pro-Sitemaps PR-CY.RU wmtips.com Chrome-Lighthouse PageSpeed GTmetrix SpeedCurve WebPageTest PTST
`
const ADS_AND_BRANDS = `
  GrapeshotCrawler grapeshot proximic comscore ias_crawler ADmantX Peer39 peer39_crawler
  DoubleVerify CriteoBot Criteo Taboolabot outbrain TTD-Content weborama-fetcher AudigentAdBot adbeat
  adscanner BrandVerity R6_CommentReader R6_FeedFetcher Mediatoolkitbot MeltwaterNews Meltwater
  Brandwatch Talkwalker AwarioBot AwarioRssBot AwarioSmartBot magpie-crawler trendictionbot
  trendkite-akashic-crawler TrendsmapResolver TurnitinBot Turnitin Copyscape iThenticate Grammarly
  Pinterestbot HubSpot ZoomBot PaperLiBot TweetmemeBot Twingly Twurly Traackr SocialRankIOBot Sysomos
  SentiBot Ubermetrics MauiBot Muckrack EchoboxBot Startmebot Trustpilot VoluumDSP Clickagy GumGum
  Genieo ContxBot CrystalSemanticsBot Infegy MetaJobBot JobboerseBot Jooblebot Datafeedwatch
  parse.ly CookieHubScan Cookiebot iubenda-radar LegalMonster Termlybot OneTrust
`
const FEEDS = `
  Feedly FeedlyBot Feedbin inoreader.com NewsBlur NetNewsWire theoldreader.com Feedspot FeedBurner
  FeedDemon FeedValidator Feedwind Feeder.co FeedPress Feedbot FreshRSS Miniflux CommaFeed Selfoss
  Tiny-Tiny-RSS BazQux Blogtrottr Bloglovin Bloglines Akregator Liferea NewsGator Netvibes RSSOwl RSSBot
  RSSingBoT RSSMicro RSS-Bridge RSSAPI MonitoRSS OpenRSS Superfeedr SimplePie MagpieRSS
  UniversalFeedParser Page2RSS Moreover MoreoverBot Newsify NewsNow UpdayBot castfeedvalidator Podchaser
  PodcastIndex PostRank Protopage Rivva SmartNewsBot HatenaAntenna
`
const MONITORS = `
  UptimeRobot Pingdom PingdomTMS StatusCake Site24x7 Datadog DatadogSynthetics NewRelicPinger
  GoogleStackdriverMonitoring GoogleHC Amazon-Route53-Health-Check-Service ELB-HealthChecker kube-probe
  Checkly Cloudflare-Healthchecks Cloudflare-SSLDetector CloudFlare-AlwaysOnline
  Cloudflare-Traffic-Manager CloudFlare-Prefetch HetrixTools Uptime-Kuma updown.io Freshping NodePing
  Uptimia UptimeBot Uptime.com uptimedoctor uptrends OhDear BetterUptimeBot Montastic Monitis
  MonitorBacklinks MonTools MonSpark Monit monitoring-plugins check_http Icinga Zabbix PRTG Panopta
  blackbox_exporter Gatus StatusGator InternetVista Dotcom-Monitor Catchpoint GomezAgent Dynatrace
  ThousandEyes Rigor RuxitSynthetic YottaaMonitor jetmon ManageWP MainWP WPUmbrella AlertSite AlertBot
  HostTracker Hydrozen.io Honeybadger LogicMonitor PingAdmin.Ru pingping.io pulsetic.com SiteUptime.com
  synthetic-monitoring-agent websitepulse WatchMouse wheresitup.com WebsiteOps Upflow AppInsights
  GotSiteMonitor.com Semonto
`
const SCANNERS = `
  CensysInspect Censys Shodan Expanse zgrab masscan Nmap NetSystemsResearch InternetMeasurement
  internet-measurement NetcraftSurveyAgent LeakIX l9explore l9tcpid Nessus OpenVAS Nikto sqlmap Nuclei
  WPScan WPSec Acunetix Qualys Detectify ZmEu ProbelySPDR watchTowr InfoTigerBot BitSightBot
  SecurityHeaders RiskIQ VirusTotal virustotalcloud urlscan.io CheckMarkNetwork BarracudaCentral
  TwinWaveScanner Foregenix bitdiscovery Sucuri SucuriScan SiteLockSpider Sansec SafeDNSBot netEstate
  UT-Dorkbot Domains-Project DBLBot Netcraft MxToolbox tchelebi asnriskscorer ips-agent
`
const ARCHIVES_AND_HARVESTERS = `
  ia_archiver archive.org_bot Arquivo-web-crawler LAC_IAHarvester NLNZ_IAHarvester heritrix Nutch Scrapy
  StormCrawler crawler4j colly Norconex HTTrack WebCopier WebZIP SiteSucker TeleportPro WebReaper
  phpcrawl dcrawl larbin binlar BUbiNG findlinks LCC Ltx71 Luminator-robots Wotbox woobot Gowikibot
   MaCoCu StatistikAustria BnF.fr_bot europarchive mirrorweb TinEye Snacktory
  SemanticBot SurdotlyBot SurveyBot Riddler RyowlEngine Scoutjet SetoozBot Summify Superpagesbot theKnowledgeAI
  toplistbot Vebidoobot VuhuvBot WBSearchBot WebDataStats WeSEE Yellowbrandprotectionbot YoozBot Zumbot
  ZuperlistBot AcoonBot AddThis AdvBot A6-Indexer AnderspinkBot BIGLOTRON bublup Caliperbot
  CloudServerMarketSpider CrunchBot CyberPatrol DeuSu Digincore Discobot DuSpider EasouSpider eContext
  EveryoneSocialBot Ezooms Fetchmebot Findlink Findthatfile FyreBot g00g1e Getintent IDBot
  IntuitGSACrawler IonCrawl Iskanie Jetslide Jugendschutzprogramm-Crawler K7MLWCBot KomodiaBot
  Laserlikebot Leikibot Lipperhey lssbot MetaURI MixnodeCache Nerdybot NIXStatsbot NICT niki-bot
  OpenHoseBot OpenindexSpider Orbbot OutclicksBot Owler PageThing Pandalytics PrivacyAwareBot RepoLookoutBot
  Screenshotlayer SMTBot Tagoobot TangibleeBot Thinklab Thumbshots Virusdie Veoozbot XML-Sitemaps
`

export const CRAWLERS = words(
  [SEARCH, AI, SEO, ADS_AND_BRANDS, FEEDS, MONITORS, SCANNERS, ARCHIVES_AND_HARVESTERS].join(' '),
)

export const CRAWLER_PHRASES = phrases(`
  ask jeeves, azure traffic manager, better stack, better uptime, blackbox exporter,
  chatgpt agent, domains project, ghost inspector, google favicon, google page speed insights,
  integral ad science, internet archive, oh dear, palo alto networks, rackspace monitoring,
  screaming frog, server density, ssl labs, the knowledge ai, tiny tiny rss, wedos online,
  yahoo! slurp
`)

function words(text: string): string[] {
  return text.trim().split(/\s+/)
}

function phrases(text: string): string[] {
  return text.split(',').map((phrase) => phrase.trim())
}

export type AgentKind = 'human' | 'bot' | 'preview'

const MAX_LENGTH = 512

const KINDS: ReadonlyMap<string, AgentKind> = new Map([
  ...CRAWLERS.map((name) => [name.toLowerCase(), 'bot'] as const),
  ...PREVIEWERS.map((name) => [name.toLowerCase(), 'preview'] as const),
])

const TOKEN = /[a-z0-9][a-z0-9._-]*/g
const SEPARATOR = /[._-]/g

/** Matches `ExampleBot/1.0` and `/crawler.html`. Cubot makes phones. */
const BOT_NAME = /(?<!^cu)(?:bot|crawler|spider)s?(?:$|[._-])/

/** HTTP libraries, headless browsers and an absent user agent are `human`. */
export function classifyAgent(userAgent: string): AgentKind {
  const agent = userAgent.slice(0, MAX_LENGTH).toLowerCase()
  if (PREVIEWER_PHRASES.some((phrase) => agent.includes(phrase))) return 'preview'
  let kind: AgentKind = 'human'
  for (const [token] of agent.matchAll(TOKEN)) {
    const found = classifyToken(token)
    // Previewers often name the crawlers that they imitate (`TelegramBot (like TwitterBot)`).
    if (found === 'preview') return found
    if (found === 'bot') kind = found
  }
  if (kind === 'human' && CRAWLER_PHRASES.some((phrase) => agent.includes(phrase))) return 'bot'
  return kind
}

function classifyToken(token: string): AgentKind {
  const whole = KINDS.get(token)
  if (whole !== undefined) return whole
  for (const { index } of token.matchAll(SEPARATOR)) {
    const part = KINDS.get(token.slice(0, index))
    if (part !== undefined) return part
  }
  return BOT_NAME.test(token) ? 'bot' : 'human'
}
