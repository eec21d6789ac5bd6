# Written by "npm run clients" from the OpenAPI document; tests compare.

from __future__ import annotations

from typing import IO, Any, Literal, NotRequired, TypeAlias, TypedDict

File: TypeAlias = "bytes | IO[bytes] | tuple[str, bytes | IO[bytes]] | tuple[str, bytes | IO[bytes], str]"
"""Bytes, an open file, or a tuple of name, content and, if wanted, content type."""


class AbuseReport(TypedDict):
    id: str
    """Id of the report."""
    workspaceId: str
    """Id of the workspace it belongs to."""
    linkId: str
    """Id of the link."""
    url: str
    """The short URL, as it was reported."""
    reason: Literal["phishing", "malware", "spam", "other"]
    """What is wrong with the link."""
    details: str | None
    """What the reporter wrote."""
    status: Literal["open", "resolved"]
    """Whether the operator has dealt with it."""
    createdAt: str
    """When it was created."""
    resolvedAt: str | None
    """When the operator dealt with it."""


class AddressLocation(TypedDict):
    ip: str | None
    """The address."""
    country: str | None
    """Its country, by ISO 3166-1."""
    countryName: str | None
    """English name of the country."""
    region: str | None
    """Its region, by ISO 3166-2; a name after the dash without a code."""
    regionName: str | None
    """Name of the region."""
    city: str | None
    """Name of the city."""
    continent: str | None
    """AF, AN, AS, EU, NA, OC or SA."""
    latitude: float | None
    """Degrees north."""
    longitude: float | None
    """Degrees east."""
    timezone: str | None
    """Its time zone, by the IANA database."""
    isEu: bool | None
    """Whether the country belongs to the European Union."""


class Alert(TypedDict):
    id: str
    """Id of the alert."""
    workspaceId: str
    """Id of the workspace it belongs to."""
    linkId: str | None
    """Id of the link; null: the whole workspace."""
    linkName: str | None
    """Name of the link."""
    watches: list[Literal["clicks", "destination"]]
    """`clicks`: an hour far above or below the usual; `destination`: whether the destination of the link answers."""
    recipients: list[str]
    """Members who get a mail when it begins and when it ends."""
    isActive: bool
    """False: it is not checked."""
    clicks: AlertClicks
    """Always `usual` unless clicks are watched."""
    destination: AlertDestination
    """Always `ok` unless the destination is watched."""
    checkedAt: str | None
    """When it was last checked."""
    createdAt: str
    """When it was created."""
    updatedAt: str
    """When it was last changed."""


class AlertClicks(TypedDict):
    state: Literal["usual", "high", "low"]
    """Whether the last judged hour was usual."""
    since: str | None
    """Start of the first hour of this state."""
    count: int | None
    """Human clicks of the last judged hour."""
    usual: int | None
    """The usual number at that hour; null: not known yet."""


class AlertDestination(TypedDict):
    state: Literal["ok", "failing"]
    """`failing`: two checks in a row failed."""
    since: str | None
    """Since when it is in this state."""


class AnalyticsBreakdowns(TypedDict):
    country: list[AnalyticsRow]
    """The ten most clicked labels: ISO country of the visitor."""
    region: list[AnalyticsRow]
    """The ten most clicked labels: Region of the visitor."""
    city: list[AnalyticsRow]
    """The ten most clicked labels: City of the visitor."""
    continent: list[AnalyticsRow]
    """The ten most clicked labels: Continent of the visitor."""
    device: list[AnalyticsRow]
    """The ten most clicked labels: Kind of device."""
    browser: list[AnalyticsRow]
    """The ten most clicked labels: Name of the browser."""
    os: list[AnalyticsRow]
    """The ten most clicked labels: Name of the operating system."""
    referrer: list[AnalyticsRow]
    """The ten most clicked labels: Host of the page with the link; `direct` without one."""
    language: list[AnalyticsRow]
    """The ten most clicked labels: Preferred language of the browser."""
    trigger: list[AnalyticsRow]
    """The ten most clicked labels: `qr` for scanned codes, else `link`."""
    utmSource: list[AnalyticsRow]
    """The ten most clicked labels: `utm_source` of the click."""
    utmMedium: list[AnalyticsRow]
    """The ten most clicked labels: `utm_medium` of the click."""
    utmCampaign: list[AnalyticsRow]
    """The ten most clicked labels: `utm_campaign` of the click."""
    utmTerm: list[AnalyticsRow]
    """The ten most clicked labels: `utm_term` of the click."""
    utmContent: list[AnalyticsRow]
    """The ten most clicked labels: `utm_content` of the click."""
    destination: list[AnalyticsRow]
    """The ten most clicked labels: Destination of the click."""


class AnalyticsBucket(TypedDict):
    start: str
    """Start of the bucket; it ends where the next one starts."""
    clicks: int
    """Clicks."""
    uniqueVisitors: int
    """Unique visitors."""
    importedClicks: int
    """Clicks that the links had in other services on days of this bucket, beside `clicks`; 0 in series of hours."""
    conversions: int
    """Conversions that happened in the period and are attributed to a link."""
    value: int
    """Value of those in the `currency` of the question, in its smallest unit; refunds are negative."""


class AnalyticsComparedBreakdowns(TypedDict):
    country: list[AnalyticsComparedRow]
    """The ten most clicked labels: ISO country of the visitor."""
    region: list[AnalyticsComparedRow]
    """The ten most clicked labels: Region of the visitor."""
    city: list[AnalyticsComparedRow]
    """The ten most clicked labels: City of the visitor."""
    continent: list[AnalyticsComparedRow]
    """The ten most clicked labels: Continent of the visitor."""
    device: list[AnalyticsComparedRow]
    """The ten most clicked labels: Kind of device."""
    browser: list[AnalyticsComparedRow]
    """The ten most clicked labels: Name of the browser."""
    os: list[AnalyticsComparedRow]
    """The ten most clicked labels: Name of the operating system."""
    referrer: list[AnalyticsComparedRow]
    """The ten most clicked labels: Host of the page with the link; `direct` without one."""
    language: list[AnalyticsComparedRow]
    """The ten most clicked labels: Preferred language of the browser."""
    trigger: list[AnalyticsComparedRow]
    """The ten most clicked labels: `qr` for scanned codes, else `link`."""
    utmSource: list[AnalyticsComparedRow]
    """The ten most clicked labels: `utm_source` of the click."""
    utmMedium: list[AnalyticsComparedRow]
    """The ten most clicked labels: `utm_medium` of the click."""
    utmCampaign: list[AnalyticsComparedRow]
    """The ten most clicked labels: `utm_campaign` of the click."""
    utmTerm: list[AnalyticsComparedRow]
    """The ten most clicked labels: `utm_term` of the click."""
    utmContent: list[AnalyticsComparedRow]
    """The ten most clicked labels: `utm_content` of the click."""
    destination: list[AnalyticsComparedRow]
    """The ten most clicked labels: Destination of the click."""


class AnalyticsComparedLink(TypedDict):
    link: CountedLink
    """The link."""
    clicks: int
    """Clicks."""
    uniqueVisitors: int
    """Unique visitors."""
    conversions: int
    """Conversions that happened in the period and are attributed to a link."""
    value: int
    """Value of those in the `currency` of the question, in its smallest unit; refunds are negative."""
    comparedClicks: int | None
    """Clicks of the compared period; null without one."""


class AnalyticsComparedRow(TypedDict):
    label: str
    """The label."""
    clicks: int
    """Clicks."""
    uniqueVisitors: int
    """Unique visitors."""
    percent: float
    """Share of the clicks of all labels."""
    conversions: int
    """Conversions that happened in the period and are attributed to a link."""
    value: int
    """Value of those in the `currency` of the question, in its smallest unit; refunds are negative."""
    hostname: NotRequired[str | None]
    """Host of a label of `domain`; null for a domain that was deleted."""
    comparedClicks: int | None
    """Clicks of the compared period; null without one."""


class AnalyticsComparison(TypedDict):
    period: AnalyticsPeriod
    """The compared period."""
    clicks: int
    """Clicks."""
    uniqueVisitors: int
    """Unique visitors."""
    botClicks: int
    """Crawlers, link previews and prefetches of the period, which the other numbers leave out unless `includeBots` is true."""
    conversions: int
    """Conversions that happened in the period and are attributed to a link."""
    value: int
    """Value of those in the `currency` of the question, in its smallest unit; refunds are negative."""
    clicksChangePercent: float
    """Change of the clicks against as many days before."""
    uniqueVisitorsChangePercent: float
    """Change of the visitors against as many days before."""
    hasEarlierPeriod: bool
    """Whether anything was counted in the period that a change compares with. False: there is no earlier data, and the change says nothing."""
    series: list[AnalyticsBucket]
    """The compared period in buckets."""


class AnalyticsMeta(TypedDict):
    requestId: str
    """The id of the request, as in the header x-request-id."""
    period: AnalyticsPeriod
    """The counted period."""
    timezone: str
    """Time zone of the calendar days."""
    asOf: str
    """Every click that was answered before this time is counted, on whichever server. Some later ones may be."""
    currencies: NotRequired[list[str]]
    """The currencies of the conversions of the period, in answers that have `value`."""
    incomplete: NotRequired[list[Literal["utc_days", "filters", "visitors"]]]
    """Sent if the period has months whose single clicks were deleted (CLICK_RETENTION_DAYS). `utc_days`: their days are UTC days. `filters`: only labels of one group (place, device, source, campaign, destination) are known together; clicks with labels of another group count among the others, or are missing if labels of two groups are filtered. `visitors`: unique visitors by label, and of filtered clicks, leave these months out."""


class AnalyticsOverview(TypedDict):
    totalClicks: int
    """All clicks that were ever counted, and those that were imported."""
    periodClicks: int
    """Clicks of the period."""
    periodChangePercent: float
    """Change of the clicks against as many days before."""
    uniqueVisitors: int
    """Unique visitors of the period."""
    uniqueVisitorsChangePercent: float
    """Change of the visitors against as many days before."""
    breakdowns: Breakdowns
    """Clicks of the period by dimension."""
    hasEarlierPeriod: bool
    """Whether anything was counted in the period that a change compares with. False: there is no earlier data, and the change says nothing."""
    botClicks: int
    """Crawlers, link previews and prefetches of the period, which the other numbers leave out unless `includeBots` is true."""
    totalImportedClicks: int
    """Clicks that the links had in other services: part of totals, and of no number of the period."""
    approximate: bool
    """True when the unique visitors are estimated, within about one percent."""
    links: int
    """Links that the filters name."""
    conversions: int
    """Conversions that happened in the period and are attributed to a link."""
    value: int
    """Value of those in the `currency` of the question, in its smallest unit; refunds are negative."""


class AnalyticsPageMeta(TypedDict):
    requestId: str
    """The id of the request, as in the header x-request-id."""
    period: AnalyticsPeriod
    """The counted period."""
    timezone: str
    """Time zone of the calendar days."""
    asOf: str
    """Every click that was answered before this time is counted, on whichever server. Some later ones may be."""
    currencies: NotRequired[list[str]]
    """The currencies of the conversions of the period, in answers that have `value`."""
    incomplete: NotRequired[list[Literal["utc_days", "filters", "visitors"]]]
    """Sent if the period has months whose single clicks were deleted (CLICK_RETENTION_DAYS). `utc_days`: their days are UTC days. `filters`: only labels of one group (place, device, source, campaign, destination) are known together; clicks with labels of another group count among the others, or are missing if labels of two groups are filtered. `visitors`: unique visitors by label, and of filtered clicks, leave these months out."""
    approximate: bool
    """True when the unique visitors are estimated, within about one percent."""
    limit: int
    """The `limit` of this page."""
    offset: int
    """The `offset` of this page."""


class AnalyticsPeriod(TypedDict):
    start: str
    """Start of the first day."""
    end: str
    """End of the last day."""


class AnalyticsRow(TypedDict):
    label: str
    """The label."""
    clicks: int
    """Clicks."""
    uniqueVisitors: int
    """Unique visitors."""
    percent: float
    """Share of the clicks of all labels."""
    conversions: int
    """Conversions that happened in the period and are attributed to a link."""
    value: int
    """Value of those in the `currency` of the question, in its smallest unit; refunds are negative."""
    hostname: NotRequired[str | None]
    """Host of a label of `domain`; null for a domain that was deleted."""


class AnalyticsRowsMeta(TypedDict):
    requestId: str
    """The id of the request, as in the header x-request-id."""
    period: AnalyticsPeriod
    """The counted period."""
    timezone: str
    """Time zone of the calendar days."""
    asOf: str
    """Every click that was answered before this time is counted, on whichever server. Some later ones may be."""
    currencies: NotRequired[list[str]]
    """The currencies of the conversions of the period, in answers that have `value`."""
    incomplete: NotRequired[list[Literal["utc_days", "filters", "visitors"]]]
    """Sent if the period has months whose single clicks were deleted (CLICK_RETENTION_DAYS). `utc_days`: their days are UTC days. `filters`: only labels of one group (place, device, source, campaign, destination) are known together; clicks with labels of another group count among the others, or are missing if labels of two groups are filtered. `visitors`: unique visitors by label, and of filtered clicks, leave these months out."""
    approximate: bool
    """True when the unique visitors are estimated, within about one percent."""


class AnalyticsSeriesMeta(TypedDict):
    requestId: str
    """The id of the request, as in the header x-request-id."""
    period: AnalyticsPeriod
    """The counted period."""
    timezone: str
    """Time zone of the calendar days."""
    asOf: str
    """Every click that was answered before this time is counted, on whichever server. Some later ones may be."""
    currencies: NotRequired[list[str]]
    """The currencies of the conversions of the period, in answers that have `value`."""
    incomplete: NotRequired[list[Literal["utc_days", "filters", "visitors"]]]
    """Sent if the period has months whose single clicks were deleted (CLICK_RETENTION_DAYS). `utc_days`: their days are UTC days. `filters`: only labels of one group (place, device, source, campaign, destination) are known together; clicks with labels of another group count among the others, or are missing if labels of two groups are filtered. `visitors`: unique visitors by label, and of filtered clicks, leave these months out."""
    approximate: bool
    """True when the unique visitors are estimated, within about one percent."""
    granularity: NotRequired[Literal["hour", "day", "week", "month"]]
    """Length of a bucket."""


class AnalyticsSummary(TypedDict):
    links: int
    """Links that the filters name."""
    totals: AnalyticsTotals
    """Numbers of the period."""
    totalImportedClicks: int
    """Clicks that the links had in other services: part of totals, and of no number of the period."""
    series: list[AnalyticsBucket]
    """The period in buckets."""
    breakdowns: AnalyticsComparedBreakdowns
    """Labels of every dimension."""
    topLinks: list[AnalyticsComparedLink]
    """The ten most clicked links."""
    comparison: AnalyticsComparison | None
    """The period to compare with; null without `compare`."""


class AnalyticsTopLink(TypedDict):
    link: CountedLink
    """The link."""
    clicks: int
    """Clicks."""
    uniqueVisitors: int
    """Unique visitors."""
    conversions: int
    """Conversions that happened in the period and are attributed to a link."""
    value: int
    """Value of those in the `currency` of the question, in its smallest unit; refunds are negative."""


class AnalyticsTotals(TypedDict):
    clicks: int
    """Clicks."""
    uniqueVisitors: int
    """Unique visitors."""
    botClicks: int
    """Crawlers, link previews and prefetches of the period, which the other numbers leave out unless `includeBots` is true."""
    conversions: int
    """Conversions that happened in the period and are attributed to a link."""
    value: int
    """Value of those in the `currency` of the question, in its smallest unit; refunds are negative."""


class AnalyticsValue(TypedDict):
    value: str
    """The label."""
    clicks: int
    """Clicks of the period."""
    hostname: NotRequired[str | None]
    """Host of a label of `domain`; null for a domain that was deleted."""


class AnalyzedLink(TypedDict):
    id: str
    """Id of the link."""
    slug: str
    """The path of its short URL."""


class ApiKey(TypedDict):
    id: str
    """Id of the key."""
    name: str
    """Purpose of the key."""
    prefix: str
    """First and last characters of the key, to tell keys apart."""
    scopes: list[str] | None
    """Permissions of the key; null: everything that its user’s role allows."""
    ipAllowlist: list[str]
    """Addresses and CIDR ranges that may use the key; empty: any."""
    workspaceId: str
    """Id of the workspace it belongs to."""
    userId: str
    """Id of the user as whom it acts."""
    app: str | None
    """Where the user allowed the app that holds the key: the host it returned to, or `device`; null for a key without an app."""
    lastUsedAt: str | None
    """When it was last used."""
    lastUsedIp: str | None
    """Client address of its last use."""
    expiresAt: str | None
    """When the key expires; null: never. An app gets a new key in time."""
    createdAt: str
    """When it was created."""
    updatedAt: str
    """When it was last changed."""


class AttributedLink(TypedDict):
    id: str
    """Id of the link."""
    slug: str
    """The path of its short URL, when it was attributed."""
    name: str | None
    """Its name; null for a link that was deleted."""


class AuditActor(TypedDict):
    type: Literal["user", "api_key", "system"]
    """A user, an API key, or the program itself."""
    id: str
    """Id of the user or the key."""
    name: str | None
    """Name at that time."""
    email: str | None
    """E-mail address of the user at that time."""


class AuditEntry(TypedDict):
    id: str
    """Id of the entry."""
    workspaceId: str
    """Id of the workspace it belongs to."""
    action: Literal["link.created", "link.updated", "link.deleted", "link.restored", "link.blocked", "link.unblocked", "folder.created", "folder.updated", "folder.deleted", "media.created", "media.deleted", "bio_page.created", "bio_page.updated", "bio_page.deleted", "tag.renamed", "tag.deleted", "campaign.created", "campaign.updated", "campaign.completed", "campaign.deleted", "link_view.created", "link_view.updated", "link_view.deleted", "utm_template.created", "utm_template.updated", "utm_template.deleted", "dashboard.created", "dashboard.updated", "dashboard.rotated", "dashboard.deleted", "alert.created", "alert.updated", "alert.deleted", "report.created", "report.updated", "report.canceled", "report.deleted", "domain.created", "domain.updated", "domain.verified", "domain.failed", "domain.deleted", "webhook.created", "webhook.updated", "webhook.deleted", "webhook.auto_paused", "webhook.secret_viewed", "webhook.secret_rotated", "webhook.tested", "webhook.dispatched", "webhook.replayed", "webhook.delivery_retried", "webhook.deliveries_retried", "api_key.created", "api_key.updated", "api_key.rotated", "api_key.revoked", "member.joined", "member.role_changed", "member.role_set", "member.removed", "member.left", "invitation.created", "invitation.renewed", "invitation.link_created", "invitation.canceled", "invitation.accepted", "invitation.rejected", "workspace.created", "workspace.updated", "workspace.suspended", "workspace.resumed", "workspace.rate_limit_set", "billing.plan_changed", "billing.subscription_updated"]
    """What was done: a resource and a past participle."""
    actor: AuditActor
    """Author of the change."""
    target: AuditTarget
    """The changed object."""
    changes: dict[str, Any]
    """Old and new value of each field, `{field: {old, new}}`, without secrets."""
    ipAddress: str | None
    """Client address."""
    userAgent: str | None
    """User agent of the client."""
    requestId: str
    """Id of the request."""
    createdAt: str
    """Time of the change."""
    prevHash: str | None
    """Hash of the previous entry; zeros for the first."""
    hash: str | None
    """Hash of the entry and `prevHash`."""


class AuditTarget(TypedDict):
    type: str
    """Type of the changed object."""
    id: str
    """Id of the object."""
    name: str | None
    """Name at that time."""


class BatchEvent(TypedDict):
    id: str
    """Id of the event."""
    type: Literal["link.created", "link.updated", "link.deleted", "domain.verified", "domain.failed", "click.received", "conversion.received", "campaign.completed", "report.generated", "billing.subscription.updated"]
    """The type of the event."""
    workspaceId: str
    """Id of the workspace it belongs to."""
    createdAt: str
    """When it happened."""
    payload: str
    """The JSON text of the data, byte for byte."""


class BillingSubscriptionUpdatedEventData(TypedDict):
    plan: str
    """The plan of the workspace from now on."""
    previousPlan: str
    """Its plan before."""
    status: str
    """State of the subscription."""
    currentPeriodEnd: str | None
    """When the paid period ends."""


class BillingSubscriptionUpdatedEvent(TypedDict):
    id: str
    """Id of the delivery, the same for all of its attempts: de-duplicate by it."""
    type: Literal["billing.subscription.updated"]
    """The type of the event."""
    workspaceId: str
    """Id of the workspace it belongs to."""
    endpointId: str
    """Id of the endpoint."""
    attempt: int
    """The number of the attempt, from 1."""
    createdAt: str
    """When it happened, or was queued again."""
    data: BillingSubscriptionUpdatedEventData
    """What happened."""


class BioPage(TypedDict):
    id: str
    """Id of the page."""
    workspaceId: str
    """Id of the workspace it belongs to."""
    slug: str
    """The end of its address, in the characters of link slugs. Unique among pages, and on a branded domain among links too."""
    title: str
    """The heading of the page."""
    description: str | None
    """The text below the heading."""
    avatarMediaId: str | None
    """Id of the image at the top (`POST /media`); null: none."""
    theme: BioPageTheme
    """The preset, and the colors and fonts that differ from it."""
    blocks: list[BioPageBlock]
    """The blocks in their order."""
    socials: list[BioPageSocial]
    """The profiles below the heading, in their order."""
    seo: BioPageSeo
    """Texts and image for search engines and previews."""
    status: Literal["draft", "published"]
    """Only a `published` page is public. A `draft` keeps its slug."""
    domainId: str | None
    """Id of the branded domain of the page; null: the shared host, under `/p/`."""
    views: int
    """Views by humans."""
    clicks: int
    """Clicks by humans on the links of its blocks, since each link was created."""
    url: str
    """Its address."""
    publishedAt: str | None
    """When it was published; null: a draft."""
    createdAt: str
    """When it was created."""
    updatedAt: str
    """When it was last changed."""
    isRoot: bool
    """Whether the page also answers at `/` of its domain, which must not have a `rootRedirectUrl`."""


class BioPageAnalyticsPage(TypedDict):
    id: str
    """Id of the page."""
    slug: str
    """Its slug."""
    title: str
    """Its heading."""


class BioPageAnalyticsBreakdowns(TypedDict):
    country: dict[str, int]
    """Views by: ISO country of the visitor."""
    region: dict[str, int]
    """Views by: Region of the visitor."""
    city: dict[str, int]
    """Views by: City of the visitor."""
    continent: dict[str, int]
    """Views by: Continent of the visitor."""
    device: dict[str, int]
    """Views by: Kind of device."""
    browser: dict[str, int]
    """Views by: Name of the browser."""
    os: dict[str, int]
    """Views by: Name of the operating system."""
    referrer: dict[str, int]
    """Views by: Host of the page with the link; `direct` without one."""
    language: dict[str, int]
    """Views by: Preferred language of the browser."""
    trigger: dict[str, int]
    """Views by: `qr` for scanned codes, else `link`."""
    utmSource: dict[str, int]
    """Views by: `utm_source` of the click."""
    utmMedium: dict[str, int]
    """Views by: `utm_medium` of the click."""
    utmCampaign: dict[str, int]
    """Views by: `utm_campaign` of the click."""
    utmTerm: dict[str, int]
    """Views by: `utm_term` of the click."""
    utmContent: dict[str, int]
    """Views by: `utm_content` of the click."""


class BioPageAnalytics(TypedDict):
    page: BioPageAnalyticsPage
    """The page."""
    totalViews: int
    """All views that were ever counted."""
    periodViews: int
    """Views of the period."""
    periodViewsChangePercent: float
    """Change of the views against as many days before."""
    uniqueVisitors: int
    """Unique visitors of the period."""
    uniqueVisitorsChangePercent: float
    """Change of the visitors against as many days before."""
    hasEarlierPeriod: bool
    """Whether anything was counted in the period that a change compares with. False: there is no earlier data, and the change says nothing."""
    periodClicks: int
    """Clicks of the links of all blocks in the period."""
    clickRate: float | None
    """Clicks of all blocks divided by views of the page; null without a view. It may exceed 1."""
    blocks: list[BioPageBlockAnalytics]
    """The blocks with a link that the page has today, in their order."""
    timeseries: list[BioPageBucket]
    """A row for each hour, day, week or month of the period, also without a view."""
    breakdowns: BioPageAnalyticsBreakdowns
    """Views of the period by dimension."""
    approximate: bool
    """True when the unique visitors are estimated, within about one percent."""


class BioPageAnalyticsMeta(TypedDict):
    requestId: str
    """The id of the request, as in the header x-request-id."""
    period: AnalyticsPeriod
    """The counted period."""
    timezone: str
    """Time zone of the calendar days."""
    asOf: str
    """Every click that was answered before this time is counted, on whichever server. Some later ones may be."""
    incomplete: NotRequired[list[Literal["utc_days", "filters", "visitors"]]]
    """Sent if the period has months whose single clicks were deleted (CLICK_RETENTION_DAYS). `utc_days`: their days are UTC days. `filters`: only labels of one group (place, device, source, campaign, destination) are known together; clicks with labels of another group count among the others, or are missing if labels of two groups are filtered. `visitors`: unique visitors by label, and of filtered clicks, leave these months out."""
    granularity: NotRequired[Literal["hour", "day", "week", "month"]]
    """Length of a bucket."""


class BioPageBlock(TypedDict):
    id: str
    """Id of the block."""
    type: Literal["link", "header", "text", "image", "social", "embed"]
    """`link`: a short link; `header` and `text`: words; `image`: an uploaded image; `social`: a profile; `embed`: a card for a video, song or post."""
    title: str | None
    """The text of the block, or the alternative text of an image. At most 255 characters; in a `text` block 2,000, with line breaks."""
    url: str | None
    """Where the block leads; for a `link`, the destination of its short link. `social` also takes `mailto:` and `tel:`."""
    linkId: str | None
    """Id of the short link of a `link`. Without one, a link named after the block is created."""
    icon: str | None
    """The platform of a `social` block; an emoji of a `link`."""
    enabled: bool
    """Whether the block is shown."""
    startsAt: str | None
    """When it appears; null: at once."""
    endsAt: str | None
    """When it disappears; null: never."""
    mediaId: str | None
    """Id of the image of an `image` block."""
    shortUrl: str | None
    """The short URL of its link; null without one, and once the link is deleted."""
    ownsLink: bool
    """True: the page has created the link, which follows changes of the title and URL of the block."""


class BioPageBlockAnalytics(TypedDict):
    id: str
    """Id of the block."""
    title: str
    """Its title."""
    linkId: str
    """Id of its link."""
    clicks: int
    """Clicks of the link in the period, wherever it was clicked."""
    uniqueVisitors: int
    """Unique visitors of these clicks."""
    clickRate: float | None
    """Clicks of the link divided by views of the page; null without a view. It may exceed 1."""


class BioPageBlockInput(TypedDict):
    type: Literal["link", "header", "text", "image", "social", "embed"]
    """`link`: a short link; `header` and `text`: words; `image`: an uploaded image; `social`: a profile; `embed`: a card for a video, song or post."""
    title: NotRequired[str | None]
    """The text of the block, or the alternative text of an image. At most 255 characters; in a `text` block 2,000, with line breaks."""
    url: NotRequired[str | None]
    """Where the block leads; for a `link`, the destination of its short link. `social` also takes `mailto:` and `tel:`."""
    linkId: NotRequired[str | None]
    """Id of the short link of a `link`. Without one, a link named after the block is created."""
    icon: NotRequired[str | None]
    """The platform of a `social` block; an emoji of a `link`."""
    enabled: NotRequired[bool]
    """Whether the block is shown."""
    startsAt: NotRequired[str | None]
    """When it appears; null: at once."""
    endsAt: NotRequired[str | None]
    """When it disappears; null: never."""
    mediaId: NotRequired[str | None]
    """Id of the image of an `image` block."""
    id: NotRequired[str | None]
    """Id of the block. Absent or null: a new block."""


class BioPageBucket(TypedDict):
    start: str
    """Start of the bucket; it ends where the next one starts."""
    views: int
    """Views."""
    uniqueVisitors: int
    """Unique visitors."""
    clicks: int
    """Clicks of the links of all blocks."""


class BioPagePreview(TypedDict):
    style: str
    """The style sheet of the page, for a shadow root."""
    nodes: list[BioPagePreviewNode]
    """Elements and texts in the order of the document, each after the one that contains it."""


class BioPagePreviewNode(TypedDict):
    parent: int | None
    """Index of the element that contains it; null: none."""
    tag: str | None
    """Tag of the element; null: a text."""
    attributes: dict[str, str]
    """Attributes of the element; empty for a text."""
    text: str | None
    """The text; null: an element."""


class BioPageSeo(TypedDict):
    title: str | None
    """Title for search engines and previews; null: the title of the page."""
    description: str | None
    """Description for search engines and previews; null: the page’s."""
    imageMediaId: str | None
    """Id of the image of previews in messengers; null: the avatar."""
    noindex: bool
    """Tells search engines to leave the page out."""


class BioPageSeoInput(TypedDict):
    title: NotRequired[str | None]
    """Title for search engines and previews; null: the title of the page."""
    description: NotRequired[str | None]
    """Description for search engines and previews; null: the page’s."""
    imageMediaId: NotRequired[str | None]
    """Id of the image of previews in messengers; null: the avatar."""
    noindex: NotRequired[bool]
    """Tells search engines to leave the page out."""


class BioPageSocial(TypedDict):
    platform: Literal["instagram", "tiktok", "youtube", "x", "facebook", "threads", "bluesky", "mastodon", "linkedin", "github", "twitch", "discord", "spotify", "soundcloud", "pinterest", "snapchat", "whatsapp", "telegram", "signal", "email", "phone", "website"]
    """The platform whose icon is shown; `website` is any other."""
    url: str
    """The profile. `mailto:` and `tel:` work as well."""


class BioPageTheme(TypedDict):
    preset: Literal["plain", "paper", "midnight", "sunrise", "forest", "ocean", "candy", "clay", "mono", "neon"]
    """The look that colors and font start from. `plain` follows the visitor’s preference for light or dark."""
    background: str | None
    """The color of the background, as `#` and six hexadecimal digits; null: the color of the preset."""
    text: str | None
    """The color of the text. Its contrast with the background must be 4.5:1 or more, as `#` and six hexadecimal digits; null: the color of the preset."""
    accent: str | None
    """The color of the links, as `#` and six hexadecimal digits; null: the color of the preset."""
    font: Literal["sans", "serif", "rounded", "mono"] | None
    """The kind of font; null: the font of the preset."""


class BioPageThemeInput(TypedDict):
    preset: NotRequired[Literal["plain", "paper", "midnight", "sunrise", "forest", "ocean", "candy", "clay", "mono", "neon"]]
    """The look that colors and font start from. `plain` follows the visitor’s preference for light or dark."""
    background: NotRequired[str | None]
    """The color of the background, as `#` and six hexadecimal digits; null: the color of the preset."""
    text: NotRequired[str | None]
    """The color of the text. Its contrast with the background must be 4.5:1 or more, as `#` and six hexadecimal digits; null: the color of the preset."""
    accent: NotRequired[str | None]
    """The color of the links, as `#` and six hexadecimal digits; null: the color of the preset."""
    font: NotRequired[Literal["sans", "serif", "rounded", "mono"] | None]
    """The kind of font; null: the font of the preset."""


class Breakdowns(TypedDict):
    country: dict[str, int]
    """Clicks of the period by: ISO country of the visitor."""
    region: dict[str, int]
    """Clicks of the period by: Region of the visitor."""
    city: dict[str, int]
    """Clicks of the period by: City of the visitor."""
    continent: dict[str, int]
    """Clicks of the period by: Continent of the visitor."""
    device: dict[str, int]
    """Clicks of the period by: Kind of device."""
    browser: dict[str, int]
    """Clicks of the period by: Name of the browser."""
    os: dict[str, int]
    """Clicks of the period by: Name of the operating system."""
    referrer: dict[str, int]
    """Clicks of the period by: Host of the page with the link; `direct` without one."""
    language: dict[str, int]
    """Clicks of the period by: Preferred language of the browser."""
    trigger: dict[str, int]
    """Clicks of the period by: `qr` for scanned codes, else `link`."""
    utmSource: dict[str, int]
    """Clicks of the period by: `utm_source` of the click."""
    utmMedium: dict[str, int]
    """Clicks of the period by: `utm_medium` of the click."""
    utmCampaign: dict[str, int]
    """Clicks of the period by: `utm_campaign` of the click."""
    utmTerm: dict[str, int]
    """Clicks of the period by: `utm_term` of the click."""
    utmContent: dict[str, int]
    """Clicks of the period by: `utm_content` of the click."""
    destination: dict[str, int]
    """Clicks of the period by: Destination of the click."""


class BulkChangeMeta(TypedDict):
    requestId: str
    """The id of the request, as in the header x-request-id."""
    total: int
    """Rows of the request."""
    succeeded: int
    """Rows without an error."""
    failed: int
    """Rows with an error."""
    undoId: str | None
    """For `POST /links/bulk/undo`, for an hour; null if nothing was changed."""


class BulkMeta(TypedDict):
    requestId: str
    """The id of the request, as in the header x-request-id."""
    total: int
    """Rows of the request."""
    succeeded: int
    """Rows without an error."""
    failed: int
    """Rows with an error."""


class BulkRow(TypedDict):
    index: int
    """Index of the row in the request, from 0."""
    id: str | None
    """Id of the link; null if the row failed and named none."""
    status: Literal["created", "updated", "unchanged", "deleted", "failed"]
    """What became of the row."""
    externalId: str | None
    """Its `externalId`."""
    shortUrl: str | None
    """Its short URL."""
    error: BulkRowError | None
    """Why the row failed; null otherwise."""


class BulkRowError(TypedDict):
    code: Literal["VALIDATION_ERROR", "UNAUTHORIZED", "INVALID_CREDENTIALS", "PASSWORD_REQUIRED", "INVALID_CODE", "EMAIL_NOT_VERIFIED", "FORBIDDEN", "SESSION_NOT_FRESH", "PLAN_CAPABILITY_REQUIRED", "PLAN_LIMIT_REACHED", "NOT_FOUND", "METHOD_NOT_ALLOWED", "REQUEST_TIMEOUT", "CONFLICT", "GONE", "PRECONDITION_FAILED", "PAYLOAD_TOO_LARGE", "URI_TOO_LONG", "UNSUPPORTED_MEDIA_TYPE", "RANGE_NOT_SATISFIABLE", "EXPECTATION_FAILED", "RATE_LIMITED", "HEADERS_TOO_LARGE", "BLOCKED", "INTERNAL_ERROR", "SECRET_KEY_CHANGED", "UNAVAILABLE"]
    """The code that the single request would have."""
    message: str
    """What is wrong with the row."""
    details: Any
    """As in every error, with paths of the whole request."""


class Campaign(TypedDict):
    id: str
    """Id of the campaign."""
    workspaceId: str
    """Id of the workspace it belongs to."""
    name: str
    """Name of the campaign."""
    description: str | None
    """What the campaign is about."""
    status: Literal["draft", "active", "paused", "completed", "archived"]
    """`active` and `paused` campaigns become `completed` at `endsAt`; drafts and archived ones do not. Links redirect in every status."""
    startsAt: str | None
    """When the campaign begins; null: not planned."""
    endsAt: str | None
    """When the campaign ends and becomes `completed`; null: never by itself."""
    goal: CampaignGoal | None
    """The goal of the campaign; null: none. Reaching it changes nothing."""
    utmSource: str | None
    """`utm_source` of links that are written with this campaign and have no value of their own."""
    utmMedium: str | None
    """`utm_medium` of links that are written with this campaign and have no value of their own."""
    utmCampaign: str | None
    """`utm_campaign` of links that are written with this campaign and have no value of their own."""
    utmTerm: str | None
    """`utm_term` of links that are written with this campaign and have no value of their own."""
    utmContent: str | None
    """`utm_content` of links that are written with this campaign and have no value of their own."""
    tags: list[str]
    """Tags of the campaign itself; its links have their own."""
    linkCount: int
    """Number of its links, archived ones included."""
    clicks: int
    """Human clicks of its links, since each was created."""
    completedAt: str | None
    """When it was completed; null: it is not."""
    createdAt: str
    """When it was created."""
    updatedAt: str
    """When it was last changed."""


class CampaignCompletedEvent(TypedDict):
    id: str
    """Id of the delivery, the same for all of its attempts: de-duplicate by it."""
    type: Literal["campaign.completed"]
    """The type of the event."""
    workspaceId: str
    """Id of the workspace it belongs to."""
    endpointId: str
    """Id of the endpoint."""
    attempt: int
    """The number of the attempt, from 1."""
    createdAt: str
    """When it happened, or was queued again."""
    data: Campaign
    """What happened."""


class CampaignGoal(TypedDict):
    metric: Literal["clicks", "uniqueVisitors", "conversions"]
    """What is counted."""
    target: int
    """The number that the campaign aims at."""


class Checkout(TypedDict):
    plan: str
    """The plan to buy."""
    interval: NotRequired[Literal["monthly", "yearly"]]
    """Billing interval."""


class ClickedLink(TypedDict):
    id: str
    """Id of the link."""
    slug: str
    """The path of its short URL."""
    shortUrl: str
    """Its whole short URL."""
    domain: str
    """The host of the short URL."""


class ClickEvent(TypedDict):
    id: str
    """Id of the click."""
    kind: Literal["human", "bot", "preview", "prefetch"]
    """Who clicked; `human` clicks count."""
    route: str
    """The option of the link that chose the destination; `default` without one."""
    domainId: str | None
    """Id of its domain; null for the shared host."""
    visitor: str | None
    """Pseudonym of the visitor, the same on one UTC day; null for a visitor who asked not to be recognized."""
    clickId: str
    """Id of the click."""
    link: ClickedLink
    """The link that was clicked."""
    destinationUrl: str
    """Where the click led."""
    timestamp: str
    """When it was clicked."""
    country: str | None
    """ISO country of the visitor."""
    region: str | None
    """Region of the visitor."""
    city: str | None
    """City of the visitor."""
    continent: str | None
    """Continent of the visitor."""
    device: str
    """Kind of device."""
    browser: str
    """Name of the browser."""
    os: str
    """Name of the operating system."""
    referrer: str
    """Host of the page with the link; `direct` without one."""
    language: str | None
    """First language of the browser."""
    trigger: str
    """`qr` for a scanned code, else `link`."""
    utmSource: str | None
    """`utm_source` of the click."""
    utmMedium: str | None
    """`utm_medium` of the click."""
    utmCampaign: str | None
    """`utm_campaign` of the click."""
    utmTerm: str | None
    """`utm_term` of the click."""
    utmContent: str | None
    """`utm_content` of the click."""


class ClickEventsMeta(TypedDict):
    requestId: str
    """The id of the request, as in the header x-request-id."""
    period: AnalyticsPeriod
    """The counted period."""
    timezone: str
    """Time zone of the calendar days."""
    asOf: str
    """Every click that was answered before this time is counted, on whichever server. Some later ones may be."""
    incomplete: NotRequired[list[Literal["utc_days", "filters", "visitors"]]]
    """Sent if the period has months whose single clicks were deleted (CLICK_RETENTION_DAYS). `utc_days`: their days are UTC days. `filters`: only labels of one group (place, device, source, campaign, destination) are known together; clicks with labels of another group count among the others, or are missing if labels of two groups are filtered. `visitors`: unique visitors by label, and of filtered clicks, leave these months out."""
    total: int
    """How many rows there are in all."""
    limit: int
    """The `limit` of this page."""
    offset: int
    """The `offset` of this page."""
    totalIsExact: NotRequired[bool]
    """False: more than 10,000 clicks match, and the total says 10000. Left out otherwise."""
    clicksFrom: str | None
    """Clicks of the period before this time are kept only as daily counts, and are not in the log; null when there are none."""
    nextCursor: str | None
    """The `cursor` of the next page; null on the last one."""


class ClickPeriod(TypedDict):
    start: str
    """Start of the first day."""
    end: str
    """End of the last day."""


class ClickReceivedEventData(TypedDict):
    clickId: str
    """Id of the click."""
    link: ClickedLink
    """The link that was clicked."""
    destinationUrl: str
    """Where the click led."""
    timestamp: str
    """When it was clicked."""
    country: str | None
    """ISO country of the visitor."""
    region: str | None
    """Region of the visitor."""
    city: str | None
    """City of the visitor."""
    continent: str | None
    """Continent of the visitor."""
    device: str
    """Kind of device."""
    browser: str
    """Name of the browser."""
    os: str
    """Name of the operating system."""
    referrer: str
    """Host of the page with the link; `direct` without one."""
    language: str | None
    """First language of the browser."""
    trigger: str
    """`qr` for a scanned code, else `link`."""
    utmSource: str | None
    """`utm_source` of the click."""
    utmMedium: str | None
    """`utm_medium` of the click."""
    utmCampaign: str | None
    """`utm_campaign` of the click."""
    utmTerm: str | None
    """`utm_term` of the click."""
    utmContent: str | None
    """`utm_content` of the click."""


class ClickReceivedEvent(TypedDict):
    id: str
    """Id of the delivery, the same for all of its attempts: de-duplicate by it."""
    type: Literal["click.received"]
    """The type of the event."""
    workspaceId: str
    """Id of the workspace it belongs to."""
    endpointId: str
    """Id of the endpoint."""
    attempt: int
    """The number of the attempt, from 1."""
    createdAt: str
    """When it happened, or was queued again."""
    data: ClickReceivedEventData
    """What happened."""


class ConflictErrorDetailsWorkspacesItem(TypedDict):
    id: str
    """Id of the workspace."""
    name: str
    """Its name."""


class ConflictErrorDetails(TypedDict):
    reason: NotRequired[str]
    """The state that the request conflicts with."""
    workspaces: NotRequired[list[ConflictErrorDetailsWorkspacesItem]]
    """Workspaces without another owner."""


class ConversionError(TypedDict):
    code: Literal["VALIDATION_ERROR", "UNAUTHORIZED", "INVALID_CREDENTIALS", "PASSWORD_REQUIRED", "INVALID_CODE", "EMAIL_NOT_VERIFIED", "FORBIDDEN", "SESSION_NOT_FRESH", "PLAN_CAPABILITY_REQUIRED", "PLAN_LIMIT_REACHED", "NOT_FOUND", "METHOD_NOT_ALLOWED", "REQUEST_TIMEOUT", "CONFLICT", "GONE", "PRECONDITION_FAILED", "PAYLOAD_TOO_LARGE", "URI_TOO_LONG", "UNSUPPORTED_MEDIA_TYPE", "RANGE_NOT_SATISFIABLE", "EXPECTATION_FAILED", "RATE_LIMITED", "HEADERS_TOO_LARGE", "BLOCKED", "INTERNAL_ERROR", "SECRET_KEY_CHANGED", "UNAVAILABLE"]
    """Code of the error."""
    message: str
    """What is wrong with the row."""
    details: Any
    """The fields, with their paths in the request."""


class ConversionEvent(TypedDict):
    id: str
    """Id of the conversion."""
    eventId: str
    """Your own id of it, or its `id` if you sent none."""
    eventName: str
    """Your name of it."""
    type: Literal["lead", "sale", "custom"]
    """Kind of conversion."""
    value: int
    """Value in the smallest unit of the currency; negative for a refund."""
    currency: str
    """ISO 4217 code in lower case."""
    customerId: str | None
    """Your id of the customer."""
    attributed: bool
    """Whether it is attributed to a link."""
    reason: Literal["sp_id", "click_id", "customer", "link", "waiting", "unknown_click", "old_click", "later_click", "no_click", "too_many_waiting"]
    """Why it is attributed to this link, or to none: `sp_id`: its signed `sp_id` names the click; `click_id`: its `clickId` is that of a click of the workspace; `customer`: it was the last click of the customer in 30 days; `link`: the request names the link, and no click is known; `waiting`: its click is not stored yet; ten minutes decide; `unknown_click`: no click of the workspace had this id after ten minutes; `old_click`: its click was more than 30 days before; `later_click`: its click was made after it; `no_click`: it names neither a click nor a link, and the customer has no click in 30 days; `too_many_waiting`: its click was not stored yet, and too many others of the workspace waited for theirs."""
    link: AttributedLink | None
    """The link that it is attributed to; null for none."""
    clickId: str | None
    """Id of the click that led to it."""
    clickedAt: str | None
    """When that click was made."""
    occurredAt: str
    """When it happened."""
    receivedAt: str
    """When it was reported."""


class ConversionEventsMeta(TypedDict):
    requestId: str
    """The id of the request, as in the header x-request-id."""
    period: AnalyticsPeriod
    """The counted period."""
    timezone: str
    """Time zone of the calendar days."""
    totals: list[CurrencyTotal]
    """All conversions of the list, by currency."""
    total: int
    """How many rows there are in all."""
    limit: int
    """The `limit` of this page."""
    offset: int
    """The `offset` of this page."""


class ConversionReceivedEventData(TypedDict):
    id: str
    """Id of the conversion."""
    eventId: str
    """Your own id of it, or the id of the conversion if you sent none."""
    eventName: str
    """Your name of it."""
    type: Literal["lead", "sale", "custom"]
    """Kind of conversion."""
    value: int
    """Value in the smallest unit of the currency; negative for a refund."""
    currency: str
    """ISO 4217 code in lower case."""
    clickId: str | None
    """Id of the click that led to it."""
    link: ConvertedLink | None
    """The link that it is attributed to; null if it is attributed to none."""
    customerId: str | None
    """Your id of the customer."""
    customer: dict[str, Any] | None
    """The customer, as you sent it."""
    metadata: dict[str, Any] | None
    """Data of your own."""
    occurredAt: str
    """When it happened."""


class ConversionReceivedEvent(TypedDict):
    id: str
    """Id of the delivery, the same for all of its attempts: de-duplicate by it."""
    type: Literal["conversion.received"]
    """The type of the event."""
    workspaceId: str
    """Id of the workspace it belongs to."""
    endpointId: str
    """Id of the endpoint."""
    attempt: int
    """The number of the attempt, from 1."""
    createdAt: str
    """When it happened, or was queued again."""
    data: ConversionReceivedEventData
    """What happened."""


class ConvertedLink(TypedDict):
    id: str
    """Id of the link."""
    slug: str
    """The path of its short URL."""


class CountedLink(TypedDict):
    id: str
    """Id of the link."""
    name: str | None
    """Its name; null for a link that was deleted."""
    slug: str | None
    """The path of its short URL."""
    shortUrl: str | None
    """Its whole short URL."""


class CreateAlert(TypedDict):
    watches: list[Literal["clicks", "destination"]]
    """`clicks`: an hour far above or below the usual; `destination`: whether the destination of the link answers."""
    recipients: NotRequired[list[str]]
    """Members who get a mail when it begins and when it ends."""
    isActive: NotRequired[bool]
    """False: it is not checked."""
    linkId: NotRequired[str | None]
    """Id of the link; null or absent: the whole workspace."""


class CreateApiKey(TypedDict):
    name: str
    """Purpose of the key."""
    scopes: NotRequired[list[Literal["*", "*:read", "links:read", "links:write", "analytics:read", "analytics:write", "domains:read", "domains:write", "conversions:write", "campaigns:read", "campaigns:write", "utm-templates:read", "utm-templates:write", "bio-pages:read", "bio-pages:write", "media:read", "media:write", "reports:read", "reports:write", "alerts:read", "alerts:write", "webhooks:read", "webhooks:write", "deferred:read", "deferred:write", "dashboards:read", "dashboards:write", "workspaces:read", "workspaces:write", "members:read", "members:write", "billing:read", "audit-log:read", "security-log:read"]] | None]
    """Permissions of the key; null: everything that its user’s role allows."""
    ipAllowlist: NotRequired[list[str] | None]
    """Addresses and CIDR ranges that may use the key; empty or null: any."""
    expiresAt: NotRequired[str | None]
    """When the key expires; null: never. An app gets a new key in time."""


class CreateBioPage(TypedDict):
    slug: str
    """The end of its address, in the characters of link slugs. Unique among pages, and on a branded domain among links too."""
    title: str
    """The heading of the page."""
    description: NotRequired[str | None]
    """The text below the heading."""
    avatarMediaId: NotRequired[str | None]
    """Id of the image at the top (`POST /media`); null: none."""
    theme: NotRequired[BioPageThemeInput]
    """Replaces the theme; fields that are left out come from the preset."""
    blocks: NotRequired[list[BioPageBlockInput]]
    """The blocks in their order: at most 200, and 100,000 characters of JSON in total. Replaces the list; blocks that are sent with their ids keep their links."""
    socials: NotRequired[list[BioPageSocial]]
    """At most 20 profiles. Replaces the list."""
    seo: NotRequired[BioPageSeoInput]
    """Replaces the texts and the image for search engines and previews."""
    status: NotRequired[Literal["draft", "published"]]
    """Only a `published` page is public. A `draft` keeps its slug."""
    domainId: NotRequired[str | None]
    """Id of the branded domain of the page; null: the shared host, under `/p/`."""
    isRoot: NotRequired[bool]
    """Whether the page also answers at `/` of its domain, which must not have a `rootRedirectUrl`."""
    importId: NotRequired[str]
    """Id of the newest import of the workspace: its links become the blocks, in the order of the file, 200 at most. Instead of `blocks`."""


class CreateCampaign(TypedDict):
    name: str
    """Name of the campaign."""
    description: NotRequired[str | None]
    """What the campaign is about."""
    status: NotRequired[Literal["draft", "active", "paused", "completed", "archived"]]
    """`active` and `paused` campaigns become `completed` at `endsAt`; drafts and archived ones do not. Links redirect in every status."""
    startsAt: NotRequired[str | None]
    """When the campaign begins; null: not planned."""
    endsAt: NotRequired[str | None]
    """When the campaign ends and becomes `completed`; null: never by itself."""
    goal: NotRequired[CampaignGoal | None]
    """The goal of the campaign; null: none. Reaching it changes nothing."""
    utmSource: NotRequired[str | None]
    """`utm_source` of links that are written with this campaign and have no value of their own."""
    utmMedium: NotRequired[str | None]
    """`utm_medium` of links that are written with this campaign and have no value of their own."""
    utmCampaign: NotRequired[str | None]
    """`utm_campaign` of links that are written with this campaign and have no value of their own."""
    utmTerm: NotRequired[str | None]
    """`utm_term` of links that are written with this campaign and have no value of their own."""
    utmContent: NotRequired[str | None]
    """`utm_content` of links that are written with this campaign and have no value of their own."""
    tags: NotRequired[list[str] | None]
    """Tags of the campaign itself; its links have their own. The list replaces the one before."""


class CreateDashboard(TypedDict):
    title: str
    """Title that visitors see."""
    linkId: NotRequired[str | None]
    """The link to share. At most one of the three is set."""
    campaignId: NotRequired[str | None]
    """The campaign to share. At most one of the three is set."""
    folderId: NotRequired[str | None]
    """The folder to share. At most one of the three is set."""
    days: NotRequired[int]
    """Number of calendar days that it shows, including today."""
    password: NotRequired[str | None]
    """Password that visitors have to give; null: none. It is stored as a hash and never answered."""
    showConversions: NotRequired[bool]
    """Also shows conversions and their value."""
    currency: NotRequired[str]
    """ISO 4217 code of the currency whose conversions make up the value; `usd` by default."""
    doIndex: NotRequired[bool]
    """Search engines may list its page."""


class CreatedBioPageMeta(TypedDict):
    requestId: str
    """The id of the request, as in the header x-request-id."""
    leftOut: int
    """Links of the import for which the page has no room; 0 without an import."""


class CreatedInvitation(TypedDict):
    id: str
    """Id of the invitation."""
    workspaceId: str
    """Id of the workspace it belongs to."""
    email: str
    """The invited address."""
    role: Literal["viewer", "member", "admin", "owner"]
    """Role of the new member."""
    status: Literal["pending", "accepted", "rejected", "canceled", "expired"]
    """Only a `pending` invitation can be accepted."""
    invitedBy: str | None
    """Id of the inviter; null after the account was deleted."""
    expiresAt: str
    """Time at which it expires."""
    createdAt: str
    """When it was created."""
    updatedAt: str
    """When it was last changed."""
    mailed: bool
    """False: the address has reached its hourly limit of mails, so none was sent and an earlier link stays valid. Invite it again later."""
    accountRequired: bool
    """True: this server accepts no new accounts, so only a user with an account of this address can accept."""


class CreateDomain(TypedDict):
    hostname: NotRequired[str]
    """The host, alone or in a URL: scheme, port and path are dropped."""
    caseSensitive: NotRequired[bool]
    """Whether `/Docs` and `/docs` are two links."""
    rootRedirectUrl: NotRequired[str | None]
    """Where visitors of `/` are sent. Null: a page of this server."""
    notFoundUrl: NotRequired[str | None]
    """Where visitors of unknown links are sent. Null: a page of this server."""
    expiredUrl: NotRequired[str | None]
    """Where visitors of expired links without an `expiredUrl` of their own are sent. Null: a page of this server."""
    appleAppSiteAssociation: NotRequired[dict[str, Any] | None]
    """The file `/.well-known/apple-app-site-association`, for universal links of iOS. At most 65,536 bytes of JSON; null: none."""
    assetLinks: NotRequired[list[Any] | None]
    """The file `/.well-known/assetlinks.json`, for app links of Android. At most 65,536 bytes of JSON; null: none."""


class CreatedWebhookEndpoint(TypedDict):
    id: str
    """Id of the endpoint."""
    workspaceId: str
    """Id of the workspace it belongs to."""
    url: str
    """Where deliveries are posted: an https URL."""
    description: str | None
    """What the endpoint is for."""
    events: list[Literal["*", "link.created", "link.updated", "link.deleted", "domain.verified", "domain.failed", "click.received", "conversion.received", "campaign.completed", "report.generated", "billing.subscription.updated"]]
    """Event types; `*` means all, also types of later versions."""
    status: Literal["active", "paused"]
    """A `paused` endpoint receives nothing."""
    failureCount: int
    """Failed attempts since the last success."""
    lastFailureAt: str | None
    """When an attempt last failed."""
    lastSuccessAt: str | None
    """When an attempt last succeeded."""
    createdBy: str
    """Id of the user who created it."""
    createdAt: str
    """When it was created."""
    updatedAt: str
    """When it was last changed."""
    standardHeaders: bool
    """Send the headers of Standard Webhooks as well."""
    failureEmail: str | None
    """Where a mail goes when deliveries to this endpoint keep failing: the verified address of an admin or owner of the workspace."""
    droppedClicks: int
    """`click.received` deliveries that a backlog of a million refused."""
    disableAfterHours: int | None
    """Pause the endpoint after this many hours in which every attempt failed; null: never."""
    autoPausedAt: str | None
    """When it was paused because of `disableAfterHours`; null once it is resumed."""
    previousSecretValidUntil: str | None
    """Until when deliveries are signed with the previous secret as well; null without an overlap."""
    headers: dict[str, str]
    """Headers that every delivery carries, by name; each value is shown as `********`."""
    secret: str
    """The key of the signatures, `whsec_` included."""


class CreateFolder(TypedDict):
    name: str
    """Name of the folder, unique in the workspace in any case."""


class CreateInvitation(TypedDict):
    email: str
    """The address to invite."""
    role: Literal["viewer", "member", "admin", "owner"]
    """Role of the new member."""


class CreateLink(TypedDict):
    name: str
    """Name of the link."""
    destinationUrl: str
    """Target of the redirect: an http or https URL."""
    slug: NotRequired[str | None]
    """Path of the short URL: letters, digits, emoji and `_ - . /`. Absent or null: random at creation, unchanged later."""
    domainId: NotRequired[str | None]
    """Domain of the short URL. For a new link null means the default domain of the workspace, in an update the shared host."""
    expiresAt: NotRequired[str | None]
    """Time at which the link expires; null: never."""
    password: NotRequired[str | None]
    """Password that visitors need, at most 256 bytes; null removes it. In an update `********` keeps it."""
    redirectType: NotRequired[Literal[301, 302, 307, 308] | None]
    """Status of the redirect; null means 302. Browsers cache 301 and 308 for 90 seconds."""
    status: NotRequired[Literal["active", "paused", "archived"] | None]
    """`active` and `archived` links redirect; null means `active`."""
    utmSource: NotRequired[str | None]
    """`utm_source` of the redirect: overrides the destination’s, and is overridden by the visitor’s."""
    utmMedium: NotRequired[str | None]
    """`utm_medium` of the redirect: overrides the destination’s, and is overridden by the visitor’s."""
    utmCampaign: NotRequired[str | None]
    """`utm_campaign` of the redirect: overrides the destination’s, and is overridden by the visitor’s."""
    utmTerm: NotRequired[str | None]
    """`utm_term` of the redirect: overrides the destination’s, and is overridden by the visitor’s."""
    utmContent: NotRequired[str | None]
    """`utm_content` of the redirect: overrides the destination’s, and is overridden by the visitor’s."""
    metadata: NotRequired[dict[str, Any] | None]
    """Custom data, at most 10,000 characters of JSON."""
    iosDeepLink: NotRequired[str | None]
    """Target for visitors with iOS or iPadOS: an http or https URL, or one with the custom scheme of an app. Null: no difference."""
    androidDeepLink: NotRequired[str | None]
    """Target for visitors with Android: an http or https URL, or one with the custom scheme of an app. Null: no difference."""
    expiredUrl: NotRequired[str | None]
    """Target of the link once it has expired; null: a page that says so."""
    maxClicks: NotRequired[int | None]
    """Number of redirects after which the link expires; bots count too. Null: no limit."""
    startsAt: NotRequired[str | None]
    """Time from which on the link redirects, before `expiresAt`; null: at once."""
    variantsUntil: NotRequired[str | None]
    """Time from which on all visitors get `destinationUrl` in place of a variant; null: never."""
    rules: NotRequired[list[NewLinkRule] | None]
    """Targets for some visitors, at most 20; the first rule whose conditions hold is taken."""
    forwardQuery: NotRequired[bool | None]
    """Whether the query of the short URL is added to the destination."""
    noindex: NotRequired[bool | None]
    """Whether to tell search engines not to index the short URL."""
    trackConversions: NotRequired[bool | None]
    """Whether redirects pass the id of their click to the destination, in the parameter `sp_id`, for `POST /conversions`."""
    qrLogoMediaId: NotRequired[str | None]
    """Uploaded image in the middle of the QR codes; null: none."""
    card: NotRequired[NewLinkCard | None]
    """Preview for messengers and social networks, instead of the destination’s; null: none."""
    variants: NotRequired[list[NewLinkVariant] | None]
    """Targets among which the other visitors are split: none, or 2 to 10 whose weights sum to 100. A visitor keeps a variant."""
    aliases: NotRequired[list[str] | None]
    """Further slugs of the link, which redirect and count as its slug does. The list replaces the one before; at most 20."""
    tags: NotRequired[list[str] | None]
    """Tags of the link. At most 50 of 50 characters, without commas. The list replaces the one before."""
    folderId: NotRequired[str | None]
    """Folder of the link. Null: none."""
    campaignId: NotRequired[str | None]
    """Campaign of the link. It sets UTM fields that the link would not have. Null: none."""
    externalId: NotRequired[str | None]
    """Id of the link in another system, unique in the workspace. Null: none."""
    utmTemplateId: NotRequired[str | None]
    """Template for the UTM fields that the request leaves out."""
    domain: NotRequired[str | None]
    """Host of the domain, instead of `domainId`; the host of the server means no domain."""


class CreateLinksObject(TypedDict):
    links: list[CreateLink]
    """The links, at most 1000."""


CreateLinks: TypeAlias = "CreateLinksObject | list[CreateLink]"


class CreateLinkView(TypedDict):
    name: str
    """Name of the view."""
    query: str
    """Filters, order and columns, as the query string of the page."""
    isShared: NotRequired[bool]
    """Whether all members see it, and may change it."""


class CreateReport(TypedDict):
    type: Literal["links", "clicks", "conversions", "campaign", "domains", "summary", "audit_log"]
    """What the rows of the report are."""
    name: NotRequired[str]
    """Name of the report; by default made of the type."""
    format: NotRequired[Literal["csv", "json", "xlsx", "pdf"]]
    """Format of the file; csv by default."""
    filters: NotRequired[ReportFilters]
    """What the report is about."""
    schedule: NotRequired[ReportScheduleInput | None]
    """Runs the report at these times too, after the run now; null: ends the schedule."""


class CreateUtmTemplate(TypedDict):
    name: str
    """Name of the template."""
    utmSource: NotRequired[str | None]
    """`utm_source` that a link takes over; null or an empty text: none."""
    utmMedium: NotRequired[str | None]
    """`utm_medium` that a link takes over; null or an empty text: none."""
    utmCampaign: NotRequired[str | None]
    """`utm_campaign` that a link takes over; null or an empty text: none."""
    utmTerm: NotRequired[str | None]
    """`utm_term` that a link takes over; null or an empty text: none."""
    utmContent: NotRequired[str | None]
    """`utm_content` that a link takes over; null or an empty text: none."""


class CreateWebhookEndpoint(TypedDict):
    url: str
    """Where deliveries are posted: an https URL."""
    events: list[Literal["*", "link.created", "link.updated", "link.deleted", "domain.verified", "domain.failed", "click.received", "conversion.received", "campaign.completed", "report.generated", "billing.subscription.updated"]]
    """Event types; `*` means all, also types of later versions."""
    description: NotRequired[str | None]
    """What the endpoint is for."""
    status: NotRequired[Literal["active", "paused"]]
    """A `paused` endpoint receives nothing."""
    standardHeaders: NotRequired[bool]
    """Send the headers of Standard Webhooks as well."""
    failureEmail: NotRequired[str | None]
    """Where a mail goes when deliveries to this endpoint keep failing: the verified address of an admin or owner of the workspace."""
    disableAfterHours: NotRequired[int | None]
    """Pause the endpoint after this many hours in which every attempt failed; null: never."""
    headers: NotRequired[dict[str, str] | None]
    """Headers that every delivery carries, by name: at most 20, with values of at most 1,024 bytes. They replace the stored headers; the value `********` keeps a stored value, `{}` and null remove all."""


class CreateWorkspace(TypedDict):
    name: str
    """Name of the workspace."""
    activate: NotRequired[bool]
    """True: the new workspace becomes the active one of the session. It always does for a session without one."""


class CurrencyTotal(TypedDict):
    currency: str
    """ISO 4217 code in lower case."""
    conversions: int
    """Conversions in this currency."""
    attributed: int
    """Those that are attributed to a link."""
    value: int
    """Their value, in the smallest unit of the currency."""


class Dashboard(TypedDict):
    id: str
    """Id of the dashboard."""
    title: str
    """Title that visitors see."""
    linkId: str | None
    """The link whose clicks are shown; null: it is no link."""
    campaignId: str | None
    """The campaign whose links are shown; null: it is no campaign."""
    folderId: str | None
    """The folder whose links are shown; null: it is no folder. Without any of the three the whole workspace is shown."""
    days: int
    """Number of calendar days that it shows, including today."""
    hasPassword: bool
    """Visitors have to give a password."""
    showConversions: bool
    """Also shows conversions and their value."""
    currency: str
    """Currency of the value, in lower case."""
    doIndex: bool
    """Search engines may list its page."""
    url: str
    """Address of its page. It ends in the token, which is a secret."""
    createdAt: str
    """When it was created."""
    revokedAt: str | None
    """When its address stopped working; null while it works."""
    updatedAt: str
    """When it was last changed."""


class DeferredLink(TypedDict):
    id: str
    """Id of the link."""
    slug: str
    """Path of its short URL."""
    domain: str
    """Host of its short URL."""
    destinationUrl: str
    """Where it leads."""


class DeferredMatch(TypedDict):
    matched: bool
    """Whether a click or a link was found."""
    method: Literal["referrer", "click_id", "fingerprint"] | None
    """What it was found by: `referrer`: `installReferrer`; `click_id`: `clickId`, `deepLink` or `url`; `fingerprint`: address, platform and language."""
    confidence: float
    """1: the click itself. 0.9: the link, without knowing the click. 0.6: a click that is probably that of this phone. 0: no match."""
    clickId: str | None
    """Id of the click; null for a match by the link alone."""
    link: DeferredLink | None
    """The link."""
    deepLink: str | None
    """What to open: the deep link of the platform, or the destination."""
    metadata: dict[str, Any] | None
    """The metadata of the link."""
    clickedAt: str | None
    """Time of the click."""


class DeleteLinks(TypedDict):
    ids: NotRequired[list[str]]
    """The links by their ids, at most 1000."""
    externalIds: NotRequired[list[str]]
    """The links by their `externalId`, instead of `ids`; at most 1000."""
    filter: NotRequired[LinkFilter]
    """The links by the filters of `GET /links`, instead of a list; at most 10000. `{}` means all that are not archived."""


class DeleteWorkspace(TypedDict):
    confirm: NotRequired[str]
    """The name of the workspace."""


class Destination(TypedDict):
    url: str
    """Next page of the browser."""


class DispatchedWebhookEvent(TypedDict):
    dispatched: int
    """Number of endpoints that it is sent to."""


class DispatchWebhookEvent(TypedDict):
    type: Literal["link.created", "link.updated", "link.deleted", "domain.verified", "domain.failed", "click.received", "conversion.received", "campaign.completed", "report.generated", "billing.subscription.updated"]
    """The type of the event."""
    payload: NotRequired[dict[str, Any]]
    """The data of the event; `{}` when absent."""


class Domain(TypedDict):
    id: str
    """Id of the domain."""
    workspaceId: str
    """Id of the workspace it belongs to."""
    hostname: str
    """Its host, in lower case and punycode."""
    status: Literal["pending", "verified", "failed", "misconfigured"]
    """Links of the domain redirect while it is `verified` or `misconfigured`; a misconfigured one becomes `failed` after 72 hours."""
    isDefault: bool
    """Whether new links without a `domainId` are on it."""
    caseSensitive: bool
    """Whether `/Docs` and `/docs` are two links."""
    rootRedirectUrl: str | None
    """Where visitors of `/` are sent. Null: a page of this server."""
    notFoundUrl: str | None
    """Where visitors of unknown links are sent. Null: a page of this server."""
    expiredUrl: str | None
    """Where visitors of expired links without an `expiredUrl` of their own are sent. Null: a page of this server."""
    appleAppSiteAssociation: dict[str, Any] | None
    """The file `/.well-known/apple-app-site-association`, for universal links of iOS. At most 65,536 bytes of JSON; null: none."""
    assetLinks: list[Any] | None
    """The file `/.well-known/assetlinks.json`, for app links of Android. At most 65,536 bytes of JSON; null: none."""
    blockedUrls: list[Literal["rootRedirectUrl", "notFoundUrl", "expiredUrl"]]
    """The fields whose URL has a host that the operator has blocked: visitors get a page of this server instead."""
    verification: DomainVerification
    """How the ownership is proven."""
    failureReason: Literal["not_found", "not_configured", "token_mismatch", "conflicting_records", "lookup_error"] | None
    """Why the last check failed; null if it did not."""
    lastCheckedAt: str | None
    """When it was last checked."""
    verifiedAt: str | None
    """When it was last verified."""
    sslStatus: Literal["none", "pending", "active", "failed"]
    """State of its certificate: ordered (`pending`), in use (`active`), refused by the certificate authority or expired (`failed`); `none`: this server orders none for it."""
    sslFailureReason: Literal["dns", "connection", "wrong_answer", "caa", "rate_limited", "refused", "unreachable", "share_used"] | None
    """Why it has no certificate yet; null otherwise. `share_used`: the account, or the registrable domain, has used its share of the orders."""
    sslNextAttemptAt: str | None
    """When its certificate is ordered again, while `sslFailureReason` is not null."""
    createdAt: str
    """When it was created."""
    updatedAt: str
    """When it was last changed."""


class DomainFailedEvent(TypedDict):
    id: str
    """Id of the delivery, the same for all of its attempts: de-duplicate by it."""
    type: Literal["domain.failed"]
    """The type of the event."""
    workspaceId: str
    """Id of the workspace it belongs to."""
    endpointId: str
    """Id of the endpoint."""
    attempt: int
    """The number of the attempt, from 1."""
    createdAt: str
    """When it happened, or was queued again."""
    data: Domain
    """What happened."""


class DomainRecord(TypedDict):
    type: Literal["TXT", "CNAME", "A", "AAAA"]
    """Type of the record."""
    name: str
    """Full name of the record."""
    value: str
    """Its value."""
    purpose: Literal["ownership", "routing"]
    """`ownership` proves that the host is yours; `routing` sends its visitors to this server."""
    found: list[str]
    """What the last check found there."""
    ok: bool | None
    """Whether the last check found the right record; null before the first check."""


class DomainVerification(TypedDict):
    token: str
    """What the proof contains."""
    proofUrl: str
    """Instead of the TXT record, your server may prove the ownership by answering at this address with the token."""
    records: list[DomainRecord]
    """The records to create."""
    routingNote: str | None
    """Which setting of the server is missing, so that no record can send visitors here; null if none is."""


class DomainVerifiedEvent(TypedDict):
    id: str
    """Id of the delivery, the same for all of its attempts: de-duplicate by it."""
    type: Literal["domain.verified"]
    """The type of the event."""
    workspaceId: str
    """Id of the workspace it belongs to."""
    endpointId: str
    """Id of the endpoint."""
    attempt: int
    """The number of the attempt, from 1."""
    createdAt: str
    """When it happened, or was queued again."""
    data: Domain
    """What happened."""


DubAnswer: TypeAlias = "Any"


class ErrorDetail(TypedDict):
    path: str
    """The field, as in `destinationUrl` or `events.0`; empty for the whole body."""
    message: str
    """The problem, for users."""
    code: NotRequired[str]
    """The problem, for programs."""


class EventBatch(TypedDict):
    events: list[BatchEvent]
    """The events, oldest first; empty when none came."""
    cursor: str
    """The `cursor` of the next call."""


class ExplainedStep(TypedDict):
    step: str
    """What was compared: `status`, the name of an option, `rule:<id>` or `destination`."""
    result: Literal["answer", "continue"]
    """Whether the step gave the answer, or left it to the next one."""
    detail: str
    """Why."""
    name: str | None
    """Name of the rule, or of the variant that is drawn."""
    unmet: UnmetCondition | None
    """The first condition of the rule that the visit does not meet."""


class FilteredPageMeta(TypedDict):
    requestId: str
    """The id of the request, as in the header x-request-id."""
    total: int
    """How many rows there are in all."""
    limit: int
    """The `limit` of this page."""
    offset: int
    """The `offset` of this page."""
    totalIsExact: NotRequired[bool]
    """False: more than 10,000 rows match, and the total says 10000. Left out otherwise."""


class Folder(TypedDict):
    id: str
    """Id of the folder."""
    workspaceId: str
    """Id of the workspace it belongs to."""
    name: str
    """Name of the folder, unique in the workspace in any case."""
    links: int
    """Number of links in it, archived ones included."""
    createdAt: str
    """When it was created."""
    updatedAt: str
    """When it was last changed."""


class ForbiddenErrorDetails(TypedDict):
    requiredRole: NotRequired[str]
    """The role that the request needs."""
    requiredScope: NotRequired[str]
    """The scope that the key lacks."""
    reason: NotRequired[str]
    """The reason why the sign-in with a provider was refused."""
    limit: NotRequired[str]
    """The limit of this server that is reached."""
    max: NotRequired[int]
    """The largest number that it allows."""
    used: NotRequired[int]
    """The present number."""


class FoundCampaign(TypedDict):
    id: str
    """Id of the campaign."""
    name: str
    """Its name."""
    status: str
    """Its state."""


class FoundFolder(TypedDict):
    id: str
    """Id of the folder."""
    name: str
    """Its name."""


class FoundLink(TypedDict):
    id: str
    """Id of the link."""
    name: str
    """Its name."""
    slug: str
    """Path of its short URL."""
    shortUrl: str
    """Its short URL."""
    destinationUrl: str
    """Where it leads."""
    externalId: str | None
    """Its id in another system."""
    status: str
    """State of the link, as `GET /v1/links` has it."""


class FoundMember(TypedDict):
    userId: str
    """Id of the user."""
    name: str
    """Name of the user."""
    email: str
    """E-mail address of the user."""
    role: Literal["viewer", "member", "admin", "owner"]
    """Role in the workspace."""


class FoundTag(TypedDict):
    name: str
    """The tag."""


class FoundWebhookEndpoint(TypedDict):
    id: str
    """Id of the endpoint."""
    url: str
    """Its address."""
    description: str | None
    """Its description."""
    status: str
    """Its state."""


class GeoAttribution(TypedDict):
    text: str
    """The text to show."""
    url: str
    """The page that it links to."""


class GeoDataMeta(TypedDict):
    requestId: str
    """The id of the request, as in the header x-request-id."""
    attribution: GeoAttribution | None
    """What the license of the data asks you to show beside it; null where its maker is not known."""
    dataBuiltAt: str | None
    """When the data was built."""


class Invitation(TypedDict):
    id: str
    """Id of the invitation."""
    workspaceId: str
    """Id of the workspace it belongs to."""
    email: str
    """The invited address."""
    role: Literal["viewer", "member", "admin", "owner"]
    """Role of the new member."""
    status: Literal["pending", "accepted", "rejected", "canceled", "expired"]
    """Only a `pending` invitation can be accepted."""
    invitedBy: str | None
    """Id of the inviter; null after the account was deleted."""
    expiresAt: str
    """Time at which it expires."""
    createdAt: str
    """When it was created."""
    updatedAt: str
    """When it was last changed."""


class InvitationLink(TypedDict):
    url: str
    """The link to pass on. It is shown only once; a new one replaces it."""
    expiresAt: str
    """When the invitation and its link expire."""


class Invoice(TypedDict):
    id: str
    """Id of the invoice at the provider."""
    number: str | None
    """Number of the invoice."""
    status: str | None
    """Status at the provider."""
    amountDue: int
    """Amount due in the smallest unit of the currency."""
    amountPaid: int
    """Amount paid in the smallest unit of the currency."""
    currency: str
    """ISO 4217 code of the currency, in lower case."""
    periodStart: str | None
    """Start of its period."""
    periodEnd: str | None
    """End of its period."""
    createdAt: str
    """When it was created."""
    url: str | None
    """Page of the invoice."""
    pdfUrl: str | None
    """PDF of the invoice."""


class LimitUse(TypedDict):
    used: int
    """Current use."""
    limit: int | None
    """Limit of the plan; null: none."""


class Link(TypedDict):
    id: str
    """Id of the link."""
    workspaceId: str
    """Id of the workspace it belongs to."""
    name: str
    """Name of the link."""
    slug: str
    """Path of the short URL."""
    domainId: str | None
    """Domain of the short URL. Null: the shared host."""
    destinationUrl: str
    """Target of the redirect: an http or https URL."""
    iosDeepLink: str | None
    """Target for visitors with iOS or iPadOS: an http or https URL, or one with the custom scheme of an app. Null: no difference."""
    androidDeepLink: str | None
    """Target for visitors with Android: an http or https URL, or one with the custom scheme of an app. Null: no difference."""
    expiresAt: str | None
    """Time at which the link expires; null: never."""
    password: str | None
    """`********` if visitors need a password; null if they need none."""
    redirectType: int
    """Status of the redirect. Browsers cache 301 and 308 for 90 seconds, and never 302 and 307."""
    status: Literal["active", "paused", "archived", "expired", "blocked"]
    """`active` and `archived` links redirect. `expired` follows from `expiresAt` and `maxClicks`; the operator sets `blocked`."""
    campaignId: str | None
    """Campaign of the link."""
    utmSource: str | None
    """`utm_source` of the redirect: overrides the destination’s, and is overridden by the visitor’s."""
    utmMedium: str | None
    """`utm_medium` of the redirect: overrides the destination’s, and is overridden by the visitor’s."""
    utmCampaign: str | None
    """`utm_campaign` of the redirect: overrides the destination’s, and is overridden by the visitor’s."""
    utmTerm: str | None
    """`utm_term` of the redirect: overrides the destination’s, and is overridden by the visitor’s."""
    utmContent: str | None
    """`utm_content` of the redirect: overrides the destination’s, and is overridden by the visitor’s."""
    metadata: dict[str, Any] | None
    """Custom data, at most 10,000 characters of JSON."""
    createdAt: str
    """When it was created."""
    updatedAt: str
    """When it was last changed."""
    shortUrl: str
    """The short URL."""
    domain: str
    """Host of the short URL."""
    tags: list[str]
    """Tags of the link."""
    folderId: str | None
    """Folder of the link."""
    externalId: str | None
    """Id of the link in another system, unique in the workspace."""
    expiredUrl: str | None
    """Target of the link once it has expired; null: a page that says so."""
    maxClicks: int | None
    """Number of redirects after which the link expires; bots count too. Null: no limit."""
    startsAt: str | None
    """Time from which on the link redirects, before `expiresAt`; null: at once."""
    clicks: int
    """Human clicks since the link was created."""
    lastClickedAt: str | None
    """Time of the last human click."""
    archivedAt: str | None
    """Time at which it was archived."""
    createdBy: str
    """Id of the user who created it."""
    trackConversions: bool
    """Whether redirects pass the id of their click to the destination, in the parameter `sp_id`, for `POST /conversions`."""
    rules: list[LinkRule]
    """Targets for some visitors, at most 20; the first rule whose conditions hold is taken."""
    forwardQuery: bool
    """Whether the query of the short URL is added to the destination."""
    noindex: bool
    """Whether to tell search engines not to index the short URL."""
    card: LinkCard | None
    """Preview for messengers and social networks, instead of the destination’s; null: none."""
    qrLogoMediaId: str | None
    """Uploaded image in the middle of the QR codes; null: none."""
    variants: list[LinkVariant]
    """Targets among which the other visitors are split: none, or 2 to 10 whose weights sum to 100. A visitor keeps a variant."""
    variantsUntil: str | None
    """Time from which on all visitors get `destinationUrl` in place of a variant; null: never."""
    aliases: list[str]
    """Further slugs of the link, which redirect and count as its slug does."""
    blockedReason: str | None
    """Why the operator has blocked the link, if a reason was given."""
    periodClicks: NotRequired[int]
    """Human clicks of the last `clickDays` days, in a list with that parameter."""
    periodConversions: NotRequired[int]
    """Conversions of these days, in a list with that parameter."""
    periodValue: NotRequired[int]
    """Their value in the smallest unit of `currency`, in a list with that parameter."""


class LinkAnalytics(TypedDict):
    link: AnalyzedLink
    """The link whose clicks are counted."""
    totalClicks: int
    """All clicks that were ever counted, and those that were imported."""
    periodClicks: int
    """Clicks of the period."""
    periodChangePercent: float
    """Change of the clicks against as many days before."""
    uniqueVisitors: int
    """Unique visitors of the period."""
    uniqueVisitorsChangePercent: float
    """Change of the visitors against as many days before."""
    breakdowns: Breakdowns
    """Clicks of the period by dimension."""
    hasEarlierPeriod: bool
    """Whether anything was counted in the period that a change compares with. False: there is no earlier data, and the change says nothing."""
    botClicks: int
    """Crawlers, link previews and prefetches of the period, which the other numbers leave out unless `includeBots` is true."""
    totalImportedClicks: int
    """Clicks that the links had in other services: part of totals, and of no number of the period."""
    approximate: bool
    """True when the unique visitors are estimated, within about one percent."""
    conversions: int
    """Conversions that happened in the period and are attributed to a link."""
    value: int
    """Value of those in the `currency` of the question, in its smallest unit; refunds are negative."""


class LinkCard(TypedDict):
    title: str | None
    """Title of the preview."""
    description: str | None
    """Text of the preview."""
    image: str | None
    """Image of the preview: an https URL."""


_LinkConditions = TypedDict("_LinkConditions", {
    # Time from which on the rule applies.
    "from": NotRequired[str],
})


class LinkConditions(_LinkConditions):
    country: NotRequired[list[str]]
    """Countries: ISO 3166-1 alpha-2 codes."""
    region: NotRequired[list[str]]
    """Regions: a country, a dash and a code. Needs a city database."""
    continent: NotRequired[list[str]]
    """Continents: AF, AN, AS, EU, NA, OC, SA."""
    device: NotRequired[list[str]]
    """Kinds of device: desktop, mobile, tablet, other."""
    os: NotRequired[list[str]]
    """Operating systems, as the analytics name them."""
    browser: NotRequired[list[str]]
    """Browsers and HTTP clients, as the analytics name them."""
    language: NotRequired[list[str]]
    """Preferred languages of visitors, without a region."""
    query: NotRequired[dict[str, str | None]]
    """Parameters of the short URL, at most 10: the value each must have, or null for any."""
    to: NotRequired[str]
    """Time until which the rule applies."""


class LinkCountsGroupsItem(TypedDict):
    key: str | None
    """The value of the field; null for links without one."""
    count: int
    """Number of links. A link with several tags counts for each."""


class LinkCounts(TypedDict):
    total: int
    """Links that the filters match."""
    groups: list[LinkCountsGroupsItem]
    """The largest groups first, at most 1,000; empty without `groupBy`."""


class LinkCreatedEvent(TypedDict):
    id: str
    """Id of the delivery, the same for all of its attempts: de-duplicate by it."""
    type: Literal["link.created"]
    """The type of the event."""
    workspaceId: str
    """Id of the workspace it belongs to."""
    endpointId: str
    """Id of the endpoint."""
    attempt: int
    """The number of the attempt, from 1."""
    createdAt: str
    """When it happened, or was queued again."""
    data: LinkSnapshot
    """What happened."""


class LinkDeletedEvent(TypedDict):
    id: str
    """Id of the delivery, the same for all of its attempts: de-duplicate by it."""
    type: Literal["link.deleted"]
    """The type of the event."""
    workspaceId: str
    """Id of the workspace it belongs to."""
    endpointId: str
    """Id of the endpoint."""
    attempt: int
    """The number of the attempt, from 1."""
    createdAt: str
    """When it happened, or was queued again."""
    data: LinkSnapshot
    """What happened."""


class LinkDraftVisit(TypedDict):
    userAgent: NotRequired[str]
    """User agent of the visitor."""
    country: NotRequired[str]
    """ISO 3166-1 code of the country."""
    region: NotRequired[str]
    """Region, with its country."""
    city: NotRequired[str]
    """City; no condition depends on it."""
    language: NotRequired[str]
    """A language, or an Accept-Language header."""
    query: NotRequired[str]
    """Query of the short URL."""
    at: NotRequired[str]
    """Time of the visit; now by default."""
    unlocked: NotRequired[bool]
    """Whether the visitor has given the password."""


class LinkDraft(TypedDict):
    name: NotRequired[str]
    """Name of the link."""
    destinationUrl: str
    """Target of the redirect: an http or https URL."""
    slug: NotRequired[str | None]
    """Path of the short URL: letters, digits, emoji and `_ - . /`. Absent or null: random at creation, unchanged later."""
    domainId: NotRequired[str | None]
    """Domain of the short URL. For a new link null means the default domain of the workspace, in an update the shared host."""
    expiresAt: NotRequired[str | None]
    """Time at which the link expires; null: never."""
    password: NotRequired[str | None]
    """Password that visitors need, at most 256 bytes; null removes it. In an update `********` keeps it."""
    redirectType: NotRequired[Literal[301, 302, 307, 308] | None]
    """Status of the redirect; null means 302. Browsers cache 301 and 308 for 90 seconds."""
    status: NotRequired[Literal["active", "paused", "archived"] | None]
    """`active` and `archived` links redirect; null means `active`."""
    utmSource: NotRequired[str | None]
    """`utm_source` of the redirect: overrides the destination’s, and is overridden by the visitor’s."""
    utmMedium: NotRequired[str | None]
    """`utm_medium` of the redirect: overrides the destination’s, and is overridden by the visitor’s."""
    utmCampaign: NotRequired[str | None]
    """`utm_campaign` of the redirect: overrides the destination’s, and is overridden by the visitor’s."""
    utmTerm: NotRequired[str | None]
    """`utm_term` of the redirect: overrides the destination’s, and is overridden by the visitor’s."""
    utmContent: NotRequired[str | None]
    """`utm_content` of the redirect: overrides the destination’s, and is overridden by the visitor’s."""
    metadata: NotRequired[dict[str, Any] | None]
    """Custom data, at most 10,000 characters of JSON."""
    iosDeepLink: NotRequired[str | None]
    """Target for visitors with iOS or iPadOS: an http or https URL, or one with the custom scheme of an app. Null: no difference."""
    androidDeepLink: NotRequired[str | None]
    """Target for visitors with Android: an http or https URL, or one with the custom scheme of an app. Null: no difference."""
    expiredUrl: NotRequired[str | None]
    """Target of the link once it has expired; null: a page that says so."""
    maxClicks: NotRequired[int | None]
    """Number of redirects after which the link expires; bots count too. Null: no limit."""
    startsAt: NotRequired[str | None]
    """Time from which on the link redirects, before `expiresAt`; null: at once."""
    variantsUntil: NotRequired[str | None]
    """Time from which on all visitors get `destinationUrl` in place of a variant; null: never."""
    rules: NotRequired[list[NewLinkRule] | None]
    """Targets for some visitors, at most 20; the first rule whose conditions hold is taken."""
    forwardQuery: NotRequired[bool | None]
    """Whether the query of the short URL is added to the destination."""
    noindex: NotRequired[bool | None]
    """Whether to tell search engines not to index the short URL."""
    trackConversions: NotRequired[bool | None]
    """Whether redirects pass the id of their click to the destination, in the parameter `sp_id`, for `POST /conversions`."""
    qrLogoMediaId: NotRequired[str | None]
    """Uploaded image in the middle of the QR codes; null: none."""
    card: NotRequired[NewLinkCard | None]
    """Preview for messengers and social networks, instead of the destination’s; null: none."""
    variants: NotRequired[list[NewLinkVariant] | None]
    """Targets among which the other visitors are split: none, or 2 to 10 whose weights sum to 100. A visitor keeps a variant."""
    aliases: NotRequired[list[str] | None]
    """Further slugs of the link, which redirect and count as its slug does. The list replaces the one before; at most 20."""
    tags: NotRequired[list[str] | None]
    """Tags of the link. At most 50 of 50 characters, without commas. The list replaces the one before."""
    folderId: NotRequired[str | None]
    """Folder of the link. Null: none."""
    campaignId: NotRequired[str | None]
    """Campaign of the link. It sets UTM fields that the link would not have. Null: none."""
    externalId: NotRequired[str | None]
    """Id of the link in another system, unique in the workspace. Null: none."""
    utmTemplateId: NotRequired[str | None]
    """Template for the UTM fields that the request leaves out."""
    domain: NotRequired[str | None]
    """Host of the domain, instead of `domainId`; the host of the server means no domain."""
    visit: NotRequired[LinkDraftVisit]
    """The visit; what is left out is unknown."""


class LinkExplanation(TypedDict):
    outcome: Literal["redirect", "page", "password", "card", "interstitial"]
    """Kind of the answer."""
    status: int
    """Status of the answer."""
    location: str | None
    """Target of the redirect, or the app that the interstitial offers."""
    page: str | None
    """Name of the page: `missing`, `pending`, `expired`, `exhausted`, `blocked`, `suspended`, `password`, `card` or `interstitial`."""
    route: str | None
    """Which destination: `default`, `ios`, `android`, `rule:<id>` or `variant:<id>`; null for an answer that is no click."""
    steps: list[ExplainedStep]
    """The steps up to the answer, in their order."""


class LinkFilter(TypedDict):
    search: NotRequired[str]
    """Only links with this text in name, slug or destination."""
    status: NotRequired[Literal["active", "paused", "archived", "expired", "blocked"]]
    """Only links of this status."""
    includeArchived: NotRequired[bool]
    """Include archived links."""
    createdFrom: NotRequired[str]
    """Only links created at this time or later."""
    createdTo: NotRequired[str]
    """Only links created before this time."""
    domainId: NotRequired[str]
    """Only links on this domain."""
    domain: NotRequired[str]
    """Host of the domain, instead of `domainId`; the host of the server means no domain."""
    campaignId: NotRequired[str]
    """Only links of this campaign."""
    folderId: NotRequired[str]
    """Only links in this folder."""
    externalId: NotRequired[str]
    """Only the link with this id of yours."""
    slug: NotRequired[str]
    """Only links with this slug, or with this alias."""
    destinationUrl: NotRequired[str]
    """Only links to this destination, as answers have it."""
    tag: NotRequired[str]
    """Only links with this tag."""
    tags: NotRequired[str]
    """Only links with one of these tags, separated by commas."""
    tagsMode: NotRequired[Literal["any", "all"]]
    """Links with `any` of the `tags`, which is the default, or with `all` of them."""


class LinkHistoryActor(TypedDict):
    type: Literal["user", "api_key", "system"]
    """A user, an API key, or the program itself."""
    id: str
    """Id of the user or the key."""
    name: str | None
    """Name at that time."""


class LinkHistoryEntry(TypedDict):
    id: str
    """Id of the entry."""
    changedAt: str
    """When it was changed."""
    actor: LinkHistoryActor
    """Author of the change."""
    changes: dict[str, Any]
    """Old and new value of each field, `{field: {old, new}}`; of a password only that it changed. Empty for the creation."""


class LinkImport(TypedDict):
    id: str
    """Id of the import."""
    source: Literal["csv", "bitly", "dub", "shortio", "rebrandly", "yourls", "kutt", "shlink", "sink", "linktree", "linkstack"]
    """Service that wrote the file."""
    status: Literal["pending", "processing", "completed", "failed", "canceled"]
    """State of the import."""
    dryRun: bool
    """Whether to check and count everything, but write nothing."""
    onConflict: Literal["skip", "update"]
    """What happens to a link that exists."""
    columns: list[LinkImportColumn]
    """Every column of the file, with the recognized field."""
    domain: str | None
    """The option `domain`; null without it."""
    total: int
    """Rows of the file without the header and blank rows."""
    processed: int
    """Rows that are finished."""
    created: int
    """Links that were created."""
    updated: int
    """Links that were changed."""
    skipped: int
    """Rows whose links were skipped, or had nothing to change."""
    failed: int
    """Rows that were refused."""
    errors: list[LinkImportError]
    """What is wrong with refused rows: the first 100 errors."""
    unknownDomains: list[UnknownImportDomain]
    """Domains of the file that the workspace does not have, 100 at most."""
    error: LinkImportFailure | None
    """Why a failed import stopped; the rows before stay imported."""
    canUndo: bool
    """Whether the import can be undone: once, within an hour, if it wrote something."""
    createdAt: str
    """When it was created."""
    completedAt: str | None
    """When it was completed, failed or canceled; null before."""


class LinkImportColumn(TypedDict):
    column: str
    """Name of the column in the file."""
    field: Literal["name", "domainId", "domain", "destinationUrl", "slug", "expiresAt", "password", "redirectType", "status", "utmSource", "utmMedium", "utmCampaign", "utmTerm", "utmContent", "metadata", "iosDeepLink", "androidDeepLink", "expiredUrl", "maxClicks", "startsAt", "variantsUntil", "rules", "forwardQuery", "noindex", "trackConversions", "card", "variants", "aliases", "tags", "folderId", "campaignId", "externalId", "utmTemplateId", "id", "folder", "campaign", "shortUrl", "clicks", "clicksByDay", "archived", "banned", "hasPassword"] | None
    """The field of a link that it is read as; null: it is not imported."""


class LinkImportColumns(TypedDict):
    source: Literal["csv", "bitly", "dub", "shortio", "rebrandly", "yourls", "kutt", "shlink", "sink", "linktree", "linkstack"]
    """Service that writes such a file."""
    columns: list[LinkImportColumn]
    """Every column of the file, with the recognized field."""
    missing: list[str]
    """Fields that an import needs and no column has."""


class LinkImportColumnsInput(TypedDict):
    columns: list[str]
    """The first row of a file."""
    source: NotRequired[Literal["csv", "bitly", "dub", "shortio", "rebrandly", "yourls", "kutt", "shlink", "sink", "linktree", "linkstack"]]
    """Service that wrote the file. Absent: recognized by its columns."""
    mapping: NotRequired[str]
    """JSON object: the field of a link for a column of the file; null leaves a column out."""


class LinkImportError(TypedDict):
    row: int
    """Row of the file as a spreadsheet numbers it: the header is row 1."""
    column: str | None
    """Column of the file; null for the row as a whole."""
    code: str
    """Code of the error, as in other answers."""
    message: str
    """What is wrong, and what to do."""


class LinkImportFailure(TypedDict):
    code: str
    """Code of the error."""
    message: str
    """Why the import stopped."""


class LinkImportRow(TypedDict):
    row: int
    """Row of the file as a spreadsheet numbers it: the header is row 1."""
    status: Literal["created", "updated", "skipped", "failed"]
    """Result of the row; in a dry run, the expected one."""
    linkId: str | None
    """Id of its link; null for a refused row, and for a new link in a dry run."""
    shortUrl: str | None
    """The short URL of its link; null for a refused row, and for a random one in a dry run."""
    destinationUrl: str | None
    """Where it leads."""
    note: str | None
    """Why the row was refused or skipped, or how its short URL differs from the one in the file."""


class LinkListMeta(TypedDict):
    requestId: str
    """The id of the request, as in the header x-request-id."""
    total: int
    """How many rows there are in all."""
    limit: int
    """The `limit` of this page."""
    offset: int
    """The `offset` of this page."""
    totalIsExact: NotRequired[bool]
    """False: more than 10,000 rows match, and the total says 10000. Left out otherwise."""
    nextCursor: str | None
    """`cursor` of the next page; null on the last page."""
    period: NotRequired[ClickPeriod]
    """The period of `periodClicks`; with `clickDays` alone, as the two below."""
    timezone: NotRequired[str]
    """Time zone of its days."""
    asOf: NotRequired[str]
    """Every click that was answered before this time is counted."""
    currencies: NotRequired[list[str]]
    """Currencies of the conversions of these links."""


class LinkPreview(TypedDict):
    url: str
    """The URL of the request, as a link would store it."""
    finalUrl: str | None
    """The URL of the page, after redirects; null when it could not be read."""
    title: str
    """Title of the page. Without one, or when the page could not be read, host and path of the URL."""
    description: str | None
    """Description of the page."""
    image: str | None
    """URL of the image that the page names. The server has not fetched it."""
    favicon: str | None
    """URL of the icon that the page names."""
    siteName: str | None
    """Name of the site."""


class LinkRule(TypedDict):
    id: str
    """Id of the rule, which the click log names."""
    name: str
    """Name of the rule."""
    enabled: bool
    """Whether the rule applies."""
    conditions: LinkConditions
    """Conditions of a rule, at least one. All of them must hold; of a list, one entry is enough. An unknown label of a visitor meets no condition."""
    destinationUrl: str
    """Target for visitors that meet the conditions."""


class LinkSnapshot(TypedDict):
    id: str
    """Id of the link."""
    workspaceId: str
    """Id of the workspace it belongs to."""
    name: str
    """Name of the link."""
    slug: str
    """Path of the short URL."""
    domainId: str | None
    """Domain of the short URL. Null: the shared host."""
    destinationUrl: str
    """Target of the redirect: an http or https URL."""
    iosDeepLink: str | None
    """Target for visitors with iOS or iPadOS: an http or https URL, or one with the custom scheme of an app. Null: no difference."""
    androidDeepLink: str | None
    """Target for visitors with Android: an http or https URL, or one with the custom scheme of an app. Null: no difference."""
    expiresAt: str | None
    """Time at which the link expires; null: never."""
    redirectType: int
    """Status of the redirect. Browsers cache 301 and 308 for 90 seconds, and never 302 and 307."""
    status: Literal["active", "paused", "archived", "expired", "blocked"]
    """`active` and `archived` links redirect. `expired` follows from `expiresAt` and `maxClicks`; the operator sets `blocked`."""
    campaignId: str | None
    """Campaign of the link."""
    utmSource: str | None
    """`utm_source` of the redirect: overrides the destination’s, and is overridden by the visitor’s."""
    utmMedium: str | None
    """`utm_medium` of the redirect: overrides the destination’s, and is overridden by the visitor’s."""
    utmCampaign: str | None
    """`utm_campaign` of the redirect: overrides the destination’s, and is overridden by the visitor’s."""
    utmTerm: str | None
    """`utm_term` of the redirect: overrides the destination’s, and is overridden by the visitor’s."""
    utmContent: str | None
    """`utm_content` of the redirect: overrides the destination’s, and is overridden by the visitor’s."""
    metadata: dict[str, Any] | None
    """Custom data, at most 10,000 characters of JSON."""
    createdAt: str
    """When it was created."""
    updatedAt: str
    """When it was last changed."""
    shortUrl: str
    """The short URL."""
    domain: str
    """Host of the short URL."""
    tags: list[str]
    """Tags of the link."""
    folderId: str | None
    """Folder of the link."""
    externalId: str | None
    """Id of the link in another system, unique in the workspace."""
    expiredUrl: str | None
    """Target of the link once it has expired; null: a page that says so."""
    maxClicks: int | None
    """Number of redirects after which the link expires; bots count too. Null: no limit."""
    startsAt: str | None
    """Time from which on the link redirects, before `expiresAt`; null: at once."""
    clicks: int
    """Human clicks since the link was created."""
    lastClickedAt: str | None
    """Time of the last human click."""
    archivedAt: str | None
    """Time at which it was archived."""
    createdBy: str
    """Id of the user who created it."""
    trackConversions: bool
    """Whether redirects pass the id of their click to the destination, in the parameter `sp_id`, for `POST /conversions`."""
    rules: list[LinkRule]
    """Targets for some visitors, at most 20; the first rule whose conditions hold is taken."""
    forwardQuery: bool
    """Whether the query of the short URL is added to the destination."""
    noindex: bool
    """Whether to tell search engines not to index the short URL."""
    card: LinkCard | None
    """Preview for messengers and social networks, instead of the destination’s; null: none."""
    qrLogoMediaId: str | None
    """Uploaded image in the middle of the QR codes; null: none."""
    variants: list[LinkVariant]
    """Targets among which the other visitors are split: none, or 2 to 10 whose weights sum to 100. A visitor keeps a variant."""
    variantsUntil: str | None
    """Time from which on all visitors get `destinationUrl` in place of a variant; null: never."""
    aliases: list[str]
    """Further slugs of the link, which redirect and count as its slug does."""
    blockedReason: str | None
    """Why the operator has blocked the link, if a reason was given."""


class LinkUpdatedEventData(TypedDict):
    id: str
    """Id of the link."""
    workspaceId: str
    """Id of the workspace it belongs to."""
    name: str
    """Name of the link."""
    slug: str
    """Path of the short URL."""
    domainId: str | None
    """Domain of the short URL. Null: the shared host."""
    destinationUrl: str
    """Target of the redirect: an http or https URL."""
    iosDeepLink: str | None
    """Target for visitors with iOS or iPadOS: an http or https URL, or one with the custom scheme of an app. Null: no difference."""
    androidDeepLink: str | None
    """Target for visitors with Android: an http or https URL, or one with the custom scheme of an app. Null: no difference."""
    expiresAt: str | None
    """Time at which the link expires; null: never."""
    redirectType: int
    """Status of the redirect. Browsers cache 301 and 308 for 90 seconds, and never 302 and 307."""
    status: Literal["active", "paused", "archived", "expired", "blocked"]
    """`active` and `archived` links redirect. `expired` follows from `expiresAt` and `maxClicks`; the operator sets `blocked`."""
    campaignId: str | None
    """Campaign of the link."""
    utmSource: str | None
    """`utm_source` of the redirect: overrides the destination’s, and is overridden by the visitor’s."""
    utmMedium: str | None
    """`utm_medium` of the redirect: overrides the destination’s, and is overridden by the visitor’s."""
    utmCampaign: str | None
    """`utm_campaign` of the redirect: overrides the destination’s, and is overridden by the visitor’s."""
    utmTerm: str | None
    """`utm_term` of the redirect: overrides the destination’s, and is overridden by the visitor’s."""
    utmContent: str | None
    """`utm_content` of the redirect: overrides the destination’s, and is overridden by the visitor’s."""
    metadata: dict[str, Any] | None
    """Custom data, at most 10,000 characters of JSON."""
    createdAt: str
    """When it was created."""
    updatedAt: str
    """When it was last changed."""
    shortUrl: str
    """The short URL."""
    domain: str
    """Host of the short URL."""
    tags: list[str]
    """Tags of the link."""
    folderId: str | None
    """Folder of the link."""
    externalId: str | None
    """Id of the link in another system, unique in the workspace."""
    expiredUrl: str | None
    """Target of the link once it has expired; null: a page that says so."""
    maxClicks: int | None
    """Number of redirects after which the link expires; bots count too. Null: no limit."""
    startsAt: str | None
    """Time from which on the link redirects, before `expiresAt`; null: at once."""
    clicks: int
    """Human clicks since the link was created."""
    lastClickedAt: str | None
    """Time of the last human click."""
    archivedAt: str | None
    """Time at which it was archived."""
    createdBy: str
    """Id of the user who created it."""
    trackConversions: bool
    """Whether redirects pass the id of their click to the destination, in the parameter `sp_id`, for `POST /conversions`."""
    rules: list[LinkRule]
    """Targets for some visitors, at most 20; the first rule whose conditions hold is taken."""
    forwardQuery: bool
    """Whether the query of the short URL is added to the destination."""
    noindex: bool
    """Whether to tell search engines not to index the short URL."""
    card: LinkCard | None
    """Preview for messengers and social networks, instead of the destination’s; null: none."""
    qrLogoMediaId: str | None
    """Uploaded image in the middle of the QR codes; null: none."""
    variants: list[LinkVariant]
    """Targets among which the other visitors are split: none, or 2 to 10 whose weights sum to 100. A visitor keeps a variant."""
    variantsUntil: str | None
    """Time from which on all visitors get `destinationUrl` in place of a variant; null: never."""
    aliases: list[str]
    """Further slugs of the link, which redirect and count as its slug does."""
    blockedReason: str | None
    """Why the operator has blocked the link, if a reason was given."""
    changes: list[str]
    """The fields that changed."""
    previous: dict[str, Any]
    """Their values before."""


class LinkUpdatedEvent(TypedDict):
    id: str
    """Id of the delivery, the same for all of its attempts: de-duplicate by it."""
    type: Literal["link.updated"]
    """The type of the event."""
    workspaceId: str
    """Id of the workspace it belongs to."""
    endpointId: str
    """Id of the endpoint."""
    attempt: int
    """The number of the attempt, from 1."""
    createdAt: str
    """When it happened, or was queued again."""
    data: LinkUpdatedEventData
    """What happened."""


class LinkVariant(TypedDict):
    id: str
    """Id of the variant, which the click log names."""
    name: str
    """Name of the variant."""
    destinationUrl: str
    """Target for its share of the visitors."""
    weight: int
    """Share of the visitors in percent."""


class LinkView(TypedDict):
    id: str
    """Id of the view."""
    workspaceId: str
    """Id of the workspace it belongs to."""
    userId: str
    """The user who made it."""
    name: str
    """Name of the view."""
    query: str
    """Filters, order and columns, as the query string of the page."""
    isShared: bool
    """Whether all members see it, and may change it."""
    createdAt: str
    """When it was created."""
    updatedAt: str
    """When it was last changed."""


class ListedWebhookEndpoint(TypedDict):
    id: str
    """Id of the endpoint."""
    workspaceId: str
    """Id of the workspace it belongs to."""
    url: str
    """Where deliveries are posted: an https URL."""
    description: str | None
    """What the endpoint is for."""
    events: list[Literal["*", "link.created", "link.updated", "link.deleted", "domain.verified", "domain.failed", "click.received", "conversion.received", "campaign.completed", "report.generated", "billing.subscription.updated"]]
    """Event types; `*` means all, also types of later versions."""
    status: Literal["active", "paused"]
    """A `paused` endpoint receives nothing."""
    failureCount: int
    """Failed attempts since the last success."""
    lastFailureAt: str | None
    """When an attempt last failed."""
    lastSuccessAt: str | None
    """When an attempt last succeeded."""
    createdBy: str
    """Id of the user who created it."""
    createdAt: str
    """When it was created."""
    updatedAt: str
    """When it was last changed."""
    standardHeaders: bool
    """Send the headers of Standard Webhooks as well."""
    failureEmail: str | None
    """Where a mail goes when deliveries to this endpoint keep failing: the verified address of an admin or owner of the workspace."""
    droppedClicks: int
    """`click.received` deliveries that a backlog of a million refused."""
    disableAfterHours: int | None
    """Pause the endpoint after this many hours in which every attempt failed; null: never."""
    autoPausedAt: str | None
    """When it was paused because of `disableAfterHours`; null once it is resumed."""
    previousSecretValidUntil: str | None
    """Until when deliveries are signed with the previous secret as well; null without an overlap."""
    headers: dict[str, str]
    """Headers that every delivery carries, by name; each value is shown as `********`."""
    stats: NotRequired[WebhookEndpointStats]
    """With `stats=24h` in the query."""


class Media(TypedDict):
    id: str
    """Id of the image."""
    workspaceId: str
    """Id of the workspace it belongs to."""
    filename: str
    """The name it was uploaded under, without characters that paths use."""
    contentType: Literal["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"]
    """Its type, by its content."""
    size: int
    """Its size in bytes."""
    width: int
    """In pixels, as it is shown."""
    height: int
    """In pixels, as it is shown."""
    frames: int
    """More than 1 for an animation."""
    sha256: str
    """SHA-256 of its bytes, in hexadecimal digits."""
    url: str
    """Its public address. While a published page, the card of a link or the pages for visitors show the image, it serves a copy without metadata."""
    usedBy: list[MediaUse]
    """What shows it, at most 20."""
    createdAt: str
    """When it was created."""


class MediaMeta(TypedDict):
    requestId: str
    """The id of the request, as in the header x-request-id."""
    total: int
    """Number of images in all."""
    limit: int
    """The `limit` of this page."""
    offset: int
    """The `offset` of this page."""
    usedBytes: int
    """Bytes of all images of the workspace."""


class MediaUse(TypedDict):
    type: Literal["link", "bio_page", "workspace"]
    """What shows the image. A `workspace` has it as its logo."""
    id: str
    """Its id."""
    name: str
    """Its name."""


class Member(TypedDict):
    userId: str
    """Id of the user."""
    name: str
    """Name of the user."""
    email: str
    """E-mail address of the user."""
    role: Literal["viewer", "member", "admin", "owner"]
    """Role in the workspace."""
    joinedAt: str
    """Start of the membership."""
    lastActiveAt: str | None
    """Last request with a session in this workspace, exact to the minute; null: none, or the caller is no admin."""
    twoFactorEnabled: bool | None
    """Whether the account requires a code after its password; null: the caller is no admin."""


class Meta(TypedDict):
    requestId: str
    """The id of the request, as in the header x-request-id."""


class NewApiKey(TypedDict):
    id: str
    """Id of the key."""
    name: str
    """Purpose of the key."""
    prefix: str
    """First and last characters of the key, to tell keys apart."""
    scopes: list[str] | None
    """Permissions of the key; null: everything that its user’s role allows."""
    ipAllowlist: list[str]
    """Addresses and CIDR ranges that may use the key; empty: any."""
    workspaceId: str
    """Id of the workspace it belongs to."""
    userId: str
    """Id of the user as whom it acts."""
    app: str | None
    """Where the user allowed the app that holds the key: the host it returned to, or `device`; null for a key without an app."""
    lastUsedAt: str | None
    """When it was last used."""
    lastUsedIp: str | None
    """Client address of its last use."""
    expiresAt: str | None
    """When the key expires; null: never. An app gets a new key in time."""
    createdAt: str
    """When it was created."""
    updatedAt: str
    """When it was last changed."""
    key: str
    """The key itself, which is not shown again."""


class NewConversion(TypedDict):
    eventName: str
    """Name of what happened."""
    clickId: NotRequired[str | None]
    """The value of the parameter `sp_id` with which the visitor came, or the id of a click."""
    linkId: NotRequired[str | None]
    """Link to attribute it to, if no click is known."""
    slug: NotRequired[str | None]
    """The same link, by its slug."""
    domain: NotRequired[str | None]
    """Host of the domain of `slug`, if several links have that slug."""
    eventId: NotRequired[str | None]
    """Your own id of it. The same id is stored once."""
    customerId: NotRequired[str | None]
    """Your id of the customer. Without a click, the last click of the customer in 30 days counts."""
    invoiceId: NotRequired[str | None]
    """Of a sale without `eventId`: one sale per invoice is stored."""
    type: NotRequired[Literal["lead", "sale", "custom"] | None]
    """Kind of conversion. By default `sale` if there is a `value` or an `invoiceId`, else `custom`."""
    value: NotRequired[int | None]
    """Value in the smallest unit of the currency, such as cents; negative for a refund."""
    currency: NotRequired[str | None]
    """ISO 4217 code of the currency, in either case; `usd` by default."""
    occurredAt: NotRequired[str | None]
    """When it happened; now by default."""
    customer: NotRequired[dict[str, Any] | None]
    """The customer, as you sent it."""
    metadata: NotRequired[dict[str, Any] | None]
    """Data of your own."""


class NewLinkCard(TypedDict):
    title: NotRequired[str | None]
    """Title of the preview."""
    description: NotRequired[str | None]
    """Text of the preview."""
    image: NotRequired[str | None]
    """Image of the preview: an https URL, or the id of an uploaded image, which is answered as its public address."""


class NewLinkRule(TypedDict):
    id: NotRequired[str | None]
    """Id of the rule. Absent or null: a new one is given. An id that is sent back is kept."""
    name: NotRequired[str | None]
    """Name of the rule."""
    enabled: NotRequired[bool | None]
    """Absent or null: true."""
    conditions: LinkConditions
    """Conditions of a rule, at least one. All of them must hold; of a list, one entry is enough. An unknown label of a visitor meets no condition."""
    destinationUrl: str
    """Target for visitors that meet the conditions."""


class NewLinkVariant(TypedDict):
    id: NotRequired[str | None]
    """Id of the variant. Absent or null: a new one is given. An id that is sent back is kept."""
    name: NotRequired[str | None]
    """Name of the variant."""
    destinationUrl: str
    """Target for its share of the visitors."""
    weight: int
    """Share of the visitors in percent."""


class PageMeta(TypedDict):
    requestId: str
    """The id of the request, as in the header x-request-id."""
    total: int
    """How many rows there are in all."""
    limit: int
    """The `limit` of this page."""
    offset: int
    """The `offset` of this page."""


class PaymentMethod(TypedDict):
    id: str
    """Id of the method at the provider."""
    type: str
    """Type of the method."""
    brand: str | None
    """Brand of a card."""
    last4: str | None
    """Last four digits of a card."""
    expiryMonth: int | None
    """Expiry month of a card."""
    expiryYear: int | None
    """Expiry year of a card."""


class Plan(TypedDict):
    id: str
    """Id of the plan."""
    name: str
    """Display name."""
    price: PlanPrice
    """Price of the plan."""
    limits: PlanLimits
    """Limits; the use of `_monthly` limits restarts with each UTC calendar month."""
    capabilities: PlanCapabilities
    """Included features."""
    apiRequestsPerMinute: int | None
    """Requests per minute of each API key and user; null: the limit of the server."""
    soldIntervals: list[Literal["monthly", "yearly"]]
    """Intervals of `POST /billing/checkout` for which this server sells the plan; empty: not for sale."""


class PlanCapabilities(TypedDict):
    webhooks: bool
    """Whether the plan includes `webhooks`."""
    custom_domains: bool
    """Whether the plan includes `custom_domains`."""
    conversions: bool
    """Whether the plan includes `conversions`."""
    password: bool
    """Whether the plan includes `password`."""
    deep_links: bool
    """Whether the plan includes `deep_links`."""
    reports: bool
    """Whether the plan includes `reports`."""
    audit_log: bool
    """Whether the plan includes `audit_log`."""
    public_dashboards: bool
    """Whether the plan includes `public_dashboards`."""


class PlanCapabilityRequiredErrorDetails(TypedDict):
    capability: str
    """The feature that the plan does not include."""
    plan: str
    """The plan of the workspace."""


class PlanLimitReachedErrorDetails(TypedDict):
    limit: str
    """The limit that is reached."""
    max: int | None
    """The largest number that it allows."""
    used: NotRequired[int]
    """The number in use."""


class PlanLimits(TypedDict):
    links_monthly: int | None
    """The limit `links_monthly`; null: none."""
    clicks_monthly: int | None
    """The limit `clicks_monthly`; null: none."""
    domains: int | None
    """The limit `domains`; null: none."""
    members: int | None
    """The limit `members`; null: none."""
    webhook_endpoints: int | None
    """The limit `webhook_endpoints`; null: none."""
    api_requests_monthly: int | None
    """The limit `api_requests_monthly`; null: none."""
    api_keys: int | None
    """The limit `api_keys`; null: none."""
    campaigns: int | None
    """The limit `campaigns`; null: none."""
    bio_pages: int | None
    """The limit `bio_pages`; null: none."""
    utm_templates: int | None
    """The limit `utm_templates`; null: none."""
    media_storage_mb: int | None
    """The limit `media_storage_mb`; null: none."""
    analytics_retention_days: int | None
    """The limit `analytics_retention_days`; null: none."""


class PlanPrice(TypedDict):
    monthly: float | None
    """Price of a month in whole units of the currency; null: by agreement."""
    yearly: float | None
    """Price of a year in whole units of the currency; null: by agreement."""
    currency: str
    """ISO 4217 code of the currency, in lower case."""


class PreconditionFailedErrorDetails(TypedDict):
    etag: str
    """The ETag of the current version."""
    current: dict[str, Any]
    """The resource as it is now."""
    present: dict[str, Any]
    """The same as `current`; deprecated."""


class PublicDashboard(TypedDict):
    title: str
    """Title of the dashboard."""
    scope: PublicDashboardScope
    """What is shared."""
    period: PublicDashboardPeriod
    """The counted period."""
    metrics: PublicDashboardMetrics
    """Numbers of the period."""
    timeseries: list[PublicDashboardBucket]
    """The period in buckets."""
    breakdowns: dict[str, dict[str, int]]
    """Clicks of the period by dimension: the most clicked labels, and the rest under `(other)`. Destinations are not among them."""
    topLinks: list[PublicDashboardLink]
    """The most clicked links of what is shared."""
    updatedAt: str
    """Every click that was answered before this time is counted."""


class PublicDashboardBucket(TypedDict):
    start: str
    """Start of the bucket; it ends where the next one starts."""
    clicks: int
    """Clicks."""
    uniqueVisitors: int
    """Unique visitors."""
    conversions: NotRequired[int]
    """Conversions, if they are shown."""
    value: NotRequired[float]
    """Value of the conversions in the smallest unit of `metrics.currency`, if they are shown."""


class PublicDashboardLink(TypedDict):
    name: str
    """Its name."""
    shortUrl: str
    """Its short URL."""
    clicks: int
    """Clicks."""
    uniqueVisitors: int
    """Unique visitors."""
    conversions: NotRequired[int]
    """Conversions, if they are shown."""
    value: NotRequired[float]
    """Value of the conversions in the smallest unit of `metrics.currency`, if they are shown."""


class PublicDashboardMetrics(TypedDict):
    totalClicks: int
    """All clicks that were ever counted, and those that were imported."""
    periodClicks: int
    """Clicks of the period."""
    totalImportedClicks: int
    """Clicks that the links had in other services: part of totals, and of no number of the period."""
    periodChangePercent: float
    """Change of the clicks against as many days before."""
    uniqueVisitors: int
    """Unique visitors of the period."""
    uniqueVisitorsChangePercent: float
    """Change of the visitors against as many days before."""
    hasEarlierPeriod: bool
    """Whether anything was counted in the period that a change compares with. False: there is no earlier data, and the change says nothing."""
    conversions: NotRequired[int]
    """Conversions, if they are shown."""
    value: NotRequired[float]
    """Value of the conversions in the smallest unit of `metrics.currency`, if they are shown."""
    currency: NotRequired[str]
    """Currency of each value, if conversions are shown."""
    approximate: bool
    """True when the unique visitors are estimated, within about one percent."""


class PublicDashboardPeriod(TypedDict):
    start: str
    """Start of the first day."""
    end: str
    """End of the last day."""
    days: int
    """Number of calendar days."""
    timezone: str
    """Time zone of the calendar days: that of the workspace."""
    granularity: Literal["hour", "day", "week", "month"]
    """Length of a bucket of the series."""


class PublicDashboardScope(TypedDict):
    type: Literal["workspace", "link", "campaign", "folder"]
    """What is shared."""
    id: str
    """Its id."""


class QrCodes(TypedDict):
    ids: list[str]
    """The links, at most 100."""
    format: NotRequired[Literal["png", "svg", "pdf"]]
    """Format of the image."""
    shape: NotRequired[Literal["square", "rounded", "dots"]]
    """Shape of the modules."""
    size: NotRequired[int]
    """Width and height in pixels."""
    margin: NotRequired[int]
    """Margin around the code, in modules of the code."""
    fg: NotRequired[str]
    """Color of the code: six hexadecimal digits."""
    bg: NotRequired[str]
    """Color of the background: six hexadecimal digits."""
    level: NotRequired[Literal["L", "M", "Q", "H"]]
    """Level of error correction: L, M, Q or H. By default H with a logo, which covers a part of the code, Q with dots, else M."""


class QueuedWebhookTest(TypedDict):
    id: str
    """Id of the delivery."""
    status: str
    """Always `pending`."""
    eventType: Literal["link.created", "link.updated", "link.deleted", "domain.verified", "domain.failed", "click.received", "conversion.received", "campaign.completed", "report.generated", "billing.subscription.updated"]
    """The type of the event."""
    createdAt: str
    """When it was created."""


class RateLimitedErrorDetails(TypedDict):
    retryAfter: int
    """Seconds to wait."""
    limit: int
    """Requests of one window."""
    window: int
    """Length of the window in seconds."""


class ReceivedInvitation(TypedDict):
    id: str
    """Id of the invitation."""
    workspaceId: str
    """Id of the workspace it belongs to."""
    email: str
    """The invited address."""
    role: Literal["viewer", "member", "admin", "owner"]
    """Role of the new member."""
    status: Literal["pending", "accepted", "rejected", "canceled", "expired"]
    """Only a `pending` invitation can be accepted."""
    invitedBy: str | None
    """Id of the inviter; null after the account was deleted."""
    expiresAt: str
    """Time at which it expires."""
    createdAt: str
    """When it was created."""
    updatedAt: str
    """When it was last changed."""
    workspaceName: str
    """Name of the workspace."""
    inviterName: str | None
    """Name of the inviter."""


class RecordConversionsObject(TypedDict):
    eventName: str
    """Name of what happened."""
    clickId: NotRequired[str | None]
    """The value of the parameter `sp_id` with which the visitor came, or the id of a click."""
    linkId: NotRequired[str | None]
    """Link to attribute it to, if no click is known."""
    slug: NotRequired[str | None]
    """The same link, by its slug."""
    domain: NotRequired[str | None]
    """Host of the domain of `slug`, if several links have that slug."""
    eventId: NotRequired[str | None]
    """Your own id of it. The same id is stored once."""
    customerId: NotRequired[str | None]
    """Your id of the customer. Without a click, the last click of the customer in 30 days counts."""
    invoiceId: NotRequired[str | None]
    """Of a sale without `eventId`: one sale per invoice is stored."""
    type: NotRequired[Literal["lead", "sale", "custom"] | None]
    """Kind of conversion. By default `sale` if there is a `value` or an `invoiceId`, else `custom`."""
    value: NotRequired[int | None]
    """Value in the smallest unit of the currency, such as cents; negative for a refund."""
    currency: NotRequired[str | None]
    """ISO 4217 code of the currency, in either case; `usd` by default."""
    occurredAt: NotRequired[str | None]
    """When it happened; now by default."""
    customer: NotRequired[dict[str, Any] | None]
    """The customer, as you sent it."""
    metadata: NotRequired[dict[str, Any] | None]
    """Data of your own."""


RecordConversions: TypeAlias = "RecordConversionsObject | list[NewConversion]"


class RecordConversionsMeta(TypedDict):
    requestId: str
    """The id of the request, as in the header x-request-id."""
    total: NotRequired[int]
    """Rows of the list."""
    succeeded: NotRequired[int]
    """Rows without an error."""
    failed: NotRequired[int]
    """Rows with an error."""


class RecordedConversionRow(TypedDict):
    index: int
    """The place of the row in the request, from 0."""
    id: str | None
    """Id of the conversion."""
    eventId: str | None
    """Your own id of it, or its `id` if you sent none."""
    duplicate: bool
    """True: it was stored before, and this request has changed nothing."""
    attributed: bool
    """Whether it is attributed to a link."""
    linkId: str | None
    """The link that it is attributed to."""
    clickId: str | None
    """The click that it is attributed to."""
    error: ConversionError | None
    """Why the row failed; null otherwise."""


class RecordedConversionsObject(TypedDict):
    id: str
    """Id of the conversion."""
    eventId: str
    """Your own id of it, or its `id` if you sent none."""
    duplicate: bool
    """True: it was stored before, and this request has changed nothing."""
    attributed: bool
    """Whether it is attributed to a link."""
    linkId: str | None
    """The link that it is attributed to."""
    clickId: str | None
    """The click that it is attributed to."""


RecordedConversions: TypeAlias = "RecordedConversionsObject | list[RecordedConversionRow]"


class RenamedTag(TypedDict):
    name: str
    """The tag."""
    links: int
    """Number of links with this tag, archived ones included."""
    pending: int
    """Number of links that still have the old tag, and get the new one within the next minutes."""


class RenameTag(TypedDict):
    name: str
    """The tag."""


class ReplayedWebhookEvents(TypedDict):
    queued: int
    """Number of deliveries queued."""
    next: str | None
    """The `since` of the next call; null when all events were queued."""


class ReplayWebhookEvents(TypedDict):
    since: str
    """The beginning of the period."""
    until: NotRequired[str]
    """The end of the period; now when absent."""
    events: NotRequired[list[Literal["*", "link.created", "link.updated", "link.deleted", "domain.verified", "domain.failed", "click.received", "conversion.received", "campaign.completed", "report.generated", "billing.subscription.updated"]]]
    """Only these types, whether the endpoint subscribes to them or not."""


class Report(TypedDict):
    id: str
    """Id of the report."""
    workspaceId: str
    """Id of the workspace it belongs to."""
    name: str
    """Name of the report."""
    type: Literal["links", "clicks", "conversions", "campaign", "domains", "summary", "audit_log"]
    """What the rows of the report are."""
    format: Literal["csv", "json", "xlsx", "pdf"]
    """Format of the file."""
    status: Literal["pending", "processing", "completed", "failed"]
    """State of the latest run."""
    progress: int
    """Percent of the latest run that is done."""
    filters: ReportFilters
    """What the report is about."""
    schedule: ReportSchedule | None
    """When it runs again; null: never."""
    nextRunAt: str | None
    """When it runs next by its schedule; null without one."""
    rowCount: int | None
    """Rows of the file; null without a file."""
    size: int | None
    """Bytes of the file; null without a file."""
    downloadUrl: str | None
    """Address of the file; null without one. It needs a session, or a key with the scope `reports:read`."""
    error: ReportError | None
    """Why the latest run failed; null otherwise."""
    generatedAt: str | None
    """When the file was finished; null without one."""
    expiresAt: str | None
    """When the file is deleted; null without one."""
    createdAt: str
    """When it was created."""


class ReportError(TypedDict):
    code: str
    """Code of the error, as in other answers, or `canceled`."""
    message: str
    """Why there is no file."""


class ReportFilters(TypedDict):
    days: NotRequired[int]
    """Number of calendar days until the run, its day included; 30 by default."""
    start: NotRequired[str]
    """Instead of `days`: the first moment, or a date."""
    end: NotRequired[str]
    """The moment after the period, or its last date. The default is the run."""
    timezone: NotRequired[str]
    """Time zone of the days; by default that of the schedule, else UTC."""
    linkIds: NotRequired[list[str]]
    """Only these links."""
    campaignId: NotRequired[str]
    """Only links that are in this campaign."""
    domainId: NotRequired[str]
    """Only links, or clicks, on this domain."""
    currency: NotRequired[str]
    """Currency of `value`, and of conversions their only one; values are in `usd` by default."""
    dimensions: NotRequired[list[Literal["country", "region", "city", "continent", "device", "browser", "os", "referrer", "language", "trigger", "utmSource", "utmMedium", "utmCampaign", "utmTerm", "utmContent", "destination"]]]
    """For a summary: adds a row for each of the ten most clicked labels. For clicks: the columns besides those that identify the click. Other types ignore it."""


class ReportGeneratedEvent(TypedDict):
    id: str
    """Id of the delivery, the same for all of its attempts: de-duplicate by it."""
    type: Literal["report.generated"]
    """The type of the event."""
    workspaceId: str
    """Id of the workspace it belongs to."""
    endpointId: str
    """Id of the endpoint."""
    attempt: int
    """The number of the attempt, from 1."""
    createdAt: str
    """When it happened, or was queued again."""
    data: Report
    """What happened."""


class ReportSchedule(TypedDict):
    frequency: Literal["daily", "weekly", "monthly"]
    """How often it runs; `monthly`: on the 1st."""
    hour: int
    """Local hour of the run. If the clocks skip it, the run starts where they continue; if it occurs twice, the first one counts."""
    weekday: int | None
    """Day of a weekly run, as for cron: 1 is Monday, and 0 and 7 are Sunday."""
    timezone: str
    """IANA name of a time zone."""
    recipients: list[str]
    """Members who get a mail after each scheduled run, with a link that requires a sign-in."""


class ReportScheduleInput(TypedDict):
    frequency: Literal["daily", "weekly", "monthly"]
    """How often it runs; `monthly`: on the 1st."""
    hour: NotRequired[int]
    """Local hour of the run; 8 by default."""
    weekday: NotRequired[int | None]
    """Day of a weekly run, as for cron: 1 is Monday, and 0 and 7 are Sunday."""
    timezone: NotRequired[str]
    """Time zone of hour and day; UTC by default."""
    recipients: NotRequired[list[str]]
    """Members who get a mail after each scheduled run, with a link that requires a sign-in."""


class RequeuedWebhookDeliveries(TypedDict):
    requeued: int
    """Number of deliveries that are due now."""
    hasMore: bool
    """True when the limit of one call was reached: call again."""


class ResolveDeferredLink(TypedDict):
    installReferrer: NotRequired[str]
    """The install referrer that the Play Store hands to the app."""
    clickId: NotRequired[str]
    """The value of the parameter `sp_id`, or the id of a click."""
    deepLink: NotRequired[str]
    """The URL with which the app was opened: a short URL, or any URL with the parameter `sp_id`."""
    url: NotRequired[str]
    """The same as `deepLink`, which goes first."""
    domain: NotRequired[str]
    """Host of the short URL, if `deepLink` is its path alone."""
    platform: NotRequired[Literal["ios", "android"]]
    """The system of the phone. It chooses the deep link of the answer, and a match by fingerprint needs it."""
    language: NotRequired[str]
    """Preferred language of the phone. A match by fingerprint needs it."""


class RetriedWebhookDelivery(TypedDict):
    id: str
    """Id of the delivery."""
    status: str
    """Always `pending`."""
    attempts: int
    """Number of attempts so far."""
    maxAttempts: int
    """Number of attempts after which it becomes a dead letter."""


_RetryWebhookDeliveries = TypedDict("_RetryWebhookDeliveries", {
    # Only rows of this time or later.
    "from": NotRequired[str],
})


class RetryWebhookDeliveries(_RetryWebhookDeliveries):
    endpointId: NotRequired[str]
    """Only deliveries to this endpoint."""
    status: NotRequired[Literal["failed", "dead_letter"]]
    """Only deliveries of this status."""
    eventType: NotRequired[Literal["link.created", "link.updated", "link.deleted", "domain.verified", "domain.failed", "click.received", "conversion.received", "campaign.completed", "report.generated", "billing.subscription.updated"]]
    """Only deliveries of this type."""
    eventId: NotRequired[str]
    """Only deliveries of this event, including its replays."""
    responseStatus: NotRequired[int]
    """Only deliveries whose latest attempt was answered with this HTTP status."""
    to: NotRequired[str]
    """Only rows before this time."""


class RollbackLink(TypedDict):
    historyId: str
    """The entry of the history whose state is restored."""


class RotatedWebhookSecret(TypedDict):
    id: str
    """Id of the endpoint."""
    secret: str
    """The key of the signatures, `whsec_` included."""
    previousSecretValidUntil: str | None
    """Until when deliveries are signed with the previous secret as well; null without an overlap."""


class SearchResults(TypedDict):
    links: NotRequired[list[FoundLink]]
    """The links found, best first; left out for an API key without `links:read`."""
    campaigns: NotRequired[list[FoundCampaign]]
    """The campaigns found, best first; left out for an API key without `campaigns:read`."""
    tags: NotRequired[list[FoundTag]]
    """The tags found, best first; left out for an API key without `links:read`."""
    folders: NotRequired[list[FoundFolder]]
    """The folders found, best first; left out for an API key without `links:read`."""
    webhookEndpoints: NotRequired[list[FoundWebhookEndpoint]]
    """The webhook endpoints found, best first; left out for an API key without `webhooks:read`."""
    members: NotRequired[list[FoundMember]]
    """The members found, best first; left out for an API key without `members:read`."""


class SecurityActor(TypedDict):
    type: Literal["user", "api_key", "system", "anonymous"]
    """A user, an API key, the program itself, or an unknown client."""
    id: str | None
    """Id of the user or the key."""
    name: str | None
    """Name at that time."""
    email: str | None
    """E-mail address of the user at that time."""


class SecurityEntry(TypedDict):
    id: str
    """Id of the entry."""
    workspaceId: str | None
    """Id of the workspace; null for events of an account, such as a sign-in."""
    type: Literal["sign_up.requested", "sign_in.succeeded", "sign_in.failed", "sign_out", "email.verified", "email.changed", "password.changed", "password.reset_requested", "password.reset", "session.revoked", "two_factor.enabled", "two_factor.disabled", "two_factor.failed", "backup_codes.used", "backup_codes.replaced", "passkey.added", "passkey.removed", "account.linked", "account.unlinked", "account.deleted", "operator.added", "operator.removed", "api_key.created", "api_key.rotated", "api_key.revoked", "api_key.ip_denied", "member.invited", "member.joined", "member.role_changed", "member.removed", "webhook.secret_viewed", "webhook.secret_rotated", "workspace.deleted", "workspace.suspended", "workspace.resumed"]
    """Type of the event."""
    outcome: Literal["success", "failure"]
    """Result of the attempt."""
    actor: SecurityActor
    """Author of the event."""
    userId: str | None
    """Id of the affected user."""
    details: dict[str, Any]
    """Details by type, without secrets."""
    ipAddress: str | None
    """Client address."""
    userAgent: str | None
    """User agent of the client."""
    geo: SecurityGeo
    """Location of the client address."""
    requestId: str
    """Id of the request."""
    createdAt: str
    """Time of the event."""


class SecurityGeo(TypedDict):
    country: str | None
    """ISO country."""


class ShlinkImport(TypedDict):
    baseUrl: str
    """Address of the Shlink server, without `/rest`."""
    apiKey: str
    """API key of the Shlink server. It is kept sealed until the import ends, and in no answer."""
    dryRun: NotRequired[bool]
    """Whether to check and count everything, but write nothing."""
    onConflict: NotRequired[Literal["skip", "update"]]
    """What happens to a link with the same externalId, else slug, else id. The default is `skip`."""
    domain: NotRequired[str]
    """Host of a domain of the workspace, or of the shared host, on which all links of the file are created; `default`: the default domain. Without it the column `domain` counts."""


class SlugAnswer(TypedDict):
    slug: str
    """The slug of the request."""
    available: bool
    """Whether a link of the workspace could have it."""
    reason: Literal["taken", "reserved", "invalid"] | None
    """Why not. `taken`: another link has it, or it is reserved for another workspace. `reserved`: a page of the server has it. `invalid`: it has characters that a slug cannot have."""


class Subscription(TypedDict):
    plan: str
    """Id of the plan of the workspace."""
    status: Literal["active", "trialing", "past_due", "canceled"]
    """State of the subscription."""
    currentPeriodStart: str | None
    """Start of the paid period."""
    currentPeriodEnd: str | None
    """End of the paid period."""
    cancelAtPeriodEnd: bool
    """True: it ends with the paid period."""


class Tag(TypedDict):
    name: str
    """The tag."""
    links: int
    """Number of links with this tag, archived ones included."""


class TestWebhookEndpoint(TypedDict):
    eventType: NotRequired[Literal["link.created", "link.updated", "link.deleted", "domain.verified", "domain.failed", "click.received", "conversion.received", "campaign.completed", "report.generated", "billing.subscription.updated"]]
    """The type; `link.created` when absent."""


class TrackedAmount(TypedDict):
    amount: int
    """Value in the smallest unit of the currency."""
    currency: str
    """ISO 4217 code in lower case."""
    invoiceId: str | None
    """The invoice."""
    paymentProcessor: str | None
    """What took the payment."""
    metadata: dict[str, Any] | None
    """Data of your own."""


class TrackedClick(TypedDict):
    id: str
    """Id of the click."""


class TrackedCustomer(TypedDict):
    externalId: str | None
    """Your id of the customer."""
    name: str | None
    """Name of the customer."""
    email: str | None
    """E-mail address of the customer."""
    avatar: str | None
    """Picture of the customer."""


class TrackedLead(TypedDict):
    id: str
    """Id of the conversion."""
    eventId: str
    """Your own id of it, or its `id` if you sent none."""
    duplicate: bool
    """True: it was stored before, and this request has changed nothing."""
    attributed: bool
    """Whether it is attributed to a link."""
    linkId: str | None
    """The link that it is attributed to."""
    clickId: str | None
    """The click that it is attributed to."""
    eventName: str
    """Name of what happened."""
    click: TrackedClick | None
    """The click that it is attributed to."""
    link: TrackedLink | None
    """The link that it is attributed to."""
    customer: TrackedCustomer
    """The customer, as the request names them."""


class TrackedLink(TypedDict):
    id: str
    """Id of the link."""


class TrackedSale(TypedDict):
    id: str
    """Id of the conversion."""
    eventId: str
    """Your own id of it, or its `id` if you sent none."""
    duplicate: bool
    """True: it was stored before, and this request has changed nothing."""
    attributed: bool
    """Whether it is attributed to a link."""
    linkId: str | None
    """The link that it is attributed to."""
    clickId: str | None
    """The click that it is attributed to."""
    eventName: str
    """Name of what happened."""
    click: TrackedClick | None
    """The click that it is attributed to."""
    link: TrackedLink | None
    """The link that it is attributed to."""
    customer: TrackedCustomer
    """The customer, as the request names them."""
    sale: TrackedAmount
    """The sale, as the request has it."""


class TrackLead(TypedDict):
    eventName: str
    """Name of what happened."""
    clickId: NotRequired[str | None]
    """The value of the parameter `sp_id`, or the id of a click; null or an empty text: the last click of the customer."""
    externalId: NotRequired[str | None]
    """Your id of the customer."""
    customerExternalId: NotRequired[str | None]
    """Your id of the customer, by its former name."""
    customerName: NotRequired[str | None]
    """Name of the customer."""
    customerEmail: NotRequired[str | None]
    """E-mail address of the customer."""
    customerAvatar: NotRequired[str | None]
    """Picture of the customer."""
    metadata: NotRequired[dict[str, Any] | None]
    """Data of your own."""


class TrackSale(TypedDict):
    amount: int
    """Amount in the smallest unit of the currency; negative for a refund."""
    clickId: NotRequired[str | None]
    """The value of the parameter `sp_id`, or the id of a click; null or an empty text: the last click of the customer."""
    externalId: NotRequired[str | None]
    """Your id of the customer."""
    customerExternalId: NotRequired[str | None]
    """Your id of the customer, by its former name."""
    customerName: NotRequired[str | None]
    """Name of the customer."""
    customerEmail: NotRequired[str | None]
    """E-mail address of the customer."""
    customerAvatar: NotRequired[str | None]
    """Picture of the customer."""
    metadata: NotRequired[dict[str, Any] | None]
    """Data of your own."""
    eventName: NotRequired[str]
    """Name of what happened."""
    currency: NotRequired[str | None]
    """ISO 4217 code of the currency, in either case; `usd` by default."""
    invoiceId: NotRequired[str | None]
    """One sale per invoice is stored."""
    paymentProcessor: NotRequired[str | None]
    """What took the payment."""


class TransportErrorError(TypedDict):
    code: Literal["METHOD_NOT_ALLOWED", "REQUEST_TIMEOUT", "PAYLOAD_TOO_LARGE", "URI_TOO_LONG", "UNSUPPORTED_MEDIA_TYPE", "EXPECTATION_FAILED", "HEADERS_TOO_LARGE"]
    """The reason why the request was refused before its route was reached."""
    message: str
    """A description for users; its wording may change."""
    details: list[ErrorDetail]
    """One entry for each wrong field; empty where the code is sufficient."""
    requestId: str
    """The id of the request, as in the header x-request-id."""


class TransportError(TypedDict):
    error: TransportErrorError
    """The error."""
    meta: Meta
    """Metadata of the answer."""


class UnavailableErrorDetails(TypedDict):
    reason: NotRequired[str]
    """The part of the server that does not answer."""


class UndoBulk(TypedDict):
    undoId: str
    """The `undoId` of the operation."""


class UndoMeta(TypedDict):
    requestId: str
    """The id of the request, as in the header x-request-id."""
    total: int
    """Links of the operation."""
    succeeded: int
    """Links that are as before."""
    skipped: int
    """Links that were skipped."""


class UndoRow(TypedDict):
    id: str
    """Id of the link."""
    status: Literal["restored", "deleted", "skipped"]
    """`restored`: it is as before the operation. `deleted`: the operation had created it. `skipped`: it was not changed."""
    shortUrl: str | None
    """Its short URL."""
    reason: Literal["changed", "clicked", "deleted", "refused"] | None
    """Why it was skipped: it was changed or deleted since, it was created by the operation and visited since, or a former value is no longer possible."""
    message: str | None
    """The reason, for users."""


class UnknownImportDomain(TypedDict):
    domain: str
    """Host in the file."""
    rows: int
    """Rows on this host, all of them refused."""


class UnmetCondition(TypedDict):
    condition: Literal["country", "region", "continent", "device", "os", "browser", "language", "query", "from", "to"]
    """Name of the condition."""
    wanted: str
    """What the rule wants."""
    found: str
    """What the visit has; empty: nothing."""


class UpdateAlert(TypedDict):
    watches: NotRequired[list[Literal["clicks", "destination"]]]
    """`clicks`: an hour far above or below the usual; `destination`: whether the destination of the link answers."""
    recipients: NotRequired[list[str]]
    """Members who get a mail when it begins and when it ends."""
    isActive: NotRequired[bool]
    """False: it is not checked."""


class UpdateApiKey(TypedDict):
    name: NotRequired[str]
    """Purpose of the key."""
    scopes: NotRequired[list[Literal["*", "*:read", "links:read", "links:write", "analytics:read", "analytics:write", "domains:read", "domains:write", "conversions:write", "campaigns:read", "campaigns:write", "utm-templates:read", "utm-templates:write", "bio-pages:read", "bio-pages:write", "media:read", "media:write", "reports:read", "reports:write", "alerts:read", "alerts:write", "webhooks:read", "webhooks:write", "deferred:read", "deferred:write", "dashboards:read", "dashboards:write", "workspaces:read", "workspaces:write", "members:read", "members:write", "billing:read", "audit-log:read", "security-log:read"]] | None]
    """Permissions of the key; null: everything that its user’s role allows."""
    ipAllowlist: NotRequired[list[str] | None]
    """Addresses and CIDR ranges that may use the key; empty or null: any."""
    expiresAt: NotRequired[str | None]
    """When the key expires; null: never. An app gets a new key in time."""


class UpdateBioPage(TypedDict):
    slug: NotRequired[str]
    """The end of its address, in the characters of link slugs. Unique among pages, and on a branded domain among links too."""
    title: NotRequired[str]
    """The heading of the page."""
    description: NotRequired[str | None]
    """The text below the heading."""
    avatarMediaId: NotRequired[str | None]
    """Id of the image at the top (`POST /media`); null: none."""
    theme: NotRequired[BioPageThemeInput]
    """Replaces the theme; fields that are left out come from the preset."""
    blocks: NotRequired[list[BioPageBlockInput]]
    """The blocks in their order: at most 200, and 100,000 characters of JSON in total. Replaces the list; blocks that are sent with their ids keep their links."""
    socials: NotRequired[list[BioPageSocial]]
    """At most 20 profiles. Replaces the list."""
    seo: NotRequired[BioPageSeoInput]
    """Replaces the texts and the image for search engines and previews."""
    status: NotRequired[Literal["draft", "published"]]
    """Only a `published` page is public. A `draft` keeps its slug."""
    domainId: NotRequired[str | None]
    """Id of the branded domain of the page; null: the shared host, under `/p/`."""
    isRoot: NotRequired[bool]
    """Whether the page also answers at `/` of its domain, which must not have a `rootRedirectUrl`."""


class UpdateCampaign(TypedDict):
    name: NotRequired[str]
    """Name of the campaign."""
    description: NotRequired[str | None]
    """What the campaign is about."""
    status: NotRequired[Literal["draft", "active", "paused", "completed", "archived"]]
    """`active` and `paused` campaigns become `completed` at `endsAt`; drafts and archived ones do not. Links redirect in every status."""
    startsAt: NotRequired[str | None]
    """When the campaign begins; null: not planned."""
    endsAt: NotRequired[str | None]
    """When the campaign ends and becomes `completed`; null: never by itself."""
    goal: NotRequired[CampaignGoal | None]
    """The goal of the campaign; null: none. Reaching it changes nothing."""
    utmSource: NotRequired[str | None]
    """`utm_source` of links that are written with this campaign and have no value of their own."""
    utmMedium: NotRequired[str | None]
    """`utm_medium` of links that are written with this campaign and have no value of their own."""
    utmCampaign: NotRequired[str | None]
    """`utm_campaign` of links that are written with this campaign and have no value of their own."""
    utmTerm: NotRequired[str | None]
    """`utm_term` of links that are written with this campaign and have no value of their own."""
    utmContent: NotRequired[str | None]
    """`utm_content` of links that are written with this campaign and have no value of their own."""
    tags: NotRequired[list[str] | None]
    """Tags of the campaign itself; its links have their own. The list replaces the one before."""


class UpdateDashboard(TypedDict):
    title: NotRequired[str]
    """Title that visitors see."""
    linkId: NotRequired[str | None]
    """The link to share. At most one of the three is set."""
    campaignId: NotRequired[str | None]
    """The campaign to share. At most one of the three is set."""
    folderId: NotRequired[str | None]
    """The folder to share. At most one of the three is set."""
    days: NotRequired[int]
    """Number of calendar days that it shows, including today."""
    password: NotRequired[str | None]
    """Password that visitors have to give; null: none. It is stored as a hash and never answered."""
    showConversions: NotRequired[bool]
    """Also shows conversions and their value."""
    currency: NotRequired[str]
    """ISO 4217 code of the currency whose conversions make up the value; `usd` by default."""
    doIndex: NotRequired[bool]
    """Search engines may list its page."""
    revoked: NotRequired[bool]
    """True: its address stops working. False: it works again."""


class UpdateDomain(TypedDict):
    isDefault: NotRequired[bool]
    """Whether new links without a `domainId` are on it; only a verified domain can be."""
    caseSensitive: NotRequired[bool]
    """Whether `/Docs` and `/docs` are two links."""
    rootRedirectUrl: NotRequired[str | None]
    """Where visitors of `/` are sent. Null: a page of this server."""
    notFoundUrl: NotRequired[str | None]
    """Where visitors of unknown links are sent. Null: a page of this server."""
    expiredUrl: NotRequired[str | None]
    """Where visitors of expired links without an `expiredUrl` of their own are sent. Null: a page of this server."""
    appleAppSiteAssociation: NotRequired[dict[str, Any] | None]
    """The file `/.well-known/apple-app-site-association`, for universal links of iOS. At most 65,536 bytes of JSON; null: none."""
    assetLinks: NotRequired[list[Any] | None]
    """The file `/.well-known/assetlinks.json`, for app links of Android. At most 65,536 bytes of JSON; null: none."""


class UpdateEachLink(TypedDict):
    name: NotRequired[str]
    """Name of the link."""
    destinationUrl: NotRequired[str]
    """Target of the redirect: an http or https URL."""
    slug: NotRequired[str | None]
    """Path of the short URL: letters, digits, emoji and `_ - . /`. Absent or null: random at creation, unchanged later."""
    domainId: NotRequired[str | None]
    """Domain of the short URL. For a new link null means the default domain of the workspace, in an update the shared host."""
    expiresAt: NotRequired[str | None]
    """Time at which the link expires; null: never."""
    password: NotRequired[str | None]
    """Password that visitors need, at most 256 bytes; null removes it. In an update `********` keeps it."""
    redirectType: NotRequired[Literal[301, 302, 307, 308] | None]
    """Status of the redirect; null means 302. Browsers cache 301 and 308 for 90 seconds."""
    status: NotRequired[Literal["active", "paused", "archived"] | None]
    """`active` and `archived` links redirect; null means `active`."""
    utmSource: NotRequired[str | None]
    """`utm_source` of the redirect: overrides the destination’s, and is overridden by the visitor’s."""
    utmMedium: NotRequired[str | None]
    """`utm_medium` of the redirect: overrides the destination’s, and is overridden by the visitor’s."""
    utmCampaign: NotRequired[str | None]
    """`utm_campaign` of the redirect: overrides the destination’s, and is overridden by the visitor’s."""
    utmTerm: NotRequired[str | None]
    """`utm_term` of the redirect: overrides the destination’s, and is overridden by the visitor’s."""
    utmContent: NotRequired[str | None]
    """`utm_content` of the redirect: overrides the destination’s, and is overridden by the visitor’s."""
    metadata: NotRequired[dict[str, Any] | None]
    """Custom data, at most 10,000 characters of JSON."""
    iosDeepLink: NotRequired[str | None]
    """Target for visitors with iOS or iPadOS: an http or https URL, or one with the custom scheme of an app. Null: no difference."""
    androidDeepLink: NotRequired[str | None]
    """Target for visitors with Android: an http or https URL, or one with the custom scheme of an app. Null: no difference."""
    expiredUrl: NotRequired[str | None]
    """Target of the link once it has expired; null: a page that says so."""
    maxClicks: NotRequired[int | None]
    """Number of redirects after which the link expires; bots count too. Null: no limit."""
    startsAt: NotRequired[str | None]
    """Time from which on the link redirects, before `expiresAt`; null: at once."""
    variantsUntil: NotRequired[str | None]
    """Time from which on all visitors get `destinationUrl` in place of a variant; null: never."""
    rules: NotRequired[list[NewLinkRule] | None]
    """Targets for some visitors, at most 20; the first rule whose conditions hold is taken."""
    forwardQuery: NotRequired[bool | None]
    """Whether the query of the short URL is added to the destination."""
    noindex: NotRequired[bool | None]
    """Whether to tell search engines not to index the short URL."""
    trackConversions: NotRequired[bool | None]
    """Whether redirects pass the id of their click to the destination, in the parameter `sp_id`, for `POST /conversions`."""
    qrLogoMediaId: NotRequired[str | None]
    """Uploaded image in the middle of the QR codes; null: none."""
    card: NotRequired[NewLinkCard | None]
    """Preview for messengers and social networks, instead of the destination’s; null: none."""
    variants: NotRequired[list[NewLinkVariant] | None]
    """Targets among which the other visitors are split: none, or 2 to 10 whose weights sum to 100. A visitor keeps a variant."""
    aliases: NotRequired[list[str] | None]
    """Further slugs of the link, which redirect and count as its slug does. The list replaces the one before; at most 20."""
    tags: NotRequired[list[str] | None]
    """Tags of the link. At most 50 of 50 characters, without commas. The list replaces the one before."""
    folderId: NotRequired[str | None]
    """Folder of the link. Null: none."""
    campaignId: NotRequired[str | None]
    """Campaign of the link. It sets UTM fields that the link would not have. Null: none."""
    externalId: NotRequired[str | None]
    """Id of the link in another system, unique in the workspace. Null: none."""
    utmTemplateId: NotRequired[str | None]
    """Template for the UTM fields that the request leaves out."""
    domain: NotRequired[str | None]
    """Host of the domain, instead of `domainId`; the host of the server means no domain."""
    keepAlias: NotRequired[bool | None]
    """Whether the old slug becomes an alias when `slug` changes."""
    addTags: NotRequired[list[str]]
    """Tags to add to each link."""
    removeTags: NotRequired[list[str]]
    """Tags to remove from each link. A tag in both lists stays."""


class UpdateFolder(TypedDict):
    name: NotRequired[str]
    """Name of the folder, unique in the workspace in any case."""


class UpdateLink(TypedDict):
    name: NotRequired[str]
    """Name of the link."""
    destinationUrl: NotRequired[str]
    """Target of the redirect: an http or https URL."""
    slug: NotRequired[str | None]
    """Path of the short URL: letters, digits, emoji and `_ - . /`. Absent or null: random at creation, unchanged later."""
    domainId: NotRequired[str | None]
    """Domain of the short URL. For a new link null means the default domain of the workspace, in an update the shared host."""
    expiresAt: NotRequired[str | None]
    """Time at which the link expires; null: never."""
    password: NotRequired[str | None]
    """Password that visitors need, at most 256 bytes; null removes it. In an update `********` keeps it."""
    redirectType: NotRequired[Literal[301, 302, 307, 308] | None]
    """Status of the redirect; null means 302. Browsers cache 301 and 308 for 90 seconds."""
    status: NotRequired[Literal["active", "paused", "archived"] | None]
    """`active` and `archived` links redirect; null means `active`."""
    utmSource: NotRequired[str | None]
    """`utm_source` of the redirect: overrides the destination’s, and is overridden by the visitor’s."""
    utmMedium: NotRequired[str | None]
    """`utm_medium` of the redirect: overrides the destination’s, and is overridden by the visitor’s."""
    utmCampaign: NotRequired[str | None]
    """`utm_campaign` of the redirect: overrides the destination’s, and is overridden by the visitor’s."""
    utmTerm: NotRequired[str | None]
    """`utm_term` of the redirect: overrides the destination’s, and is overridden by the visitor’s."""
    utmContent: NotRequired[str | None]
    """`utm_content` of the redirect: overrides the destination’s, and is overridden by the visitor’s."""
    metadata: NotRequired[dict[str, Any] | None]
    """Custom data, at most 10,000 characters of JSON."""
    iosDeepLink: NotRequired[str | None]
    """Target for visitors with iOS or iPadOS: an http or https URL, or one with the custom scheme of an app. Null: no difference."""
    androidDeepLink: NotRequired[str | None]
    """Target for visitors with Android: an http or https URL, or one with the custom scheme of an app. Null: no difference."""
    expiredUrl: NotRequired[str | None]
    """Target of the link once it has expired; null: a page that says so."""
    maxClicks: NotRequired[int | None]
    """Number of redirects after which the link expires; bots count too. Null: no limit."""
    startsAt: NotRequired[str | None]
    """Time from which on the link redirects, before `expiresAt`; null: at once."""
    variantsUntil: NotRequired[str | None]
    """Time from which on all visitors get `destinationUrl` in place of a variant; null: never."""
    rules: NotRequired[list[NewLinkRule] | None]
    """Targets for some visitors, at most 20; the first rule whose conditions hold is taken."""
    forwardQuery: NotRequired[bool | None]
    """Whether the query of the short URL is added to the destination."""
    noindex: NotRequired[bool | None]
    """Whether to tell search engines not to index the short URL."""
    trackConversions: NotRequired[bool | None]
    """Whether redirects pass the id of their click to the destination, in the parameter `sp_id`, for `POST /conversions`."""
    qrLogoMediaId: NotRequired[str | None]
    """Uploaded image in the middle of the QR codes; null: none."""
    card: NotRequired[NewLinkCard | None]
    """Preview for messengers and social networks, instead of the destination’s; null: none."""
    variants: NotRequired[list[NewLinkVariant] | None]
    """Targets among which the other visitors are split: none, or 2 to 10 whose weights sum to 100. A visitor keeps a variant."""
    aliases: NotRequired[list[str] | None]
    """Further slugs of the link, which redirect and count as its slug does. The list replaces the one before; at most 20."""
    tags: NotRequired[list[str] | None]
    """Tags of the link. At most 50 of 50 characters, without commas. The list replaces the one before."""
    folderId: NotRequired[str | None]
    """Folder of the link. Null: none."""
    campaignId: NotRequired[str | None]
    """Campaign of the link. It sets UTM fields that the link would not have. Null: none."""
    externalId: NotRequired[str | None]
    """Id of the link in another system, unique in the workspace. Null: none."""
    utmTemplateId: NotRequired[str | None]
    """Template for the UTM fields that the request leaves out."""
    domain: NotRequired[str | None]
    """Host of the domain, instead of `domainId`; the host of the server means no domain."""
    keepAlias: NotRequired[bool | None]
    """Whether the old slug becomes an alias when `slug` changes."""


class UpdateLinks(TypedDict):
    ids: NotRequired[list[str]]
    """The links by their ids, at most 1000."""
    externalIds: NotRequired[list[str]]
    """The links by their `externalId`, instead of `ids`; at most 1000."""
    filter: NotRequired[LinkFilter]
    """The links by the filters of `GET /links`, instead of a list; at most 10000. `{}` means all that are not archived."""
    data: UpdateEachLink
    """The fields to change, the same for all links."""


class UpdateLinkView(TypedDict):
    name: NotRequired[str]
    """Name of the view."""
    query: NotRequired[str]
    """Filters, order and columns, as the query string of the page."""
    isShared: NotRequired[bool]
    """Whether all members see it, and may change it."""


class UpdateMember(TypedDict):
    role: Literal["viewer", "member", "admin", "owner"]
    """Role in the workspace."""


class UpdateReport(TypedDict):
    name: NotRequired[str]
    """Name of the report."""
    filters: NotRequired[ReportFilters]
    """What the report is about."""
    schedule: NotRequired[ReportScheduleInput | None]
    """Runs the report at these times too, after the run now; null: ends the schedule."""


class UpdateUtmTemplate(TypedDict):
    name: NotRequired[str]
    """Name of the template."""
    utmSource: NotRequired[str | None]
    """`utm_source` that a link takes over; null or an empty text: none."""
    utmMedium: NotRequired[str | None]
    """`utm_medium` that a link takes over; null or an empty text: none."""
    utmCampaign: NotRequired[str | None]
    """`utm_campaign` that a link takes over; null or an empty text: none."""
    utmTerm: NotRequired[str | None]
    """`utm_term` that a link takes over; null or an empty text: none."""
    utmContent: NotRequired[str | None]
    """`utm_content` that a link takes over; null or an empty text: none."""


class UpdateWebhookEndpoint(TypedDict):
    url: NotRequired[str]
    """Where deliveries are posted: an https URL."""
    events: NotRequired[list[Literal["*", "link.created", "link.updated", "link.deleted", "domain.verified", "domain.failed", "click.received", "conversion.received", "campaign.completed", "report.generated", "billing.subscription.updated"]]]
    """Event types; `*` means all, also types of later versions."""
    description: NotRequired[str | None]
    """What the endpoint is for."""
    status: NotRequired[Literal["active", "paused"]]
    """A `paused` endpoint receives nothing."""
    standardHeaders: NotRequired[bool]
    """Send the headers of Standard Webhooks as well."""
    failureEmail: NotRequired[str | None]
    """Where a mail goes when deliveries to this endpoint keep failing: the verified address of an admin or owner of the workspace."""
    disableAfterHours: NotRequired[int | None]
    """Pause the endpoint after this many hours in which every attempt failed; null: never."""
    headers: NotRequired[dict[str, str] | None]
    """Headers that every delivery carries, by name: at most 20, with values of at most 1,024 bytes. They replace the stored headers; the value `********` keeps a stored value, `{}` and null remove all."""


class UpdateWorkspace(TypedDict):
    name: NotRequired[str]
    """Name of the workspace."""
    honorsPrivacySignals: NotRequired[bool]
    """True: a click with `Sec-GPC: 1` or `DNT: 1` counts as a click but not as a visitor. A change applies to new clicks within ten seconds."""
    timezone: NotRequired[str]
    """IANA name of the time zone in which clients show times to members who have not chosen one."""
    brandColor: NotRequired[str | None]
    """Color of buttons and links on its pages for visitors, as `#` and six hexadecimal digits; null: the usual one. Only its own domains show it."""
    logoMediaId: NotRequired[str | None]
    """Id of the image at the top of its pages for visitors (`POST /media`); null: none. Only its own domains show it."""


class UpsertMeta(TypedDict):
    requestId: str
    """The id of the request, as in the header x-request-id."""
    created: bool
    """Whether the link is new."""


class UtmTemplate(TypedDict):
    id: str
    """Id of the template."""
    workspaceId: str
    """Id of the workspace it belongs to."""
    name: str
    """Name of the template."""
    utmSource: str | None
    """`utm_source` that a link takes over; null or an empty text: none."""
    utmMedium: str | None
    """`utm_medium` that a link takes over; null or an empty text: none."""
    utmCampaign: str | None
    """`utm_campaign` that a link takes over; null or an empty text: none."""
    utmTerm: str | None
    """`utm_term` that a link takes over; null or an empty text: none."""
    utmContent: str | None
    """`utm_content` that a link takes over; null or an empty text: none."""
    createdAt: str
    """When it was created."""
    updatedAt: str
    """When it was last changed."""


class WebhookAttempt(TypedDict):
    attempt: int
    """The number of the attempt, from 1."""
    at: str
    """When it was made."""
    responseStatus: int | None
    """The HTTP status of the answer; null without an answer."""
    durationMs: int | None
    """How long the answer took, in milliseconds."""
    error: str | None
    """The reason why there is no answer."""
    responseHeaders: dict[str, str] | None
    """The headers of the answer; null without one."""
    responseBody: str | None
    """The first 4000 characters of the answer."""


class WebhookDelivery(TypedDict):
    id: str
    """Id of the delivery."""
    workspaceId: str
    """Id of the workspace it belongs to."""
    endpointId: str
    """Id of the endpoint."""
    eventType: Literal["link.created", "link.updated", "link.deleted", "domain.verified", "domain.failed", "click.received", "conversion.received", "campaign.completed", "report.generated", "billing.subscription.updated"]
    """The type of the event."""
    eventId: str
    """Id of the event."""
    status: Literal["pending", "processing", "completed", "failed", "dead_letter"]
    """State of the delivery: `failed` is tried again, a `dead_letter` is not."""
    attempts: int
    """Number of attempts so far."""
    maxAttempts: int
    """Number of attempts after which it becomes a dead letter."""
    responseStatus: int | None
    """The HTTP status of the answer; null without an answer."""
    durationMs: int | None
    """How long the answer took, in milliseconds."""
    createdAt: str
    """When it was queued."""
    completedAt: str | None
    """When an attempt succeeded."""
    error: str | None
    """The reason why there is no answer."""
    nextAttemptAt: str | None
    """When the next attempt is due."""


class WebhookDeliveryCounts(TypedDict):
    total: int
    """Deliveries that the filters match."""
    pending: int
    """Those with the status `pending`."""
    processing: int
    """Those with the status `processing`."""
    completed: int
    """Those with the status `completed`."""
    failed: int
    """Those with the status `failed`."""
    dead_letter: int
    """Those with the status `dead_letter`."""


class WebhookDeliveryDetail(TypedDict):
    id: str
    """Id of the delivery."""
    workspaceId: str
    """Id of the workspace it belongs to."""
    endpointId: str
    """Id of the endpoint."""
    eventType: Literal["link.created", "link.updated", "link.deleted", "domain.verified", "domain.failed", "click.received", "conversion.received", "campaign.completed", "report.generated", "billing.subscription.updated"]
    """The type of the event."""
    eventId: str
    """Id of the event."""
    status: Literal["pending", "processing", "completed", "failed", "dead_letter"]
    """State of the delivery: `failed` is tried again, a `dead_letter` is not."""
    attempts: int
    """Number of attempts so far."""
    maxAttempts: int
    """Number of attempts after which it becomes a dead letter."""
    responseStatus: int | None
    """The HTTP status of the answer; null without an answer."""
    durationMs: int | None
    """How long the answer took, in milliseconds."""
    createdAt: str
    """When it was queued."""
    completedAt: str | None
    """When an attempt succeeded."""
    error: str | None
    """The reason why there is no answer."""
    nextAttemptAt: str | None
    """When the next attempt is due."""
    responseBody: str | None
    """The first 4000 characters of the answer."""
    responseHeaders: dict[str, str] | None
    """The headers of the answer."""
    payload: Any
    """The original event payload; null when it was older than the log is kept."""
    requestBody: str | None
    """Body of the latest attempt."""
    requestHeaders: dict[str, str] | None
    """Headers of the latest attempt, signature included. The endpoint’s custom headers are masked."""
    attemptLog: list[WebhookAttempt]
    """The attempts, oldest first, with the answers to the latest eleven."""


class WebhookEndpoint(TypedDict):
    id: str
    """Id of the endpoint."""
    workspaceId: str
    """Id of the workspace it belongs to."""
    url: str
    """Where deliveries are posted: an https URL."""
    description: str | None
    """What the endpoint is for."""
    events: list[Literal["*", "link.created", "link.updated", "link.deleted", "domain.verified", "domain.failed", "click.received", "conversion.received", "campaign.completed", "report.generated", "billing.subscription.updated"]]
    """Event types; `*` means all, also types of later versions."""
    status: Literal["active", "paused"]
    """A `paused` endpoint receives nothing."""
    failureCount: int
    """Failed attempts since the last success."""
    lastFailureAt: str | None
    """When an attempt last failed."""
    lastSuccessAt: str | None
    """When an attempt last succeeded."""
    createdBy: str
    """Id of the user who created it."""
    createdAt: str
    """When it was created."""
    updatedAt: str
    """When it was last changed."""
    standardHeaders: bool
    """Send the headers of Standard Webhooks as well."""
    failureEmail: str | None
    """Where a mail goes when deliveries to this endpoint keep failing: the verified address of an admin or owner of the workspace."""
    droppedClicks: int
    """`click.received` deliveries that a backlog of a million refused."""
    disableAfterHours: int | None
    """Pause the endpoint after this many hours in which every attempt failed; null: never."""
    autoPausedAt: str | None
    """When it was paused because of `disableAfterHours`; null once it is resumed."""
    previousSecretValidUntil: str | None
    """Until when deliveries are signed with the previous secret as well; null without an overlap."""
    headers: dict[str, str]
    """Headers that every delivery carries, by name; each value is shown as `********`."""


class WebhookEndpointHour(TypedDict):
    start: str
    """Start of the hour, in UTC."""
    delivered: int
    """Attempts that succeeded."""
    failed: int
    """Attempts that failed."""


_WebhookEndpointStats = TypedDict("_WebhookEndpointStats", {
    # Start of the first hour.
    "from": str,
})


class WebhookEndpointStats(_WebhookEndpointStats):
    to: str
    """End of the present hour."""
    delivered: int
    """Attempts that succeeded."""
    failed: int
    """Attempts that failed; a delivery may have several."""
    p50Ms: int | None
    """Half of the answers took at most this long, in milliseconds, interpolated from counts; null without an answer."""
    p99Ms: int | None
    """99 of 100 answers took at most this long."""
    failureCount: int
    """Failed attempts since the last success."""
    lastFailureAt: str | None
    """When an attempt last failed."""
    lastSuccessAt: str | None
    """When an attempt last succeeded."""
    hours: list[WebhookEndpointHour]
    """The 24 hours, the oldest first."""


class WebhookEventCatalog(TypedDict):
    events: list[WebhookEventType]
    """All event types."""


class WebhookEventType(TypedDict):
    type: Literal["link.created", "link.updated", "link.deleted", "domain.verified", "domain.failed", "click.received", "conversion.received", "campaign.completed", "report.generated", "billing.subscription.updated"]
    """The type of the event."""
    label: str
    """Name to display."""
    description: str
    """When it happens."""
    sample: Any
    """Example of the data of this type."""


class WebhookSecret(TypedDict):
    id: str
    """Id of the endpoint."""
    secret: str
    """The key of the signatures, `whsec_` included."""


class Workspace(TypedDict):
    id: str
    """Id of the workspace."""
    name: str
    """Name of the workspace."""
    plan: str
    """Id of its plan."""
    role: Literal["viewer", "member", "admin", "owner"]
    """Role of the caller in the workspace."""
    isSuspended: bool
    """Suspended by the operator: its API requests are refused and its links do not redirect."""
    honorsPrivacySignals: bool
    """True: a click with `Sec-GPC: 1` or `DNT: 1` counts as a click but not as a visitor. A change applies to new clicks within ten seconds."""
    timezone: str
    """IANA name of the time zone in which clients show times to members who have not chosen one."""
    brandColor: str | None
    """Color of buttons and links on its pages for visitors, as `#` and six hexadecimal digits; null: the usual one. Only its own domains show it."""
    logoMediaId: str | None
    """Id of the image at the top of its pages for visitors (`POST /media`); null: none. Only its own domains show it."""
    createdAt: str
    """When it was created."""
    updatedAt: str
    """When it was last changed."""


class WorkspaceUsage(TypedDict):
    period: str
    """The UTC calendar month."""
    resetsAt: str
    """Start of the next month."""
    usage: dict[str, LimitUse]
    """Use by name of the limit."""


class UpsertLinkQuery(TypedDict):
    keep: NotRequired[bool]
    """Whether a link that exists stays as it is."""


class CheckSlugQuery(TypedDict):
    slug: str
    """The wanted slug."""
    domainId: NotRequired[str]
    """The domain; without it the default one."""
    domain: NotRequired[str]
    """Host of the domain, instead of `domainId`; the host of the server means no domain."""


class CountLinksQuery(TypedDict):
    groupBy: NotRequired[Literal["status", "tag", "folderId", "campaignId", "domainId", "createdBy"]]
    """The field by which links are counted."""
    search: NotRequired[str]
    """Only links with this text in name, slug or destination."""
    status: NotRequired[Literal["active", "paused", "archived", "expired", "blocked"]]
    """Only links of this status."""
    includeArchived: NotRequired[bool]
    """Include archived links."""
    createdFrom: NotRequired[str]
    """Only links created at this time or later."""
    createdTo: NotRequired[str]
    """Only links created before this time."""
    domainId: NotRequired[str]
    """Only links on this domain."""
    domain: NotRequired[str]
    """Host of the domain, instead of `domainId`; the host of the server means no domain."""
    campaignId: NotRequired[str]
    """Only links of this campaign."""
    folderId: NotRequired[str]
    """Only links in this folder."""
    externalId: NotRequired[str]
    """Only the link with this id of yours."""
    slug: NotRequired[str]
    """Only links with this slug, or with this alias."""
    destinationUrl: NotRequired[str]
    """Only links to this destination, as answers have it."""
    tag: NotRequired[str]
    """Only links with this tag."""
    tags: NotRequired[str]
    """Only links with one of these tags, separated by commas."""
    tagsMode: NotRequired[Literal["any", "all"]]
    """Links with `any` of the `tags`, which is the default, or with `all` of them."""


class ExportLinksQuery(TypedDict):
    search: NotRequired[str]
    """Only links with this text in name, slug or destination."""
    status: NotRequired[Literal["active", "paused", "archived", "expired", "blocked"]]
    """Only links of this status."""
    includeArchived: NotRequired[bool]
    """Include archived links."""
    createdFrom: NotRequired[str]
    """Only links created at this time or later."""
    createdTo: NotRequired[str]
    """Only links created before this time."""
    domainId: NotRequired[str]
    """Only links on this domain."""
    domain: NotRequired[str]
    """Host of the domain, instead of `domainId`; the host of the server means no domain."""
    campaignId: NotRequired[str]
    """Only links of this campaign."""
    folderId: NotRequired[str]
    """Only links in this folder."""
    externalId: NotRequired[str]
    """Only the link with this id of yours."""
    slug: NotRequired[str]
    """Only links with this slug, or with this alias."""
    destinationUrl: NotRequired[str]
    """Only links to this destination, as answers have it."""
    tag: NotRequired[str]
    """Only links with this tag."""
    tags: NotRequired[str]
    """Only links with one of these tags, separated by commas."""
    tagsMode: NotRequired[Literal["any", "all"]]
    """Links with `any` of the `tags`, which is the default, or with `all` of them."""


class GetLinkQrCodeQuery(TypedDict):
    format: NotRequired[Literal["png", "svg", "pdf"]]
    """Format of the image."""
    shape: NotRequired[Literal["square", "rounded", "dots"]]
    """Shape of the modules."""
    size: NotRequired[int]
    """Width and height in pixels."""
    margin: NotRequired[int]
    """Margin around the code, in modules of the code."""
    fg: NotRequired[str]
    """Color of the code: six hexadecimal digits."""
    bg: NotRequired[str]
    """Color of the background: six hexadecimal digits."""
    level: NotRequired[Literal["L", "M", "Q", "H"]]
    """Level of error correction: L, M, Q or H. By default H with a logo, which covers a part of the code, Q with dots, else M."""


class DrawLinkQrCodeForm(TypedDict):
    logo: File
    """The file."""
    format: NotRequired[Literal["png", "svg", "pdf"]]
    """Format of the image."""
    shape: NotRequired[Literal["square", "rounded", "dots"]]
    """Shape of the modules."""
    size: NotRequired[int]
    """Width and height in pixels."""
    margin: NotRequired[int]
    """Margin around the code, in modules of the code."""
    fg: NotRequired[str]
    """Color of the code: six hexadecimal digits."""
    bg: NotRequired[str]
    """Color of the background: six hexadecimal digits."""
    level: NotRequired[Literal["L", "M", "Q", "H"]]
    """Level of error correction: L, M, Q or H. H by default, since the logo covers a part of the code."""


class PreviewLinkQuery(TypedDict):
    url: str
    """The page: an http or https URL."""


class GetDestinationIconQuery(TypedDict):
    url: str
    """A page of the site."""


class ListLinksQuery(TypedDict):
    limit: NotRequired[int]
    """Rows per page. More than 100 counts as 100."""
    offset: NotRequired[int]
    """How many rows to skip."""
    cursor: NotRequired[str]
    """`meta.nextCursor` of the page before, in a request with the same filters and order. Reads a deep page as fast as the first one. Links created or deleted since then neither repeat nor hide another."""
    search: NotRequired[str]
    """Only links with this text in name, slug or destination."""
    status: NotRequired[Literal["active", "paused", "archived", "expired", "blocked"]]
    """Only links of this status."""
    includeArchived: NotRequired[bool]
    """Include archived links."""
    createdFrom: NotRequired[str]
    """Only links created at this time or later."""
    createdTo: NotRequired[str]
    """Only links created before this time."""
    domainId: NotRequired[str]
    """Only links on this domain."""
    domain: NotRequired[str]
    """Host of the domain, instead of `domainId`; the host of the server means no domain."""
    campaignId: NotRequired[str]
    """Only links of this campaign."""
    folderId: NotRequired[str]
    """Only links in this folder."""
    externalId: NotRequired[str]
    """Only the link with this id of yours."""
    slug: NotRequired[str]
    """Only links with this slug, or with this alias."""
    destinationUrl: NotRequired[str]
    """Only links to this destination, as answers have it."""
    ids: NotRequired[str]
    """Only these links: ids, at most 100, separated by commas."""
    tag: NotRequired[str]
    """Only links with this tag."""
    tags: NotRequired[str]
    """Only links with one of these tags, separated by commas."""
    tagsMode: NotRequired[Literal["any", "all"]]
    """Links with `any` of the `tags`, which is the default, or with `all` of them."""
    clickDays: NotRequired[int]
    """Adds `periodClicks`, `periodConversions` and `periodValue` to each link: its clicks and conversions of the last calendar days, today included."""
    timezone: NotRequired[str]
    """IANA time zone of the days of `clickDays`; UTC without it."""
    currency: NotRequired[str]
    """Currency of `periodValue`, as three letters of ISO 4217; `usd` without it."""
    sortBy: NotRequired[Literal["createdAt", "updatedAt", "name", "slug", "clicks", "lastClickedAt", "expiresAt", "periodClicks"]]
    """Sort field. The order by `clicks` and `lastClickedAt` may be ten seconds old; `periodClicks` needs `clickDays`."""
    sortOrder: NotRequired[Literal["asc", "desc"]]
    """Ascending or descending."""


class ExplainLinkQuery(TypedDict):
    userAgent: NotRequired[str]
    """User agent of the visitor."""
    country: NotRequired[str]
    """ISO 3166-1 code of the country."""
    region: NotRequired[str]
    """Region, with its country."""
    city: NotRequired[str]
    """City; no condition depends on it."""
    language: NotRequired[str]
    """A language, or an Accept-Language header."""
    query: NotRequired[str]
    """Query of the short URL."""
    at: NotRequired[str]
    """Time of the visit; now by default."""
    unlocked: NotRequired[bool]
    """Whether the visitor has given the password."""


class ListLinkHistoryQuery(TypedDict):
    limit: NotRequired[int]
    """Rows per page. More than 100 counts as 100."""
    offset: NotRequired[int]
    """How many rows to skip."""


class ListLinkViewsQuery(TypedDict):
    limit: NotRequired[int]
    """Rows per page. More than 100 counts as 100."""
    offset: NotRequired[int]
    """How many rows to skip."""
    search: NotRequired[str]
    """Only views with this text in their name, in any case."""
    sortBy: NotRequired[Literal["createdAt", "name"]]
    """Sort field."""
    sortOrder: NotRequired[Literal["asc", "desc"]]
    """Ascending or descending."""


class ImportLinksForm(TypedDict):
    file: File
    """The file."""
    source: NotRequired[Literal["csv", "bitly", "dub", "shortio", "rebrandly", "yourls", "kutt", "shlink", "sink", "linktree", "linkstack"]]
    """Service that wrote the file. Absent: recognized by its columns."""
    dryRun: NotRequired[bool]
    """Whether to check and count everything, but write nothing."""
    onConflict: NotRequired[Literal["skip", "update"]]
    """What happens to a link with the same externalId, else slug, else id. The default is `skip`."""
    mapping: NotRequired[str]
    """JSON object: the field of a link for a column of the file; null leaves a column out."""
    domain: NotRequired[str]
    """Host of a domain of the workspace, or of the shared host, on which all links of the file are created; `default`: the default domain. Without it the column `domain` counts."""


class ListImportsQuery(TypedDict):
    limit: NotRequired[int]
    """Rows per page. More than 100 counts as 100."""
    offset: NotRequired[int]
    """How many rows to skip."""


class ListImportRowsQuery(TypedDict):
    limit: NotRequired[int]
    """Rows per page. More than 100 counts as 100."""
    offset: NotRequired[int]
    """How many rows to skip."""
    status: NotRequired[Literal["created", "updated", "skipped", "failed"]]
    """Result of the row; in a dry run, the expected one."""


class ListFoldersQuery(TypedDict):
    limit: NotRequired[int]
    """Rows per page. More than 100 counts as 100."""
    offset: NotRequired[int]
    """How many rows to skip."""
    search: NotRequired[str]
    """Only folders with this text in their name, in any case."""
    sortBy: NotRequired[Literal["name", "createdAt", "updatedAt"]]
    """Sort field."""
    sortOrder: NotRequired[Literal["asc", "desc"]]
    """Ascending or descending."""


class ListTagsQuery(TypedDict):
    limit: NotRequired[int]
    """Rows per page. More than 100 counts as 100."""
    offset: NotRequired[int]
    """How many rows to skip."""
    search: NotRequired[str]
    """Only tags with this text in their name, in any case."""
    sortBy: NotRequired[Literal["name", "links"]]
    """Sort field."""
    sortOrder: NotRequired[Literal["asc", "desc"]]
    """Ascending or descending."""


class ListCampaignsQuery(TypedDict):
    limit: NotRequired[int]
    """Rows per page. More than 100 counts as 100."""
    offset: NotRequired[int]
    """How many rows to skip."""
    search: NotRequired[str]
    """Only campaigns with this text in their name, in any case."""
    sortBy: NotRequired[Literal["createdAt", "updatedAt", "name", "startsAt", "endsAt"]]
    """Sort field."""
    sortOrder: NotRequired[Literal["asc", "desc"]]
    """Ascending or descending."""
    status: NotRequired[Literal["draft", "active", "paused", "completed", "archived"]]
    """Only campaigns of this status."""


class ListUtmTemplatesQuery(TypedDict):
    limit: NotRequired[int]
    """Rows per page. More than 100 counts as 100."""
    offset: NotRequired[int]
    """How many rows to skip."""
    search: NotRequired[str]
    """Only templates with this text in their name, in any case."""
    sortBy: NotRequired[Literal["createdAt", "updatedAt", "name"]]
    """Sort field."""
    sortOrder: NotRequired[Literal["asc", "desc"]]
    """Ascending or descending."""


class SearchQuery(TypedDict):
    q: str
    """A part of a name, slug or address, in any case; the beginning of a slug, alias or external id; or a whole short URL. An empty one finds nothing."""
    limit: NotRequired[int]
    """The largest number of results of each kind."""


class ListBioPagesQuery(TypedDict):
    limit: NotRequired[int]
    """Rows per page. More than 100 counts as 100."""
    offset: NotRequired[int]
    """How many rows to skip."""
    search: NotRequired[str]
    """Only pages with this text in their name, in any case."""
    sortBy: NotRequired[Literal["createdAt", "updatedAt", "title"]]
    """Sort field."""
    sortOrder: NotRequired[Literal["asc", "desc"]]
    """Ascending or descending."""
    status: NotRequired[Literal["draft", "published"]]
    """Only pages of this status."""


class UpdateBioPageQuery(TypedDict):
    links: NotRequired[Literal["keep", "delete"]]
    """Whether to keep the links that the page created for removed blocks. Links that another page shows are always kept."""


class DeleteBioPageQuery(TypedDict):
    links: NotRequired[Literal["keep", "delete"]]
    """Whether to keep the links that the page created for removed blocks. Links that another page shows are always kept."""


class UploadMediaForm(TypedDict):
    file: File
    """The file."""


class ListMediaQuery(TypedDict):
    limit: NotRequired[int]
    """Rows per page. More than 100 counts as 100."""
    offset: NotRequired[int]
    """How many rows to skip."""
    search: NotRequired[str]
    """Only images with this text in their names, in any case."""


class DeleteMediaQuery(TypedDict):
    force: NotRequired[bool]
    """Also deletes an image that is in use, and removes it from what shows it."""


class ListDomainsQuery(TypedDict):
    limit: NotRequired[int]
    """Rows per page. More than 100 counts as 100."""
    offset: NotRequired[int]
    """How many rows to skip."""
    search: NotRequired[str]
    """Only domains with this text in their host, in any case."""
    status: NotRequired[Literal["pending", "verified", "failed", "misconfigured"]]
    """Only domains of this status."""


class DeleteDomainQuery(TypedDict):
    force: NotRequired[bool]
    """Moves the links of the domain to the shared host: all of them, at most 1,000, or none."""


class GetLinkAnalyticsQuery(TypedDict):
    days: NotRequired[int]
    """Number of calendar days, including today."""
    interval: NotRequired[Literal["24h", "7d", "30d", "90d", "1y", "mtd", "qtd", "ytd", "all"]]
    """Instead of `days`: the last 24 hours, so many days, the month, quarter or year to date, or all days since the workspace exists."""
    start: NotRequired[str]
    """Instead of `interval`: the first moment, as a time or as a date of the time zone. The default is 30 days before `end`."""
    end: NotRequired[str]
    """The moment after the period, or its last date. The default is now."""
    timezone: NotRequired[str]
    """IANA time zone of the calendar days."""
    includeBots: NotRequired[bool]
    """Also count crawlers, link previews and prefetches."""
    country: NotRequired[str]
    """Only clicks with this label: ISO country of the visitor. Several are separated by commas, and a leading hyphen excludes them."""
    region: NotRequired[str]
    """Only clicks with this label: Region of the visitor. Several are separated by commas, and a leading hyphen excludes them."""
    city: NotRequired[str]
    """Only clicks with this label: City of the visitor. Several are separated by commas, and a leading hyphen excludes them."""
    continent: NotRequired[str]
    """Only clicks with this label: Continent of the visitor. Several are separated by commas, and a leading hyphen excludes them."""
    device: NotRequired[str]
    """Only clicks with this label: Kind of device. Several are separated by commas, and a leading hyphen excludes them."""
    browser: NotRequired[str]
    """Only clicks with this label: Name of the browser. Several are separated by commas, and a leading hyphen excludes them."""
    os: NotRequired[str]
    """Only clicks with this label: Name of the operating system. Several are separated by commas, and a leading hyphen excludes them."""
    referrer: NotRequired[str]
    """Only clicks with this label: Host of the page with the link; `direct` without one. Several are separated by commas, and a leading hyphen excludes them."""
    language: NotRequired[str]
    """Only clicks with this label: Preferred language of the browser. Several are separated by commas, and a leading hyphen excludes them."""
    trigger: NotRequired[str]
    """Only clicks with this label: `qr` for scanned codes, else `link`. Several are separated by commas, and a leading hyphen excludes them."""
    utmSource: NotRequired[str]
    """Only clicks with this label: `utm_source` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    utmMedium: NotRequired[str]
    """Only clicks with this label: `utm_medium` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    utmCampaign: NotRequired[str]
    """Only clicks with this label: `utm_campaign` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    utmTerm: NotRequired[str]
    """Only clicks with this label: `utm_term` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    utmContent: NotRequired[str]
    """Only clicks with this label: `utm_content` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    destination: NotRequired[str]
    """Only clicks with this label: Destination of the click. Several are separated by commas, and a leading hyphen excludes them."""
    route: NotRequired[str]
    """Only clicks with this label: The option of the link that chose the destination; `default` without one. Several are separated by commas, and a leading hyphen excludes them."""
    domain: NotRequired[str]
    """Only clicks with this label: Id of the domain of the click; `default` for the shared host. Several are separated by commas, and a leading hyphen excludes them."""
    domainId: NotRequired[str]
    """Only clicks on this domain. Several are separated by commas, and a leading hyphen excludes them."""
    currency: NotRequired[str]
    """ISO 4217 code of the currency of `value`; `usd` by default."""


class GetLinkTimeseriesQuery(TypedDict):
    days: NotRequired[int]
    """Number of calendar days, including today."""
    interval: NotRequired[Literal["24h", "7d", "30d", "90d", "1y", "mtd", "qtd", "ytd", "all"]]
    """Instead of `days`: the last 24 hours, so many days, the month, quarter or year to date, or all days since the workspace exists."""
    start: NotRequired[str]
    """Instead of `interval`: the first moment, as a time or as a date of the time zone. The default is 30 days before `end`."""
    end: NotRequired[str]
    """The moment after the period, or its last date. The default is now."""
    timezone: NotRequired[str]
    """IANA time zone of the calendar days."""
    includeBots: NotRequired[bool]
    """Also count crawlers, link previews and prefetches."""
    country: NotRequired[str]
    """Only clicks with this label: ISO country of the visitor. Several are separated by commas, and a leading hyphen excludes them."""
    region: NotRequired[str]
    """Only clicks with this label: Region of the visitor. Several are separated by commas, and a leading hyphen excludes them."""
    city: NotRequired[str]
    """Only clicks with this label: City of the visitor. Several are separated by commas, and a leading hyphen excludes them."""
    continent: NotRequired[str]
    """Only clicks with this label: Continent of the visitor. Several are separated by commas, and a leading hyphen excludes them."""
    device: NotRequired[str]
    """Only clicks with this label: Kind of device. Several are separated by commas, and a leading hyphen excludes them."""
    browser: NotRequired[str]
    """Only clicks with this label: Name of the browser. Several are separated by commas, and a leading hyphen excludes them."""
    os: NotRequired[str]
    """Only clicks with this label: Name of the operating system. Several are separated by commas, and a leading hyphen excludes them."""
    referrer: NotRequired[str]
    """Only clicks with this label: Host of the page with the link; `direct` without one. Several are separated by commas, and a leading hyphen excludes them."""
    language: NotRequired[str]
    """Only clicks with this label: Preferred language of the browser. Several are separated by commas, and a leading hyphen excludes them."""
    trigger: NotRequired[str]
    """Only clicks with this label: `qr` for scanned codes, else `link`. Several are separated by commas, and a leading hyphen excludes them."""
    utmSource: NotRequired[str]
    """Only clicks with this label: `utm_source` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    utmMedium: NotRequired[str]
    """Only clicks with this label: `utm_medium` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    utmCampaign: NotRequired[str]
    """Only clicks with this label: `utm_campaign` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    utmTerm: NotRequired[str]
    """Only clicks with this label: `utm_term` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    utmContent: NotRequired[str]
    """Only clicks with this label: `utm_content` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    destination: NotRequired[str]
    """Only clicks with this label: Destination of the click. Several are separated by commas, and a leading hyphen excludes them."""
    route: NotRequired[str]
    """Only clicks with this label: The option of the link that chose the destination; `default` without one. Several are separated by commas, and a leading hyphen excludes them."""
    domain: NotRequired[str]
    """Only clicks with this label: Id of the domain of the click; `default` for the shared host. Several are separated by commas, and a leading hyphen excludes them."""
    domainId: NotRequired[str]
    """Only clicks on this domain. Several are separated by commas, and a leading hyphen excludes them."""
    currency: NotRequired[str]
    """ISO 4217 code of the currency of `value`; `usd` by default."""
    granularity: NotRequired[Literal["hour", "day", "week", "month"]]
    """Length of a bucket, in the time zone; weeks begin on Monday. The default is hours up to two days, days up to 180, else months."""


class GetLinkBreakdownQuery(TypedDict):
    days: NotRequired[int]
    """Number of calendar days, including today."""
    interval: NotRequired[Literal["24h", "7d", "30d", "90d", "1y", "mtd", "qtd", "ytd", "all"]]
    """Instead of `days`: the last 24 hours, so many days, the month, quarter or year to date, or all days since the workspace exists."""
    start: NotRequired[str]
    """Instead of `interval`: the first moment, as a time or as a date of the time zone. The default is 30 days before `end`."""
    end: NotRequired[str]
    """The moment after the period, or its last date. The default is now."""
    timezone: NotRequired[str]
    """IANA time zone of the calendar days."""
    includeBots: NotRequired[bool]
    """Also count crawlers, link previews and prefetches."""
    country: NotRequired[str]
    """Only clicks with this label: ISO country of the visitor. Several are separated by commas, and a leading hyphen excludes them."""
    region: NotRequired[str]
    """Only clicks with this label: Region of the visitor. Several are separated by commas, and a leading hyphen excludes them."""
    city: NotRequired[str]
    """Only clicks with this label: City of the visitor. Several are separated by commas, and a leading hyphen excludes them."""
    continent: NotRequired[str]
    """Only clicks with this label: Continent of the visitor. Several are separated by commas, and a leading hyphen excludes them."""
    device: NotRequired[str]
    """Only clicks with this label: Kind of device. Several are separated by commas, and a leading hyphen excludes them."""
    browser: NotRequired[str]
    """Only clicks with this label: Name of the browser. Several are separated by commas, and a leading hyphen excludes them."""
    os: NotRequired[str]
    """Only clicks with this label: Name of the operating system. Several are separated by commas, and a leading hyphen excludes them."""
    referrer: NotRequired[str]
    """Only clicks with this label: Host of the page with the link; `direct` without one. Several are separated by commas, and a leading hyphen excludes them."""
    language: NotRequired[str]
    """Only clicks with this label: Preferred language of the browser. Several are separated by commas, and a leading hyphen excludes them."""
    trigger: NotRequired[str]
    """Only clicks with this label: `qr` for scanned codes, else `link`. Several are separated by commas, and a leading hyphen excludes them."""
    utmSource: NotRequired[str]
    """Only clicks with this label: `utm_source` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    utmMedium: NotRequired[str]
    """Only clicks with this label: `utm_medium` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    utmCampaign: NotRequired[str]
    """Only clicks with this label: `utm_campaign` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    utmTerm: NotRequired[str]
    """Only clicks with this label: `utm_term` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    utmContent: NotRequired[str]
    """Only clicks with this label: `utm_content` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    destination: NotRequired[str]
    """Only clicks with this label: Destination of the click. Several are separated by commas, and a leading hyphen excludes them."""
    route: NotRequired[str]
    """Only clicks with this label: The option of the link that chose the destination; `default` without one. Several are separated by commas, and a leading hyphen excludes them."""
    domain: NotRequired[str]
    """Only clicks with this label: Id of the domain of the click; `default` for the shared host. Several are separated by commas, and a leading hyphen excludes them."""
    domainId: NotRequired[str]
    """Only clicks on this domain. Several are separated by commas, and a leading hyphen excludes them."""
    currency: NotRequired[str]
    """ISO 4217 code of the currency of `value`; `usd` by default."""
    limit: NotRequired[int]
    """Rows per page. More than 1,000 counts as 1,000."""
    offset: NotRequired[int]
    """How many rows to skip."""


class GetAnalyticsOverviewQuery(TypedDict):
    days: NotRequired[int]
    """Number of calendar days, including today."""
    interval: NotRequired[Literal["24h", "7d", "30d", "90d", "1y", "mtd", "qtd", "ytd", "all"]]
    """Instead of `days`: the last 24 hours, so many days, the month, quarter or year to date, or all days since the workspace exists."""
    start: NotRequired[str]
    """Instead of `interval`: the first moment, as a time or as a date of the time zone. The default is 30 days before `end`."""
    end: NotRequired[str]
    """The moment after the period, or its last date. The default is now."""
    timezone: NotRequired[str]
    """IANA time zone of the calendar days."""
    includeBots: NotRequired[bool]
    """Also count crawlers, link previews and prefetches."""
    country: NotRequired[str]
    """Only clicks with this label: ISO country of the visitor. Several are separated by commas, and a leading hyphen excludes them."""
    region: NotRequired[str]
    """Only clicks with this label: Region of the visitor. Several are separated by commas, and a leading hyphen excludes them."""
    city: NotRequired[str]
    """Only clicks with this label: City of the visitor. Several are separated by commas, and a leading hyphen excludes them."""
    continent: NotRequired[str]
    """Only clicks with this label: Continent of the visitor. Several are separated by commas, and a leading hyphen excludes them."""
    device: NotRequired[str]
    """Only clicks with this label: Kind of device. Several are separated by commas, and a leading hyphen excludes them."""
    browser: NotRequired[str]
    """Only clicks with this label: Name of the browser. Several are separated by commas, and a leading hyphen excludes them."""
    os: NotRequired[str]
    """Only clicks with this label: Name of the operating system. Several are separated by commas, and a leading hyphen excludes them."""
    referrer: NotRequired[str]
    """Only clicks with this label: Host of the page with the link; `direct` without one. Several are separated by commas, and a leading hyphen excludes them."""
    language: NotRequired[str]
    """Only clicks with this label: Preferred language of the browser. Several are separated by commas, and a leading hyphen excludes them."""
    trigger: NotRequired[str]
    """Only clicks with this label: `qr` for scanned codes, else `link`. Several are separated by commas, and a leading hyphen excludes them."""
    utmSource: NotRequired[str]
    """Only clicks with this label: `utm_source` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    utmMedium: NotRequired[str]
    """Only clicks with this label: `utm_medium` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    utmCampaign: NotRequired[str]
    """Only clicks with this label: `utm_campaign` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    utmTerm: NotRequired[str]
    """Only clicks with this label: `utm_term` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    utmContent: NotRequired[str]
    """Only clicks with this label: `utm_content` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    destination: NotRequired[str]
    """Only clicks with this label: Destination of the click. Several are separated by commas, and a leading hyphen excludes them."""
    route: NotRequired[str]
    """Only clicks with this label: The option of the link that chose the destination; `default` without one. Several are separated by commas, and a leading hyphen excludes them."""
    domain: NotRequired[str]
    """Only clicks with this label: Id of the domain of the click; `default` for the shared host. Several are separated by commas, and a leading hyphen excludes them."""
    linkId: NotRequired[str]
    """Only clicks on links of this id. Several are separated by commas, and a leading hyphen excludes them."""
    campaignId: NotRequired[str]
    """Only clicks on links of this campaign. Several are separated by commas, and a leading hyphen excludes them."""
    folderId: NotRequired[str]
    """Only clicks on links of this folder. Several are separated by commas, and a leading hyphen excludes them."""
    tag: NotRequired[str]
    """Only clicks on links of this tag. Several are separated by commas, and a leading hyphen excludes them."""
    domainId: NotRequired[str]
    """Only clicks on this domain. Several are separated by commas, and a leading hyphen excludes them."""
    currency: NotRequired[str]
    """ISO 4217 code of the currency of `value`; `usd` by default."""


class GetCampaignAnalyticsQuery(TypedDict):
    days: NotRequired[int]
    """Number of calendar days, including today."""
    interval: NotRequired[Literal["24h", "7d", "30d", "90d", "1y", "mtd", "qtd", "ytd", "all"]]
    """Instead of `days`: the last 24 hours, so many days, the month, quarter or year to date, or all days since the workspace exists."""
    start: NotRequired[str]
    """Instead of `interval`: the first moment, as a time or as a date of the time zone. The default is 30 days before `end`."""
    end: NotRequired[str]
    """The moment after the period, or its last date. The default is now."""
    timezone: NotRequired[str]
    """IANA time zone of the calendar days."""
    includeBots: NotRequired[bool]
    """Also count crawlers, link previews and prefetches."""
    country: NotRequired[str]
    """Only clicks with this label: ISO country of the visitor. Several are separated by commas, and a leading hyphen excludes them."""
    region: NotRequired[str]
    """Only clicks with this label: Region of the visitor. Several are separated by commas, and a leading hyphen excludes them."""
    city: NotRequired[str]
    """Only clicks with this label: City of the visitor. Several are separated by commas, and a leading hyphen excludes them."""
    continent: NotRequired[str]
    """Only clicks with this label: Continent of the visitor. Several are separated by commas, and a leading hyphen excludes them."""
    device: NotRequired[str]
    """Only clicks with this label: Kind of device. Several are separated by commas, and a leading hyphen excludes them."""
    browser: NotRequired[str]
    """Only clicks with this label: Name of the browser. Several are separated by commas, and a leading hyphen excludes them."""
    os: NotRequired[str]
    """Only clicks with this label: Name of the operating system. Several are separated by commas, and a leading hyphen excludes them."""
    referrer: NotRequired[str]
    """Only clicks with this label: Host of the page with the link; `direct` without one. Several are separated by commas, and a leading hyphen excludes them."""
    language: NotRequired[str]
    """Only clicks with this label: Preferred language of the browser. Several are separated by commas, and a leading hyphen excludes them."""
    trigger: NotRequired[str]
    """Only clicks with this label: `qr` for scanned codes, else `link`. Several are separated by commas, and a leading hyphen excludes them."""
    utmSource: NotRequired[str]
    """Only clicks with this label: `utm_source` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    utmMedium: NotRequired[str]
    """Only clicks with this label: `utm_medium` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    utmCampaign: NotRequired[str]
    """Only clicks with this label: `utm_campaign` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    utmTerm: NotRequired[str]
    """Only clicks with this label: `utm_term` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    utmContent: NotRequired[str]
    """Only clicks with this label: `utm_content` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    destination: NotRequired[str]
    """Only clicks with this label: Destination of the click. Several are separated by commas, and a leading hyphen excludes them."""
    route: NotRequired[str]
    """Only clicks with this label: The option of the link that chose the destination; `default` without one. Several are separated by commas, and a leading hyphen excludes them."""
    domain: NotRequired[str]
    """Only clicks with this label: Id of the domain of the click; `default` for the shared host. Several are separated by commas, and a leading hyphen excludes them."""
    linkId: NotRequired[str]
    """Only clicks on links of this id. Several are separated by commas, and a leading hyphen excludes them."""
    folderId: NotRequired[str]
    """Only clicks on links of this folder. Several are separated by commas, and a leading hyphen excludes them."""
    tag: NotRequired[str]
    """Only clicks on links of this tag. Several are separated by commas, and a leading hyphen excludes them."""
    domainId: NotRequired[str]
    """Only clicks on this domain. Several are separated by commas, and a leading hyphen excludes them."""
    currency: NotRequired[str]
    """ISO 4217 code of the currency of `value`; `usd` by default."""


class GetDomainAnalyticsQuery(TypedDict):
    days: NotRequired[int]
    """Number of calendar days, including today."""
    interval: NotRequired[Literal["24h", "7d", "30d", "90d", "1y", "mtd", "qtd", "ytd", "all"]]
    """Instead of `days`: the last 24 hours, so many days, the month, quarter or year to date, or all days since the workspace exists."""
    start: NotRequired[str]
    """Instead of `interval`: the first moment, as a time or as a date of the time zone. The default is 30 days before `end`."""
    end: NotRequired[str]
    """The moment after the period, or its last date. The default is now."""
    timezone: NotRequired[str]
    """IANA time zone of the calendar days."""
    includeBots: NotRequired[bool]
    """Also count crawlers, link previews and prefetches."""
    country: NotRequired[str]
    """Only clicks with this label: ISO country of the visitor. Several are separated by commas, and a leading hyphen excludes them."""
    region: NotRequired[str]
    """Only clicks with this label: Region of the visitor. Several are separated by commas, and a leading hyphen excludes them."""
    city: NotRequired[str]
    """Only clicks with this label: City of the visitor. Several are separated by commas, and a leading hyphen excludes them."""
    continent: NotRequired[str]
    """Only clicks with this label: Continent of the visitor. Several are separated by commas, and a leading hyphen excludes them."""
    device: NotRequired[str]
    """Only clicks with this label: Kind of device. Several are separated by commas, and a leading hyphen excludes them."""
    browser: NotRequired[str]
    """Only clicks with this label: Name of the browser. Several are separated by commas, and a leading hyphen excludes them."""
    os: NotRequired[str]
    """Only clicks with this label: Name of the operating system. Several are separated by commas, and a leading hyphen excludes them."""
    referrer: NotRequired[str]
    """Only clicks with this label: Host of the page with the link; `direct` without one. Several are separated by commas, and a leading hyphen excludes them."""
    language: NotRequired[str]
    """Only clicks with this label: Preferred language of the browser. Several are separated by commas, and a leading hyphen excludes them."""
    trigger: NotRequired[str]
    """Only clicks with this label: `qr` for scanned codes, else `link`. Several are separated by commas, and a leading hyphen excludes them."""
    utmSource: NotRequired[str]
    """Only clicks with this label: `utm_source` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    utmMedium: NotRequired[str]
    """Only clicks with this label: `utm_medium` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    utmCampaign: NotRequired[str]
    """Only clicks with this label: `utm_campaign` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    utmTerm: NotRequired[str]
    """Only clicks with this label: `utm_term` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    utmContent: NotRequired[str]
    """Only clicks with this label: `utm_content` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    destination: NotRequired[str]
    """Only clicks with this label: Destination of the click. Several are separated by commas, and a leading hyphen excludes them."""
    route: NotRequired[str]
    """Only clicks with this label: The option of the link that chose the destination; `default` without one. Several are separated by commas, and a leading hyphen excludes them."""
    domain: NotRequired[str]
    """Only clicks with this label: Id of the domain of the click; `default` for the shared host. Several are separated by commas, and a leading hyphen excludes them."""
    linkId: NotRequired[str]
    """Only clicks on links of this id. Several are separated by commas, and a leading hyphen excludes them."""
    campaignId: NotRequired[str]
    """Only clicks on links of this campaign. Several are separated by commas, and a leading hyphen excludes them."""
    folderId: NotRequired[str]
    """Only clicks on links of this folder. Several are separated by commas, and a leading hyphen excludes them."""
    tag: NotRequired[str]
    """Only clicks on links of this tag. Several are separated by commas, and a leading hyphen excludes them."""
    currency: NotRequired[str]
    """ISO 4217 code of the currency of `value`; `usd` by default."""


class GetTimeseriesQuery(TypedDict):
    days: NotRequired[int]
    """Number of calendar days, including today."""
    interval: NotRequired[Literal["24h", "7d", "30d", "90d", "1y", "mtd", "qtd", "ytd", "all"]]
    """Instead of `days`: the last 24 hours, so many days, the month, quarter or year to date, or all days since the workspace exists."""
    start: NotRequired[str]
    """Instead of `interval`: the first moment, as a time or as a date of the time zone. The default is 30 days before `end`."""
    end: NotRequired[str]
    """The moment after the period, or its last date. The default is now."""
    timezone: NotRequired[str]
    """IANA time zone of the calendar days."""
    includeBots: NotRequired[bool]
    """Also count crawlers, link previews and prefetches."""
    country: NotRequired[str]
    """Only clicks with this label: ISO country of the visitor. Several are separated by commas, and a leading hyphen excludes them."""
    region: NotRequired[str]
    """Only clicks with this label: Region of the visitor. Several are separated by commas, and a leading hyphen excludes them."""
    city: NotRequired[str]
    """Only clicks with this label: City of the visitor. Several are separated by commas, and a leading hyphen excludes them."""
    continent: NotRequired[str]
    """Only clicks with this label: Continent of the visitor. Several are separated by commas, and a leading hyphen excludes them."""
    device: NotRequired[str]
    """Only clicks with this label: Kind of device. Several are separated by commas, and a leading hyphen excludes them."""
    browser: NotRequired[str]
    """Only clicks with this label: Name of the browser. Several are separated by commas, and a leading hyphen excludes them."""
    os: NotRequired[str]
    """Only clicks with this label: Name of the operating system. Several are separated by commas, and a leading hyphen excludes them."""
    referrer: NotRequired[str]
    """Only clicks with this label: Host of the page with the link; `direct` without one. Several are separated by commas, and a leading hyphen excludes them."""
    language: NotRequired[str]
    """Only clicks with this label: Preferred language of the browser. Several are separated by commas, and a leading hyphen excludes them."""
    trigger: NotRequired[str]
    """Only clicks with this label: `qr` for scanned codes, else `link`. Several are separated by commas, and a leading hyphen excludes them."""
    utmSource: NotRequired[str]
    """Only clicks with this label: `utm_source` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    utmMedium: NotRequired[str]
    """Only clicks with this label: `utm_medium` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    utmCampaign: NotRequired[str]
    """Only clicks with this label: `utm_campaign` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    utmTerm: NotRequired[str]
    """Only clicks with this label: `utm_term` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    utmContent: NotRequired[str]
    """Only clicks with this label: `utm_content` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    destination: NotRequired[str]
    """Only clicks with this label: Destination of the click. Several are separated by commas, and a leading hyphen excludes them."""
    route: NotRequired[str]
    """Only clicks with this label: The option of the link that chose the destination; `default` without one. Several are separated by commas, and a leading hyphen excludes them."""
    domain: NotRequired[str]
    """Only clicks with this label: Id of the domain of the click; `default` for the shared host. Several are separated by commas, and a leading hyphen excludes them."""
    linkId: NotRequired[str]
    """Only clicks on links of this id. Several are separated by commas, and a leading hyphen excludes them."""
    campaignId: NotRequired[str]
    """Only clicks on links of this campaign. Several are separated by commas, and a leading hyphen excludes them."""
    folderId: NotRequired[str]
    """Only clicks on links of this folder. Several are separated by commas, and a leading hyphen excludes them."""
    tag: NotRequired[str]
    """Only clicks on links of this tag. Several are separated by commas, and a leading hyphen excludes them."""
    domainId: NotRequired[str]
    """Only clicks on this domain. Several are separated by commas, and a leading hyphen excludes them."""
    currency: NotRequired[str]
    """ISO 4217 code of the currency of `value`; `usd` by default."""
    granularity: NotRequired[Literal["hour", "day", "week", "month"]]
    """Length of a bucket, in the time zone; weeks begin on Monday. The default is hours up to two days, days up to 180, else months."""


class GetTopLinksQuery(TypedDict):
    days: NotRequired[int]
    """Number of calendar days, including today."""
    interval: NotRequired[Literal["24h", "7d", "30d", "90d", "1y", "mtd", "qtd", "ytd", "all"]]
    """Instead of `days`: the last 24 hours, so many days, the month, quarter or year to date, or all days since the workspace exists."""
    start: NotRequired[str]
    """Instead of `interval`: the first moment, as a time or as a date of the time zone. The default is 30 days before `end`."""
    end: NotRequired[str]
    """The moment after the period, or its last date. The default is now."""
    timezone: NotRequired[str]
    """IANA time zone of the calendar days."""
    includeBots: NotRequired[bool]
    """Also count crawlers, link previews and prefetches."""
    country: NotRequired[str]
    """Only clicks with this label: ISO country of the visitor. Several are separated by commas, and a leading hyphen excludes them."""
    region: NotRequired[str]
    """Only clicks with this label: Region of the visitor. Several are separated by commas, and a leading hyphen excludes them."""
    city: NotRequired[str]
    """Only clicks with this label: City of the visitor. Several are separated by commas, and a leading hyphen excludes them."""
    continent: NotRequired[str]
    """Only clicks with this label: Continent of the visitor. Several are separated by commas, and a leading hyphen excludes them."""
    device: NotRequired[str]
    """Only clicks with this label: Kind of device. Several are separated by commas, and a leading hyphen excludes them."""
    browser: NotRequired[str]
    """Only clicks with this label: Name of the browser. Several are separated by commas, and a leading hyphen excludes them."""
    os: NotRequired[str]
    """Only clicks with this label: Name of the operating system. Several are separated by commas, and a leading hyphen excludes them."""
    referrer: NotRequired[str]
    """Only clicks with this label: Host of the page with the link; `direct` without one. Several are separated by commas, and a leading hyphen excludes them."""
    language: NotRequired[str]
    """Only clicks with this label: Preferred language of the browser. Several are separated by commas, and a leading hyphen excludes them."""
    trigger: NotRequired[str]
    """Only clicks with this label: `qr` for scanned codes, else `link`. Several are separated by commas, and a leading hyphen excludes them."""
    utmSource: NotRequired[str]
    """Only clicks with this label: `utm_source` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    utmMedium: NotRequired[str]
    """Only clicks with this label: `utm_medium` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    utmCampaign: NotRequired[str]
    """Only clicks with this label: `utm_campaign` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    utmTerm: NotRequired[str]
    """Only clicks with this label: `utm_term` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    utmContent: NotRequired[str]
    """Only clicks with this label: `utm_content` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    destination: NotRequired[str]
    """Only clicks with this label: Destination of the click. Several are separated by commas, and a leading hyphen excludes them."""
    route: NotRequired[str]
    """Only clicks with this label: The option of the link that chose the destination; `default` without one. Several are separated by commas, and a leading hyphen excludes them."""
    domain: NotRequired[str]
    """Only clicks with this label: Id of the domain of the click; `default` for the shared host. Several are separated by commas, and a leading hyphen excludes them."""
    linkId: NotRequired[str]
    """Only clicks on links of this id. Several are separated by commas, and a leading hyphen excludes them."""
    campaignId: NotRequired[str]
    """Only clicks on links of this campaign. Several are separated by commas, and a leading hyphen excludes them."""
    folderId: NotRequired[str]
    """Only clicks on links of this folder. Several are separated by commas, and a leading hyphen excludes them."""
    tag: NotRequired[str]
    """Only clicks on links of this tag. Several are separated by commas, and a leading hyphen excludes them."""
    domainId: NotRequired[str]
    """Only clicks on this domain. Several are separated by commas, and a leading hyphen excludes them."""
    currency: NotRequired[str]
    """ISO 4217 code of the currency of `value`; `usd` by default."""
    limit: NotRequired[int]
    """Rows per page. More than 1,000 counts as 1,000."""
    offset: NotRequired[int]
    """How many rows to skip."""


class GetBreakdownsQuery(TypedDict):
    days: NotRequired[int]
    """Number of calendar days, including today."""
    interval: NotRequired[Literal["24h", "7d", "30d", "90d", "1y", "mtd", "qtd", "ytd", "all"]]
    """Instead of `days`: the last 24 hours, so many days, the month, quarter or year to date, or all days since the workspace exists."""
    start: NotRequired[str]
    """Instead of `interval`: the first moment, as a time or as a date of the time zone. The default is 30 days before `end`."""
    end: NotRequired[str]
    """The moment after the period, or its last date. The default is now."""
    timezone: NotRequired[str]
    """IANA time zone of the calendar days."""
    includeBots: NotRequired[bool]
    """Also count crawlers, link previews and prefetches."""
    country: NotRequired[str]
    """Only clicks with this label: ISO country of the visitor. Several are separated by commas, and a leading hyphen excludes them."""
    region: NotRequired[str]
    """Only clicks with this label: Region of the visitor. Several are separated by commas, and a leading hyphen excludes them."""
    city: NotRequired[str]
    """Only clicks with this label: City of the visitor. Several are separated by commas, and a leading hyphen excludes them."""
    continent: NotRequired[str]
    """Only clicks with this label: Continent of the visitor. Several are separated by commas, and a leading hyphen excludes them."""
    device: NotRequired[str]
    """Only clicks with this label: Kind of device. Several are separated by commas, and a leading hyphen excludes them."""
    browser: NotRequired[str]
    """Only clicks with this label: Name of the browser. Several are separated by commas, and a leading hyphen excludes them."""
    os: NotRequired[str]
    """Only clicks with this label: Name of the operating system. Several are separated by commas, and a leading hyphen excludes them."""
    referrer: NotRequired[str]
    """Only clicks with this label: Host of the page with the link; `direct` without one. Several are separated by commas, and a leading hyphen excludes them."""
    language: NotRequired[str]
    """Only clicks with this label: Preferred language of the browser. Several are separated by commas, and a leading hyphen excludes them."""
    trigger: NotRequired[str]
    """Only clicks with this label: `qr` for scanned codes, else `link`. Several are separated by commas, and a leading hyphen excludes them."""
    utmSource: NotRequired[str]
    """Only clicks with this label: `utm_source` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    utmMedium: NotRequired[str]
    """Only clicks with this label: `utm_medium` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    utmCampaign: NotRequired[str]
    """Only clicks with this label: `utm_campaign` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    utmTerm: NotRequired[str]
    """Only clicks with this label: `utm_term` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    utmContent: NotRequired[str]
    """Only clicks with this label: `utm_content` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    destination: NotRequired[str]
    """Only clicks with this label: Destination of the click. Several are separated by commas, and a leading hyphen excludes them."""
    route: NotRequired[str]
    """Only clicks with this label: The option of the link that chose the destination; `default` without one. Several are separated by commas, and a leading hyphen excludes them."""
    domain: NotRequired[str]
    """Only clicks with this label: Id of the domain of the click; `default` for the shared host. Several are separated by commas, and a leading hyphen excludes them."""
    linkId: NotRequired[str]
    """Only clicks on links of this id. Several are separated by commas, and a leading hyphen excludes them."""
    campaignId: NotRequired[str]
    """Only clicks on links of this campaign. Several are separated by commas, and a leading hyphen excludes them."""
    folderId: NotRequired[str]
    """Only clicks on links of this folder. Several are separated by commas, and a leading hyphen excludes them."""
    tag: NotRequired[str]
    """Only clicks on links of this tag. Several are separated by commas, and a leading hyphen excludes them."""
    domainId: NotRequired[str]
    """Only clicks on this domain. Several are separated by commas, and a leading hyphen excludes them."""
    currency: NotRequired[str]
    """ISO 4217 code of the currency of `value`; `usd` by default."""


class GetBreakdownQuery(TypedDict):
    days: NotRequired[int]
    """Number of calendar days, including today."""
    interval: NotRequired[Literal["24h", "7d", "30d", "90d", "1y", "mtd", "qtd", "ytd", "all"]]
    """Instead of `days`: the last 24 hours, so many days, the month, quarter or year to date, or all days since the workspace exists."""
    start: NotRequired[str]
    """Instead of `interval`: the first moment, as a time or as a date of the time zone. The default is 30 days before `end`."""
    end: NotRequired[str]
    """The moment after the period, or its last date. The default is now."""
    timezone: NotRequired[str]
    """IANA time zone of the calendar days."""
    includeBots: NotRequired[bool]
    """Also count crawlers, link previews and prefetches."""
    country: NotRequired[str]
    """Only clicks with this label: ISO country of the visitor. Several are separated by commas, and a leading hyphen excludes them."""
    region: NotRequired[str]
    """Only clicks with this label: Region of the visitor. Several are separated by commas, and a leading hyphen excludes them."""
    city: NotRequired[str]
    """Only clicks with this label: City of the visitor. Several are separated by commas, and a leading hyphen excludes them."""
    continent: NotRequired[str]
    """Only clicks with this label: Continent of the visitor. Several are separated by commas, and a leading hyphen excludes them."""
    device: NotRequired[str]
    """Only clicks with this label: Kind of device. Several are separated by commas, and a leading hyphen excludes them."""
    browser: NotRequired[str]
    """Only clicks with this label: Name of the browser. Several are separated by commas, and a leading hyphen excludes them."""
    os: NotRequired[str]
    """Only clicks with this label: Name of the operating system. Several are separated by commas, and a leading hyphen excludes them."""
    referrer: NotRequired[str]
    """Only clicks with this label: Host of the page with the link; `direct` without one. Several are separated by commas, and a leading hyphen excludes them."""
    language: NotRequired[str]
    """Only clicks with this label: Preferred language of the browser. Several are separated by commas, and a leading hyphen excludes them."""
    trigger: NotRequired[str]
    """Only clicks with this label: `qr` for scanned codes, else `link`. Several are separated by commas, and a leading hyphen excludes them."""
    utmSource: NotRequired[str]
    """Only clicks with this label: `utm_source` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    utmMedium: NotRequired[str]
    """Only clicks with this label: `utm_medium` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    utmCampaign: NotRequired[str]
    """Only clicks with this label: `utm_campaign` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    utmTerm: NotRequired[str]
    """Only clicks with this label: `utm_term` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    utmContent: NotRequired[str]
    """Only clicks with this label: `utm_content` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    destination: NotRequired[str]
    """Only clicks with this label: Destination of the click. Several are separated by commas, and a leading hyphen excludes them."""
    route: NotRequired[str]
    """Only clicks with this label: The option of the link that chose the destination; `default` without one. Several are separated by commas, and a leading hyphen excludes them."""
    domain: NotRequired[str]
    """Only clicks with this label: Id of the domain of the click; `default` for the shared host. Several are separated by commas, and a leading hyphen excludes them."""
    linkId: NotRequired[str]
    """Only clicks on links of this id. Several are separated by commas, and a leading hyphen excludes them."""
    campaignId: NotRequired[str]
    """Only clicks on links of this campaign. Several are separated by commas, and a leading hyphen excludes them."""
    folderId: NotRequired[str]
    """Only clicks on links of this folder. Several are separated by commas, and a leading hyphen excludes them."""
    tag: NotRequired[str]
    """Only clicks on links of this tag. Several are separated by commas, and a leading hyphen excludes them."""
    domainId: NotRequired[str]
    """Only clicks on this domain. Several are separated by commas, and a leading hyphen excludes them."""
    currency: NotRequired[str]
    """ISO 4217 code of the currency of `value`; `usd` by default."""
    limit: NotRequired[int]
    """Rows per page. More than 1,000 counts as 1,000."""
    offset: NotRequired[int]
    """How many rows to skip."""


class QueryAnalyticsQuery(TypedDict):
    event: NotRequired[Literal["clicks", "leads", "sales", "composite"]]
    """What is counted. Leads and sales are conversions; `saleAmount` is the value of those in US dollars, in cents."""
    groupBy: NotRequired[Literal["count", "timeseries", "top_links", "continents", "countries", "regions", "cities", "devices", "browsers", "os", "triggers", "referers", "top_urls", "utm_sources", "utm_mediums", "utm_campaigns", "utm_terms", "utm_contents"]]
    """What the rows stand for."""
    days: NotRequired[int]
    """Number of calendar days, including today."""
    interval: NotRequired[Literal["24h", "7d", "30d", "90d", "1y", "mtd", "qtd", "ytd", "all"]]
    """Instead of `days`: the last 24 hours, so many days, the month, quarter or year to date, or all days since the workspace exists."""
    start: NotRequired[str]
    """Instead of `interval`: the first moment, as a time or as a date of the time zone. The default is 30 days before `end`."""
    end: NotRequired[str]
    """The moment after the period, or its last date. The default is now."""
    timezone: NotRequired[str]
    """IANA time zone of the calendar days."""
    granularity: NotRequired[Literal["hour", "day", "week", "month"]]
    """Length of a bucket, in the time zone; weeks begin on Monday. The default is hours up to two days, days up to 180, else months."""
    linkId: NotRequired[str]
    """Only clicks with this link; several are separated by commas."""
    folderId: NotRequired[str]
    """Only clicks with this folder of the link; several are separated by commas."""
    tag: NotRequired[str]
    """Only clicks with this tag of the link; several are separated by commas."""
    domain: NotRequired[str]
    """Only clicks with this domain, by its id, or `default` for the shared host; several are separated by commas."""
    country: NotRequired[str]
    """Only clicks with this country; several are separated by commas."""
    city: NotRequired[str]
    """Only clicks with this city; several are separated by commas."""
    region: NotRequired[str]
    """Only clicks with this region; several are separated by commas."""
    continent: NotRequired[str]
    """Only clicks with this continent; several are separated by commas."""
    device: NotRequired[str]
    """Only clicks with this kind of device; several are separated by commas."""
    browser: NotRequired[str]
    """Only clicks with this browser; several are separated by commas."""
    os: NotRequired[str]
    """Only clicks with this operating system; several are separated by commas."""
    trigger: NotRequired[str]
    """Only clicks with this trigger; several are separated by commas."""
    referer: NotRequired[str]
    """Only clicks with this referrer; several are separated by commas."""
    url: NotRequired[str]
    """Only clicks with this destination; several are separated by commas."""
    utm_source: NotRequired[str]
    """Only clicks with this UTM source; several are separated by commas."""
    utm_medium: NotRequired[str]
    """Only clicks with this UTM medium; several are separated by commas."""
    utm_campaign: NotRequired[str]
    """Only clicks with this UTM campaign; several are separated by commas."""
    utm_term: NotRequired[str]
    """Only clicks with this UTM term; several are separated by commas."""
    utm_content: NotRequired[str]
    """Only clicks with this UTM content; several are separated by commas."""


class GetAnalyticsSummaryQuery(TypedDict):
    days: NotRequired[int]
    """Number of calendar days, including today."""
    interval: NotRequired[Literal["24h", "7d", "30d", "90d", "1y", "mtd", "qtd", "ytd", "all"]]
    """Instead of `days`: the last 24 hours, so many days, the month, quarter or year to date, or all days since the workspace exists."""
    start: NotRequired[str]
    """Instead of `interval`: the first moment, as a time or as a date of the time zone. The default is 30 days before `end`."""
    end: NotRequired[str]
    """The moment after the period, or its last date. The default is now."""
    timezone: NotRequired[str]
    """IANA time zone of the calendar days."""
    includeBots: NotRequired[bool]
    """Also count crawlers, link previews and prefetches."""
    country: NotRequired[str]
    """Only clicks with this label: ISO country of the visitor. Several are separated by commas, and a leading hyphen excludes them."""
    region: NotRequired[str]
    """Only clicks with this label: Region of the visitor. Several are separated by commas, and a leading hyphen excludes them."""
    city: NotRequired[str]
    """Only clicks with this label: City of the visitor. Several are separated by commas, and a leading hyphen excludes them."""
    continent: NotRequired[str]
    """Only clicks with this label: Continent of the visitor. Several are separated by commas, and a leading hyphen excludes them."""
    device: NotRequired[str]
    """Only clicks with this label: Kind of device. Several are separated by commas, and a leading hyphen excludes them."""
    browser: NotRequired[str]
    """Only clicks with this label: Name of the browser. Several are separated by commas, and a leading hyphen excludes them."""
    os: NotRequired[str]
    """Only clicks with this label: Name of the operating system. Several are separated by commas, and a leading hyphen excludes them."""
    referrer: NotRequired[str]
    """Only clicks with this label: Host of the page with the link; `direct` without one. Several are separated by commas, and a leading hyphen excludes them."""
    language: NotRequired[str]
    """Only clicks with this label: Preferred language of the browser. Several are separated by commas, and a leading hyphen excludes them."""
    trigger: NotRequired[str]
    """Only clicks with this label: `qr` for scanned codes, else `link`. Several are separated by commas, and a leading hyphen excludes them."""
    utmSource: NotRequired[str]
    """Only clicks with this label: `utm_source` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    utmMedium: NotRequired[str]
    """Only clicks with this label: `utm_medium` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    utmCampaign: NotRequired[str]
    """Only clicks with this label: `utm_campaign` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    utmTerm: NotRequired[str]
    """Only clicks with this label: `utm_term` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    utmContent: NotRequired[str]
    """Only clicks with this label: `utm_content` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    destination: NotRequired[str]
    """Only clicks with this label: Destination of the click. Several are separated by commas, and a leading hyphen excludes them."""
    route: NotRequired[str]
    """Only clicks with this label: The option of the link that chose the destination; `default` without one. Several are separated by commas, and a leading hyphen excludes them."""
    domain: NotRequired[str]
    """Only clicks with this label: Id of the domain of the click; `default` for the shared host. Several are separated by commas, and a leading hyphen excludes them."""
    linkId: NotRequired[str]
    """Only clicks on links of this id. Several are separated by commas, and a leading hyphen excludes them."""
    campaignId: NotRequired[str]
    """Only clicks on links of this campaign. Several are separated by commas, and a leading hyphen excludes them."""
    folderId: NotRequired[str]
    """Only clicks on links of this folder. Several are separated by commas, and a leading hyphen excludes them."""
    tag: NotRequired[str]
    """Only clicks on links of this tag. Several are separated by commas, and a leading hyphen excludes them."""
    domainId: NotRequired[str]
    """Only clicks on this domain. Several are separated by commas, and a leading hyphen excludes them."""
    currency: NotRequired[str]
    """ISO 4217 code of the currency of `value`; `usd` by default."""
    granularity: NotRequired[Literal["hour", "day", "week", "month"]]
    """Length of a bucket, in the time zone; weeks begin on Monday. The default is hours up to two days, days up to 180, else months."""
    compare: NotRequired[str]
    """What to compare with: `previous`, as many days before; `year`, the same dates a year before; or a start and an end."""


class GetFilterValuesQuery(TypedDict):
    days: NotRequired[int]
    """Number of calendar days, including today."""
    interval: NotRequired[Literal["24h", "7d", "30d", "90d", "1y", "mtd", "qtd", "ytd", "all"]]
    """Instead of `days`: the last 24 hours, so many days, the month, quarter or year to date, or all days since the workspace exists."""
    start: NotRequired[str]
    """Instead of `interval`: the first moment, as a time or as a date of the time zone. The default is 30 days before `end`."""
    end: NotRequired[str]
    """The moment after the period, or its last date. The default is now."""
    timezone: NotRequired[str]
    """IANA time zone of the calendar days."""
    includeBots: NotRequired[bool]
    """Also count crawlers, link previews and prefetches."""
    country: NotRequired[str]
    """Only clicks with this label: ISO country of the visitor. Several are separated by commas, and a leading hyphen excludes them."""
    region: NotRequired[str]
    """Only clicks with this label: Region of the visitor. Several are separated by commas, and a leading hyphen excludes them."""
    city: NotRequired[str]
    """Only clicks with this label: City of the visitor. Several are separated by commas, and a leading hyphen excludes them."""
    continent: NotRequired[str]
    """Only clicks with this label: Continent of the visitor. Several are separated by commas, and a leading hyphen excludes them."""
    device: NotRequired[str]
    """Only clicks with this label: Kind of device. Several are separated by commas, and a leading hyphen excludes them."""
    browser: NotRequired[str]
    """Only clicks with this label: Name of the browser. Several are separated by commas, and a leading hyphen excludes them."""
    os: NotRequired[str]
    """Only clicks with this label: Name of the operating system. Several are separated by commas, and a leading hyphen excludes them."""
    referrer: NotRequired[str]
    """Only clicks with this label: Host of the page with the link; `direct` without one. Several are separated by commas, and a leading hyphen excludes them."""
    language: NotRequired[str]
    """Only clicks with this label: Preferred language of the browser. Several are separated by commas, and a leading hyphen excludes them."""
    trigger: NotRequired[str]
    """Only clicks with this label: `qr` for scanned codes, else `link`. Several are separated by commas, and a leading hyphen excludes them."""
    utmSource: NotRequired[str]
    """Only clicks with this label: `utm_source` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    utmMedium: NotRequired[str]
    """Only clicks with this label: `utm_medium` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    utmCampaign: NotRequired[str]
    """Only clicks with this label: `utm_campaign` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    utmTerm: NotRequired[str]
    """Only clicks with this label: `utm_term` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    utmContent: NotRequired[str]
    """Only clicks with this label: `utm_content` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    destination: NotRequired[str]
    """Only clicks with this label: Destination of the click. Several are separated by commas, and a leading hyphen excludes them."""
    route: NotRequired[str]
    """Only clicks with this label: The option of the link that chose the destination; `default` without one. Several are separated by commas, and a leading hyphen excludes them."""
    domain: NotRequired[str]
    """Only clicks with this label: Id of the domain of the click; `default` for the shared host. Several are separated by commas, and a leading hyphen excludes them."""
    linkId: NotRequired[str]
    """Only clicks on links of this id. Several are separated by commas, and a leading hyphen excludes them."""
    campaignId: NotRequired[str]
    """Only clicks on links of this campaign. Several are separated by commas, and a leading hyphen excludes them."""
    folderId: NotRequired[str]
    """Only clicks on links of this folder. Several are separated by commas, and a leading hyphen excludes them."""
    tag: NotRequired[str]
    """Only clicks on links of this tag. Several are separated by commas, and a leading hyphen excludes them."""
    domainId: NotRequired[str]
    """Only clicks on this domain. Several are separated by commas, and a leading hyphen excludes them."""
    currency: NotRequired[str]
    """ISO 4217 code of the currency of `value`; `usd` by default."""
    q: NotRequired[str]
    """Only labels that contain this text, in any case of letters."""
    limit: NotRequired[int]
    """Labels of the answer. More than 1,000 counts as 1,000."""


class GetBioPageAnalyticsQuery(TypedDict):
    days: NotRequired[int]
    """Number of calendar days, including today."""
    interval: NotRequired[Literal["24h", "7d", "30d", "90d", "1y", "mtd", "qtd", "ytd", "all"]]
    """Instead of `days`: the last 24 hours, so many days, the month, quarter or year to date, or all days since the workspace exists."""
    start: NotRequired[str]
    """Instead of `interval`: the first moment, as a time or as a date of the time zone. The default is 30 days before `end`."""
    end: NotRequired[str]
    """The moment after the period, or its last date. The default is now."""
    timezone: NotRequired[str]
    """IANA time zone of the calendar days."""
    includeBots: NotRequired[bool]
    """Also count clicks by crawlers, link previews and prefetches. Views by them are never counted."""
    country: NotRequired[str]
    """Only clicks with this label: ISO country of the visitor. Several are separated by commas, and a leading hyphen excludes them."""
    region: NotRequired[str]
    """Only clicks with this label: Region of the visitor. Several are separated by commas, and a leading hyphen excludes them."""
    city: NotRequired[str]
    """Only clicks with this label: City of the visitor. Several are separated by commas, and a leading hyphen excludes them."""
    continent: NotRequired[str]
    """Only clicks with this label: Continent of the visitor. Several are separated by commas, and a leading hyphen excludes them."""
    device: NotRequired[str]
    """Only clicks with this label: Kind of device. Several are separated by commas, and a leading hyphen excludes them."""
    browser: NotRequired[str]
    """Only clicks with this label: Name of the browser. Several are separated by commas, and a leading hyphen excludes them."""
    os: NotRequired[str]
    """Only clicks with this label: Name of the operating system. Several are separated by commas, and a leading hyphen excludes them."""
    referrer: NotRequired[str]
    """Only clicks with this label: Host of the page with the link; `direct` without one. Several are separated by commas, and a leading hyphen excludes them."""
    language: NotRequired[str]
    """Only clicks with this label: Preferred language of the browser. Several are separated by commas, and a leading hyphen excludes them."""
    trigger: NotRequired[str]
    """Only clicks with this label: `qr` for scanned codes, else `link`. Several are separated by commas, and a leading hyphen excludes them."""
    utmSource: NotRequired[str]
    """Only clicks with this label: `utm_source` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    utmMedium: NotRequired[str]
    """Only clicks with this label: `utm_medium` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    utmCampaign: NotRequired[str]
    """Only clicks with this label: `utm_campaign` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    utmTerm: NotRequired[str]
    """Only clicks with this label: `utm_term` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    utmContent: NotRequired[str]
    """Only clicks with this label: `utm_content` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    destination: NotRequired[str]
    """Only clicks with this label: Destination of the click. Several are separated by commas, and a leading hyphen excludes them."""
    route: NotRequired[str]
    """Only clicks with this label: The option of the link that chose the destination; `default` without one. Several are separated by commas, and a leading hyphen excludes them."""
    domain: NotRequired[str]
    """Only clicks with this label: Id of the domain of the click; `default` for the shared host. Several are separated by commas, and a leading hyphen excludes them."""
    domainId: NotRequired[str]
    """Only clicks on this domain. Several are separated by commas, and a leading hyphen excludes them."""
    granularity: NotRequired[Literal["hour", "day", "week", "month"]]
    """Length of a bucket, in the time zone; weeks begin on Monday. The default is hours up to two days, days up to 180, else months."""


class ListClicksQuery(TypedDict):
    days: NotRequired[int]
    """Number of calendar days, including today."""
    interval: NotRequired[Literal["24h", "7d", "30d", "90d", "1y", "mtd", "qtd", "ytd", "all"]]
    """Instead of `days`: the last 24 hours, so many days, the month, quarter or year to date, or all days since the workspace exists."""
    start: NotRequired[str]
    """Instead of `interval`: the first moment, as a time or as a date of the time zone. The default is 30 days before `end`."""
    end: NotRequired[str]
    """The moment after the period, or its last date. The default is now."""
    timezone: NotRequired[str]
    """IANA time zone of the calendar days."""
    country: NotRequired[str]
    """Only clicks with this label: ISO country of the visitor. Several are separated by commas, and a leading hyphen excludes them."""
    region: NotRequired[str]
    """Only clicks with this label: Region of the visitor. Several are separated by commas, and a leading hyphen excludes them."""
    city: NotRequired[str]
    """Only clicks with this label: City of the visitor. Several are separated by commas, and a leading hyphen excludes them."""
    continent: NotRequired[str]
    """Only clicks with this label: Continent of the visitor. Several are separated by commas, and a leading hyphen excludes them."""
    device: NotRequired[str]
    """Only clicks with this label: Kind of device. Several are separated by commas, and a leading hyphen excludes them."""
    browser: NotRequired[str]
    """Only clicks with this label: Name of the browser. Several are separated by commas, and a leading hyphen excludes them."""
    os: NotRequired[str]
    """Only clicks with this label: Name of the operating system. Several are separated by commas, and a leading hyphen excludes them."""
    referrer: NotRequired[str]
    """Only clicks with this label: Host of the page with the link; `direct` without one. Several are separated by commas, and a leading hyphen excludes them."""
    language: NotRequired[str]
    """Only clicks with this label: Preferred language of the browser. Several are separated by commas, and a leading hyphen excludes them."""
    trigger: NotRequired[str]
    """Only clicks with this label: `qr` for scanned codes, else `link`. Several are separated by commas, and a leading hyphen excludes them."""
    utmSource: NotRequired[str]
    """Only clicks with this label: `utm_source` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    utmMedium: NotRequired[str]
    """Only clicks with this label: `utm_medium` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    utmCampaign: NotRequired[str]
    """Only clicks with this label: `utm_campaign` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    utmTerm: NotRequired[str]
    """Only clicks with this label: `utm_term` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    utmContent: NotRequired[str]
    """Only clicks with this label: `utm_content` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    destination: NotRequired[str]
    """Only clicks with this label: Destination of the click. Several are separated by commas, and a leading hyphen excludes them."""
    route: NotRequired[str]
    """Only clicks with this label: The option of the link that chose the destination; `default` without one. Several are separated by commas, and a leading hyphen excludes them."""
    domain: NotRequired[str]
    """Only clicks with this label: Id of the domain of the click; `default` for the shared host. Several are separated by commas, and a leading hyphen excludes them."""
    linkId: NotRequired[str]
    """Only clicks on links of this id. Several are separated by commas, and a leading hyphen excludes them."""
    campaignId: NotRequired[str]
    """Only clicks on links of this campaign. Several are separated by commas, and a leading hyphen excludes them."""
    folderId: NotRequired[str]
    """Only clicks on links of this folder. Several are separated by commas, and a leading hyphen excludes them."""
    tag: NotRequired[str]
    """Only clicks on links of this tag. Several are separated by commas, and a leading hyphen excludes them."""
    domainId: NotRequired[str]
    """Only clicks on this domain. Several are separated by commas, and a leading hyphen excludes them."""
    kind: NotRequired[Literal["human", "bot", "preview", "prefetch", "all"]]
    """Which clicks: `human` ones count; the others are crawlers, link previews and prefetches."""
    limit: NotRequired[int]
    """Rows per page. More than 100 counts as 100."""
    offset: NotRequired[int]
    """How many rows to skip; beyond 10,000 use `cursor`."""
    cursor: NotRequired[str]
    """`meta.nextCursor` of the page before, with the same filters."""


class ListConversionsQuery(TypedDict):
    days: NotRequired[int]
    """Number of calendar days, including today."""
    interval: NotRequired[Literal["24h", "7d", "30d", "90d", "1y", "mtd", "qtd", "ytd", "all"]]
    """Instead of `days`: the last 24 hours, so many days, the month, quarter or year to date, or all days since the workspace exists."""
    start: NotRequired[str]
    """Instead of `interval`: the first moment, as a time or as a date of the time zone. The default is 30 days before `end`."""
    end: NotRequired[str]
    """The moment after the period, or its last date. The default is now."""
    timezone: NotRequired[str]
    """IANA time zone of the calendar days."""
    linkId: NotRequired[str]
    """Only conversions attributed to this link."""
    type: NotRequired[Literal["lead", "sale", "custom"]]
    """Only conversions of this type."""
    currency: NotRequired[str]
    """Only conversions in this currency."""
    customerId: NotRequired[str]
    """Only conversions of this customer."""
    limit: NotRequired[int]
    """Rows per page. More than 100 counts as 100."""
    offset: NotRequired[int]
    """How many rows to skip."""


class ExportClicksQuery(TypedDict):
    days: NotRequired[int]
    """Number of calendar days, including today."""
    interval: NotRequired[Literal["24h", "7d", "30d", "90d", "1y", "mtd", "qtd", "ytd", "all"]]
    """Instead of `days`: the last 24 hours, so many days, the month, quarter or year to date, or all days since the workspace exists."""
    start: NotRequired[str]
    """Instead of `interval`: the first moment, as a time or as a date of the time zone. The default is 30 days before `end`."""
    end: NotRequired[str]
    """The moment after the period, or its last date. The default is now."""
    timezone: NotRequired[str]
    """IANA time zone of the calendar days."""
    country: NotRequired[str]
    """Only clicks with this label: ISO country of the visitor. Several are separated by commas, and a leading hyphen excludes them."""
    region: NotRequired[str]
    """Only clicks with this label: Region of the visitor. Several are separated by commas, and a leading hyphen excludes them."""
    city: NotRequired[str]
    """Only clicks with this label: City of the visitor. Several are separated by commas, and a leading hyphen excludes them."""
    continent: NotRequired[str]
    """Only clicks with this label: Continent of the visitor. Several are separated by commas, and a leading hyphen excludes them."""
    device: NotRequired[str]
    """Only clicks with this label: Kind of device. Several are separated by commas, and a leading hyphen excludes them."""
    browser: NotRequired[str]
    """Only clicks with this label: Name of the browser. Several are separated by commas, and a leading hyphen excludes them."""
    os: NotRequired[str]
    """Only clicks with this label: Name of the operating system. Several are separated by commas, and a leading hyphen excludes them."""
    referrer: NotRequired[str]
    """Only clicks with this label: Host of the page with the link; `direct` without one. Several are separated by commas, and a leading hyphen excludes them."""
    language: NotRequired[str]
    """Only clicks with this label: Preferred language of the browser. Several are separated by commas, and a leading hyphen excludes them."""
    trigger: NotRequired[str]
    """Only clicks with this label: `qr` for scanned codes, else `link`. Several are separated by commas, and a leading hyphen excludes them."""
    utmSource: NotRequired[str]
    """Only clicks with this label: `utm_source` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    utmMedium: NotRequired[str]
    """Only clicks with this label: `utm_medium` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    utmCampaign: NotRequired[str]
    """Only clicks with this label: `utm_campaign` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    utmTerm: NotRequired[str]
    """Only clicks with this label: `utm_term` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    utmContent: NotRequired[str]
    """Only clicks with this label: `utm_content` of the click. Several are separated by commas, and a leading hyphen excludes them."""
    destination: NotRequired[str]
    """Only clicks with this label: Destination of the click. Several are separated by commas, and a leading hyphen excludes them."""
    route: NotRequired[str]
    """Only clicks with this label: The option of the link that chose the destination; `default` without one. Several are separated by commas, and a leading hyphen excludes them."""
    domain: NotRequired[str]
    """Only clicks with this label: Id of the domain of the click; `default` for the shared host. Several are separated by commas, and a leading hyphen excludes them."""
    linkId: NotRequired[str]
    """Only clicks on links of this id. Several are separated by commas, and a leading hyphen excludes them."""
    campaignId: NotRequired[str]
    """Only clicks on links of this campaign. Several are separated by commas, and a leading hyphen excludes them."""
    folderId: NotRequired[str]
    """Only clicks on links of this folder. Several are separated by commas, and a leading hyphen excludes them."""
    tag: NotRequired[str]
    """Only clicks on links of this tag. Several are separated by commas, and a leading hyphen excludes them."""
    domainId: NotRequired[str]
    """Only clicks on this domain. Several are separated by commas, and a leading hyphen excludes them."""
    kind: NotRequired[Literal["human", "bot", "preview", "prefetch", "all"]]
    """Which clicks: `human` ones count; the others are crawlers, link previews and prefetches."""
    format: NotRequired[Literal["csv", "json"]]
    """A file for spreadsheets, or a list of objects."""


class StreamClicksQuery(TypedDict):
    linkId: NotRequired[str]
    """Only clicks of this link."""
    maxSeconds: NotRequired[int]
    """The stream ends after this time. 0 sends what came after `Last-Event-ID`, and ends."""


class ListDashboardsQuery(TypedDict):
    limit: NotRequired[int]
    """Rows per page. More than 100 counts as 100."""
    offset: NotRequired[int]
    """How many rows to skip."""
    linkId: NotRequired[str]
    """Only dashboards of this link."""
    campaignId: NotRequired[str]
    """Only dashboards of this campaign."""
    folderId: NotRequired[str]
    """Only dashboards of this folder."""


class ListReportsQuery(TypedDict):
    limit: NotRequired[int]
    """Rows per page. More than 100 counts as 100."""
    offset: NotRequired[int]
    """How many rows to skip."""


class ListAlertsQuery(TypedDict):
    limit: NotRequired[int]
    """Rows per page. More than 100 counts as 100."""
    offset: NotRequired[int]
    """How many rows to skip."""


class LocateAddressQuery(TypedDict):
    ip: NotRequired[str]
    """The address to look up, for owners and admins; without it, your own."""


class ListApiKeysQuery(TypedDict):
    limit: NotRequired[int]
    """Rows per page. More than 100 counts as 100."""
    offset: NotRequired[int]
    """How many rows to skip."""
    kind: NotRequired[Literal["key", "app"]]
    """Only keys that users made, or only those of allowed apps."""


class ListMembersQuery(TypedDict):
    limit: NotRequired[int]
    """Rows per page. More than 100 counts as 100."""
    offset: NotRequired[int]
    """How many rows to skip."""


class ListInvitationsQuery(TypedDict):
    limit: NotRequired[int]
    """Rows per page. More than 100 counts as 100."""
    offset: NotRequired[int]
    """How many rows to skip."""
    status: NotRequired[Literal["pending", "accepted", "rejected", "canceled", "expired"]]
    """Only invitations of this status."""


_ListAuditLogQuery = TypedDict("_ListAuditLogQuery", {
    # Only rows of this time or later.
    "from": NotRequired[str],
})


class ListAuditLogQuery(_ListAuditLogQuery):
    limit: NotRequired[int]
    """Rows per page. More than 100 counts as 100."""
    offset: NotRequired[int]
    """How many rows to skip."""
    action: NotRequired[Literal["link.created", "link.updated", "link.deleted", "link.restored", "link.blocked", "link.unblocked", "folder.created", "folder.updated", "folder.deleted", "media.created", "media.deleted", "bio_page.created", "bio_page.updated", "bio_page.deleted", "tag.renamed", "tag.deleted", "campaign.created", "campaign.updated", "campaign.completed", "campaign.deleted", "link_view.created", "link_view.updated", "link_view.deleted", "utm_template.created", "utm_template.updated", "utm_template.deleted", "dashboard.created", "dashboard.updated", "dashboard.rotated", "dashboard.deleted", "alert.created", "alert.updated", "alert.deleted", "report.created", "report.updated", "report.canceled", "report.deleted", "domain.created", "domain.updated", "domain.verified", "domain.failed", "domain.deleted", "webhook.created", "webhook.updated", "webhook.deleted", "webhook.auto_paused", "webhook.secret_viewed", "webhook.secret_rotated", "webhook.tested", "webhook.dispatched", "webhook.replayed", "webhook.delivery_retried", "webhook.deliveries_retried", "api_key.created", "api_key.updated", "api_key.rotated", "api_key.revoked", "member.joined", "member.role_changed", "member.role_set", "member.removed", "member.left", "invitation.created", "invitation.renewed", "invitation.link_created", "invitation.canceled", "invitation.accepted", "invitation.rejected", "workspace.created", "workspace.updated", "workspace.suspended", "workspace.resumed", "workspace.rate_limit_set", "billing.plan_changed", "billing.subscription_updated"]]
    """Only entries with this action."""
    actorId: NotRequired[str]
    """Only changes by this user or API key."""
    targetType: NotRequired[str]
    """Only changes of objects of this type."""
    targetId: NotRequired[str]
    """Only changes of this object."""
    to: NotRequired[str]
    """Only rows before this time."""


_ListSecurityLogQuery = TypedDict("_ListSecurityLogQuery", {
    # Only rows of this time or later.
    "from": NotRequired[str],
})


class ListSecurityLogQuery(_ListSecurityLogQuery):
    limit: NotRequired[int]
    """Rows per page. More than 100 counts as 100."""
    offset: NotRequired[int]
    """How many rows to skip."""
    type: NotRequired[Literal["sign_up.requested", "sign_in.succeeded", "sign_in.failed", "sign_out", "email.verified", "email.changed", "password.changed", "password.reset_requested", "password.reset", "session.revoked", "two_factor.enabled", "two_factor.disabled", "two_factor.failed", "backup_codes.used", "backup_codes.replaced", "passkey.added", "passkey.removed", "account.linked", "account.unlinked", "account.deleted", "operator.added", "operator.removed", "api_key.created", "api_key.rotated", "api_key.revoked", "api_key.ip_denied", "member.invited", "member.joined", "member.role_changed", "member.removed", "webhook.secret_viewed", "webhook.secret_rotated", "workspace.deleted", "workspace.suspended", "workspace.resumed"]]
    """Only entries of this type."""
    outcome: NotRequired[Literal["success", "failure"]]
    """Only entries with this outcome."""
    actorId: NotRequired[str]
    """Only events by this user or API key."""
    userId: NotRequired[str]
    """Only events that affect this user."""
    to: NotRequired[str]
    """Only rows before this time."""


class ListPlansQuery(TypedDict):
    limit: NotRequired[int]
    """Rows per page. More than 100 counts as 100."""
    offset: NotRequired[int]
    """How many rows to skip."""


class ListInvoicesQuery(TypedDict):
    limit: NotRequired[int]
    """Rows per page. More than 100 counts as 100."""
    offset: NotRequired[int]
    """How many rows to skip."""


class ListPaymentMethodsQuery(TypedDict):
    limit: NotRequired[int]
    """Rows per page. More than 100 counts as 100."""
    offset: NotRequired[int]
    """How many rows to skip."""


class ListAbuseReportsQuery(TypedDict):
    status: NotRequired[Literal["open", "resolved"]]
    """Only reports with this status."""
    linkId: NotRequired[str]
    """Only reports about this link."""
    limit: NotRequired[int]
    """Rows per page. More than 100 counts as 100."""
    offset: NotRequired[int]
    """How many rows to skip."""


class ListWebhookEndpointsQuery(TypedDict):
    limit: NotRequired[int]
    """Rows per page. More than 100 counts as 100."""
    offset: NotRequired[int]
    """How many rows to skip."""
    stats: NotRequired[Literal["24h"]]
    """Adds to each endpoint its attempts of the last 24 hours."""


class RotateWebhookSecretQuery(TypedDict):
    overlapHours: NotRequired[int]
    """Hours in which deliveries are signed with the previous secret as well; 0 when absent."""


_ListWebhookDeliveriesQuery = TypedDict("_ListWebhookDeliveriesQuery", {
    # Only deliveries queued at this time or later.
    "from": NotRequired[str],
})


class ListWebhookDeliveriesQuery(_ListWebhookDeliveriesQuery):
    endpointId: NotRequired[str]
    """Only deliveries to this endpoint."""
    status: NotRequired[Literal["pending", "processing", "completed", "failed", "dead_letter"]]
    """Only deliveries of this status."""
    eventType: NotRequired[Literal["link.created", "link.updated", "link.deleted", "domain.verified", "domain.failed", "click.received", "conversion.received", "campaign.completed", "report.generated", "billing.subscription.updated"]]
    """Only deliveries of this type."""
    eventId: NotRequired[str]
    """Only deliveries of this event, including its replays."""
    responseStatus: NotRequired[int]
    """Only deliveries whose latest attempt was answered with this HTTP status."""
    to: NotRequired[str]
    """Only deliveries queued before this time."""
    limit: NotRequired[int]
    """Rows per page. More than 100 counts as 100."""
    offset: NotRequired[int]
    """How many rows to skip."""


_CountWebhookDeliveriesQuery = TypedDict("_CountWebhookDeliveriesQuery", {
    # Only deliveries queued at this time or later.
    "from": NotRequired[str],
})


class CountWebhookDeliveriesQuery(_CountWebhookDeliveriesQuery):
    endpointId: NotRequired[str]
    """Only deliveries to this endpoint."""
    eventType: NotRequired[Literal["link.created", "link.updated", "link.deleted", "domain.verified", "domain.failed", "click.received", "conversion.received", "campaign.completed", "report.generated", "billing.subscription.updated"]]
    """Only deliveries of this type."""
    eventId: NotRequired[str]
    """Only deliveries of this event, including its replays."""
    responseStatus: NotRequired[int]
    """Only deliveries whose latest attempt was answered with this HTTP status."""
    to: NotRequired[str]
    """Only deliveries queued before this time."""


class ListenForWebhookEventsQuery(TypedDict):
    cursor: NotRequired[str]
    """The cursor of the previous answer; absent in the first call."""
    events: NotRequired[str]
    """Only these event types, separated by commas."""
    waitSeconds: NotRequired[int]
    """Seconds to wait for an event when there is none yet."""


class ListWorkspacesQuery(TypedDict):
    limit: NotRequired[int]
    """Rows per page. More than 100 counts as 100."""
    offset: NotRequired[int]
    """How many rows to skip."""


WebhookEvent: TypeAlias = (
    LinkCreatedEvent
    | LinkUpdatedEvent
    | LinkDeletedEvent
    | DomainVerifiedEvent
    | DomainFailedEvent
    | ClickReceivedEvent
    | ConversionReceivedEvent
    | CampaignCompletedEvent
    | ReportGeneratedEvent
    | BillingSubscriptionUpdatedEvent
)
"""Any event that an endpoint receives; `type` tells which."""
