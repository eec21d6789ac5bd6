// Written by "npm run clients" from the OpenAPI document; tests compare.
export interface components {
    schemas: {
        AbuseReport: {
            /** @description Id of the report. */
            id: string;
            /** @description Id of the workspace it belongs to. */
            workspaceId: string;
            /** @description Id of the link. */
            linkId: string;
            /** @description The short URL, as it was reported. */
            url: string;
            /**
             * @description What is wrong with the link.
             * @enum {string}
             */
            reason: "phishing" | "malware" | "spam" | "other";
            /** @description What the reporter wrote. */
            details: string | null;
            /**
             * @description Whether the operator has dealt with it.
             * @enum {string}
             */
            status: "open" | "resolved";
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the operator dealt with it.
             */
            resolvedAt: string | null;
        };
        AddressLocation: {
            /** @description The address. */
            ip: string | null;
            /** @description Its country, by ISO 3166-1. */
            country: string | null;
            /** @description English name of the country. */
            countryName: string | null;
            /** @description Its region, by ISO 3166-2; a name after the dash without a code. */
            region: string | null;
            /** @description Name of the region. */
            regionName: string | null;
            /** @description Name of the city. */
            city: string | null;
            /** @description AF, AN, AS, EU, NA, OC or SA. */
            continent: string | null;
            /** @description Degrees north. */
            latitude: number | null;
            /** @description Degrees east. */
            longitude: number | null;
            /** @description Its time zone, by the IANA database. */
            timezone: string | null;
            /** @description Whether the country belongs to the European Union. */
            isEu: boolean | null;
        };
        Alert: {
            /** @description Id of the alert. */
            id: string;
            /** @description Id of the workspace it belongs to. */
            workspaceId: string;
            /** @description Id of the link; null: the whole workspace. */
            linkId: string | null;
            /** @description Name of the link. */
            linkName: string | null;
            /** @description `clicks`: an hour far above or below the usual; `destination`: whether the destination of the link answers. */
            watches: ("clicks" | "destination")[];
            /** @description Members who get a mail when it begins and when it ends. */
            recipients: string[];
            /** @description False: it is not checked. */
            isActive: boolean;
            /** @description Always `usual` unless clicks are watched. */
            clicks: components["schemas"]["AlertClicks"];
            /** @description Always `ok` unless the destination is watched. */
            destination: components["schemas"]["AlertDestination"];
            /**
             * Format: date-time
             * @description When it was last checked.
             */
            checkedAt: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updatedAt: string;
        };
        AlertClicks: {
            /**
             * @description Whether the last judged hour was usual.
             * @enum {string}
             */
            state: "usual" | "high" | "low";
            /**
             * Format: date-time
             * @description Start of the first hour of this state.
             */
            since: string | null;
            /** @description Human clicks of the last judged hour. */
            count: number | null;
            /** @description The usual number at that hour; null: not known yet. */
            usual: number | null;
        };
        AlertDestination: {
            /**
             * @description `failing`: two checks in a row failed.
             * @enum {string}
             */
            state: "ok" | "failing";
            /**
             * Format: date-time
             * @description Since when it is in this state.
             */
            since: string | null;
        };
        AnalyticsBreakdowns: {
            /** @description The ten most clicked labels: ISO country of the visitor. */
            country: components["schemas"]["AnalyticsRow"][];
            /** @description The ten most clicked labels: Region of the visitor. */
            region: components["schemas"]["AnalyticsRow"][];
            /** @description The ten most clicked labels: City of the visitor. */
            city: components["schemas"]["AnalyticsRow"][];
            /** @description The ten most clicked labels: Continent of the visitor. */
            continent: components["schemas"]["AnalyticsRow"][];
            /** @description The ten most clicked labels: Kind of device. */
            device: components["schemas"]["AnalyticsRow"][];
            /** @description The ten most clicked labels: Name of the browser. */
            browser: components["schemas"]["AnalyticsRow"][];
            /** @description The ten most clicked labels: Name of the operating system. */
            os: components["schemas"]["AnalyticsRow"][];
            /** @description The ten most clicked labels: Host of the page with the link; `direct` without one. */
            referrer: components["schemas"]["AnalyticsRow"][];
            /** @description The ten most clicked labels: Preferred language of the browser. */
            language: components["schemas"]["AnalyticsRow"][];
            /** @description The ten most clicked labels: `qr` for scanned codes, else `link`. */
            trigger: components["schemas"]["AnalyticsRow"][];
            /** @description The ten most clicked labels: `utm_source` of the click. */
            utmSource: components["schemas"]["AnalyticsRow"][];
            /** @description The ten most clicked labels: `utm_medium` of the click. */
            utmMedium: components["schemas"]["AnalyticsRow"][];
            /** @description The ten most clicked labels: `utm_campaign` of the click. */
            utmCampaign: components["schemas"]["AnalyticsRow"][];
            /** @description The ten most clicked labels: `utm_term` of the click. */
            utmTerm: components["schemas"]["AnalyticsRow"][];
            /** @description The ten most clicked labels: `utm_content` of the click. */
            utmContent: components["schemas"]["AnalyticsRow"][];
            /** @description The ten most clicked labels: Destination of the click. */
            destination: components["schemas"]["AnalyticsRow"][];
        };
        AnalyticsBucket: {
            /**
             * Format: date-time
             * @description Start of the bucket; it ends where the next one starts.
             */
            start: string;
            /** @description Clicks. */
            clicks: number;
            /** @description Unique visitors. */
            uniqueVisitors: number;
            /** @description Clicks that the links had in other services on days of this bucket, beside `clicks`; 0 in series of hours. */
            importedClicks: number;
            /** @description Conversions that happened in the period and are attributed to a link. */
            conversions: number;
            /** @description Value of those in the `currency` of the question, in its smallest unit; refunds are negative. */
            value: number;
        };
        AnalyticsComparedBreakdowns: {
            /** @description The ten most clicked labels: ISO country of the visitor. */
            country: components["schemas"]["AnalyticsComparedRow"][];
            /** @description The ten most clicked labels: Region of the visitor. */
            region: components["schemas"]["AnalyticsComparedRow"][];
            /** @description The ten most clicked labels: City of the visitor. */
            city: components["schemas"]["AnalyticsComparedRow"][];
            /** @description The ten most clicked labels: Continent of the visitor. */
            continent: components["schemas"]["AnalyticsComparedRow"][];
            /** @description The ten most clicked labels: Kind of device. */
            device: components["schemas"]["AnalyticsComparedRow"][];
            /** @description The ten most clicked labels: Name of the browser. */
            browser: components["schemas"]["AnalyticsComparedRow"][];
            /** @description The ten most clicked labels: Name of the operating system. */
            os: components["schemas"]["AnalyticsComparedRow"][];
            /** @description The ten most clicked labels: Host of the page with the link; `direct` without one. */
            referrer: components["schemas"]["AnalyticsComparedRow"][];
            /** @description The ten most clicked labels: Preferred language of the browser. */
            language: components["schemas"]["AnalyticsComparedRow"][];
            /** @description The ten most clicked labels: `qr` for scanned codes, else `link`. */
            trigger: components["schemas"]["AnalyticsComparedRow"][];
            /** @description The ten most clicked labels: `utm_source` of the click. */
            utmSource: components["schemas"]["AnalyticsComparedRow"][];
            /** @description The ten most clicked labels: `utm_medium` of the click. */
            utmMedium: components["schemas"]["AnalyticsComparedRow"][];
            /** @description The ten most clicked labels: `utm_campaign` of the click. */
            utmCampaign: components["schemas"]["AnalyticsComparedRow"][];
            /** @description The ten most clicked labels: `utm_term` of the click. */
            utmTerm: components["schemas"]["AnalyticsComparedRow"][];
            /** @description The ten most clicked labels: `utm_content` of the click. */
            utmContent: components["schemas"]["AnalyticsComparedRow"][];
            /** @description The ten most clicked labels: Destination of the click. */
            destination: components["schemas"]["AnalyticsComparedRow"][];
        };
        AnalyticsComparedLink: {
            /** @description The link. */
            link: components["schemas"]["CountedLink"];
            /** @description Clicks. */
            clicks: number;
            /** @description Unique visitors. */
            uniqueVisitors: number;
            /** @description Conversions that happened in the period and are attributed to a link. */
            conversions: number;
            /** @description Value of those in the `currency` of the question, in its smallest unit; refunds are negative. */
            value: number;
            /** @description Clicks of the compared period; null without one. */
            comparedClicks: number | null;
        };
        AnalyticsComparedRow: {
            /** @description The label. */
            label: string;
            /** @description Clicks. */
            clicks: number;
            /** @description Unique visitors. */
            uniqueVisitors: number;
            /** @description Share of the clicks of all labels. */
            percent: number;
            /** @description Conversions that happened in the period and are attributed to a link. */
            conversions: number;
            /** @description Value of those in the `currency` of the question, in its smallest unit; refunds are negative. */
            value: number;
            /** @description Host of a label of `domain`; null for a domain that was deleted. */
            hostname?: string | null;
            /** @description Clicks of the compared period; null without one. */
            comparedClicks: number | null;
        };
        AnalyticsComparison: {
            /** @description The compared period. */
            period: components["schemas"]["AnalyticsPeriod"];
            /** @description Clicks. */
            clicks: number;
            /** @description Unique visitors. */
            uniqueVisitors: number;
            /** @description Crawlers, link previews and prefetches of the period, which the other numbers leave out unless `includeBots` is true. */
            botClicks: number;
            /** @description Conversions that happened in the period and are attributed to a link. */
            conversions: number;
            /** @description Value of those in the `currency` of the question, in its smallest unit; refunds are negative. */
            value: number;
            /** @description Change of the clicks against as many days before. */
            clicksChangePercent: number;
            /** @description Change of the visitors against as many days before. */
            uniqueVisitorsChangePercent: number;
            /** @description Whether anything was counted in the period that a change compares with. False: there is no earlier data, and the change says nothing. */
            hasEarlierPeriod: boolean;
            /** @description The compared period in buckets. */
            series: components["schemas"]["AnalyticsBucket"][];
        };
        AnalyticsMeta: {
            /** @description The id of the request, as in the header x-request-id. */
            requestId: string;
            /** @description The counted period. */
            period: components["schemas"]["AnalyticsPeriod"];
            /** @description Time zone of the calendar days. */
            timezone: string;
            /**
             * Format: date-time
             * @description Every click that was answered before this time is counted, on whichever server. Some later ones may be.
             */
            asOf: string;
            /** @description The currencies of the conversions of the period, in answers that have `value`. */
            currencies?: string[];
            /** @description Sent if the period has months whose single clicks were deleted (CLICK_RETENTION_DAYS). `utc_days`: their days are UTC days. `filters`: only labels of one group (place, device, source, campaign, destination) are known together; clicks with labels of another group count among the others, or are missing if labels of two groups are filtered. `visitors`: unique visitors by label, and of filtered clicks, leave these months out. */
            incomplete?: ("utc_days" | "filters" | "visitors")[];
        };
        AnalyticsOverview: {
            /** @description All clicks that were ever counted, and those that were imported. */
            totalClicks: number;
            /** @description Clicks of the period. */
            periodClicks: number;
            /** @description Change of the clicks against as many days before. */
            periodChangePercent: number;
            /** @description Unique visitors of the period. */
            uniqueVisitors: number;
            /** @description Change of the visitors against as many days before. */
            uniqueVisitorsChangePercent: number;
            /** @description Clicks of the period by dimension. */
            breakdowns: components["schemas"]["Breakdowns"];
            /** @description Whether anything was counted in the period that a change compares with. False: there is no earlier data, and the change says nothing. */
            hasEarlierPeriod: boolean;
            /** @description Crawlers, link previews and prefetches of the period, which the other numbers leave out unless `includeBots` is true. */
            botClicks: number;
            /** @description Clicks that the links had in other services: part of totals, and of no number of the period. */
            totalImportedClicks: number;
            /** @description True when the unique visitors are estimated, within about one percent. */
            approximate: boolean;
            /** @description Links that the filters name. */
            links: number;
            /** @description Conversions that happened in the period and are attributed to a link. */
            conversions: number;
            /** @description Value of those in the `currency` of the question, in its smallest unit; refunds are negative. */
            value: number;
        };
        AnalyticsPageMeta: {
            /** @description The id of the request, as in the header x-request-id. */
            requestId: string;
            /** @description The counted period. */
            period: components["schemas"]["AnalyticsPeriod"];
            /** @description Time zone of the calendar days. */
            timezone: string;
            /**
             * Format: date-time
             * @description Every click that was answered before this time is counted, on whichever server. Some later ones may be.
             */
            asOf: string;
            /** @description The currencies of the conversions of the period, in answers that have `value`. */
            currencies?: string[];
            /** @description Sent if the period has months whose single clicks were deleted (CLICK_RETENTION_DAYS). `utc_days`: their days are UTC days. `filters`: only labels of one group (place, device, source, campaign, destination) are known together; clicks with labels of another group count among the others, or are missing if labels of two groups are filtered. `visitors`: unique visitors by label, and of filtered clicks, leave these months out. */
            incomplete?: ("utc_days" | "filters" | "visitors")[];
            /** @description True when the unique visitors are estimated, within about one percent. */
            approximate: boolean;
            /** @description The `limit` of this page. */
            limit: number;
            /** @description The `offset` of this page. */
            offset: number;
        };
        AnalyticsPeriod: {
            /**
             * Format: date-time
             * @description Start of the first day.
             */
            start: string;
            /**
             * Format: date-time
             * @description End of the last day.
             */
            end: string;
        };
        AnalyticsRow: {
            /** @description The label. */
            label: string;
            /** @description Clicks. */
            clicks: number;
            /** @description Unique visitors. */
            uniqueVisitors: number;
            /** @description Share of the clicks of all labels. */
            percent: number;
            /** @description Conversions that happened in the period and are attributed to a link. */
            conversions: number;
            /** @description Value of those in the `currency` of the question, in its smallest unit; refunds are negative. */
            value: number;
            /** @description Host of a label of `domain`; null for a domain that was deleted. */
            hostname?: string | null;
        };
        AnalyticsRowsMeta: {
            /** @description The id of the request, as in the header x-request-id. */
            requestId: string;
            /** @description The counted period. */
            period: components["schemas"]["AnalyticsPeriod"];
            /** @description Time zone of the calendar days. */
            timezone: string;
            /**
             * Format: date-time
             * @description Every click that was answered before this time is counted, on whichever server. Some later ones may be.
             */
            asOf: string;
            /** @description The currencies of the conversions of the period, in answers that have `value`. */
            currencies?: string[];
            /** @description Sent if the period has months whose single clicks were deleted (CLICK_RETENTION_DAYS). `utc_days`: their days are UTC days. `filters`: only labels of one group (place, device, source, campaign, destination) are known together; clicks with labels of another group count among the others, or are missing if labels of two groups are filtered. `visitors`: unique visitors by label, and of filtered clicks, leave these months out. */
            incomplete?: ("utc_days" | "filters" | "visitors")[];
            /** @description True when the unique visitors are estimated, within about one percent. */
            approximate: boolean;
        };
        AnalyticsSeriesMeta: {
            /** @description The id of the request, as in the header x-request-id. */
            requestId: string;
            /** @description The counted period. */
            period: components["schemas"]["AnalyticsPeriod"];
            /** @description Time zone of the calendar days. */
            timezone: string;
            /**
             * Format: date-time
             * @description Every click that was answered before this time is counted, on whichever server. Some later ones may be.
             */
            asOf: string;
            /** @description The currencies of the conversions of the period, in answers that have `value`. */
            currencies?: string[];
            /** @description Sent if the period has months whose single clicks were deleted (CLICK_RETENTION_DAYS). `utc_days`: their days are UTC days. `filters`: only labels of one group (place, device, source, campaign, destination) are known together; clicks with labels of another group count among the others, or are missing if labels of two groups are filtered. `visitors`: unique visitors by label, and of filtered clicks, leave these months out. */
            incomplete?: ("utc_days" | "filters" | "visitors")[];
            /** @description True when the unique visitors are estimated, within about one percent. */
            approximate: boolean;
            /**
             * @description Length of a bucket.
             * @enum {string}
             */
            granularity?: "hour" | "day" | "week" | "month";
        };
        AnalyticsSummary: {
            /** @description Links that the filters name. */
            links: number;
            /** @description Numbers of the period. */
            totals: components["schemas"]["AnalyticsTotals"];
            /** @description Clicks that the links had in other services: part of totals, and of no number of the period. */
            totalImportedClicks: number;
            /** @description The period in buckets. */
            series: components["schemas"]["AnalyticsBucket"][];
            /** @description Labels of every dimension. */
            breakdowns: components["schemas"]["AnalyticsComparedBreakdowns"];
            /** @description The ten most clicked links. */
            topLinks: components["schemas"]["AnalyticsComparedLink"][];
            /** @description The period to compare with; null without `compare`. */
            comparison: components["schemas"]["AnalyticsComparison"] | null;
        };
        AnalyticsTopLink: {
            /** @description The link. */
            link: components["schemas"]["CountedLink"];
            /** @description Clicks. */
            clicks: number;
            /** @description Unique visitors. */
            uniqueVisitors: number;
            /** @description Conversions that happened in the period and are attributed to a link. */
            conversions: number;
            /** @description Value of those in the `currency` of the question, in its smallest unit; refunds are negative. */
            value: number;
        };
        AnalyticsTotals: {
            /** @description Clicks. */
            clicks: number;
            /** @description Unique visitors. */
            uniqueVisitors: number;
            /** @description Crawlers, link previews and prefetches of the period, which the other numbers leave out unless `includeBots` is true. */
            botClicks: number;
            /** @description Conversions that happened in the period and are attributed to a link. */
            conversions: number;
            /** @description Value of those in the `currency` of the question, in its smallest unit; refunds are negative. */
            value: number;
        };
        AnalyticsValue: {
            /** @description The label. */
            value: string;
            /** @description Clicks of the period. */
            clicks: number;
            /** @description Host of a label of `domain`; null for a domain that was deleted. */
            hostname?: string | null;
        };
        AnalyzedLink: {
            /** @description Id of the link. */
            id: string;
            /** @description The path of its short URL. */
            slug: string;
        };
        ApiKey: {
            /** @description Id of the key. */
            id: string;
            /** @description Purpose of the key. */
            name: string;
            /** @description First and last characters of the key, to tell keys apart. */
            prefix: string;
            /** @description Permissions of the key; null: everything that its user’s role allows. */
            scopes: string[] | null;
            /** @description Addresses and CIDR ranges that may use the key; empty: any. */
            ipAllowlist: string[];
            /** @description Id of the workspace it belongs to. */
            workspaceId: string;
            /** @description Id of the user as whom it acts. */
            userId: string;
            /** @description Where the user allowed the app that holds the key: the host it returned to, or `device`; null for a key without an app. */
            app: string | null;
            /**
             * Format: date-time
             * @description When it was last used.
             */
            lastUsedAt: string | null;
            /** @description Client address of its last use. */
            lastUsedIp: string | null;
            /**
             * Format: date-time
             * @description When the key expires; null: never. An app gets a new key in time.
             */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updatedAt: string;
        };
        AttributedLink: {
            /** @description Id of the link. */
            id: string;
            /** @description The path of its short URL, when it was attributed. */
            slug: string;
            /** @description Its name; null for a link that was deleted. */
            name: string | null;
        };
        AuditActor: {
            /**
             * @description A user, an API key, or the program itself.
             * @enum {string}
             */
            type: "user" | "api_key" | "system";
            /** @description Id of the user or the key. */
            id: string;
            /** @description Name at that time. */
            name: string | null;
            /** @description E-mail address of the user at that time. */
            email: string | null;
        };
        AuditEntry: {
            /** @description Id of the entry. */
            id: string;
            /** @description Id of the workspace it belongs to. */
            workspaceId: string;
            /**
             * @description What was done: a resource and a past participle.
             * @enum {string}
             */
            action: "link.created" | "link.updated" | "link.deleted" | "link.restored" | "link.blocked" | "link.unblocked" | "folder.created" | "folder.updated" | "folder.deleted" | "media.created" | "media.deleted" | "bio_page.created" | "bio_page.updated" | "bio_page.deleted" | "tag.renamed" | "tag.deleted" | "campaign.created" | "campaign.updated" | "campaign.completed" | "campaign.deleted" | "link_view.created" | "link_view.updated" | "link_view.deleted" | "utm_template.created" | "utm_template.updated" | "utm_template.deleted" | "dashboard.created" | "dashboard.updated" | "dashboard.rotated" | "dashboard.deleted" | "alert.created" | "alert.updated" | "alert.deleted" | "report.created" | "report.updated" | "report.canceled" | "report.deleted" | "domain.created" | "domain.updated" | "domain.verified" | "domain.failed" | "domain.deleted" | "webhook.created" | "webhook.updated" | "webhook.deleted" | "webhook.auto_paused" | "webhook.secret_viewed" | "webhook.secret_rotated" | "webhook.tested" | "webhook.dispatched" | "webhook.replayed" | "webhook.delivery_retried" | "webhook.deliveries_retried" | "api_key.created" | "api_key.updated" | "api_key.rotated" | "api_key.revoked" | "member.joined" | "member.role_changed" | "member.role_set" | "member.removed" | "member.left" | "invitation.created" | "invitation.renewed" | "invitation.link_created" | "invitation.canceled" | "invitation.accepted" | "invitation.rejected" | "workspace.created" | "workspace.updated" | "workspace.suspended" | "workspace.resumed" | "workspace.rate_limit_set" | "billing.plan_changed" | "billing.subscription_updated";
            /** @description Author of the change. */
            actor: components["schemas"]["AuditActor"];
            /** @description The changed object. */
            target: components["schemas"]["AuditTarget"];
            /** @description Old and new value of each field, `{field: {old, new}}`, without secrets. */
            changes: {
                [key: string]: unknown;
            };
            /** @description Client address. */
            ipAddress: string | null;
            /** @description User agent of the client. */
            userAgent: string | null;
            /** @description Id of the request. */
            requestId: string;
            /**
             * Format: date-time
             * @description Time of the change.
             */
            createdAt: string;
            /** @description Hash of the previous entry; zeros for the first. */
            prevHash: string | null;
            /** @description Hash of the entry and `prevHash`. */
            hash: string | null;
        };
        AuditTarget: {
            /** @description Type of the changed object. */
            type: string;
            /** @description Id of the object. */
            id: string;
            /** @description Name at that time. */
            name: string | null;
        };
        BatchEvent: {
            /** @description Id of the event. */
            id: string;
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "link.created" | "link.updated" | "link.deleted" | "domain.verified" | "domain.failed" | "click.received" | "conversion.received" | "campaign.completed" | "report.generated" | "billing.subscription.updated";
            /** @description Id of the workspace it belongs to. */
            workspaceId: string;
            /**
             * Format: date-time
             * @description When it happened.
             */
            createdAt: string;
            /** @description The JSON text of the data, byte for byte. */
            payload: string;
        };
        BillingSubscriptionUpdatedEvent: {
            /** @description Id of the delivery, the same for all of its attempts: de-duplicate by it. */
            id: string;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "billing.subscription.updated";
            /** @description Id of the workspace it belongs to. */
            workspaceId: string;
            /** @description Id of the endpoint. */
            endpointId: string;
            /** @description The number of the attempt, from 1. */
            attempt: number;
            /**
             * Format: date-time
             * @description When it happened, or was queued again.
             */
            createdAt: string;
            /** @description What happened. */
            data: {
                /** @description The plan of the workspace from now on. */
                plan: string;
                /** @description Its plan before. */
                previousPlan: string;
                /** @description State of the subscription. */
                status: string;
                /**
                 * Format: date-time
                 * @description When the paid period ends.
                 */
                currentPeriodEnd: string | null;
            };
        };
        BioPage: {
            /** @description Id of the page. */
            id: string;
            /** @description Id of the workspace it belongs to. */
            workspaceId: string;
            /** @description The end of its address, in the characters of link slugs. Unique among pages, and on a branded domain among links too. */
            slug: string;
            /** @description The heading of the page. */
            title: string;
            /** @description The text below the heading. */
            description: string | null;
            /** @description Id of the image at the top (`POST /media`); null: none. */
            avatarMediaId: string | null;
            /** @description The preset, and the colors and fonts that differ from it. */
            theme: components["schemas"]["BioPageTheme"];
            /** @description The blocks in their order. */
            blocks: components["schemas"]["BioPageBlock"][];
            /** @description The profiles below the heading, in their order. */
            socials: components["schemas"]["BioPageSocial"][];
            /** @description Texts and image for search engines and previews. */
            seo: components["schemas"]["BioPageSeo"];
            /**
             * @description Only a `published` page is public. A `draft` keeps its slug.
             * @enum {string}
             */
            status: "draft" | "published";
            /** @description Id of the branded domain of the page; null: the shared host, under `/p/`. */
            domainId: string | null;
            /** @description Views by humans. */
            views: number;
            /** @description Clicks by humans on the links of its blocks, since each link was created. */
            clicks: number;
            /** @description Its address. */
            url: string;
            /**
             * Format: date-time
             * @description When it was published; null: a draft.
             */
            publishedAt: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updatedAt: string;
            /** @description Whether the page also answers at `/` of its domain, which must not have a `rootRedirectUrl`. */
            isRoot: boolean;
        };
        BioPageAnalytics: {
            /** @description The page. */
            page: {
                /** @description Id of the page. */
                id: string;
                /** @description Its slug. */
                slug: string;
                /** @description Its heading. */
                title: string;
            };
            /** @description All views that were ever counted. */
            totalViews: number;
            /** @description Views of the period. */
            periodViews: number;
            /** @description Change of the views against as many days before. */
            periodViewsChangePercent: number;
            /** @description Unique visitors of the period. */
            uniqueVisitors: number;
            /** @description Change of the visitors against as many days before. */
            uniqueVisitorsChangePercent: number;
            /** @description Whether anything was counted in the period that a change compares with. False: there is no earlier data, and the change says nothing. */
            hasEarlierPeriod: boolean;
            /** @description Clicks of the links of all blocks in the period. */
            periodClicks: number;
            /** @description Clicks of all blocks divided by views of the page; null without a view. It may exceed 1. */
            clickRate: number | null;
            /** @description The blocks with a link that the page has today, in their order. */
            blocks: components["schemas"]["BioPageBlockAnalytics"][];
            /** @description A row for each hour, day, week or month of the period, also without a view. */
            timeseries: components["schemas"]["BioPageBucket"][];
            /** @description Views of the period by dimension. */
            breakdowns: {
                /** @description Views by: ISO country of the visitor. */
                country: {
                    [key: string]: number;
                };
                /** @description Views by: Region of the visitor. */
                region: {
                    [key: string]: number;
                };
                /** @description Views by: City of the visitor. */
                city: {
                    [key: string]: number;
                };
                /** @description Views by: Continent of the visitor. */
                continent: {
                    [key: string]: number;
                };
                /** @description Views by: Kind of device. */
                device: {
                    [key: string]: number;
                };
                /** @description Views by: Name of the browser. */
                browser: {
                    [key: string]: number;
                };
                /** @description Views by: Name of the operating system. */
                os: {
                    [key: string]: number;
                };
                /** @description Views by: Host of the page with the link; `direct` without one. */
                referrer: {
                    [key: string]: number;
                };
                /** @description Views by: Preferred language of the browser. */
                language: {
                    [key: string]: number;
                };
                /** @description Views by: `qr` for scanned codes, else `link`. */
                trigger: {
                    [key: string]: number;
                };
                /** @description Views by: `utm_source` of the click. */
                utmSource: {
                    [key: string]: number;
                };
                /** @description Views by: `utm_medium` of the click. */
                utmMedium: {
                    [key: string]: number;
                };
                /** @description Views by: `utm_campaign` of the click. */
                utmCampaign: {
                    [key: string]: number;
                };
                /** @description Views by: `utm_term` of the click. */
                utmTerm: {
                    [key: string]: number;
                };
                /** @description Views by: `utm_content` of the click. */
                utmContent: {
                    [key: string]: number;
                };
            };
            /** @description True when the unique visitors are estimated, within about one percent. */
            approximate: boolean;
        };
        BioPageAnalyticsMeta: {
            /** @description The id of the request, as in the header x-request-id. */
            requestId: string;
            /** @description The counted period. */
            period: components["schemas"]["AnalyticsPeriod"];
            /** @description Time zone of the calendar days. */
            timezone: string;
            /**
             * Format: date-time
             * @description Every click that was answered before this time is counted, on whichever server. Some later ones may be.
             */
            asOf: string;
            /** @description Sent if the period has months whose single clicks were deleted (CLICK_RETENTION_DAYS). `utc_days`: their days are UTC days. `filters`: only labels of one group (place, device, source, campaign, destination) are known together; clicks with labels of another group count among the others, or are missing if labels of two groups are filtered. `visitors`: unique visitors by label, and of filtered clicks, leave these months out. */
            incomplete?: ("utc_days" | "filters" | "visitors")[];
            /**
             * @description Length of a bucket.
             * @enum {string}
             */
            granularity?: "hour" | "day" | "week" | "month";
        };
        BioPageBlock: {
            /** @description Id of the block. */
            id: string;
            /**
             * @description `link`: a short link; `header` and `text`: words; `image`: an uploaded image; `social`: a profile; `embed`: a card for a video, song or post.
             * @enum {string}
             */
            type: "link" | "header" | "text" | "image" | "social" | "embed";
            /** @description The text of the block, or the alternative text of an image. At most 255 characters; in a `text` block 2,000, with line breaks. */
            title: string | null;
            /**
             * Format: uri
             * @description Where the block leads; for a `link`, the destination of its short link. `social` also takes `mailto:` and `tel:`.
             */
            url: string | null;
            /** @description Id of the short link of a `link`. Without one, a link named after the block is created. */
            linkId: string | null;
            /** @description The platform of a `social` block; an emoji of a `link`. */
            icon: string | null;
            /** @description Whether the block is shown. */
            enabled: boolean;
            /**
             * Format: date-time
             * @description When it appears; null: at once.
             */
            startsAt: string | null;
            /**
             * Format: date-time
             * @description When it disappears; null: never.
             */
            endsAt: string | null;
            /** @description Id of the image of an `image` block. */
            mediaId: string | null;
            /** @description The short URL of its link; null without one, and once the link is deleted. */
            shortUrl: string | null;
            /** @description True: the page has created the link, which follows changes of the title and URL of the block. */
            ownsLink: boolean;
        };
        BioPageBlockAnalytics: {
            /** @description Id of the block. */
            id: string;
            /** @description Its title. */
            title: string;
            /** @description Id of its link. */
            linkId: string;
            /** @description Clicks of the link in the period, wherever it was clicked. */
            clicks: number;
            /** @description Unique visitors of these clicks. */
            uniqueVisitors: number;
            /** @description Clicks of the link divided by views of the page; null without a view. It may exceed 1. */
            clickRate: number | null;
        };
        BioPageBlockInput: {
            /**
             * @description `link`: a short link; `header` and `text`: words; `image`: an uploaded image; `social`: a profile; `embed`: a card for a video, song or post.
             * @enum {string}
             */
            type: "link" | "header" | "text" | "image" | "social" | "embed";
            /** @description The text of the block, or the alternative text of an image. At most 255 characters; in a `text` block 2,000, with line breaks. */
            title?: string | null;
            /**
             * Format: uri
             * @description Where the block leads; for a `link`, the destination of its short link. `social` also takes `mailto:` and `tel:`.
             */
            url?: string | null;
            /** @description Id of the short link of a `link`. Without one, a link named after the block is created. */
            linkId?: string | null;
            /** @description The platform of a `social` block; an emoji of a `link`. */
            icon?: string | null;
            /** @description Whether the block is shown. */
            enabled?: boolean;
            /**
             * Format: date-time
             * @description When it appears; null: at once.
             */
            startsAt?: string | null;
            /**
             * Format: date-time
             * @description When it disappears; null: never.
             */
            endsAt?: string | null;
            /** @description Id of the image of an `image` block. */
            mediaId?: string | null;
            /** @description Id of the block. Absent or null: a new block. */
            id?: string | null;
        };
        BioPageBucket: {
            /**
             * Format: date-time
             * @description Start of the bucket; it ends where the next one starts.
             */
            start: string;
            /** @description Views. */
            views: number;
            /** @description Unique visitors. */
            uniqueVisitors: number;
            /** @description Clicks of the links of all blocks. */
            clicks: number;
        };
        BioPagePreview: {
            /** @description The style sheet of the page, for a shadow root. */
            style: string;
            /** @description Elements and texts in the order of the document, each after the one that contains it. */
            nodes: components["schemas"]["BioPagePreviewNode"][];
        };
        BioPagePreviewNode: {
            /** @description Index of the element that contains it; null: none. */
            parent: number | null;
            /** @description Tag of the element; null: a text. */
            tag: string | null;
            /** @description Attributes of the element; empty for a text. */
            attributes: {
                [key: string]: string;
            };
            /** @description The text; null: an element. */
            text: string | null;
        };
        BioPageSeo: {
            /** @description Title for search engines and previews; null: the title of the page. */
            title: string | null;
            /** @description Description for search engines and previews; null: the page’s. */
            description: string | null;
            /** @description Id of the image of previews in messengers; null: the avatar. */
            imageMediaId: string | null;
            /** @description Tells search engines to leave the page out. */
            noindex: boolean;
        };
        BioPageSeoInput: {
            /** @description Title for search engines and previews; null: the title of the page. */
            title?: string | null;
            /** @description Description for search engines and previews; null: the page’s. */
            description?: string | null;
            /** @description Id of the image of previews in messengers; null: the avatar. */
            imageMediaId?: string | null;
            /** @description Tells search engines to leave the page out. */
            noindex?: boolean;
        };
        BioPageSocial: {
            /**
             * @description The platform whose icon is shown; `website` is any other.
             * @enum {string}
             */
            platform: "instagram" | "tiktok" | "youtube" | "x" | "facebook" | "threads" | "bluesky" | "mastodon" | "linkedin" | "github" | "twitch" | "discord" | "spotify" | "soundcloud" | "pinterest" | "snapchat" | "whatsapp" | "telegram" | "signal" | "email" | "phone" | "website";
            /**
             * Format: uri
             * @description The profile. `mailto:` and `tel:` work as well.
             */
            url: string;
        };
        BioPageTheme: {
            /**
             * @description The look that colors and font start from. `plain` follows the visitor’s preference for light or dark.
             * @enum {string}
             */
            preset: "plain" | "paper" | "midnight" | "sunrise" | "forest" | "ocean" | "candy" | "clay" | "mono" | "neon";
            /** @description The color of the background, as `#` and six hexadecimal digits; null: the color of the preset. */
            background: string | null;
            /** @description The color of the text. Its contrast with the background must be 4.5:1 or more, as `#` and six hexadecimal digits; null: the color of the preset. */
            text: string | null;
            /** @description The color of the links, as `#` and six hexadecimal digits; null: the color of the preset. */
            accent: string | null;
            /**
             * @description The kind of font; null: the font of the preset.
             * @enum {string|null}
             */
            font: "sans" | "serif" | "rounded" | "mono" | null;
        };
        BioPageThemeInput: {
            /**
             * @description The look that colors and font start from. `plain` follows the visitor’s preference for light or dark.
             * @enum {string}
             */
            preset?: "plain" | "paper" | "midnight" | "sunrise" | "forest" | "ocean" | "candy" | "clay" | "mono" | "neon";
            /** @description The color of the background, as `#` and six hexadecimal digits; null: the color of the preset. */
            background?: string | null;
            /** @description The color of the text. Its contrast with the background must be 4.5:1 or more, as `#` and six hexadecimal digits; null: the color of the preset. */
            text?: string | null;
            /** @description The color of the links, as `#` and six hexadecimal digits; null: the color of the preset. */
            accent?: string | null;
            /**
             * @description The kind of font; null: the font of the preset.
             * @enum {string|null}
             */
            font?: "sans" | "serif" | "rounded" | "mono" | null;
        };
        Breakdowns: {
            /** @description Clicks of the period by: ISO country of the visitor. */
            country: {
                [key: string]: number;
            };
            /** @description Clicks of the period by: Region of the visitor. */
            region: {
                [key: string]: number;
            };
            /** @description Clicks of the period by: City of the visitor. */
            city: {
                [key: string]: number;
            };
            /** @description Clicks of the period by: Continent of the visitor. */
            continent: {
                [key: string]: number;
            };
            /** @description Clicks of the period by: Kind of device. */
            device: {
                [key: string]: number;
            };
            /** @description Clicks of the period by: Name of the browser. */
            browser: {
                [key: string]: number;
            };
            /** @description Clicks of the period by: Name of the operating system. */
            os: {
                [key: string]: number;
            };
            /** @description Clicks of the period by: Host of the page with the link; `direct` without one. */
            referrer: {
                [key: string]: number;
            };
            /** @description Clicks of the period by: Preferred language of the browser. */
            language: {
                [key: string]: number;
            };
            /** @description Clicks of the period by: `qr` for scanned codes, else `link`. */
            trigger: {
                [key: string]: number;
            };
            /** @description Clicks of the period by: `utm_source` of the click. */
            utmSource: {
                [key: string]: number;
            };
            /** @description Clicks of the period by: `utm_medium` of the click. */
            utmMedium: {
                [key: string]: number;
            };
            /** @description Clicks of the period by: `utm_campaign` of the click. */
            utmCampaign: {
                [key: string]: number;
            };
            /** @description Clicks of the period by: `utm_term` of the click. */
            utmTerm: {
                [key: string]: number;
            };
            /** @description Clicks of the period by: `utm_content` of the click. */
            utmContent: {
                [key: string]: number;
            };
            /** @description Clicks of the period by: Destination of the click. */
            destination: {
                [key: string]: number;
            };
        };
        BulkChangeMeta: {
            /** @description The id of the request, as in the header x-request-id. */
            requestId: string;
            /** @description Rows of the request. */
            total: number;
            /** @description Rows without an error. */
            succeeded: number;
            /** @description Rows with an error. */
            failed: number;
            /** @description For `POST /links/bulk/undo`, for an hour; null if nothing was changed. */
            undoId: string | null;
        };
        BulkMeta: {
            /** @description The id of the request, as in the header x-request-id. */
            requestId: string;
            /** @description Rows of the request. */
            total: number;
            /** @description Rows without an error. */
            succeeded: number;
            /** @description Rows with an error. */
            failed: number;
        };
        BulkRow: {
            /** @description Index of the row in the request, from 0. */
            index: number;
            /** @description Id of the link; null if the row failed and named none. */
            id: string | null;
            /**
             * @description What became of the row.
             * @enum {string}
             */
            status: "created" | "updated" | "unchanged" | "deleted" | "failed";
            /** @description Its `externalId`. */
            externalId: string | null;
            /** @description Its short URL. */
            shortUrl: string | null;
            /** @description Why the row failed; null otherwise. */
            error: components["schemas"]["BulkRowError"] | null;
        };
        BulkRowError: {
            /**
             * @description The code that the single request would have.
             * @enum {string}
             */
            code: "VALIDATION_ERROR" | "UNAUTHORIZED" | "INVALID_CREDENTIALS" | "PASSWORD_REQUIRED" | "INVALID_CODE" | "EMAIL_NOT_VERIFIED" | "FORBIDDEN" | "SESSION_NOT_FRESH" | "PLAN_CAPABILITY_REQUIRED" | "PLAN_LIMIT_REACHED" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "REQUEST_TIMEOUT" | "CONFLICT" | "GONE" | "PRECONDITION_FAILED" | "PAYLOAD_TOO_LARGE" | "URI_TOO_LONG" | "UNSUPPORTED_MEDIA_TYPE" | "RANGE_NOT_SATISFIABLE" | "EXPECTATION_FAILED" | "RATE_LIMITED" | "HEADERS_TOO_LARGE" | "BLOCKED" | "INTERNAL_ERROR" | "SECRET_KEY_CHANGED" | "UNAVAILABLE";
            /** @description What is wrong with the row. */
            message: string;
            /** @description As in every error, with paths of the whole request. */
            details: unknown;
        };
        Campaign: {
            /** @description Id of the campaign. */
            id: string;
            /** @description Id of the workspace it belongs to. */
            workspaceId: string;
            /** @description Name of the campaign. */
            name: string;
            /** @description What the campaign is about. */
            description: string | null;
            /**
             * @description `active` and `paused` campaigns become `completed` at `endsAt`; drafts and archived ones do not. Links redirect in every status.
             * @enum {string}
             */
            status: "draft" | "active" | "paused" | "completed" | "archived";
            /**
             * Format: date-time
             * @description When the campaign begins; null: not planned.
             */
            startsAt: string | null;
            /**
             * Format: date-time
             * @description When the campaign ends and becomes `completed`; null: never by itself.
             */
            endsAt: string | null;
            /** @description The goal of the campaign; null: none. Reaching it changes nothing. */
            goal: components["schemas"]["CampaignGoal"] | null;
            /** @description `utm_source` of links that are written with this campaign and have no value of their own. */
            utmSource: string | null;
            /** @description `utm_medium` of links that are written with this campaign and have no value of their own. */
            utmMedium: string | null;
            /** @description `utm_campaign` of links that are written with this campaign and have no value of their own. */
            utmCampaign: string | null;
            /** @description `utm_term` of links that are written with this campaign and have no value of their own. */
            utmTerm: string | null;
            /** @description `utm_content` of links that are written with this campaign and have no value of their own. */
            utmContent: string | null;
            /** @description Tags of the campaign itself; its links have their own. */
            tags: string[];
            /** @description Number of its links, archived ones included. */
            linkCount: number;
            /** @description Human clicks of its links, since each was created. */
            clicks: number;
            /**
             * Format: date-time
             * @description When it was completed; null: it is not.
             */
            completedAt: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updatedAt: string;
        };
        CampaignCompletedEvent: {
            /** @description Id of the delivery, the same for all of its attempts: de-duplicate by it. */
            id: string;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "campaign.completed";
            /** @description Id of the workspace it belongs to. */
            workspaceId: string;
            /** @description Id of the endpoint. */
            endpointId: string;
            /** @description The number of the attempt, from 1. */
            attempt: number;
            /**
             * Format: date-time
             * @description When it happened, or was queued again.
             */
            createdAt: string;
            /** @description What happened. */
            data: components["schemas"]["Campaign"];
        };
        CampaignGoal: {
            /**
             * @description What is counted.
             * @enum {string}
             */
            metric: "clicks" | "uniqueVisitors" | "conversions";
            /** @description The number that the campaign aims at. */
            target: number;
        };
        Checkout: {
            /** @description The plan to buy. */
            plan: string;
            /**
             * @description Billing interval.
             * @default monthly
             * @enum {string}
             */
            interval?: "monthly" | "yearly";
        };
        ClickedLink: {
            /** @description Id of the link. */
            id: string;
            /** @description The path of its short URL. */
            slug: string;
            /** @description Its whole short URL. */
            shortUrl: string;
            /** @description The host of the short URL. */
            domain: string;
        };
        ClickEvent: {
            /** @description Id of the click. */
            id: string;
            /**
             * @description Who clicked; `human` clicks count.
             * @enum {string}
             */
            kind: "human" | "bot" | "preview" | "prefetch";
            /** @description The option of the link that chose the destination; `default` without one. */
            route: string;
            /** @description Id of its domain; null for the shared host. */
            domainId: string | null;
            /** @description Pseudonym of the visitor, the same on one UTC day; null for a visitor who asked not to be recognized. */
            visitor: string | null;
            /** @description Id of the click. */
            clickId: string;
            /** @description The link that was clicked. */
            link: components["schemas"]["ClickedLink"];
            /** @description Where the click led. */
            destinationUrl: string;
            /**
             * Format: date-time
             * @description When it was clicked.
             */
            timestamp: string;
            /** @description ISO country of the visitor. */
            country: string | null;
            /** @description Region of the visitor. */
            region: string | null;
            /** @description City of the visitor. */
            city: string | null;
            /** @description Continent of the visitor. */
            continent: string | null;
            /** @description Kind of device. */
            device: string;
            /** @description Name of the browser. */
            browser: string;
            /** @description Name of the operating system. */
            os: string;
            /** @description Host of the page with the link; `direct` without one. */
            referrer: string;
            /** @description First language of the browser. */
            language: string | null;
            /** @description `qr` for a scanned code, else `link`. */
            trigger: string;
            /** @description `utm_source` of the click. */
            utmSource: string | null;
            /** @description `utm_medium` of the click. */
            utmMedium: string | null;
            /** @description `utm_campaign` of the click. */
            utmCampaign: string | null;
            /** @description `utm_term` of the click. */
            utmTerm: string | null;
            /** @description `utm_content` of the click. */
            utmContent: string | null;
        };
        ClickEventsMeta: {
            /** @description The id of the request, as in the header x-request-id. */
            requestId: string;
            /** @description The counted period. */
            period: components["schemas"]["AnalyticsPeriod"];
            /** @description Time zone of the calendar days. */
            timezone: string;
            /**
             * Format: date-time
             * @description Every click that was answered before this time is counted, on whichever server. Some later ones may be.
             */
            asOf: string;
            /** @description Sent if the period has months whose single clicks were deleted (CLICK_RETENTION_DAYS). `utc_days`: their days are UTC days. `filters`: only labels of one group (place, device, source, campaign, destination) are known together; clicks with labels of another group count among the others, or are missing if labels of two groups are filtered. `visitors`: unique visitors by label, and of filtered clicks, leave these months out. */
            incomplete?: ("utc_days" | "filters" | "visitors")[];
            /** @description How many rows there are in all. */
            total: number;
            /** @description The `limit` of this page. */
            limit: number;
            /** @description The `offset` of this page. */
            offset: number;
            /** @description False: more than 10,000 clicks match, and the total says 10000. Left out otherwise. */
            totalIsExact?: boolean;
            /**
             * Format: date-time
             * @description Clicks of the period before this time are kept only as daily counts, and are not in the log; null when there are none.
             */
            clicksFrom: string | null;
            /** @description The `cursor` of the next page; null on the last one. */
            nextCursor: string | null;
        };
        ClickPeriod: {
            /**
             * Format: date-time
             * @description Start of the first day.
             */
            start: string;
            /**
             * Format: date-time
             * @description End of the last day.
             */
            end: string;
        };
        ClickReceivedEvent: {
            /** @description Id of the delivery, the same for all of its attempts: de-duplicate by it. */
            id: string;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "click.received";
            /** @description Id of the workspace it belongs to. */
            workspaceId: string;
            /** @description Id of the endpoint. */
            endpointId: string;
            /** @description The number of the attempt, from 1. */
            attempt: number;
            /**
             * Format: date-time
             * @description When it happened, or was queued again.
             */
            createdAt: string;
            /** @description What happened. */
            data: {
                /** @description Id of the click. */
                clickId: string;
                /** @description The link that was clicked. */
                link: components["schemas"]["ClickedLink"];
                /** @description Where the click led. */
                destinationUrl: string;
                /**
                 * Format: date-time
                 * @description When it was clicked.
                 */
                timestamp: string;
                /** @description ISO country of the visitor. */
                country: string | null;
                /** @description Region of the visitor. */
                region: string | null;
                /** @description City of the visitor. */
                city: string | null;
                /** @description Continent of the visitor. */
                continent: string | null;
                /** @description Kind of device. */
                device: string;
                /** @description Name of the browser. */
                browser: string;
                /** @description Name of the operating system. */
                os: string;
                /** @description Host of the page with the link; `direct` without one. */
                referrer: string;
                /** @description First language of the browser. */
                language: string | null;
                /** @description `qr` for a scanned code, else `link`. */
                trigger: string;
                /** @description `utm_source` of the click. */
                utmSource: string | null;
                /** @description `utm_medium` of the click. */
                utmMedium: string | null;
                /** @description `utm_campaign` of the click. */
                utmCampaign: string | null;
                /** @description `utm_term` of the click. */
                utmTerm: string | null;
                /** @description `utm_content` of the click. */
                utmContent: string | null;
            };
        };
        ConflictErrorDetails: {
            /** @description The state that the request conflicts with. */
            reason?: string;
            /** @description Workspaces without another owner. */
            workspaces?: {
                /** @description Id of the workspace. */
                id: string;
                /** @description Its name. */
                name: string;
            }[];
        };
        ConversionError: {
            /**
             * @description Code of the error.
             * @enum {string}
             */
            code: "VALIDATION_ERROR" | "UNAUTHORIZED" | "INVALID_CREDENTIALS" | "PASSWORD_REQUIRED" | "INVALID_CODE" | "EMAIL_NOT_VERIFIED" | "FORBIDDEN" | "SESSION_NOT_FRESH" | "PLAN_CAPABILITY_REQUIRED" | "PLAN_LIMIT_REACHED" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "REQUEST_TIMEOUT" | "CONFLICT" | "GONE" | "PRECONDITION_FAILED" | "PAYLOAD_TOO_LARGE" | "URI_TOO_LONG" | "UNSUPPORTED_MEDIA_TYPE" | "RANGE_NOT_SATISFIABLE" | "EXPECTATION_FAILED" | "RATE_LIMITED" | "HEADERS_TOO_LARGE" | "BLOCKED" | "INTERNAL_ERROR" | "SECRET_KEY_CHANGED" | "UNAVAILABLE";
            /** @description What is wrong with the row. */
            message: string;
            /** @description The fields, with their paths in the request. */
            details: unknown;
        };
        ConversionEvent: {
            /** @description Id of the conversion. */
            id: string;
            /** @description Your own id of it, or its `id` if you sent none. */
            eventId: string;
            /** @description Your name of it. */
            eventName: string;
            /**
             * @description Kind of conversion.
             * @enum {string}
             */
            type: "lead" | "sale" | "custom";
            /** @description Value in the smallest unit of the currency; negative for a refund. */
            value: number;
            /** @description ISO 4217 code in lower case. */
            currency: string;
            /** @description Your id of the customer. */
            customerId: string | null;
            /** @description Whether it is attributed to a link. */
            attributed: boolean;
            /**
             * @description Why it is attributed to this link, or to none: `sp_id`: its signed `sp_id` names the click; `click_id`: its `clickId` is that of a click of the workspace; `customer`: it was the last click of the customer in 30 days; `link`: the request names the link, and no click is known; `waiting`: its click is not stored yet; ten minutes decide; `unknown_click`: no click of the workspace had this id after ten minutes; `old_click`: its click was more than 30 days before; `later_click`: its click was made after it; `no_click`: it names neither a click nor a link, and the customer has no click in 30 days; `too_many_waiting`: its click was not stored yet, and too many others of the workspace waited for theirs.
             * @enum {string}
             */
            reason: "sp_id" | "click_id" | "customer" | "link" | "waiting" | "unknown_click" | "old_click" | "later_click" | "no_click" | "too_many_waiting";
            /** @description The link that it is attributed to; null for none. */
            link: components["schemas"]["AttributedLink"] | null;
            /** @description Id of the click that led to it. */
            clickId: string | null;
            /**
             * Format: date-time
             * @description When that click was made.
             */
            clickedAt: string | null;
            /**
             * Format: date-time
             * @description When it happened.
             */
            occurredAt: string;
            /**
             * Format: date-time
             * @description When it was reported.
             */
            receivedAt: string;
        };
        ConversionEventsMeta: {
            /** @description The id of the request, as in the header x-request-id. */
            requestId: string;
            /** @description The counted period. */
            period: components["schemas"]["AnalyticsPeriod"];
            /** @description Time zone of the calendar days. */
            timezone: string;
            /** @description All conversions of the list, by currency. */
            totals: components["schemas"]["CurrencyTotal"][];
            /** @description How many rows there are in all. */
            total: number;
            /** @description The `limit` of this page. */
            limit: number;
            /** @description The `offset` of this page. */
            offset: number;
        };
        ConversionReceivedEvent: {
            /** @description Id of the delivery, the same for all of its attempts: de-duplicate by it. */
            id: string;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "conversion.received";
            /** @description Id of the workspace it belongs to. */
            workspaceId: string;
            /** @description Id of the endpoint. */
            endpointId: string;
            /** @description The number of the attempt, from 1. */
            attempt: number;
            /**
             * Format: date-time
             * @description When it happened, or was queued again.
             */
            createdAt: string;
            /** @description What happened. */
            data: {
                /** @description Id of the conversion. */
                id: string;
                /** @description Your own id of it, or the id of the conversion if you sent none. */
                eventId: string;
                /** @description Your name of it. */
                eventName: string;
                /**
                 * @description Kind of conversion.
                 * @enum {string}
                 */
                type: "lead" | "sale" | "custom";
                /** @description Value in the smallest unit of the currency; negative for a refund. */
                value: number;
                /** @description ISO 4217 code in lower case. */
                currency: string;
                /** @description Id of the click that led to it. */
                clickId: string | null;
                /** @description The link that it is attributed to; null if it is attributed to none. */
                link: components["schemas"]["ConvertedLink"] | null;
                /** @description Your id of the customer. */
                customerId: string | null;
                /** @description The customer, as you sent it. */
                customer: {
                    [key: string]: unknown;
                } | null;
                /** @description Data of your own. */
                metadata: {
                    [key: string]: unknown;
                } | null;
                /**
                 * Format: date-time
                 * @description When it happened.
                 */
                occurredAt: string;
            };
        };
        ConvertedLink: {
            /** @description Id of the link. */
            id: string;
            /** @description The path of its short URL. */
            slug: string;
        };
        CountedLink: {
            /** @description Id of the link. */
            id: string;
            /** @description Its name; null for a link that was deleted. */
            name: string | null;
            /** @description The path of its short URL. */
            slug: string | null;
            /** @description Its whole short URL. */
            shortUrl: string | null;
        };
        CreateAlert: {
            /** @description `clicks`: an hour far above or below the usual; `destination`: whether the destination of the link answers. */
            watches: ("clicks" | "destination")[];
            /** @description Members who get a mail when it begins and when it ends. */
            recipients?: string[];
            /** @description False: it is not checked. */
            isActive?: boolean;
            /** @description Id of the link; null or absent: the whole workspace. */
            linkId?: string | null;
        };
        CreateApiKey: {
            /** @description Purpose of the key. */
            name: string;
            /** @description Permissions of the key; null: everything that its user’s role allows. */
            scopes?: ("*" | "*:read" | "links:read" | "links:write" | "analytics:read" | "analytics:write" | "domains:read" | "domains:write" | "conversions:write" | "campaigns:read" | "campaigns:write" | "utm-templates:read" | "utm-templates:write" | "bio-pages:read" | "bio-pages:write" | "media:read" | "media:write" | "reports:read" | "reports:write" | "alerts:read" | "alerts:write" | "webhooks:read" | "webhooks:write" | "deferred:read" | "deferred:write" | "dashboards:read" | "dashboards:write" | "workspaces:read" | "workspaces:write" | "members:read" | "members:write" | "billing:read" | "audit-log:read" | "security-log:read")[] | null;
            /** @description Addresses and CIDR ranges that may use the key; empty or null: any. */
            ipAllowlist?: string[] | null;
            /**
             * Format: date-time
             * @description When the key expires; null: never. An app gets a new key in time.
             */
            expiresAt?: string | null;
        };
        CreateBioPage: {
            /** @description The end of its address, in the characters of link slugs. Unique among pages, and on a branded domain among links too. */
            slug: string;
            /** @description The heading of the page. */
            title: string;
            /** @description The text below the heading. */
            description?: string | null;
            /** @description Id of the image at the top (`POST /media`); null: none. */
            avatarMediaId?: string | null;
            /** @description Replaces the theme; fields that are left out come from the preset. */
            theme?: components["schemas"]["BioPageThemeInput"];
            /** @description The blocks in their order: at most 200, and 100,000 characters of JSON in total. Replaces the list; blocks that are sent with their ids keep their links. */
            blocks?: components["schemas"]["BioPageBlockInput"][];
            /** @description At most 20 profiles. Replaces the list. */
            socials?: components["schemas"]["BioPageSocial"][];
            /** @description Replaces the texts and the image for search engines and previews. */
            seo?: components["schemas"]["BioPageSeoInput"];
            /**
             * @description Only a `published` page is public. A `draft` keeps its slug.
             * @enum {string}
             */
            status?: "draft" | "published";
            /** @description Id of the branded domain of the page; null: the shared host, under `/p/`. */
            domainId?: string | null;
            /** @description Whether the page also answers at `/` of its domain, which must not have a `rootRedirectUrl`. */
            isRoot?: boolean;
            /** @description Id of the newest import of the workspace: its links become the blocks, in the order of the file, 200 at most. Instead of `blocks`. */
            importId?: string;
        };
        CreateCampaign: {
            /** @description Name of the campaign. */
            name: string;
            /** @description What the campaign is about. */
            description?: string | null;
            /**
             * @description `active` and `paused` campaigns become `completed` at `endsAt`; drafts and archived ones do not. Links redirect in every status.
             * @enum {string}
             */
            status?: "draft" | "active" | "paused" | "completed" | "archived";
            /**
             * Format: date-time
             * @description When the campaign begins; null: not planned.
             */
            startsAt?: string | null;
            /**
             * Format: date-time
             * @description When the campaign ends and becomes `completed`; null: never by itself.
             */
            endsAt?: string | null;
            /** @description The goal of the campaign; null: none. Reaching it changes nothing. */
            goal?: components["schemas"]["CampaignGoal"] | null;
            /** @description `utm_source` of links that are written with this campaign and have no value of their own. */
            utmSource?: string | null;
            /** @description `utm_medium` of links that are written with this campaign and have no value of their own. */
            utmMedium?: string | null;
            /** @description `utm_campaign` of links that are written with this campaign and have no value of their own. */
            utmCampaign?: string | null;
            /** @description `utm_term` of links that are written with this campaign and have no value of their own. */
            utmTerm?: string | null;
            /** @description `utm_content` of links that are written with this campaign and have no value of their own. */
            utmContent?: string | null;
            /** @description Tags of the campaign itself; its links have their own. The list replaces the one before. */
            tags?: string[] | null;
        };
        CreateDashboard: {
            /** @description Title that visitors see. */
            title: string;
            /** @description The link to share. At most one of the three is set. */
            linkId?: string | null;
            /** @description The campaign to share. At most one of the three is set. */
            campaignId?: string | null;
            /** @description The folder to share. At most one of the three is set. */
            folderId?: string | null;
            /**
             * @description Number of calendar days that it shows, including today.
             * @default 30
             */
            days?: number;
            /** @description Password that visitors have to give; null: none. It is stored as a hash and never answered. */
            password?: string | null;
            /**
             * @description Also shows conversions and their value.
             * @default false
             */
            showConversions?: boolean;
            /**
             * @description ISO 4217 code of the currency whose conversions make up the value; `usd` by default.
             * @default usd
             */
            currency?: string;
            /**
             * @description Search engines may list its page.
             * @default false
             */
            doIndex?: boolean;
        };
        CreatedBioPageMeta: {
            /** @description The id of the request, as in the header x-request-id. */
            requestId: string;
            /** @description Links of the import for which the page has no room; 0 without an import. */
            leftOut: number;
        };
        CreatedInvitation: {
            /** @description Id of the invitation. */
            id: string;
            /** @description Id of the workspace it belongs to. */
            workspaceId: string;
            /** @description The invited address. */
            email: string;
            /**
             * @description Role of the new member.
             * @enum {string}
             */
            role: "viewer" | "member" | "admin" | "owner";
            /**
             * @description Only a `pending` invitation can be accepted.
             * @enum {string}
             */
            status: "pending" | "accepted" | "rejected" | "canceled" | "expired";
            /** @description Id of the inviter; null after the account was deleted. */
            invitedBy: string | null;
            /**
             * Format: date-time
             * @description Time at which it expires.
             */
            expiresAt: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updatedAt: string;
            /** @description False: the address has reached its hourly limit of mails, so none was sent and an earlier link stays valid. Invite it again later. */
            mailed: boolean;
            /** @description True: this server accepts no new accounts, so only a user with an account of this address can accept. */
            accountRequired: boolean;
        };
        CreateDomain: {
            /** @description The host, alone or in a URL: scheme, port and path are dropped. */
            hostname?: string;
            /** @description Whether `/Docs` and `/docs` are two links. */
            caseSensitive?: boolean;
            /** @description Where visitors of `/` are sent. Null: a page of this server. */
            rootRedirectUrl?: string | null;
            /** @description Where visitors of unknown links are sent. Null: a page of this server. */
            notFoundUrl?: string | null;
            /** @description Where visitors of expired links without an `expiredUrl` of their own are sent. Null: a page of this server. */
            expiredUrl?: string | null;
            /** @description The file `/.well-known/apple-app-site-association`, for universal links of iOS. At most 65,536 bytes of JSON; null: none. */
            appleAppSiteAssociation?: {
                [key: string]: unknown;
            } | null;
            /** @description The file `/.well-known/assetlinks.json`, for app links of Android. At most 65,536 bytes of JSON; null: none. */
            assetLinks?: unknown[] | null;
        };
        CreatedWebhookEndpoint: {
            /** @description Id of the endpoint. */
            id: string;
            /** @description Id of the workspace it belongs to. */
            workspaceId: string;
            /**
             * Format: uri
             * @description Where deliveries are posted: an https URL.
             */
            url: string;
            /** @description What the endpoint is for. */
            description: string | null;
            /** @description Event types; `*` means all, also types of later versions. */
            events: ("*" | "link.created" | "link.updated" | "link.deleted" | "domain.verified" | "domain.failed" | "click.received" | "conversion.received" | "campaign.completed" | "report.generated" | "billing.subscription.updated")[];
            /**
             * @description A `paused` endpoint receives nothing.
             * @enum {string}
             */
            status: "active" | "paused";
            /** @description Failed attempts since the last success. */
            failureCount: number;
            /**
             * Format: date-time
             * @description When an attempt last failed.
             */
            lastFailureAt: string | null;
            /**
             * Format: date-time
             * @description When an attempt last succeeded.
             */
            lastSuccessAt: string | null;
            /** @description Id of the user who created it. */
            createdBy: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updatedAt: string;
            /** @description Send the headers of Standard Webhooks as well. */
            standardHeaders: boolean;
            /**
             * Format: email
             * @description Where a mail goes when deliveries to this endpoint keep failing: the verified address of an admin or owner of the workspace.
             */
            failureEmail: string | null;
            /** @description `click.received` deliveries that a backlog of a million refused. */
            droppedClicks: number;
            /** @description Pause the endpoint after this many hours in which every attempt failed; null: never. */
            disableAfterHours: number | null;
            /**
             * Format: date-time
             * @description When it was paused because of `disableAfterHours`; null once it is resumed.
             */
            autoPausedAt: string | null;
            /**
             * Format: date-time
             * @description Until when deliveries are signed with the previous secret as well; null without an overlap.
             */
            previousSecretValidUntil: string | null;
            /** @description Headers that every delivery carries, by name; each value is shown as `********`. */
            headers: {
                [key: string]: string;
            };
            /** @description The key of the signatures, `whsec_` included. */
            secret: string;
        };
        CreateFolder: {
            /** @description Name of the folder, unique in the workspace in any case. */
            name: string;
        };
        CreateInvitation: {
            /**
             * Format: email
             * @description The address to invite.
             */
            email: string;
            /**
             * @description Role of the new member.
             * @enum {string}
             */
            role: "viewer" | "member" | "admin" | "owner";
        };
        CreateLink: {
            /** @description Name of the link. */
            name: string;
            /**
             * Format: uri
             * @description Target of the redirect: an http or https URL.
             */
            destinationUrl: string;
            /** @description Path of the short URL: letters, digits, emoji and `_ - . /`. Absent or null: random at creation, unchanged later. */
            slug?: string | null;
            /** @description Domain of the short URL. For a new link null means the default domain of the workspace, in an update the shared host. */
            domainId?: string | null;
            /**
             * Format: date-time
             * @description Time at which the link expires; null: never.
             */
            expiresAt?: string | null;
            /** @description Password that visitors need, at most 256 bytes; null removes it. In an update `********` keeps it. */
            password?: string | null;
            /**
             * @description Status of the redirect; null means 302. Browsers cache 301 and 308 for 90 seconds.
             * @enum {integer|null}
             */
            redirectType?: 301 | 302 | 307 | 308 | null;
            /**
             * @description `active` and `archived` links redirect; null means `active`.
             * @enum {string|null}
             */
            status?: "active" | "paused" | "archived" | null;
            /** @description `utm_source` of the redirect: overrides the destination’s, and is overridden by the visitor’s. */
            utmSource?: string | null;
            /** @description `utm_medium` of the redirect: overrides the destination’s, and is overridden by the visitor’s. */
            utmMedium?: string | null;
            /** @description `utm_campaign` of the redirect: overrides the destination’s, and is overridden by the visitor’s. */
            utmCampaign?: string | null;
            /** @description `utm_term` of the redirect: overrides the destination’s, and is overridden by the visitor’s. */
            utmTerm?: string | null;
            /** @description `utm_content` of the redirect: overrides the destination’s, and is overridden by the visitor’s. */
            utmContent?: string | null;
            /** @description Custom data, at most 10,000 characters of JSON. */
            metadata?: {
                [key: string]: unknown;
            } | null;
            /** @description Target for visitors with iOS or iPadOS: an http or https URL, or one with the custom scheme of an app. Null: no difference. */
            iosDeepLink?: string | null;
            /** @description Target for visitors with Android: an http or https URL, or one with the custom scheme of an app. Null: no difference. */
            androidDeepLink?: string | null;
            /**
             * Format: uri
             * @description Target of the link once it has expired; null: a page that says so.
             */
            expiredUrl?: string | null;
            /** @description Number of redirects after which the link expires; bots count too. Null: no limit. */
            maxClicks?: number | null;
            /**
             * Format: date-time
             * @description Time from which on the link redirects, before `expiresAt`; null: at once.
             */
            startsAt?: string | null;
            /**
             * Format: date-time
             * @description Time from which on all visitors get `destinationUrl` in place of a variant; null: never.
             */
            variantsUntil?: string | null;
            /** @description Targets for some visitors, at most 20; the first rule whose conditions hold is taken. */
            rules?: components["schemas"]["NewLinkRule"][] | null;
            /** @description Whether the query of the short URL is added to the destination. */
            forwardQuery?: boolean | null;
            /** @description Whether to tell search engines not to index the short URL. */
            noindex?: boolean | null;
            /** @description Whether redirects pass the id of their click to the destination, in the parameter `sp_id`, for `POST /conversions`. */
            trackConversions?: boolean | null;
            /** @description Uploaded image in the middle of the QR codes; null: none. */
            qrLogoMediaId?: string | null;
            /** @description Preview for messengers and social networks, instead of the destination’s; null: none. */
            card?: components["schemas"]["NewLinkCard"] | null;
            /** @description Targets among which the other visitors are split: none, or 2 to 10 whose weights sum to 100. A visitor keeps a variant. */
            variants?: components["schemas"]["NewLinkVariant"][] | null;
            /** @description Further slugs of the link, which redirect and count as its slug does. The list replaces the one before; at most 20. */
            aliases?: string[] | null;
            /** @description Tags of the link. At most 50 of 50 characters, without commas. The list replaces the one before. */
            tags?: string[] | null;
            /** @description Folder of the link. Null: none. */
            folderId?: string | null;
            /** @description Campaign of the link. It sets UTM fields that the link would not have. Null: none. */
            campaignId?: string | null;
            /** @description Id of the link in another system, unique in the workspace. Null: none. */
            externalId?: string | null;
            /** @description Template for the UTM fields that the request leaves out. */
            utmTemplateId?: string | null;
            /** @description Host of the domain, instead of `domainId`; the host of the server means no domain. */
            domain?: string | null;
        };
        CreateLinks: {
            /** @description The links, at most 1000. */
            links: components["schemas"]["CreateLink"][];
        } | components["schemas"]["CreateLink"][];
        CreateLinkView: {
            /** @description Name of the view. */
            name: string;
            /** @description Filters, order and columns, as the query string of the page. */
            query: string;
            /** @description Whether all members see it, and may change it. */
            isShared?: boolean;
        };
        CreateReport: {
            /**
             * @description What the rows of the report are.
             * @enum {string}
             */
            type: "links" | "clicks" | "conversions" | "campaign" | "domains" | "summary" | "audit_log";
            /** @description Name of the report; by default made of the type. */
            name?: string;
            /**
             * @description Format of the file; csv by default.
             * @enum {string}
             */
            format?: "csv" | "json" | "xlsx" | "pdf";
            /** @description What the report is about. */
            filters?: components["schemas"]["ReportFilters"];
            /** @description Runs the report at these times too, after the run now; null: ends the schedule. */
            schedule?: components["schemas"]["ReportScheduleInput"] | null;
        };
        CreateUtmTemplate: {
            /** @description Name of the template. */
            name: string;
            /** @description `utm_source` that a link takes over; null or an empty text: none. */
            utmSource?: string | null;
            /** @description `utm_medium` that a link takes over; null or an empty text: none. */
            utmMedium?: string | null;
            /** @description `utm_campaign` that a link takes over; null or an empty text: none. */
            utmCampaign?: string | null;
            /** @description `utm_term` that a link takes over; null or an empty text: none. */
            utmTerm?: string | null;
            /** @description `utm_content` that a link takes over; null or an empty text: none. */
            utmContent?: string | null;
        };
        CreateWebhookEndpoint: {
            /**
             * Format: uri
             * @description Where deliveries are posted: an https URL.
             */
            url: string;
            /** @description Event types; `*` means all, also types of later versions. */
            events: ("*" | "link.created" | "link.updated" | "link.deleted" | "domain.verified" | "domain.failed" | "click.received" | "conversion.received" | "campaign.completed" | "report.generated" | "billing.subscription.updated")[];
            /** @description What the endpoint is for. */
            description?: string | null;
            /**
             * @description A `paused` endpoint receives nothing.
             * @enum {string}
             */
            status?: "active" | "paused";
            /** @description Send the headers of Standard Webhooks as well. */
            standardHeaders?: boolean;
            /**
             * Format: email
             * @description Where a mail goes when deliveries to this endpoint keep failing: the verified address of an admin or owner of the workspace.
             */
            failureEmail?: string | null;
            /** @description Pause the endpoint after this many hours in which every attempt failed; null: never. */
            disableAfterHours?: number | null;
            /** @description Headers that every delivery carries, by name: at most 20, with values of at most 1,024 bytes. They replace the stored headers; the value `********` keeps a stored value, `{}` and null remove all. */
            headers?: {
                [key: string]: string;
            } | null;
        };
        CreateWorkspace: {
            /** @description Name of the workspace. */
            name: string;
            /** @description True: the new workspace becomes the active one of the session. It always does for a session without one. */
            activate?: boolean;
        };
        CurrencyTotal: {
            /** @description ISO 4217 code in lower case. */
            currency: string;
            /** @description Conversions in this currency. */
            conversions: number;
            /** @description Those that are attributed to a link. */
            attributed: number;
            /** @description Their value, in the smallest unit of the currency. */
            value: number;
        };
        Dashboard: {
            /** @description Id of the dashboard. */
            id: string;
            /** @description Title that visitors see. */
            title: string;
            /** @description The link whose clicks are shown; null: it is no link. */
            linkId: string | null;
            /** @description The campaign whose links are shown; null: it is no campaign. */
            campaignId: string | null;
            /** @description The folder whose links are shown; null: it is no folder. Without any of the three the whole workspace is shown. */
            folderId: string | null;
            /** @description Number of calendar days that it shows, including today. */
            days: number;
            /** @description Visitors have to give a password. */
            hasPassword: boolean;
            /** @description Also shows conversions and their value. */
            showConversions: boolean;
            /** @description Currency of the value, in lower case. */
            currency: string;
            /** @description Search engines may list its page. */
            doIndex: boolean;
            /** @description Address of its page. It ends in the token, which is a secret. */
            url: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When its address stopped working; null while it works.
             */
            revokedAt: string | null;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updatedAt: string;
        };
        DeferredLink: {
            /** @description Id of the link. */
            id: string;
            /** @description Path of its short URL. */
            slug: string;
            /** @description Host of its short URL. */
            domain: string;
            /** @description Where it leads. */
            destinationUrl: string;
        };
        DeferredMatch: {
            /** @description Whether a click or a link was found. */
            matched: boolean;
            /**
             * @description What it was found by: `referrer`: `installReferrer`; `click_id`: `clickId`, `deepLink` or `url`; `fingerprint`: address, platform and language.
             * @enum {string|null}
             */
            method: "referrer" | "click_id" | "fingerprint" | null;
            /** @description 1: the click itself. 0.9: the link, without knowing the click. 0.6: a click that is probably that of this phone. 0: no match. */
            confidence: number;
            /** @description Id of the click; null for a match by the link alone. */
            clickId: string | null;
            /** @description The link. */
            link: components["schemas"]["DeferredLink"] | null;
            /** @description What to open: the deep link of the platform, or the destination. */
            deepLink: string | null;
            /** @description The metadata of the link. */
            metadata: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: date-time
             * @description Time of the click.
             */
            clickedAt: string | null;
        };
        DeleteLinks: {
            /** @description The links by their ids, at most 1000. */
            ids?: string[];
            /** @description The links by their `externalId`, instead of `ids`; at most 1000. */
            externalIds?: string[];
            /** @description The links by the filters of `GET /links`, instead of a list; at most 10000. `{}` means all that are not archived. */
            filter?: components["schemas"]["LinkFilter"];
        };
        DeleteWorkspace: {
            /** @description The name of the workspace. */
            confirm?: string;
        };
        Destination: {
            /** @description Next page of the browser. */
            url: string;
        };
        DispatchedWebhookEvent: {
            /** @description Number of endpoints that it is sent to. */
            dispatched: number;
        };
        DispatchWebhookEvent: {
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "link.created" | "link.updated" | "link.deleted" | "domain.verified" | "domain.failed" | "click.received" | "conversion.received" | "campaign.completed" | "report.generated" | "billing.subscription.updated";
            /** @description The data of the event; `{}` when absent. */
            payload?: {
                [key: string]: unknown;
            };
        };
        Domain: {
            /** @description Id of the domain. */
            id: string;
            /** @description Id of the workspace it belongs to. */
            workspaceId: string;
            /** @description Its host, in lower case and punycode. */
            hostname: string;
            /**
             * @description Links of the domain redirect while it is `verified` or `misconfigured`; a misconfigured one becomes `failed` after 72 hours.
             * @enum {string}
             */
            status: "pending" | "verified" | "failed" | "misconfigured";
            /** @description Whether new links without a `domainId` are on it. */
            isDefault: boolean;
            /** @description Whether `/Docs` and `/docs` are two links. */
            caseSensitive: boolean;
            /** @description Where visitors of `/` are sent. Null: a page of this server. */
            rootRedirectUrl: string | null;
            /** @description Where visitors of unknown links are sent. Null: a page of this server. */
            notFoundUrl: string | null;
            /** @description Where visitors of expired links without an `expiredUrl` of their own are sent. Null: a page of this server. */
            expiredUrl: string | null;
            /** @description The file `/.well-known/apple-app-site-association`, for universal links of iOS. At most 65,536 bytes of JSON; null: none. */
            appleAppSiteAssociation: {
                [key: string]: unknown;
            } | null;
            /** @description The file `/.well-known/assetlinks.json`, for app links of Android. At most 65,536 bytes of JSON; null: none. */
            assetLinks: unknown[] | null;
            /** @description The fields whose URL has a host that the operator has blocked: visitors get a page of this server instead. */
            blockedUrls: ("rootRedirectUrl" | "notFoundUrl" | "expiredUrl")[];
            /** @description How the ownership is proven. */
            verification: components["schemas"]["DomainVerification"];
            /**
             * @description Why the last check failed; null if it did not.
             * @enum {string|null}
             */
            failureReason: "not_found" | "not_configured" | "token_mismatch" | "conflicting_records" | "lookup_error" | null;
            /**
             * Format: date-time
             * @description When it was last checked.
             */
            lastCheckedAt: string | null;
            /**
             * Format: date-time
             * @description When it was last verified.
             */
            verifiedAt: string | null;
            /**
             * @description State of its certificate: ordered (`pending`), in use (`active`), refused by the certificate authority or expired (`failed`); `none`: this server orders none for it.
             * @enum {string}
             */
            sslStatus: "none" | "pending" | "active" | "failed";
            /**
             * @description Why it has no certificate yet; null otherwise. `share_used`: the account, or the registrable domain, has used its share of the orders.
             * @enum {string|null}
             */
            sslFailureReason: "dns" | "connection" | "wrong_answer" | "caa" | "rate_limited" | "refused" | "unreachable" | "share_used" | null;
            /**
             * Format: date-time
             * @description When its certificate is ordered again, while `sslFailureReason` is not null.
             */
            sslNextAttemptAt: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updatedAt: string;
        };
        DomainFailedEvent: {
            /** @description Id of the delivery, the same for all of its attempts: de-duplicate by it. */
            id: string;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "domain.failed";
            /** @description Id of the workspace it belongs to. */
            workspaceId: string;
            /** @description Id of the endpoint. */
            endpointId: string;
            /** @description The number of the attempt, from 1. */
            attempt: number;
            /**
             * Format: date-time
             * @description When it happened, or was queued again.
             */
            createdAt: string;
            /** @description What happened. */
            data: components["schemas"]["Domain"];
        };
        DomainRecord: {
            /**
             * @description Type of the record.
             * @enum {string}
             */
            type: "TXT" | "CNAME" | "A" | "AAAA";
            /** @description Full name of the record. */
            name: string;
            /** @description Its value. */
            value: string;
            /**
             * @description `ownership` proves that the host is yours; `routing` sends its visitors to this server.
             * @enum {string}
             */
            purpose: "ownership" | "routing";
            /** @description What the last check found there. */
            found: string[];
            /** @description Whether the last check found the right record; null before the first check. */
            ok: boolean | null;
        };
        DomainVerification: {
            /** @description What the proof contains. */
            token: string;
            /** @description Instead of the TXT record, your server may prove the ownership by answering at this address with the token. */
            proofUrl: string;
            /** @description The records to create. */
            records: components["schemas"]["DomainRecord"][];
            /** @description Which setting of the server is missing, so that no record can send visitors here; null if none is. */
            routingNote: string | null;
        };
        DomainVerifiedEvent: {
            /** @description Id of the delivery, the same for all of its attempts: de-duplicate by it. */
            id: string;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "domain.verified";
            /** @description Id of the workspace it belongs to. */
            workspaceId: string;
            /** @description Id of the endpoint. */
            endpointId: string;
            /** @description The number of the attempt, from 1. */
            attempt: number;
            /**
             * Format: date-time
             * @description When it happened, or was queued again.
             */
            createdAt: string;
            /** @description What happened. */
            data: components["schemas"]["Domain"];
        };
        /** @description An object for `groupBy=count`, else a list of rows. */
        DubAnswer: unknown;
        ErrorDetail: {
            /** @description The field, as in `destinationUrl` or `events.0`; empty for the whole body. */
            path: string;
            /** @description The problem, for users. */
            message: string;
            /** @description The problem, for programs. */
            code?: string;
        };
        EventBatch: {
            /** @description The events, oldest first; empty when none came. */
            events: components["schemas"]["BatchEvent"][];
            /** @description The `cursor` of the next call. */
            cursor: string;
        };
        ExplainedStep: {
            /** @description What was compared: `status`, the name of an option, `rule:<id>` or `destination`. */
            step: string;
            /**
             * @description Whether the step gave the answer, or left it to the next one.
             * @enum {string}
             */
            result: "answer" | "continue";
            /** @description Why. */
            detail: string;
            /** @description Name of the rule, or of the variant that is drawn. */
            name: string | null;
            /** @description The first condition of the rule that the visit does not meet. */
            unmet: components["schemas"]["UnmetCondition"] | null;
        };
        FilteredPageMeta: {
            /** @description The id of the request, as in the header x-request-id. */
            requestId: string;
            /** @description How many rows there are in all. */
            total: number;
            /** @description The `limit` of this page. */
            limit: number;
            /** @description The `offset` of this page. */
            offset: number;
            /** @description False: more than 10,000 rows match, and the total says 10000. Left out otherwise. */
            totalIsExact?: boolean;
        };
        Folder: {
            /** @description Id of the folder. */
            id: string;
            /** @description Id of the workspace it belongs to. */
            workspaceId: string;
            /** @description Name of the folder, unique in the workspace in any case. */
            name: string;
            /** @description Number of links in it, archived ones included. */
            links: number;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updatedAt: string;
        };
        ForbiddenErrorDetails: {
            /** @description The role that the request needs. */
            requiredRole?: string;
            /** @description The scope that the key lacks. */
            requiredScope?: string;
            /** @description The reason why the sign-in with a provider was refused. */
            reason?: string;
            /** @description The limit of this server that is reached. */
            limit?: string;
            /** @description The largest number that it allows. */
            max?: number;
            /** @description The present number. */
            used?: number;
        };
        FoundCampaign: {
            /** @description Id of the campaign. */
            id: string;
            /** @description Its name. */
            name: string;
            /** @description Its state. */
            status: string;
        };
        FoundFolder: {
            /** @description Id of the folder. */
            id: string;
            /** @description Its name. */
            name: string;
        };
        FoundLink: {
            /** @description Id of the link. */
            id: string;
            /** @description Its name. */
            name: string;
            /** @description Path of its short URL. */
            slug: string;
            /** @description Its short URL. */
            shortUrl: string;
            /** @description Where it leads. */
            destinationUrl: string;
            /** @description Its id in another system. */
            externalId: string | null;
            /** @description State of the link, as `GET /v1/links` has it. */
            status: string;
        };
        FoundMember: {
            /** @description Id of the user. */
            userId: string;
            /** @description Name of the user. */
            name: string;
            /** @description E-mail address of the user. */
            email: string;
            /**
             * @description Role in the workspace.
             * @enum {string}
             */
            role: "viewer" | "member" | "admin" | "owner";
        };
        FoundTag: {
            /** @description The tag. */
            name: string;
        };
        FoundWebhookEndpoint: {
            /** @description Id of the endpoint. */
            id: string;
            /** @description Its address. */
            url: string;
            /** @description Its description. */
            description: string | null;
            /** @description Its state. */
            status: string;
        };
        /** @description What the license of the data asks you to show beside it; null where its maker is not known. */
        GeoAttribution: {
            /** @description The text to show. */
            text: string;
            /** @description The page that it links to. */
            url: string;
        };
        GeoDataMeta: {
            /** @description The id of the request, as in the header x-request-id. */
            requestId: string;
            /** @description What the license of the data asks you to show beside it; null where its maker is not known. */
            attribution: components["schemas"]["GeoAttribution"] | null;
            /**
             * Format: date-time
             * @description When the data was built.
             */
            dataBuiltAt: string | null;
        };
        Invitation: {
            /** @description Id of the invitation. */
            id: string;
            /** @description Id of the workspace it belongs to. */
            workspaceId: string;
            /** @description The invited address. */
            email: string;
            /**
             * @description Role of the new member.
             * @enum {string}
             */
            role: "viewer" | "member" | "admin" | "owner";
            /**
             * @description Only a `pending` invitation can be accepted.
             * @enum {string}
             */
            status: "pending" | "accepted" | "rejected" | "canceled" | "expired";
            /** @description Id of the inviter; null after the account was deleted. */
            invitedBy: string | null;
            /**
             * Format: date-time
             * @description Time at which it expires.
             */
            expiresAt: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updatedAt: string;
        };
        InvitationLink: {
            /** @description The link to pass on. It is shown only once; a new one replaces it. */
            url: string;
            /**
             * Format: date-time
             * @description When the invitation and its link expire.
             */
            expiresAt: string;
        };
        Invoice: {
            /** @description Id of the invoice at the provider. */
            id: string;
            /** @description Number of the invoice. */
            number: string | null;
            /** @description Status at the provider. */
            status: string | null;
            /** @description Amount due in the smallest unit of the currency. */
            amountDue: number;
            /** @description Amount paid in the smallest unit of the currency. */
            amountPaid: number;
            /** @description ISO 4217 code of the currency, in lower case. */
            currency: string;
            /**
             * Format: date-time
             * @description Start of its period.
             */
            periodStart: string | null;
            /**
             * Format: date-time
             * @description End of its period.
             */
            periodEnd: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /** @description Page of the invoice. */
            url: string | null;
            /** @description PDF of the invoice. */
            pdfUrl: string | null;
        };
        LimitUse: {
            /** @description Current use. */
            used: number;
            /** @description Limit of the plan; null: none. */
            limit: number | null;
        };
        Link: {
            /** @description Id of the link. */
            id: string;
            /** @description Id of the workspace it belongs to. */
            workspaceId: string;
            /** @description Name of the link. */
            name: string;
            /** @description Path of the short URL. */
            slug: string;
            /** @description Domain of the short URL. Null: the shared host. */
            domainId: string | null;
            /**
             * Format: uri
             * @description Target of the redirect: an http or https URL.
             */
            destinationUrl: string;
            /** @description Target for visitors with iOS or iPadOS: an http or https URL, or one with the custom scheme of an app. Null: no difference. */
            iosDeepLink: string | null;
            /** @description Target for visitors with Android: an http or https URL, or one with the custom scheme of an app. Null: no difference. */
            androidDeepLink: string | null;
            /**
             * Format: date-time
             * @description Time at which the link expires; null: never.
             */
            expiresAt: string | null;
            /** @description `********` if visitors need a password; null if they need none. */
            password: string | null;
            /** @description Status of the redirect. Browsers cache 301 and 308 for 90 seconds, and never 302 and 307. */
            redirectType: number;
            /**
             * @description `active` and `archived` links redirect. `expired` follows from `expiresAt` and `maxClicks`; the operator sets `blocked`.
             * @enum {string}
             */
            status: "active" | "paused" | "archived" | "expired" | "blocked";
            /** @description Campaign of the link. */
            campaignId: string | null;
            /** @description `utm_source` of the redirect: overrides the destination’s, and is overridden by the visitor’s. */
            utmSource: string | null;
            /** @description `utm_medium` of the redirect: overrides the destination’s, and is overridden by the visitor’s. */
            utmMedium: string | null;
            /** @description `utm_campaign` of the redirect: overrides the destination’s, and is overridden by the visitor’s. */
            utmCampaign: string | null;
            /** @description `utm_term` of the redirect: overrides the destination’s, and is overridden by the visitor’s. */
            utmTerm: string | null;
            /** @description `utm_content` of the redirect: overrides the destination’s, and is overridden by the visitor’s. */
            utmContent: string | null;
            /** @description Custom data, at most 10,000 characters of JSON. */
            metadata: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updatedAt: string;
            /** @description The short URL. */
            shortUrl: string;
            /** @description Host of the short URL. */
            domain: string;
            /** @description Tags of the link. */
            tags: string[];
            /** @description Folder of the link. */
            folderId: string | null;
            /** @description Id of the link in another system, unique in the workspace. */
            externalId: string | null;
            /**
             * Format: uri
             * @description Target of the link once it has expired; null: a page that says so.
             */
            expiredUrl: string | null;
            /** @description Number of redirects after which the link expires; bots count too. Null: no limit. */
            maxClicks: number | null;
            /**
             * Format: date-time
             * @description Time from which on the link redirects, before `expiresAt`; null: at once.
             */
            startsAt: string | null;
            /** @description Human clicks since the link was created. */
            clicks: number;
            /**
             * Format: date-time
             * @description Time of the last human click.
             */
            lastClickedAt: string | null;
            /**
             * Format: date-time
             * @description Time at which it was archived.
             */
            archivedAt: string | null;
            /** @description Id of the user who created it. */
            createdBy: string;
            /** @description Whether redirects pass the id of their click to the destination, in the parameter `sp_id`, for `POST /conversions`. */
            trackConversions: boolean;
            /** @description Targets for some visitors, at most 20; the first rule whose conditions hold is taken. */
            rules: components["schemas"]["LinkRule"][];
            /** @description Whether the query of the short URL is added to the destination. */
            forwardQuery: boolean;
            /** @description Whether to tell search engines not to index the short URL. */
            noindex: boolean;
            /** @description Preview for messengers and social networks, instead of the destination’s; null: none. */
            card: components["schemas"]["LinkCard"] | null;
            /** @description Uploaded image in the middle of the QR codes; null: none. */
            qrLogoMediaId: string | null;
            /** @description Targets among which the other visitors are split: none, or 2 to 10 whose weights sum to 100. A visitor keeps a variant. */
            variants: components["schemas"]["LinkVariant"][];
            /**
             * Format: date-time
             * @description Time from which on all visitors get `destinationUrl` in place of a variant; null: never.
             */
            variantsUntil: string | null;
            /** @description Further slugs of the link, which redirect and count as its slug does. */
            aliases: string[];
            /** @description Why the operator has blocked the link, if a reason was given. */
            blockedReason: string | null;
            /** @description Human clicks of the last `clickDays` days, in a list with that parameter. */
            periodClicks?: number;
            /** @description Conversions of these days, in a list with that parameter. */
            periodConversions?: number;
            /** @description Their value in the smallest unit of `currency`, in a list with that parameter. */
            periodValue?: number;
        };
        LinkAnalytics: {
            /** @description The link whose clicks are counted. */
            link: components["schemas"]["AnalyzedLink"];
            /** @description All clicks that were ever counted, and those that were imported. */
            totalClicks: number;
            /** @description Clicks of the period. */
            periodClicks: number;
            /** @description Change of the clicks against as many days before. */
            periodChangePercent: number;
            /** @description Unique visitors of the period. */
            uniqueVisitors: number;
            /** @description Change of the visitors against as many days before. */
            uniqueVisitorsChangePercent: number;
            /** @description Clicks of the period by dimension. */
            breakdowns: components["schemas"]["Breakdowns"];
            /** @description Whether anything was counted in the period that a change compares with. False: there is no earlier data, and the change says nothing. */
            hasEarlierPeriod: boolean;
            /** @description Crawlers, link previews and prefetches of the period, which the other numbers leave out unless `includeBots` is true. */
            botClicks: number;
            /** @description Clicks that the links had in other services: part of totals, and of no number of the period. */
            totalImportedClicks: number;
            /** @description True when the unique visitors are estimated, within about one percent. */
            approximate: boolean;
            /** @description Conversions that happened in the period and are attributed to a link. */
            conversions: number;
            /** @description Value of those in the `currency` of the question, in its smallest unit; refunds are negative. */
            value: number;
        };
        LinkCard: {
            /** @description Title of the preview. */
            title: string | null;
            /** @description Text of the preview. */
            description: string | null;
            /**
             * Format: uri
             * @description Image of the preview: an https URL.
             */
            image: string | null;
        };
        /** @description Conditions on a visitor. */
        LinkConditions: {
            /** @description Countries: ISO 3166-1 alpha-2 codes. */
            country?: string[];
            /** @description Regions: a country, a dash and a code. Needs a city database. */
            region?: string[];
            /** @description Continents: AF, AN, AS, EU, NA, OC, SA. */
            continent?: string[];
            /** @description Kinds of device: desktop, mobile, tablet, other. */
            device?: string[];
            /** @description Operating systems, as the analytics name them. */
            os?: string[];
            /** @description Browsers and HTTP clients, as the analytics name them. */
            browser?: string[];
            /** @description Preferred languages of visitors, without a region. */
            language?: string[];
            /** @description Parameters of the short URL, at most 10: the value each must have, or null for any. */
            query?: {
                [key: string]: string | null;
            };
            /**
             * Format: date-time
             * @description Time from which on the rule applies.
             */
            from?: string;
            /**
             * Format: date-time
             * @description Time until which the rule applies.
             */
            to?: string;
        };
        LinkCounts: {
            /** @description Links that the filters match. */
            total: number;
            /** @description The largest groups first, at most 1,000; empty without `groupBy`. */
            groups: {
                /** @description The value of the field; null for links without one. */
                key: string | null;
                /** @description Number of links. A link with several tags counts for each. */
                count: number;
            }[];
        };
        LinkCreatedEvent: {
            /** @description Id of the delivery, the same for all of its attempts: de-duplicate by it. */
            id: string;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "link.created";
            /** @description Id of the workspace it belongs to. */
            workspaceId: string;
            /** @description Id of the endpoint. */
            endpointId: string;
            /** @description The number of the attempt, from 1. */
            attempt: number;
            /**
             * Format: date-time
             * @description When it happened, or was queued again.
             */
            createdAt: string;
            /** @description What happened. */
            data: components["schemas"]["LinkSnapshot"];
        };
        LinkDeletedEvent: {
            /** @description Id of the delivery, the same for all of its attempts: de-duplicate by it. */
            id: string;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "link.deleted";
            /** @description Id of the workspace it belongs to. */
            workspaceId: string;
            /** @description Id of the endpoint. */
            endpointId: string;
            /** @description The number of the attempt, from 1. */
            attempt: number;
            /**
             * Format: date-time
             * @description When it happened, or was queued again.
             */
            createdAt: string;
            /** @description What happened. */
            data: components["schemas"]["LinkSnapshot"];
        };
        LinkDraft: {
            /** @description Name of the link. */
            name?: string;
            /**
             * Format: uri
             * @description Target of the redirect: an http or https URL.
             */
            destinationUrl: string;
            /** @description Path of the short URL: letters, digits, emoji and `_ - . /`. Absent or null: random at creation, unchanged later. */
            slug?: string | null;
            /** @description Domain of the short URL. For a new link null means the default domain of the workspace, in an update the shared host. */
            domainId?: string | null;
            /**
             * Format: date-time
             * @description Time at which the link expires; null: never.
             */
            expiresAt?: string | null;
            /** @description Password that visitors need, at most 256 bytes; null removes it. In an update `********` keeps it. */
            password?: string | null;
            /**
             * @description Status of the redirect; null means 302. Browsers cache 301 and 308 for 90 seconds.
             * @enum {integer|null}
             */
            redirectType?: 301 | 302 | 307 | 308 | null;
            /**
             * @description `active` and `archived` links redirect; null means `active`.
             * @enum {string|null}
             */
            status?: "active" | "paused" | "archived" | null;
            /** @description `utm_source` of the redirect: overrides the destination’s, and is overridden by the visitor’s. */
            utmSource?: string | null;
            /** @description `utm_medium` of the redirect: overrides the destination’s, and is overridden by the visitor’s. */
            utmMedium?: string | null;
            /** @description `utm_campaign` of the redirect: overrides the destination’s, and is overridden by the visitor’s. */
            utmCampaign?: string | null;
            /** @description `utm_term` of the redirect: overrides the destination’s, and is overridden by the visitor’s. */
            utmTerm?: string | null;
            /** @description `utm_content` of the redirect: overrides the destination’s, and is overridden by the visitor’s. */
            utmContent?: string | null;
            /** @description Custom data, at most 10,000 characters of JSON. */
            metadata?: {
                [key: string]: unknown;
            } | null;
            /** @description Target for visitors with iOS or iPadOS: an http or https URL, or one with the custom scheme of an app. Null: no difference. */
            iosDeepLink?: string | null;
            /** @description Target for visitors with Android: an http or https URL, or one with the custom scheme of an app. Null: no difference. */
            androidDeepLink?: string | null;
            /**
             * Format: uri
             * @description Target of the link once it has expired; null: a page that says so.
             */
            expiredUrl?: string | null;
            /** @description Number of redirects after which the link expires; bots count too. Null: no limit. */
            maxClicks?: number | null;
            /**
             * Format: date-time
             * @description Time from which on the link redirects, before `expiresAt`; null: at once.
             */
            startsAt?: string | null;
            /**
             * Format: date-time
             * @description Time from which on all visitors get `destinationUrl` in place of a variant; null: never.
             */
            variantsUntil?: string | null;
            /** @description Targets for some visitors, at most 20; the first rule whose conditions hold is taken. */
            rules?: components["schemas"]["NewLinkRule"][] | null;
            /** @description Whether the query of the short URL is added to the destination. */
            forwardQuery?: boolean | null;
            /** @description Whether to tell search engines not to index the short URL. */
            noindex?: boolean | null;
            /** @description Whether redirects pass the id of their click to the destination, in the parameter `sp_id`, for `POST /conversions`. */
            trackConversions?: boolean | null;
            /** @description Uploaded image in the middle of the QR codes; null: none. */
            qrLogoMediaId?: string | null;
            /** @description Preview for messengers and social networks, instead of the destination’s; null: none. */
            card?: components["schemas"]["NewLinkCard"] | null;
            /** @description Targets among which the other visitors are split: none, or 2 to 10 whose weights sum to 100. A visitor keeps a variant. */
            variants?: components["schemas"]["NewLinkVariant"][] | null;
            /** @description Further slugs of the link, which redirect and count as its slug does. The list replaces the one before; at most 20. */
            aliases?: string[] | null;
            /** @description Tags of the link. At most 50 of 50 characters, without commas. The list replaces the one before. */
            tags?: string[] | null;
            /** @description Folder of the link. Null: none. */
            folderId?: string | null;
            /** @description Campaign of the link. It sets UTM fields that the link would not have. Null: none. */
            campaignId?: string | null;
            /** @description Id of the link in another system, unique in the workspace. Null: none. */
            externalId?: string | null;
            /** @description Template for the UTM fields that the request leaves out. */
            utmTemplateId?: string | null;
            /** @description Host of the domain, instead of `domainId`; the host of the server means no domain. */
            domain?: string | null;
            /** @description The visit; what is left out is unknown. */
            visit?: {
                /** @description User agent of the visitor. */
                userAgent?: string;
                /** @description ISO 3166-1 code of the country. */
                country?: string;
                /** @description Region, with its country. */
                region?: string;
                /** @description City; no condition depends on it. */
                city?: string;
                /** @description A language, or an Accept-Language header. */
                language?: string;
                /** @description Query of the short URL. */
                query?: string;
                /**
                 * Format: date-time
                 * @description Time of the visit; now by default.
                 */
                at?: string;
                /** @description Whether the visitor has given the password. */
                unlocked?: boolean;
            };
        };
        LinkExplanation: {
            /**
             * @description Kind of the answer.
             * @enum {string}
             */
            outcome: "redirect" | "page" | "password" | "card" | "interstitial";
            /** @description Status of the answer. */
            status: number;
            /** @description Target of the redirect, or the app that the interstitial offers. */
            location: string | null;
            /** @description Name of the page: `missing`, `pending`, `expired`, `exhausted`, `blocked`, `suspended`, `password`, `card` or `interstitial`. */
            page: string | null;
            /** @description Which destination: `default`, `ios`, `android`, `rule:<id>` or `variant:<id>`; null for an answer that is no click. */
            route: string | null;
            /** @description The steps up to the answer, in their order. */
            steps: components["schemas"]["ExplainedStep"][];
        };
        LinkFilter: {
            /** @description Only links with this text in name, slug or destination. */
            search?: string;
            /**
             * @description Only links of this status.
             * @enum {string}
             */
            status?: "active" | "paused" | "archived" | "expired" | "blocked";
            /**
             * @description Include archived links.
             * @default false
             */
            includeArchived?: boolean;
            /**
             * Format: date-time
             * @description Only links created at this time or later.
             */
            createdFrom?: string;
            /**
             * Format: date-time
             * @description Only links created before this time.
             */
            createdTo?: string;
            /** @description Only links on this domain. */
            domainId?: string;
            /** @description Host of the domain, instead of `domainId`; the host of the server means no domain. */
            domain?: string;
            /** @description Only links of this campaign. */
            campaignId?: string;
            /** @description Only links in this folder. */
            folderId?: string;
            /** @description Only the link with this id of yours. */
            externalId?: string;
            /** @description Only links with this slug, or with this alias. */
            slug?: string;
            /** @description Only links to this destination, as answers have it. */
            destinationUrl?: string;
            /** @description Only links with this tag. */
            tag?: string;
            /** @description Only links with one of these tags, separated by commas. */
            tags?: string;
            /**
             * @description Links with `any` of the `tags`, which is the default, or with `all` of them.
             * @enum {string}
             */
            tagsMode?: "any" | "all";
        };
        LinkHistoryActor: {
            /**
             * @description A user, an API key, or the program itself.
             * @enum {string}
             */
            type: "user" | "api_key" | "system";
            /** @description Id of the user or the key. */
            id: string;
            /** @description Name at that time. */
            name: string | null;
        };
        LinkHistoryEntry: {
            /** @description Id of the entry. */
            id: string;
            /**
             * Format: date-time
             * @description When it was changed.
             */
            changedAt: string;
            /** @description Author of the change. */
            actor: components["schemas"]["LinkHistoryActor"];
            /** @description Old and new value of each field, `{field: {old, new}}`; of a password only that it changed. Empty for the creation. */
            changes: {
                [key: string]: unknown;
            };
        };
        LinkImport: {
            /** @description Id of the import. */
            id: string;
            /**
             * @description Service that wrote the file.
             * @enum {string}
             */
            source: "csv" | "bitly" | "dub" | "shortio" | "rebrandly" | "yourls" | "kutt" | "shlink" | "sink" | "linktree" | "linkstack";
            /**
             * @description State of the import.
             * @enum {string}
             */
            status: "pending" | "processing" | "completed" | "failed" | "canceled";
            /** @description Whether to check and count everything, but write nothing. */
            dryRun: boolean;
            /**
             * @description What happens to a link that exists.
             * @enum {string}
             */
            onConflict: "skip" | "update";
            /** @description Every column of the file, with the recognized field. */
            columns: components["schemas"]["LinkImportColumn"][];
            /** @description The option `domain`; null without it. */
            domain: string | null;
            /** @description Rows of the file without the header and blank rows. */
            total: number;
            /** @description Rows that are finished. */
            processed: number;
            /** @description Links that were created. */
            created: number;
            /** @description Links that were changed. */
            updated: number;
            /** @description Rows whose links were skipped, or had nothing to change. */
            skipped: number;
            /** @description Rows that were refused. */
            failed: number;
            /** @description What is wrong with refused rows: the first 100 errors. */
            errors: components["schemas"]["LinkImportError"][];
            /** @description Domains of the file that the workspace does not have, 100 at most. */
            unknownDomains: components["schemas"]["UnknownImportDomain"][];
            /** @description Why a failed import stopped; the rows before stay imported. */
            error: components["schemas"]["LinkImportFailure"] | null;
            /** @description Whether the import can be undone: once, within an hour, if it wrote something. */
            canUndo: boolean;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was completed, failed or canceled; null before.
             */
            completedAt: string | null;
        };
        LinkImportColumn: {
            /** @description Name of the column in the file. */
            column: string;
            /**
             * @description The field of a link that it is read as; null: it is not imported.
             * @enum {string|null}
             */
            field: "name" | "domainId" | "domain" | "destinationUrl" | "slug" | "expiresAt" | "password" | "redirectType" | "status" | "utmSource" | "utmMedium" | "utmCampaign" | "utmTerm" | "utmContent" | "metadata" | "iosDeepLink" | "androidDeepLink" | "expiredUrl" | "maxClicks" | "startsAt" | "variantsUntil" | "rules" | "forwardQuery" | "noindex" | "trackConversions" | "card" | "variants" | "aliases" | "tags" | "folderId" | "campaignId" | "externalId" | "utmTemplateId" | "id" | "folder" | "campaign" | "shortUrl" | "clicks" | "clicksByDay" | "archived" | "banned" | "hasPassword" | null;
        };
        LinkImportColumns: {
            /**
             * @description Service that writes such a file.
             * @enum {string}
             */
            source: "csv" | "bitly" | "dub" | "shortio" | "rebrandly" | "yourls" | "kutt" | "shlink" | "sink" | "linktree" | "linkstack";
            /** @description Every column of the file, with the recognized field. */
            columns: components["schemas"]["LinkImportColumn"][];
            /** @description Fields that an import needs and no column has. */
            missing: string[];
        };
        LinkImportColumnsInput: {
            /** @description The first row of a file. */
            columns: string[];
            /**
             * @description Service that wrote the file. Absent: recognized by its columns.
             * @enum {string}
             */
            source?: "csv" | "bitly" | "dub" | "shortio" | "rebrandly" | "yourls" | "kutt" | "shlink" | "sink" | "linktree" | "linkstack";
            /** @description JSON object: the field of a link for a column of the file; null leaves a column out. */
            mapping?: string;
        };
        LinkImportError: {
            /** @description Row of the file as a spreadsheet numbers it: the header is row 1. */
            row: number;
            /** @description Column of the file; null for the row as a whole. */
            column: string | null;
            /** @description Code of the error, as in other answers. */
            code: string;
            /** @description What is wrong, and what to do. */
            message: string;
        };
        LinkImportFailure: {
            /** @description Code of the error. */
            code: string;
            /** @description Why the import stopped. */
            message: string;
        };
        LinkImportRow: {
            /** @description Row of the file as a spreadsheet numbers it: the header is row 1. */
            row: number;
            /**
             * @description Result of the row; in a dry run, the expected one.
             * @enum {string}
             */
            status: "created" | "updated" | "skipped" | "failed";
            /** @description Id of its link; null for a refused row, and for a new link in a dry run. */
            linkId: string | null;
            /** @description The short URL of its link; null for a refused row, and for a random one in a dry run. */
            shortUrl: string | null;
            /** @description Where it leads. */
            destinationUrl: string | null;
            /** @description Why the row was refused or skipped, or how its short URL differs from the one in the file. */
            note: string | null;
        };
        LinkListMeta: {
            /** @description The id of the request, as in the header x-request-id. */
            requestId: string;
            /** @description How many rows there are in all. */
            total: number;
            /** @description The `limit` of this page. */
            limit: number;
            /** @description The `offset` of this page. */
            offset: number;
            /** @description False: more than 10,000 rows match, and the total says 10000. Left out otherwise. */
            totalIsExact?: boolean;
            /** @description `cursor` of the next page; null on the last page. */
            nextCursor: string | null;
            /** @description The period of `periodClicks`; with `clickDays` alone, as the two below. */
            period?: components["schemas"]["ClickPeriod"];
            /** @description Time zone of its days. */
            timezone?: string;
            /**
             * Format: date-time
             * @description Every click that was answered before this time is counted.
             */
            asOf?: string;
            /** @description Currencies of the conversions of these links. */
            currencies?: string[];
        };
        LinkPreview: {
            /** @description The URL of the request, as a link would store it. */
            url: string;
            /** @description The URL of the page, after redirects; null when it could not be read. */
            finalUrl: string | null;
            /** @description Title of the page. Without one, or when the page could not be read, host and path of the URL. */
            title: string;
            /** @description Description of the page. */
            description: string | null;
            /** @description URL of the image that the page names. The server has not fetched it. */
            image: string | null;
            /** @description URL of the icon that the page names. */
            favicon: string | null;
            /** @description Name of the site. */
            siteName: string | null;
        };
        LinkRule: {
            /** @description Id of the rule, which the click log names. */
            id: string;
            /** @description Name of the rule. */
            name: string;
            /** @description Whether the rule applies. */
            enabled: boolean;
            /** @description Conditions of a rule, at least one. All of them must hold; of a list, one entry is enough. An unknown label of a visitor meets no condition. */
            conditions: components["schemas"]["LinkConditions"];
            /**
             * Format: uri
             * @description Target for visitors that meet the conditions.
             */
            destinationUrl: string;
        };
        LinkSnapshot: {
            /** @description Id of the link. */
            id: string;
            /** @description Id of the workspace it belongs to. */
            workspaceId: string;
            /** @description Name of the link. */
            name: string;
            /** @description Path of the short URL. */
            slug: string;
            /** @description Domain of the short URL. Null: the shared host. */
            domainId: string | null;
            /**
             * Format: uri
             * @description Target of the redirect: an http or https URL.
             */
            destinationUrl: string;
            /** @description Target for visitors with iOS or iPadOS: an http or https URL, or one with the custom scheme of an app. Null: no difference. */
            iosDeepLink: string | null;
            /** @description Target for visitors with Android: an http or https URL, or one with the custom scheme of an app. Null: no difference. */
            androidDeepLink: string | null;
            /**
             * Format: date-time
             * @description Time at which the link expires; null: never.
             */
            expiresAt: string | null;
            /** @description Status of the redirect. Browsers cache 301 and 308 for 90 seconds, and never 302 and 307. */
            redirectType: number;
            /**
             * @description `active` and `archived` links redirect. `expired` follows from `expiresAt` and `maxClicks`; the operator sets `blocked`.
             * @enum {string}
             */
            status: "active" | "paused" | "archived" | "expired" | "blocked";
            /** @description Campaign of the link. */
            campaignId: string | null;
            /** @description `utm_source` of the redirect: overrides the destination’s, and is overridden by the visitor’s. */
            utmSource: string | null;
            /** @description `utm_medium` of the redirect: overrides the destination’s, and is overridden by the visitor’s. */
            utmMedium: string | null;
            /** @description `utm_campaign` of the redirect: overrides the destination’s, and is overridden by the visitor’s. */
            utmCampaign: string | null;
            /** @description `utm_term` of the redirect: overrides the destination’s, and is overridden by the visitor’s. */
            utmTerm: string | null;
            /** @description `utm_content` of the redirect: overrides the destination’s, and is overridden by the visitor’s. */
            utmContent: string | null;
            /** @description Custom data, at most 10,000 characters of JSON. */
            metadata: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updatedAt: string;
            /** @description The short URL. */
            shortUrl: string;
            /** @description Host of the short URL. */
            domain: string;
            /** @description Tags of the link. */
            tags: string[];
            /** @description Folder of the link. */
            folderId: string | null;
            /** @description Id of the link in another system, unique in the workspace. */
            externalId: string | null;
            /**
             * Format: uri
             * @description Target of the link once it has expired; null: a page that says so.
             */
            expiredUrl: string | null;
            /** @description Number of redirects after which the link expires; bots count too. Null: no limit. */
            maxClicks: number | null;
            /**
             * Format: date-time
             * @description Time from which on the link redirects, before `expiresAt`; null: at once.
             */
            startsAt: string | null;
            /** @description Human clicks since the link was created. */
            clicks: number;
            /**
             * Format: date-time
             * @description Time of the last human click.
             */
            lastClickedAt: string | null;
            /**
             * Format: date-time
             * @description Time at which it was archived.
             */
            archivedAt: string | null;
            /** @description Id of the user who created it. */
            createdBy: string;
            /** @description Whether redirects pass the id of their click to the destination, in the parameter `sp_id`, for `POST /conversions`. */
            trackConversions: boolean;
            /** @description Targets for some visitors, at most 20; the first rule whose conditions hold is taken. */
            rules: components["schemas"]["LinkRule"][];
            /** @description Whether the query of the short URL is added to the destination. */
            forwardQuery: boolean;
            /** @description Whether to tell search engines not to index the short URL. */
            noindex: boolean;
            /** @description Preview for messengers and social networks, instead of the destination’s; null: none. */
            card: components["schemas"]["LinkCard"] | null;
            /** @description Uploaded image in the middle of the QR codes; null: none. */
            qrLogoMediaId: string | null;
            /** @description Targets among which the other visitors are split: none, or 2 to 10 whose weights sum to 100. A visitor keeps a variant. */
            variants: components["schemas"]["LinkVariant"][];
            /**
             * Format: date-time
             * @description Time from which on all visitors get `destinationUrl` in place of a variant; null: never.
             */
            variantsUntil: string | null;
            /** @description Further slugs of the link, which redirect and count as its slug does. */
            aliases: string[];
            /** @description Why the operator has blocked the link, if a reason was given. */
            blockedReason: string | null;
        };
        LinkUpdatedEvent: {
            /** @description Id of the delivery, the same for all of its attempts: de-duplicate by it. */
            id: string;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "link.updated";
            /** @description Id of the workspace it belongs to. */
            workspaceId: string;
            /** @description Id of the endpoint. */
            endpointId: string;
            /** @description The number of the attempt, from 1. */
            attempt: number;
            /**
             * Format: date-time
             * @description When it happened, or was queued again.
             */
            createdAt: string;
            /** @description What happened. */
            data: {
                /** @description Id of the link. */
                id: string;
                /** @description Id of the workspace it belongs to. */
                workspaceId: string;
                /** @description Name of the link. */
                name: string;
                /** @description Path of the short URL. */
                slug: string;
                /** @description Domain of the short URL. Null: the shared host. */
                domainId: string | null;
                /**
                 * Format: uri
                 * @description Target of the redirect: an http or https URL.
                 */
                destinationUrl: string;
                /** @description Target for visitors with iOS or iPadOS: an http or https URL, or one with the custom scheme of an app. Null: no difference. */
                iosDeepLink: string | null;
                /** @description Target for visitors with Android: an http or https URL, or one with the custom scheme of an app. Null: no difference. */
                androidDeepLink: string | null;
                /**
                 * Format: date-time
                 * @description Time at which the link expires; null: never.
                 */
                expiresAt: string | null;
                /** @description Status of the redirect. Browsers cache 301 and 308 for 90 seconds, and never 302 and 307. */
                redirectType: number;
                /**
                 * @description `active` and `archived` links redirect. `expired` follows from `expiresAt` and `maxClicks`; the operator sets `blocked`.
                 * @enum {string}
                 */
                status: "active" | "paused" | "archived" | "expired" | "blocked";
                /** @description Campaign of the link. */
                campaignId: string | null;
                /** @description `utm_source` of the redirect: overrides the destination’s, and is overridden by the visitor’s. */
                utmSource: string | null;
                /** @description `utm_medium` of the redirect: overrides the destination’s, and is overridden by the visitor’s. */
                utmMedium: string | null;
                /** @description `utm_campaign` of the redirect: overrides the destination’s, and is overridden by the visitor’s. */
                utmCampaign: string | null;
                /** @description `utm_term` of the redirect: overrides the destination’s, and is overridden by the visitor’s. */
                utmTerm: string | null;
                /** @description `utm_content` of the redirect: overrides the destination’s, and is overridden by the visitor’s. */
                utmContent: string | null;
                /** @description Custom data, at most 10,000 characters of JSON. */
                metadata: {
                    [key: string]: unknown;
                } | null;
                /**
                 * Format: date-time
                 * @description When it was created.
                 */
                createdAt: string;
                /**
                 * Format: date-time
                 * @description When it was last changed.
                 */
                updatedAt: string;
                /** @description The short URL. */
                shortUrl: string;
                /** @description Host of the short URL. */
                domain: string;
                /** @description Tags of the link. */
                tags: string[];
                /** @description Folder of the link. */
                folderId: string | null;
                /** @description Id of the link in another system, unique in the workspace. */
                externalId: string | null;
                /**
                 * Format: uri
                 * @description Target of the link once it has expired; null: a page that says so.
                 */
                expiredUrl: string | null;
                /** @description Number of redirects after which the link expires; bots count too. Null: no limit. */
                maxClicks: number | null;
                /**
                 * Format: date-time
                 * @description Time from which on the link redirects, before `expiresAt`; null: at once.
                 */
                startsAt: string | null;
                /** @description Human clicks since the link was created. */
                clicks: number;
                /**
                 * Format: date-time
                 * @description Time of the last human click.
                 */
                lastClickedAt: string | null;
                /**
                 * Format: date-time
                 * @description Time at which it was archived.
                 */
                archivedAt: string | null;
                /** @description Id of the user who created it. */
                createdBy: string;
                /** @description Whether redirects pass the id of their click to the destination, in the parameter `sp_id`, for `POST /conversions`. */
                trackConversions: boolean;
                /** @description Targets for some visitors, at most 20; the first rule whose conditions hold is taken. */
                rules: components["schemas"]["LinkRule"][];
                /** @description Whether the query of the short URL is added to the destination. */
                forwardQuery: boolean;
                /** @description Whether to tell search engines not to index the short URL. */
                noindex: boolean;
                /** @description Preview for messengers and social networks, instead of the destination’s; null: none. */
                card: components["schemas"]["LinkCard"] | null;
                /** @description Uploaded image in the middle of the QR codes; null: none. */
                qrLogoMediaId: string | null;
                /** @description Targets among which the other visitors are split: none, or 2 to 10 whose weights sum to 100. A visitor keeps a variant. */
                variants: components["schemas"]["LinkVariant"][];
                /**
                 * Format: date-time
                 * @description Time from which on all visitors get `destinationUrl` in place of a variant; null: never.
                 */
                variantsUntil: string | null;
                /** @description Further slugs of the link, which redirect and count as its slug does. */
                aliases: string[];
                /** @description Why the operator has blocked the link, if a reason was given. */
                blockedReason: string | null;
                /** @description The fields that changed. */
                changes: string[];
                /** @description Their values before. */
                previous: {
                    [key: string]: unknown;
                };
            };
        };
        LinkVariant: {
            /** @description Id of the variant, which the click log names. */
            id: string;
            /** @description Name of the variant. */
            name: string;
            /**
             * Format: uri
             * @description Target for its share of the visitors.
             */
            destinationUrl: string;
            /** @description Share of the visitors in percent. */
            weight: number;
        };
        LinkView: {
            /** @description Id of the view. */
            id: string;
            /** @description Id of the workspace it belongs to. */
            workspaceId: string;
            /** @description The user who made it. */
            userId: string;
            /** @description Name of the view. */
            name: string;
            /** @description Filters, order and columns, as the query string of the page. */
            query: string;
            /** @description Whether all members see it, and may change it. */
            isShared: boolean;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updatedAt: string;
        };
        ListedWebhookEndpoint: {
            /** @description Id of the endpoint. */
            id: string;
            /** @description Id of the workspace it belongs to. */
            workspaceId: string;
            /**
             * Format: uri
             * @description Where deliveries are posted: an https URL.
             */
            url: string;
            /** @description What the endpoint is for. */
            description: string | null;
            /** @description Event types; `*` means all, also types of later versions. */
            events: ("*" | "link.created" | "link.updated" | "link.deleted" | "domain.verified" | "domain.failed" | "click.received" | "conversion.received" | "campaign.completed" | "report.generated" | "billing.subscription.updated")[];
            /**
             * @description A `paused` endpoint receives nothing.
             * @enum {string}
             */
            status: "active" | "paused";
            /** @description Failed attempts since the last success. */
            failureCount: number;
            /**
             * Format: date-time
             * @description When an attempt last failed.
             */
            lastFailureAt: string | null;
            /**
             * Format: date-time
             * @description When an attempt last succeeded.
             */
            lastSuccessAt: string | null;
            /** @description Id of the user who created it. */
            createdBy: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updatedAt: string;
            /** @description Send the headers of Standard Webhooks as well. */
            standardHeaders: boolean;
            /**
             * Format: email
             * @description Where a mail goes when deliveries to this endpoint keep failing: the verified address of an admin or owner of the workspace.
             */
            failureEmail: string | null;
            /** @description `click.received` deliveries that a backlog of a million refused. */
            droppedClicks: number;
            /** @description Pause the endpoint after this many hours in which every attempt failed; null: never. */
            disableAfterHours: number | null;
            /**
             * Format: date-time
             * @description When it was paused because of `disableAfterHours`; null once it is resumed.
             */
            autoPausedAt: string | null;
            /**
             * Format: date-time
             * @description Until when deliveries are signed with the previous secret as well; null without an overlap.
             */
            previousSecretValidUntil: string | null;
            /** @description Headers that every delivery carries, by name; each value is shown as `********`. */
            headers: {
                [key: string]: string;
            };
            /** @description With `stats=24h` in the query. */
            stats?: components["schemas"]["WebhookEndpointStats"];
        };
        Media: {
            /** @description Id of the image. */
            id: string;
            /** @description Id of the workspace it belongs to. */
            workspaceId: string;
            /** @description The name it was uploaded under, without characters that paths use. */
            filename: string;
            /**
             * @description Its type, by its content.
             * @enum {string}
             */
            contentType: "image/png" | "image/jpeg" | "image/gif" | "image/webp" | "image/avif";
            /** @description Its size in bytes. */
            size: number;
            /** @description In pixels, as it is shown. */
            width: number;
            /** @description In pixels, as it is shown. */
            height: number;
            /** @description More than 1 for an animation. */
            frames: number;
            /** @description SHA-256 of its bytes, in hexadecimal digits. */
            sha256: string;
            /** @description Its public address. While a published page, the card of a link or the pages for visitors show the image, it serves a copy without metadata. */
            url: string;
            /** @description What shows it, at most 20. */
            usedBy: components["schemas"]["MediaUse"][];
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
        };
        MediaMeta: {
            /** @description The id of the request, as in the header x-request-id. */
            requestId: string;
            /** @description Number of images in all. */
            total: number;
            /** @description The `limit` of this page. */
            limit: number;
            /** @description The `offset` of this page. */
            offset: number;
            /** @description Bytes of all images of the workspace. */
            usedBytes: number;
        };
        MediaUse: {
            /**
             * @description What shows the image. A `workspace` has it as its logo.
             * @enum {string}
             */
            type: "link" | "bio_page" | "workspace";
            /** @description Its id. */
            id: string;
            /** @description Its name. */
            name: string;
        };
        Member: {
            /** @description Id of the user. */
            userId: string;
            /** @description Name of the user. */
            name: string;
            /** @description E-mail address of the user. */
            email: string;
            /**
             * @description Role in the workspace.
             * @enum {string}
             */
            role: "viewer" | "member" | "admin" | "owner";
            /**
             * Format: date-time
             * @description Start of the membership.
             */
            joinedAt: string;
            /**
             * Format: date-time
             * @description Last request with a session in this workspace, exact to the minute; null: none, or the caller is no admin.
             */
            lastActiveAt: string | null;
            /** @description Whether the account requires a code after its password; null: the caller is no admin. */
            twoFactorEnabled: boolean | null;
        };
        Meta: {
            /** @description The id of the request, as in the header x-request-id. */
            requestId: string;
        };
        NewApiKey: {
            /** @description Id of the key. */
            id: string;
            /** @description Purpose of the key. */
            name: string;
            /** @description First and last characters of the key, to tell keys apart. */
            prefix: string;
            /** @description Permissions of the key; null: everything that its user’s role allows. */
            scopes: string[] | null;
            /** @description Addresses and CIDR ranges that may use the key; empty: any. */
            ipAllowlist: string[];
            /** @description Id of the workspace it belongs to. */
            workspaceId: string;
            /** @description Id of the user as whom it acts. */
            userId: string;
            /** @description Where the user allowed the app that holds the key: the host it returned to, or `device`; null for a key without an app. */
            app: string | null;
            /**
             * Format: date-time
             * @description When it was last used.
             */
            lastUsedAt: string | null;
            /** @description Client address of its last use. */
            lastUsedIp: string | null;
            /**
             * Format: date-time
             * @description When the key expires; null: never. An app gets a new key in time.
             */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updatedAt: string;
            /** @description The key itself, which is not shown again. */
            key: string;
        };
        NewConversion: {
            /** @description Name of what happened. */
            eventName: string;
            /** @description The value of the parameter `sp_id` with which the visitor came, or the id of a click. */
            clickId?: string | null;
            /** @description Link to attribute it to, if no click is known. */
            linkId?: string | null;
            /** @description The same link, by its slug. */
            slug?: string | null;
            /** @description Host of the domain of `slug`, if several links have that slug. */
            domain?: string | null;
            /** @description Your own id of it. The same id is stored once. */
            eventId?: string | null;
            /** @description Your id of the customer. Without a click, the last click of the customer in 30 days counts. */
            customerId?: string | null;
            /** @description Of a sale without `eventId`: one sale per invoice is stored. */
            invoiceId?: string | null;
            /**
             * @description Kind of conversion. By default `sale` if there is a `value` or an `invoiceId`, else `custom`.
             * @enum {string|null}
             */
            type?: "lead" | "sale" | "custom" | null;
            /** @description Value in the smallest unit of the currency, such as cents; negative for a refund. */
            value?: number | null;
            /** @description ISO 4217 code of the currency, in either case; `usd` by default. */
            currency?: string | null;
            /**
             * Format: date-time
             * @description When it happened; now by default.
             */
            occurredAt?: string | null;
            /** @description The customer, as you sent it. */
            customer?: {
                [key: string]: unknown;
            } | null;
            /** @description Data of your own. */
            metadata?: {
                [key: string]: unknown;
            } | null;
        };
        NewLinkCard: {
            /** @description Title of the preview. */
            title?: string | null;
            /** @description Text of the preview. */
            description?: string | null;
            /**
             * Format: uri
             * @description Image of the preview: an https URL, or the id of an uploaded image, which is answered as its public address.
             */
            image?: string | null;
        };
        NewLinkRule: {
            /** @description Id of the rule. Absent or null: a new one is given. An id that is sent back is kept. */
            id?: string | null;
            /** @description Name of the rule. */
            name?: string | null;
            /** @description Absent or null: true. */
            enabled?: boolean | null;
            /** @description Conditions of a rule, at least one. All of them must hold; of a list, one entry is enough. An unknown label of a visitor meets no condition. */
            conditions: components["schemas"]["LinkConditions"];
            /**
             * Format: uri
             * @description Target for visitors that meet the conditions.
             */
            destinationUrl: string;
        };
        NewLinkVariant: {
            /** @description Id of the variant. Absent or null: a new one is given. An id that is sent back is kept. */
            id?: string | null;
            /** @description Name of the variant. */
            name?: string | null;
            /**
             * Format: uri
             * @description Target for its share of the visitors.
             */
            destinationUrl: string;
            /** @description Share of the visitors in percent. */
            weight: number;
        };
        PageMeta: {
            /** @description The id of the request, as in the header x-request-id. */
            requestId: string;
            /** @description How many rows there are in all. */
            total: number;
            /** @description The `limit` of this page. */
            limit: number;
            /** @description The `offset` of this page. */
            offset: number;
        };
        PaymentMethod: {
            /** @description Id of the method at the provider. */
            id: string;
            /** @description Type of the method. */
            type: string;
            /** @description Brand of a card. */
            brand: string | null;
            /** @description Last four digits of a card. */
            last4: string | null;
            /** @description Expiry month of a card. */
            expiryMonth: number | null;
            /** @description Expiry year of a card. */
            expiryYear: number | null;
        };
        Plan: {
            /** @description Id of the plan. */
            id: string;
            /** @description Display name. */
            name: string;
            /** @description Price of the plan. */
            price: components["schemas"]["PlanPrice"];
            /** @description Limits; the use of `_monthly` limits restarts with each UTC calendar month. */
            limits: components["schemas"]["PlanLimits"];
            /** @description Included features. */
            capabilities: components["schemas"]["PlanCapabilities"];
            /** @description Requests per minute of each API key and user; null: the limit of the server. */
            apiRequestsPerMinute: number | null;
            /** @description Intervals of `POST /billing/checkout` for which this server sells the plan; empty: not for sale. */
            soldIntervals: ("monthly" | "yearly")[];
        };
        PlanCapabilities: {
            /** @description Whether the plan includes `webhooks`. */
            webhooks: boolean;
            /** @description Whether the plan includes `custom_domains`. */
            custom_domains: boolean;
            /** @description Whether the plan includes `conversions`. */
            conversions: boolean;
            /** @description Whether the plan includes `password`. */
            password: boolean;
            /** @description Whether the plan includes `deep_links`. */
            deep_links: boolean;
            /** @description Whether the plan includes `reports`. */
            reports: boolean;
            /** @description Whether the plan includes `audit_log`. */
            audit_log: boolean;
            /** @description Whether the plan includes `public_dashboards`. */
            public_dashboards: boolean;
        };
        PlanCapabilityRequiredErrorDetails: {
            /** @description The feature that the plan does not include. */
            capability: string;
            /** @description The plan of the workspace. */
            plan: string;
        };
        PlanLimitReachedErrorDetails: {
            /** @description The limit that is reached. */
            limit: string;
            /** @description The largest number that it allows. */
            max: number | null;
            /** @description The number in use. */
            used?: number;
        };
        PlanLimits: {
            /** @description The limit `links_monthly`; null: none. */
            links_monthly: number | null;
            /** @description The limit `clicks_monthly`; null: none. */
            clicks_monthly: number | null;
            /** @description The limit `domains`; null: none. */
            domains: number | null;
            /** @description The limit `members`; null: none. */
            members: number | null;
            /** @description The limit `webhook_endpoints`; null: none. */
            webhook_endpoints: number | null;
            /** @description The limit `api_requests_monthly`; null: none. */
            api_requests_monthly: number | null;
            /** @description The limit `api_keys`; null: none. */
            api_keys: number | null;
            /** @description The limit `campaigns`; null: none. */
            campaigns: number | null;
            /** @description The limit `bio_pages`; null: none. */
            bio_pages: number | null;
            /** @description The limit `utm_templates`; null: none. */
            utm_templates: number | null;
            /** @description The limit `media_storage_mb`; null: none. */
            media_storage_mb: number | null;
            /** @description The limit `analytics_retention_days`; null: none. */
            analytics_retention_days: number | null;
        };
        PlanPrice: {
            /** @description Price of a month in whole units of the currency; null: by agreement. */
            monthly: number | null;
            /** @description Price of a year in whole units of the currency; null: by agreement. */
            yearly: number | null;
            /** @description ISO 4217 code of the currency, in lower case. */
            currency: string;
        };
        PreconditionFailedErrorDetails: {
            /** @description The ETag of the current version. */
            etag: string;
            /** @description The resource as it is now. */
            current: {
                [key: string]: unknown;
            };
            /**
             * @deprecated
             * @description The same as `current`; deprecated.
             */
            present: {
                [key: string]: unknown;
            };
        };
        PublicDashboard: {
            /** @description Title of the dashboard. */
            title: string;
            /** @description What is shared. */
            scope: components["schemas"]["PublicDashboardScope"];
            /** @description The counted period. */
            period: components["schemas"]["PublicDashboardPeriod"];
            /** @description Numbers of the period. */
            metrics: components["schemas"]["PublicDashboardMetrics"];
            /** @description The period in buckets. */
            timeseries: components["schemas"]["PublicDashboardBucket"][];
            /** @description Clicks of the period by dimension: the most clicked labels, and the rest under `(other)`. Destinations are not among them. */
            breakdowns: {
                [key: string]: {
                    [key: string]: number;
                };
            };
            /** @description The most clicked links of what is shared. */
            topLinks: components["schemas"]["PublicDashboardLink"][];
            /**
             * Format: date-time
             * @description Every click that was answered before this time is counted.
             */
            updatedAt: string;
        };
        PublicDashboardBucket: {
            /**
             * Format: date-time
             * @description Start of the bucket; it ends where the next one starts.
             */
            start: string;
            /** @description Clicks. */
            clicks: number;
            /** @description Unique visitors. */
            uniqueVisitors: number;
            /** @description Conversions, if they are shown. */
            conversions?: number;
            /** @description Value of the conversions in the smallest unit of `metrics.currency`, if they are shown. */
            value?: number;
        };
        PublicDashboardLink: {
            /** @description Its name. */
            name: string;
            /** @description Its short URL. */
            shortUrl: string;
            /** @description Clicks. */
            clicks: number;
            /** @description Unique visitors. */
            uniqueVisitors: number;
            /** @description Conversions, if they are shown. */
            conversions?: number;
            /** @description Value of the conversions in the smallest unit of `metrics.currency`, if they are shown. */
            value?: number;
        };
        PublicDashboardMetrics: {
            /** @description All clicks that were ever counted, and those that were imported. */
            totalClicks: number;
            /** @description Clicks of the period. */
            periodClicks: number;
            /** @description Clicks that the links had in other services: part of totals, and of no number of the period. */
            totalImportedClicks: number;
            /** @description Change of the clicks against as many days before. */
            periodChangePercent: number;
            /** @description Unique visitors of the period. */
            uniqueVisitors: number;
            /** @description Change of the visitors against as many days before. */
            uniqueVisitorsChangePercent: number;
            /** @description Whether anything was counted in the period that a change compares with. False: there is no earlier data, and the change says nothing. */
            hasEarlierPeriod: boolean;
            /** @description Conversions, if they are shown. */
            conversions?: number;
            /** @description Value of the conversions in the smallest unit of `metrics.currency`, if they are shown. */
            value?: number;
            /** @description Currency of each value, if conversions are shown. */
            currency?: string;
            /** @description True when the unique visitors are estimated, within about one percent. */
            approximate: boolean;
        };
        PublicDashboardPeriod: {
            /**
             * Format: date-time
             * @description Start of the first day.
             */
            start: string;
            /**
             * Format: date-time
             * @description End of the last day.
             */
            end: string;
            /** @description Number of calendar days. */
            days: number;
            /** @description Time zone of the calendar days: that of the workspace. */
            timezone: string;
            /**
             * @description Length of a bucket of the series.
             * @enum {string}
             */
            granularity: "hour" | "day" | "week" | "month";
        };
        PublicDashboardScope: {
            /**
             * @description What is shared.
             * @enum {string}
             */
            type: "workspace" | "link" | "campaign" | "folder";
            /** @description Its id. */
            id: string;
        };
        QrCodes: {
            /** @description The links, at most 100. */
            ids: string[];
            /**
             * @description Format of the image.
             * @default png
             * @enum {string}
             */
            format?: "png" | "svg" | "pdf";
            /**
             * @description Shape of the modules.
             * @default square
             * @enum {string}
             */
            shape?: "square" | "rounded" | "dots";
            /**
             * @description Width and height in pixels.
             * @default 600
             */
            size?: number;
            /**
             * @description Margin around the code, in modules of the code.
             * @default 4
             */
            margin?: number;
            /**
             * @description Color of the code: six hexadecimal digits.
             * @default 000000
             */
            fg?: string;
            /**
             * @description Color of the background: six hexadecimal digits.
             * @default ffffff
             */
            bg?: string;
            /**
             * @description Level of error correction: L, M, Q or H. By default H with a logo, which covers a part of the code, Q with dots, else M.
             * @enum {string}
             */
            level?: "L" | "M" | "Q" | "H";
        };
        QueuedWebhookTest: {
            /** @description Id of the delivery. */
            id: string;
            /** @description Always `pending`. */
            status: string;
            /**
             * @description The type of the event.
             * @enum {string}
             */
            eventType: "link.created" | "link.updated" | "link.deleted" | "domain.verified" | "domain.failed" | "click.received" | "conversion.received" | "campaign.completed" | "report.generated" | "billing.subscription.updated";
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
        };
        RateLimitedErrorDetails: {
            /** @description Seconds to wait. */
            retryAfter: number;
            /** @description Requests of one window. */
            limit: number;
            /** @description Length of the window in seconds. */
            window: number;
        };
        ReceivedInvitation: {
            /** @description Id of the invitation. */
            id: string;
            /** @description Id of the workspace it belongs to. */
            workspaceId: string;
            /** @description The invited address. */
            email: string;
            /**
             * @description Role of the new member.
             * @enum {string}
             */
            role: "viewer" | "member" | "admin" | "owner";
            /**
             * @description Only a `pending` invitation can be accepted.
             * @enum {string}
             */
            status: "pending" | "accepted" | "rejected" | "canceled" | "expired";
            /** @description Id of the inviter; null after the account was deleted. */
            invitedBy: string | null;
            /**
             * Format: date-time
             * @description Time at which it expires.
             */
            expiresAt: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updatedAt: string;
            /** @description Name of the workspace. */
            workspaceName: string;
            /** @description Name of the inviter. */
            inviterName: string | null;
        };
        RecordConversions: {
            /** @description Name of what happened. */
            eventName: string;
            /** @description The value of the parameter `sp_id` with which the visitor came, or the id of a click. */
            clickId?: string | null;
            /** @description Link to attribute it to, if no click is known. */
            linkId?: string | null;
            /** @description The same link, by its slug. */
            slug?: string | null;
            /** @description Host of the domain of `slug`, if several links have that slug. */
            domain?: string | null;
            /** @description Your own id of it. The same id is stored once. */
            eventId?: string | null;
            /** @description Your id of the customer. Without a click, the last click of the customer in 30 days counts. */
            customerId?: string | null;
            /** @description Of a sale without `eventId`: one sale per invoice is stored. */
            invoiceId?: string | null;
            /**
             * @description Kind of conversion. By default `sale` if there is a `value` or an `invoiceId`, else `custom`.
             * @enum {string|null}
             */
            type?: "lead" | "sale" | "custom" | null;
            /** @description Value in the smallest unit of the currency, such as cents; negative for a refund. */
            value?: number | null;
            /** @description ISO 4217 code of the currency, in either case; `usd` by default. */
            currency?: string | null;
            /**
             * Format: date-time
             * @description When it happened; now by default.
             */
            occurredAt?: string | null;
            /** @description The customer, as you sent it. */
            customer?: {
                [key: string]: unknown;
            } | null;
            /** @description Data of your own. */
            metadata?: {
                [key: string]: unknown;
            } | null;
        } | components["schemas"]["NewConversion"][];
        RecordConversionsMeta: {
            /** @description The id of the request, as in the header x-request-id. */
            requestId: string;
            /** @description Rows of the list. */
            total?: number;
            /** @description Rows without an error. */
            succeeded?: number;
            /** @description Rows with an error. */
            failed?: number;
        };
        RecordedConversionRow: {
            /** @description The place of the row in the request, from 0. */
            index: number;
            /** @description Id of the conversion. */
            id: string | null;
            /** @description Your own id of it, or its `id` if you sent none. */
            eventId: string | null;
            /** @description True: it was stored before, and this request has changed nothing. */
            duplicate: boolean;
            /** @description Whether it is attributed to a link. */
            attributed: boolean;
            /** @description The link that it is attributed to. */
            linkId: string | null;
            /** @description The click that it is attributed to. */
            clickId: string | null;
            /** @description Why the row failed; null otherwise. */
            error: components["schemas"]["ConversionError"] | null;
        };
        RecordedConversions: {
            /** @description Id of the conversion. */
            id: string;
            /** @description Your own id of it, or its `id` if you sent none. */
            eventId: string;
            /** @description True: it was stored before, and this request has changed nothing. */
            duplicate: boolean;
            /** @description Whether it is attributed to a link. */
            attributed: boolean;
            /** @description The link that it is attributed to. */
            linkId: string | null;
            /** @description The click that it is attributed to. */
            clickId: string | null;
        } | components["schemas"]["RecordedConversionRow"][];
        RenamedTag: {
            /** @description The tag. */
            name: string;
            /** @description Number of links with this tag, archived ones included. */
            links: number;
            /** @description Number of links that still have the old tag, and get the new one within the next minutes. */
            pending: number;
        };
        RenameTag: {
            /** @description The tag. */
            name: string;
        };
        ReplayedWebhookEvents: {
            /** @description Number of deliveries queued. */
            queued: number;
            /**
             * Format: date-time
             * @description The `since` of the next call; null when all events were queued.
             */
            next: string | null;
        };
        ReplayWebhookEvents: {
            /**
             * Format: date-time
             * @description The beginning of the period.
             */
            since: string;
            /**
             * Format: date-time
             * @description The end of the period; now when absent.
             */
            until?: string;
            /** @description Only these types, whether the endpoint subscribes to them or not. */
            events?: ("*" | "link.created" | "link.updated" | "link.deleted" | "domain.verified" | "domain.failed" | "click.received" | "conversion.received" | "campaign.completed" | "report.generated" | "billing.subscription.updated")[];
        };
        Report: {
            /** @description Id of the report. */
            id: string;
            /** @description Id of the workspace it belongs to. */
            workspaceId: string;
            /** @description Name of the report. */
            name: string;
            /**
             * @description What the rows of the report are.
             * @enum {string}
             */
            type: "links" | "clicks" | "conversions" | "campaign" | "domains" | "summary" | "audit_log";
            /**
             * @description Format of the file.
             * @enum {string}
             */
            format: "csv" | "json" | "xlsx" | "pdf";
            /**
             * @description State of the latest run.
             * @enum {string}
             */
            status: "pending" | "processing" | "completed" | "failed";
            /** @description Percent of the latest run that is done. */
            progress: number;
            /** @description What the report is about. */
            filters: components["schemas"]["ReportFilters"];
            /** @description When it runs again; null: never. */
            schedule: components["schemas"]["ReportSchedule"] | null;
            /**
             * Format: date-time
             * @description When it runs next by its schedule; null without one.
             */
            nextRunAt: string | null;
            /** @description Rows of the file; null without a file. */
            rowCount: number | null;
            /** @description Bytes of the file; null without a file. */
            size: number | null;
            /** @description Address of the file; null without one. It needs a session, or a key with the scope `reports:read`. */
            downloadUrl: string | null;
            /** @description Why the latest run failed; null otherwise. */
            error: components["schemas"]["ReportError"] | null;
            /**
             * Format: date-time
             * @description When the file was finished; null without one.
             */
            generatedAt: string | null;
            /**
             * Format: date-time
             * @description When the file is deleted; null without one.
             */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
        };
        ReportError: {
            /** @description Code of the error, as in other answers, or `canceled`. */
            code: string;
            /** @description Why there is no file. */
            message: string;
        };
        ReportFilters: {
            /** @description Number of calendar days until the run, its day included; 30 by default. */
            days?: number;
            /** @description Instead of `days`: the first moment, or a date. */
            start?: string;
            /** @description The moment after the period, or its last date. The default is the run. */
            end?: string;
            /** @description Time zone of the days; by default that of the schedule, else UTC. */
            timezone?: string;
            /** @description Only these links. */
            linkIds?: string[];
            /** @description Only links that are in this campaign. */
            campaignId?: string;
            /** @description Only links, or clicks, on this domain. */
            domainId?: string;
            /** @description Currency of `value`, and of conversions their only one; values are in `usd` by default. */
            currency?: string;
            /** @description For a summary: adds a row for each of the ten most clicked labels. For clicks: the columns besides those that identify the click. Other types ignore it. */
            dimensions?: ("country" | "region" | "city" | "continent" | "device" | "browser" | "os" | "referrer" | "language" | "trigger" | "utmSource" | "utmMedium" | "utmCampaign" | "utmTerm" | "utmContent" | "destination")[];
        };
        ReportGeneratedEvent: {
            /** @description Id of the delivery, the same for all of its attempts: de-duplicate by it. */
            id: string;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "report.generated";
            /** @description Id of the workspace it belongs to. */
            workspaceId: string;
            /** @description Id of the endpoint. */
            endpointId: string;
            /** @description The number of the attempt, from 1. */
            attempt: number;
            /**
             * Format: date-time
             * @description When it happened, or was queued again.
             */
            createdAt: string;
            /** @description What happened. */
            data: components["schemas"]["Report"];
        };
        ReportSchedule: {
            /**
             * @description How often it runs; `monthly`: on the 1st.
             * @enum {string}
             */
            frequency: "daily" | "weekly" | "monthly";
            /** @description Local hour of the run. If the clocks skip it, the run starts where they continue; if it occurs twice, the first one counts. */
            hour: number;
            /** @description Day of a weekly run, as for cron: 1 is Monday, and 0 and 7 are Sunday. */
            weekday: number | null;
            /** @description IANA name of a time zone. */
            timezone: string;
            /** @description Members who get a mail after each scheduled run, with a link that requires a sign-in. */
            recipients: string[];
        };
        ReportScheduleInput: {
            /**
             * @description How often it runs; `monthly`: on the 1st.
             * @enum {string}
             */
            frequency: "daily" | "weekly" | "monthly";
            /** @description Local hour of the run; 8 by default. */
            hour?: number;
            /** @description Day of a weekly run, as for cron: 1 is Monday, and 0 and 7 are Sunday. */
            weekday?: number | null;
            /** @description Time zone of hour and day; UTC by default. */
            timezone?: string;
            /** @description Members who get a mail after each scheduled run, with a link that requires a sign-in. */
            recipients?: string[];
        };
        RequeuedWebhookDeliveries: {
            /** @description Number of deliveries that are due now. */
            requeued: number;
            /** @description True when the limit of one call was reached: call again. */
            hasMore: boolean;
        };
        ResolveDeferredLink: {
            /** @description The install referrer that the Play Store hands to the app. */
            installReferrer?: string;
            /** @description The value of the parameter `sp_id`, or the id of a click. */
            clickId?: string;
            /** @description The URL with which the app was opened: a short URL, or any URL with the parameter `sp_id`. */
            deepLink?: string;
            /** @description The same as `deepLink`, which goes first. */
            url?: string;
            /** @description Host of the short URL, if `deepLink` is its path alone. */
            domain?: string;
            /**
             * @description The system of the phone. It chooses the deep link of the answer, and a match by fingerprint needs it.
             * @enum {string}
             */
            platform?: "ios" | "android";
            /** @description Preferred language of the phone. A match by fingerprint needs it. */
            language?: string;
        };
        RetriedWebhookDelivery: {
            /** @description Id of the delivery. */
            id: string;
            /** @description Always `pending`. */
            status: string;
            /** @description Number of attempts so far. */
            attempts: number;
            /** @description Number of attempts after which it becomes a dead letter. */
            maxAttempts: number;
        };
        RetryWebhookDeliveries: {
            /** @description Only deliveries to this endpoint. */
            endpointId?: string;
            /**
             * @description Only deliveries of this status.
             * @enum {string}
             */
            status?: "failed" | "dead_letter";
            /**
             * @description Only deliveries of this type.
             * @enum {string}
             */
            eventType?: "link.created" | "link.updated" | "link.deleted" | "domain.verified" | "domain.failed" | "click.received" | "conversion.received" | "campaign.completed" | "report.generated" | "billing.subscription.updated";
            /** @description Only deliveries of this event, including its replays. */
            eventId?: string;
            /** @description Only deliveries whose latest attempt was answered with this HTTP status. */
            responseStatus?: number;
            /**
             * Format: date-time
             * @description Only rows of this time or later.
             */
            from?: string;
            /**
             * Format: date-time
             * @description Only rows before this time.
             */
            to?: string;
        };
        RollbackLink: {
            /** @description The entry of the history whose state is restored. */
            historyId: string;
        };
        RotatedWebhookSecret: {
            /** @description Id of the endpoint. */
            id: string;
            /** @description The key of the signatures, `whsec_` included. */
            secret: string;
            /**
             * Format: date-time
             * @description Until when deliveries are signed with the previous secret as well; null without an overlap.
             */
            previousSecretValidUntil: string | null;
        };
        SearchResults: {
            /** @description The links found, best first; left out for an API key without `links:read`. */
            links?: components["schemas"]["FoundLink"][];
            /** @description The campaigns found, best first; left out for an API key without `campaigns:read`. */
            campaigns?: components["schemas"]["FoundCampaign"][];
            /** @description The tags found, best first; left out for an API key without `links:read`. */
            tags?: components["schemas"]["FoundTag"][];
            /** @description The folders found, best first; left out for an API key without `links:read`. */
            folders?: components["schemas"]["FoundFolder"][];
            /** @description The webhook endpoints found, best first; left out for an API key without `webhooks:read`. */
            webhookEndpoints?: components["schemas"]["FoundWebhookEndpoint"][];
            /** @description The members found, best first; left out for an API key without `members:read`. */
            members?: components["schemas"]["FoundMember"][];
        };
        SecurityActor: {
            /**
             * @description A user, an API key, the program itself, or an unknown client.
             * @enum {string}
             */
            type: "user" | "api_key" | "system" | "anonymous";
            /** @description Id of the user or the key. */
            id: string | null;
            /** @description Name at that time. */
            name: string | null;
            /** @description E-mail address of the user at that time. */
            email: string | null;
        };
        SecurityEntry: {
            /** @description Id of the entry. */
            id: string;
            /** @description Id of the workspace; null for events of an account, such as a sign-in. */
            workspaceId: string | null;
            /**
             * @description Type of the event.
             * @enum {string}
             */
            type: "sign_up.requested" | "sign_in.succeeded" | "sign_in.failed" | "sign_out" | "email.verified" | "email.changed" | "password.changed" | "password.reset_requested" | "password.reset" | "session.revoked" | "two_factor.enabled" | "two_factor.disabled" | "two_factor.failed" | "backup_codes.used" | "backup_codes.replaced" | "passkey.added" | "passkey.removed" | "account.linked" | "account.unlinked" | "account.deleted" | "operator.added" | "operator.removed" | "api_key.created" | "api_key.rotated" | "api_key.revoked" | "api_key.ip_denied" | "member.invited" | "member.joined" | "member.role_changed" | "member.removed" | "webhook.secret_viewed" | "webhook.secret_rotated" | "workspace.deleted" | "workspace.suspended" | "workspace.resumed";
            /**
             * @description Result of the attempt.
             * @enum {string}
             */
            outcome: "success" | "failure";
            /** @description Author of the event. */
            actor: components["schemas"]["SecurityActor"];
            /** @description Id of the affected user. */
            userId: string | null;
            /** @description Details by type, without secrets. */
            details: {
                [key: string]: unknown;
            };
            /** @description Client address. */
            ipAddress: string | null;
            /** @description User agent of the client. */
            userAgent: string | null;
            /** @description Location of the client address. */
            geo: components["schemas"]["SecurityGeo"];
            /** @description Id of the request. */
            requestId: string;
            /**
             * Format: date-time
             * @description Time of the event.
             */
            createdAt: string;
        };
        SecurityGeo: {
            /** @description ISO country. */
            country: string | null;
        };
        ShlinkImport: {
            /** @description Address of the Shlink server, without `/rest`. */
            baseUrl: string;
            /** @description API key of the Shlink server. It is kept sealed until the import ends, and in no answer. */
            apiKey: string;
            /** @description Whether to check and count everything, but write nothing. */
            dryRun?: boolean;
            /**
             * @description What happens to a link with the same externalId, else slug, else id. The default is `skip`.
             * @enum {string}
             */
            onConflict?: "skip" | "update";
            /** @description Host of a domain of the workspace, or of the shared host, on which all links of the file are created; `default`: the default domain. Without it the column `domain` counts. */
            domain?: string;
        };
        SlugAnswer: {
            /** @description The slug of the request. */
            slug: string;
            /** @description Whether a link of the workspace could have it. */
            available: boolean;
            /**
             * @description Why not. `taken`: another link has it, or it is reserved for another workspace. `reserved`: a page of the server has it. `invalid`: it has characters that a slug cannot have.
             * @enum {string|null}
             */
            reason: "taken" | "reserved" | "invalid" | null;
        };
        Subscription: {
            /** @description Id of the plan of the workspace. */
            plan: string;
            /**
             * @description State of the subscription.
             * @enum {string}
             */
            status: "active" | "trialing" | "past_due" | "canceled";
            /**
             * Format: date-time
             * @description Start of the paid period.
             */
            currentPeriodStart: string | null;
            /**
             * Format: date-time
             * @description End of the paid period.
             */
            currentPeriodEnd: string | null;
            /** @description True: it ends with the paid period. */
            cancelAtPeriodEnd: boolean;
        };
        Tag: {
            /** @description The tag. */
            name: string;
            /** @description Number of links with this tag, archived ones included. */
            links: number;
        };
        TestWebhookEndpoint: {
            /**
             * @description The type; `link.created` when absent.
             * @enum {string}
             */
            eventType?: "link.created" | "link.updated" | "link.deleted" | "domain.verified" | "domain.failed" | "click.received" | "conversion.received" | "campaign.completed" | "report.generated" | "billing.subscription.updated";
        };
        TrackedAmount: {
            /** @description Value in the smallest unit of the currency. */
            amount: number;
            /** @description ISO 4217 code in lower case. */
            currency: string;
            /** @description The invoice. */
            invoiceId: string | null;
            /** @description What took the payment. */
            paymentProcessor: string | null;
            /** @description Data of your own. */
            metadata: {
                [key: string]: unknown;
            } | null;
        };
        TrackedClick: {
            /** @description Id of the click. */
            id: string;
        };
        TrackedCustomer: {
            /** @description Your id of the customer. */
            externalId: string | null;
            /** @description Name of the customer. */
            name: string | null;
            /** @description E-mail address of the customer. */
            email: string | null;
            /** @description Picture of the customer. */
            avatar: string | null;
        };
        TrackedLead: {
            /** @description Id of the conversion. */
            id: string;
            /** @description Your own id of it, or its `id` if you sent none. */
            eventId: string;
            /** @description True: it was stored before, and this request has changed nothing. */
            duplicate: boolean;
            /** @description Whether it is attributed to a link. */
            attributed: boolean;
            /** @description The link that it is attributed to. */
            linkId: string | null;
            /** @description The click that it is attributed to. */
            clickId: string | null;
            /** @description Name of what happened. */
            eventName: string;
            /** @description The click that it is attributed to. */
            click: components["schemas"]["TrackedClick"] | null;
            /** @description The link that it is attributed to. */
            link: components["schemas"]["TrackedLink"] | null;
            /** @description The customer, as the request names them. */
            customer: components["schemas"]["TrackedCustomer"];
        };
        TrackedLink: {
            /** @description Id of the link. */
            id: string;
        };
        TrackedSale: {
            /** @description Id of the conversion. */
            id: string;
            /** @description Your own id of it, or its `id` if you sent none. */
            eventId: string;
            /** @description True: it was stored before, and this request has changed nothing. */
            duplicate: boolean;
            /** @description Whether it is attributed to a link. */
            attributed: boolean;
            /** @description The link that it is attributed to. */
            linkId: string | null;
            /** @description The click that it is attributed to. */
            clickId: string | null;
            /** @description Name of what happened. */
            eventName: string;
            /** @description The click that it is attributed to. */
            click: components["schemas"]["TrackedClick"] | null;
            /** @description The link that it is attributed to. */
            link: components["schemas"]["TrackedLink"] | null;
            /** @description The customer, as the request names them. */
            customer: components["schemas"]["TrackedCustomer"];
            /** @description The sale, as the request has it. */
            sale: components["schemas"]["TrackedAmount"];
        };
        TrackLead: {
            /** @description Name of what happened. */
            eventName: string;
            /** @description The value of the parameter `sp_id`, or the id of a click; null or an empty text: the last click of the customer. */
            clickId?: string | null;
            /** @description Your id of the customer. */
            externalId?: string | null;
            /** @description Your id of the customer, by its former name. */
            customerExternalId?: string | null;
            /** @description Name of the customer. */
            customerName?: string | null;
            /** @description E-mail address of the customer. */
            customerEmail?: string | null;
            /** @description Picture of the customer. */
            customerAvatar?: string | null;
            /** @description Data of your own. */
            metadata?: {
                [key: string]: unknown;
            } | null;
        };
        TrackSale: {
            /** @description Amount in the smallest unit of the currency; negative for a refund. */
            amount: number;
            /** @description The value of the parameter `sp_id`, or the id of a click; null or an empty text: the last click of the customer. */
            clickId?: string | null;
            /** @description Your id of the customer. */
            externalId?: string | null;
            /** @description Your id of the customer, by its former name. */
            customerExternalId?: string | null;
            /** @description Name of the customer. */
            customerName?: string | null;
            /** @description E-mail address of the customer. */
            customerEmail?: string | null;
            /** @description Picture of the customer. */
            customerAvatar?: string | null;
            /** @description Data of your own. */
            metadata?: {
                [key: string]: unknown;
            } | null;
            /** @description Name of what happened. */
            eventName?: string;
            /** @description ISO 4217 code of the currency, in either case; `usd` by default. */
            currency?: string | null;
            /** @description One sale per invoice is stored. */
            invoiceId?: string | null;
            /** @description What took the payment. */
            paymentProcessor?: string | null;
        };
        UnavailableErrorDetails: {
            /** @description The part of the server that does not answer. */
            reason?: string;
        };
        UndoBulk: {
            /** @description The `undoId` of the operation. */
            undoId: string;
        };
        UndoMeta: {
            /** @description The id of the request, as in the header x-request-id. */
            requestId: string;
            /** @description Links of the operation. */
            total: number;
            /** @description Links that are as before. */
            succeeded: number;
            /** @description Links that were skipped. */
            skipped: number;
        };
        UndoRow: {
            /** @description Id of the link. */
            id: string;
            /**
             * @description `restored`: it is as before the operation. `deleted`: the operation had created it. `skipped`: it was not changed.
             * @enum {string}
             */
            status: "restored" | "deleted" | "skipped";
            /** @description Its short URL. */
            shortUrl: string | null;
            /**
             * @description Why it was skipped: it was changed or deleted since, it was created by the operation and visited since, or a former value is no longer possible.
             * @enum {string|null}
             */
            reason: "changed" | "clicked" | "deleted" | "refused" | null;
            /** @description The reason, for users. */
            message: string | null;
        };
        UnknownImportDomain: {
            /** @description Host in the file. */
            domain: string;
            /** @description Rows on this host, all of them refused. */
            rows: number;
        };
        /** @description The first condition of the rule that the visit does not meet. */
        UnmetCondition: {
            /**
             * @description Name of the condition.
             * @enum {string}
             */
            condition: "country" | "region" | "continent" | "device" | "os" | "browser" | "language" | "query" | "from" | "to";
            /** @description What the rule wants. */
            wanted: string;
            /** @description What the visit has; empty: nothing. */
            found: string;
        };
        /** @description The fields to change. */
        UpdateAlert: {
            /** @description `clicks`: an hour far above or below the usual; `destination`: whether the destination of the link answers. */
            watches?: ("clicks" | "destination")[];
            /** @description Members who get a mail when it begins and when it ends. */
            recipients?: string[];
            /** @description False: it is not checked. */
            isActive?: boolean;
        };
        /** @description The fields to change. */
        UpdateApiKey: {
            /** @description Purpose of the key. */
            name?: string;
            /** @description Permissions of the key; null: everything that its user’s role allows. */
            scopes?: ("*" | "*:read" | "links:read" | "links:write" | "analytics:read" | "analytics:write" | "domains:read" | "domains:write" | "conversions:write" | "campaigns:read" | "campaigns:write" | "utm-templates:read" | "utm-templates:write" | "bio-pages:read" | "bio-pages:write" | "media:read" | "media:write" | "reports:read" | "reports:write" | "alerts:read" | "alerts:write" | "webhooks:read" | "webhooks:write" | "deferred:read" | "deferred:write" | "dashboards:read" | "dashboards:write" | "workspaces:read" | "workspaces:write" | "members:read" | "members:write" | "billing:read" | "audit-log:read" | "security-log:read")[] | null;
            /** @description Addresses and CIDR ranges that may use the key; empty or null: any. */
            ipAllowlist?: string[] | null;
            /**
             * Format: date-time
             * @description When the key expires; null: never. An app gets a new key in time.
             */
            expiresAt?: string | null;
        };
        /** @description The fields to change. */
        UpdateBioPage: {
            /** @description The end of its address, in the characters of link slugs. Unique among pages, and on a branded domain among links too. */
            slug?: string;
            /** @description The heading of the page. */
            title?: string;
            /** @description The text below the heading. */
            description?: string | null;
            /** @description Id of the image at the top (`POST /media`); null: none. */
            avatarMediaId?: string | null;
            /** @description Replaces the theme; fields that are left out come from the preset. */
            theme?: components["schemas"]["BioPageThemeInput"];
            /** @description The blocks in their order: at most 200, and 100,000 characters of JSON in total. Replaces the list; blocks that are sent with their ids keep their links. */
            blocks?: components["schemas"]["BioPageBlockInput"][];
            /** @description At most 20 profiles. Replaces the list. */
            socials?: components["schemas"]["BioPageSocial"][];
            /** @description Replaces the texts and the image for search engines and previews. */
            seo?: components["schemas"]["BioPageSeoInput"];
            /**
             * @description Only a `published` page is public. A `draft` keeps its slug.
             * @enum {string}
             */
            status?: "draft" | "published";
            /** @description Id of the branded domain of the page; null: the shared host, under `/p/`. */
            domainId?: string | null;
            /** @description Whether the page also answers at `/` of its domain, which must not have a `rootRedirectUrl`. */
            isRoot?: boolean;
        };
        /** @description The fields to change. */
        UpdateCampaign: {
            /** @description Name of the campaign. */
            name?: string;
            /** @description What the campaign is about. */
            description?: string | null;
            /**
             * @description `active` and `paused` campaigns become `completed` at `endsAt`; drafts and archived ones do not. Links redirect in every status.
             * @enum {string}
             */
            status?: "draft" | "active" | "paused" | "completed" | "archived";
            /**
             * Format: date-time
             * @description When the campaign begins; null: not planned.
             */
            startsAt?: string | null;
            /**
             * Format: date-time
             * @description When the campaign ends and becomes `completed`; null: never by itself.
             */
            endsAt?: string | null;
            /** @description The goal of the campaign; null: none. Reaching it changes nothing. */
            goal?: components["schemas"]["CampaignGoal"] | null;
            /** @description `utm_source` of links that are written with this campaign and have no value of their own. */
            utmSource?: string | null;
            /** @description `utm_medium` of links that are written with this campaign and have no value of their own. */
            utmMedium?: string | null;
            /** @description `utm_campaign` of links that are written with this campaign and have no value of their own. */
            utmCampaign?: string | null;
            /** @description `utm_term` of links that are written with this campaign and have no value of their own. */
            utmTerm?: string | null;
            /** @description `utm_content` of links that are written with this campaign and have no value of their own. */
            utmContent?: string | null;
            /** @description Tags of the campaign itself; its links have their own. The list replaces the one before. */
            tags?: string[] | null;
        };
        /** @description The fields to change. */
        UpdateDashboard: {
            /** @description Title that visitors see. */
            title?: string;
            /** @description The link to share. At most one of the three is set. */
            linkId?: string | null;
            /** @description The campaign to share. At most one of the three is set. */
            campaignId?: string | null;
            /** @description The folder to share. At most one of the three is set. */
            folderId?: string | null;
            /** @description Number of calendar days that it shows, including today. */
            days?: number;
            /** @description Password that visitors have to give; null: none. It is stored as a hash and never answered. */
            password?: string | null;
            /** @description Also shows conversions and their value. */
            showConversions?: boolean;
            /** @description ISO 4217 code of the currency whose conversions make up the value; `usd` by default. */
            currency?: string;
            /** @description Search engines may list its page. */
            doIndex?: boolean;
            /** @description True: its address stops working. False: it works again. */
            revoked?: boolean;
        };
        /** @description The fields to change. */
        UpdateDomain: {
            /** @description Whether new links without a `domainId` are on it; only a verified domain can be. */
            isDefault?: boolean;
            /** @description Whether `/Docs` and `/docs` are two links. */
            caseSensitive?: boolean;
            /** @description Where visitors of `/` are sent. Null: a page of this server. */
            rootRedirectUrl?: string | null;
            /** @description Where visitors of unknown links are sent. Null: a page of this server. */
            notFoundUrl?: string | null;
            /** @description Where visitors of expired links without an `expiredUrl` of their own are sent. Null: a page of this server. */
            expiredUrl?: string | null;
            /** @description The file `/.well-known/apple-app-site-association`, for universal links of iOS. At most 65,536 bytes of JSON; null: none. */
            appleAppSiteAssociation?: {
                [key: string]: unknown;
            } | null;
            /** @description The file `/.well-known/assetlinks.json`, for app links of Android. At most 65,536 bytes of JSON; null: none. */
            assetLinks?: unknown[] | null;
        };
        UpdateEachLink: {
            /** @description Name of the link. */
            name?: string;
            /**
             * Format: uri
             * @description Target of the redirect: an http or https URL.
             */
            destinationUrl?: string;
            /** @description Path of the short URL: letters, digits, emoji and `_ - . /`. Absent or null: random at creation, unchanged later. */
            slug?: string | null;
            /** @description Domain of the short URL. For a new link null means the default domain of the workspace, in an update the shared host. */
            domainId?: string | null;
            /**
             * Format: date-time
             * @description Time at which the link expires; null: never.
             */
            expiresAt?: string | null;
            /** @description Password that visitors need, at most 256 bytes; null removes it. In an update `********` keeps it. */
            password?: string | null;
            /**
             * @description Status of the redirect; null means 302. Browsers cache 301 and 308 for 90 seconds.
             * @enum {integer|null}
             */
            redirectType?: 301 | 302 | 307 | 308 | null;
            /**
             * @description `active` and `archived` links redirect; null means `active`.
             * @enum {string|null}
             */
            status?: "active" | "paused" | "archived" | null;
            /** @description `utm_source` of the redirect: overrides the destination’s, and is overridden by the visitor’s. */
            utmSource?: string | null;
            /** @description `utm_medium` of the redirect: overrides the destination’s, and is overridden by the visitor’s. */
            utmMedium?: string | null;
            /** @description `utm_campaign` of the redirect: overrides the destination’s, and is overridden by the visitor’s. */
            utmCampaign?: string | null;
            /** @description `utm_term` of the redirect: overrides the destination’s, and is overridden by the visitor’s. */
            utmTerm?: string | null;
            /** @description `utm_content` of the redirect: overrides the destination’s, and is overridden by the visitor’s. */
            utmContent?: string | null;
            /** @description Custom data, at most 10,000 characters of JSON. */
            metadata?: {
                [key: string]: unknown;
            } | null;
            /** @description Target for visitors with iOS or iPadOS: an http or https URL, or one with the custom scheme of an app. Null: no difference. */
            iosDeepLink?: string | null;
            /** @description Target for visitors with Android: an http or https URL, or one with the custom scheme of an app. Null: no difference. */
            androidDeepLink?: string | null;
            /**
             * Format: uri
             * @description Target of the link once it has expired; null: a page that says so.
             */
            expiredUrl?: string | null;
            /** @description Number of redirects after which the link expires; bots count too. Null: no limit. */
            maxClicks?: number | null;
            /**
             * Format: date-time
             * @description Time from which on the link redirects, before `expiresAt`; null: at once.
             */
            startsAt?: string | null;
            /**
             * Format: date-time
             * @description Time from which on all visitors get `destinationUrl` in place of a variant; null: never.
             */
            variantsUntil?: string | null;
            /** @description Targets for some visitors, at most 20; the first rule whose conditions hold is taken. */
            rules?: components["schemas"]["NewLinkRule"][] | null;
            /** @description Whether the query of the short URL is added to the destination. */
            forwardQuery?: boolean | null;
            /** @description Whether to tell search engines not to index the short URL. */
            noindex?: boolean | null;
            /** @description Whether redirects pass the id of their click to the destination, in the parameter `sp_id`, for `POST /conversions`. */
            trackConversions?: boolean | null;
            /** @description Uploaded image in the middle of the QR codes; null: none. */
            qrLogoMediaId?: string | null;
            /** @description Preview for messengers and social networks, instead of the destination’s; null: none. */
            card?: components["schemas"]["NewLinkCard"] | null;
            /** @description Targets among which the other visitors are split: none, or 2 to 10 whose weights sum to 100. A visitor keeps a variant. */
            variants?: components["schemas"]["NewLinkVariant"][] | null;
            /** @description Further slugs of the link, which redirect and count as its slug does. The list replaces the one before; at most 20. */
            aliases?: string[] | null;
            /** @description Tags of the link. At most 50 of 50 characters, without commas. The list replaces the one before. */
            tags?: string[] | null;
            /** @description Folder of the link. Null: none. */
            folderId?: string | null;
            /** @description Campaign of the link. It sets UTM fields that the link would not have. Null: none. */
            campaignId?: string | null;
            /** @description Id of the link in another system, unique in the workspace. Null: none. */
            externalId?: string | null;
            /** @description Template for the UTM fields that the request leaves out. */
            utmTemplateId?: string | null;
            /** @description Host of the domain, instead of `domainId`; the host of the server means no domain. */
            domain?: string | null;
            /** @description Whether the old slug becomes an alias when `slug` changes. */
            keepAlias?: boolean | null;
            /** @description Tags to add to each link. */
            addTags?: string[];
            /** @description Tags to remove from each link. A tag in both lists stays. */
            removeTags?: string[];
        };
        /** @description The fields to change. */
        UpdateFolder: {
            /** @description Name of the folder, unique in the workspace in any case. */
            name?: string;
        };
        /** @description The fields to change. */
        UpdateLink: {
            /** @description Name of the link. */
            name?: string;
            /**
             * Format: uri
             * @description Target of the redirect: an http or https URL.
             */
            destinationUrl?: string;
            /** @description Path of the short URL: letters, digits, emoji and `_ - . /`. Absent or null: random at creation, unchanged later. */
            slug?: string | null;
            /** @description Domain of the short URL. For a new link null means the default domain of the workspace, in an update the shared host. */
            domainId?: string | null;
            /**
             * Format: date-time
             * @description Time at which the link expires; null: never.
             */
            expiresAt?: string | null;
            /** @description Password that visitors need, at most 256 bytes; null removes it. In an update `********` keeps it. */
            password?: string | null;
            /**
             * @description Status of the redirect; null means 302. Browsers cache 301 and 308 for 90 seconds.
             * @enum {integer|null}
             */
            redirectType?: 301 | 302 | 307 | 308 | null;
            /**
             * @description `active` and `archived` links redirect; null means `active`.
             * @enum {string|null}
             */
            status?: "active" | "paused" | "archived" | null;
            /** @description `utm_source` of the redirect: overrides the destination’s, and is overridden by the visitor’s. */
            utmSource?: string | null;
            /** @description `utm_medium` of the redirect: overrides the destination’s, and is overridden by the visitor’s. */
            utmMedium?: string | null;
            /** @description `utm_campaign` of the redirect: overrides the destination’s, and is overridden by the visitor’s. */
            utmCampaign?: string | null;
            /** @description `utm_term` of the redirect: overrides the destination’s, and is overridden by the visitor’s. */
            utmTerm?: string | null;
            /** @description `utm_content` of the redirect: overrides the destination’s, and is overridden by the visitor’s. */
            utmContent?: string | null;
            /** @description Custom data, at most 10,000 characters of JSON. */
            metadata?: {
                [key: string]: unknown;
            } | null;
            /** @description Target for visitors with iOS or iPadOS: an http or https URL, or one with the custom scheme of an app. Null: no difference. */
            iosDeepLink?: string | null;
            /** @description Target for visitors with Android: an http or https URL, or one with the custom scheme of an app. Null: no difference. */
            androidDeepLink?: string | null;
            /**
             * Format: uri
             * @description Target of the link once it has expired; null: a page that says so.
             */
            expiredUrl?: string | null;
            /** @description Number of redirects after which the link expires; bots count too. Null: no limit. */
            maxClicks?: number | null;
            /**
             * Format: date-time
             * @description Time from which on the link redirects, before `expiresAt`; null: at once.
             */
            startsAt?: string | null;
            /**
             * Format: date-time
             * @description Time from which on all visitors get `destinationUrl` in place of a variant; null: never.
             */
            variantsUntil?: string | null;
            /** @description Targets for some visitors, at most 20; the first rule whose conditions hold is taken. */
            rules?: components["schemas"]["NewLinkRule"][] | null;
            /** @description Whether the query of the short URL is added to the destination. */
            forwardQuery?: boolean | null;
            /** @description Whether to tell search engines not to index the short URL. */
            noindex?: boolean | null;
            /** @description Whether redirects pass the id of their click to the destination, in the parameter `sp_id`, for `POST /conversions`. */
            trackConversions?: boolean | null;
            /** @description Uploaded image in the middle of the QR codes; null: none. */
            qrLogoMediaId?: string | null;
            /** @description Preview for messengers and social networks, instead of the destination’s; null: none. */
            card?: components["schemas"]["NewLinkCard"] | null;
            /** @description Targets among which the other visitors are split: none, or 2 to 10 whose weights sum to 100. A visitor keeps a variant. */
            variants?: components["schemas"]["NewLinkVariant"][] | null;
            /** @description Further slugs of the link, which redirect and count as its slug does. The list replaces the one before; at most 20. */
            aliases?: string[] | null;
            /** @description Tags of the link. At most 50 of 50 characters, without commas. The list replaces the one before. */
            tags?: string[] | null;
            /** @description Folder of the link. Null: none. */
            folderId?: string | null;
            /** @description Campaign of the link. It sets UTM fields that the link would not have. Null: none. */
            campaignId?: string | null;
            /** @description Id of the link in another system, unique in the workspace. Null: none. */
            externalId?: string | null;
            /** @description Template for the UTM fields that the request leaves out. */
            utmTemplateId?: string | null;
            /** @description Host of the domain, instead of `domainId`; the host of the server means no domain. */
            domain?: string | null;
            /** @description Whether the old slug becomes an alias when `slug` changes. */
            keepAlias?: boolean | null;
        };
        UpdateLinks: {
            /** @description The links by their ids, at most 1000. */
            ids?: string[];
            /** @description The links by their `externalId`, instead of `ids`; at most 1000. */
            externalIds?: string[];
            /** @description The links by the filters of `GET /links`, instead of a list; at most 10000. `{}` means all that are not archived. */
            filter?: components["schemas"]["LinkFilter"];
            /** @description The fields to change, the same for all links. */
            data: components["schemas"]["UpdateEachLink"];
        };
        /** @description The fields to change. */
        UpdateLinkView: {
            /** @description Name of the view. */
            name?: string;
            /** @description Filters, order and columns, as the query string of the page. */
            query?: string;
            /** @description Whether all members see it, and may change it. */
            isShared?: boolean;
        };
        UpdateMember: {
            /**
             * @description Role in the workspace.
             * @enum {string}
             */
            role: "viewer" | "member" | "admin" | "owner";
        };
        /** @description The fields to change. Filters count from the next run on. */
        UpdateReport: {
            /** @description Name of the report. */
            name?: string;
            /** @description What the report is about. */
            filters?: components["schemas"]["ReportFilters"];
            /** @description Runs the report at these times too, after the run now; null: ends the schedule. */
            schedule?: components["schemas"]["ReportScheduleInput"] | null;
        };
        /** @description The fields to change. */
        UpdateUtmTemplate: {
            /** @description Name of the template. */
            name?: string;
            /** @description `utm_source` that a link takes over; null or an empty text: none. */
            utmSource?: string | null;
            /** @description `utm_medium` that a link takes over; null or an empty text: none. */
            utmMedium?: string | null;
            /** @description `utm_campaign` that a link takes over; null or an empty text: none. */
            utmCampaign?: string | null;
            /** @description `utm_term` that a link takes over; null or an empty text: none. */
            utmTerm?: string | null;
            /** @description `utm_content` that a link takes over; null or an empty text: none. */
            utmContent?: string | null;
        };
        /** @description The fields to change. */
        UpdateWebhookEndpoint: {
            /**
             * Format: uri
             * @description Where deliveries are posted: an https URL.
             */
            url?: string;
            /** @description Event types; `*` means all, also types of later versions. */
            events?: ("*" | "link.created" | "link.updated" | "link.deleted" | "domain.verified" | "domain.failed" | "click.received" | "conversion.received" | "campaign.completed" | "report.generated" | "billing.subscription.updated")[];
            /** @description What the endpoint is for. */
            description?: string | null;
            /**
             * @description A `paused` endpoint receives nothing.
             * @enum {string}
             */
            status?: "active" | "paused";
            /** @description Send the headers of Standard Webhooks as well. */
            standardHeaders?: boolean;
            /**
             * Format: email
             * @description Where a mail goes when deliveries to this endpoint keep failing: the verified address of an admin or owner of the workspace.
             */
            failureEmail?: string | null;
            /** @description Pause the endpoint after this many hours in which every attempt failed; null: never. */
            disableAfterHours?: number | null;
            /** @description Headers that every delivery carries, by name: at most 20, with values of at most 1,024 bytes. They replace the stored headers; the value `********` keeps a stored value, `{}` and null remove all. */
            headers?: {
                [key: string]: string;
            } | null;
        };
        UpdateWorkspace: {
            /** @description Name of the workspace. */
            name?: string;
            /** @description True: a click with `Sec-GPC: 1` or `DNT: 1` counts as a click but not as a visitor. A change applies to new clicks within ten seconds. */
            honorsPrivacySignals?: boolean;
            /** @description IANA name of the time zone in which clients show times to members who have not chosen one. */
            timezone?: string;
            /** @description Color of buttons and links on its pages for visitors, as `#` and six hexadecimal digits; null: the usual one. Only its own domains show it. */
            brandColor?: string | null;
            /** @description Id of the image at the top of its pages for visitors (`POST /media`); null: none. Only its own domains show it. */
            logoMediaId?: string | null;
        };
        UpsertMeta: {
            /** @description The id of the request, as in the header x-request-id. */
            requestId: string;
            /** @description Whether the link is new. */
            created: boolean;
        };
        UtmTemplate: {
            /** @description Id of the template. */
            id: string;
            /** @description Id of the workspace it belongs to. */
            workspaceId: string;
            /** @description Name of the template. */
            name: string;
            /** @description `utm_source` that a link takes over; null or an empty text: none. */
            utmSource: string | null;
            /** @description `utm_medium` that a link takes over; null or an empty text: none. */
            utmMedium: string | null;
            /** @description `utm_campaign` that a link takes over; null or an empty text: none. */
            utmCampaign: string | null;
            /** @description `utm_term` that a link takes over; null or an empty text: none. */
            utmTerm: string | null;
            /** @description `utm_content` that a link takes over; null or an empty text: none. */
            utmContent: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updatedAt: string;
        };
        WebhookAttempt: {
            /** @description The number of the attempt, from 1. */
            attempt: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            at: string;
            /** @description The HTTP status of the answer; null without an answer. */
            responseStatus: number | null;
            /** @description How long the answer took, in milliseconds. */
            durationMs: number | null;
            /** @description The reason why there is no answer. */
            error: string | null;
            /** @description The headers of the answer; null without one. */
            responseHeaders: {
                [key: string]: string;
            } | null;
            /** @description The first 4000 characters of the answer. */
            responseBody: string | null;
        };
        WebhookDelivery: {
            /** @description Id of the delivery. */
            id: string;
            /** @description Id of the workspace it belongs to. */
            workspaceId: string;
            /** @description Id of the endpoint. */
            endpointId: string;
            /**
             * @description The type of the event.
             * @enum {string}
             */
            eventType: "link.created" | "link.updated" | "link.deleted" | "domain.verified" | "domain.failed" | "click.received" | "conversion.received" | "campaign.completed" | "report.generated" | "billing.subscription.updated";
            /** @description Id of the event. */
            eventId: string;
            /**
             * @description State of the delivery: `failed` is tried again, a `dead_letter` is not.
             * @enum {string}
             */
            status: "pending" | "processing" | "completed" | "failed" | "dead_letter";
            /** @description Number of attempts so far. */
            attempts: number;
            /** @description Number of attempts after which it becomes a dead letter. */
            maxAttempts: number;
            /** @description The HTTP status of the answer; null without an answer. */
            responseStatus: number | null;
            /** @description How long the answer took, in milliseconds. */
            durationMs: number | null;
            /**
             * Format: date-time
             * @description When it was queued.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When an attempt succeeded.
             */
            completedAt: string | null;
            /** @description The reason why there is no answer. */
            error: string | null;
            /**
             * Format: date-time
             * @description When the next attempt is due.
             */
            nextAttemptAt: string | null;
        };
        WebhookDeliveryCounts: {
            /** @description Deliveries that the filters match. */
            total: number;
            /** @description Those with the status `pending`. */
            pending: number;
            /** @description Those with the status `processing`. */
            processing: number;
            /** @description Those with the status `completed`. */
            completed: number;
            /** @description Those with the status `failed`. */
            failed: number;
            /** @description Those with the status `dead_letter`. */
            dead_letter: number;
        };
        WebhookDeliveryDetail: {
            /** @description Id of the delivery. */
            id: string;
            /** @description Id of the workspace it belongs to. */
            workspaceId: string;
            /** @description Id of the endpoint. */
            endpointId: string;
            /**
             * @description The type of the event.
             * @enum {string}
             */
            eventType: "link.created" | "link.updated" | "link.deleted" | "domain.verified" | "domain.failed" | "click.received" | "conversion.received" | "campaign.completed" | "report.generated" | "billing.subscription.updated";
            /** @description Id of the event. */
            eventId: string;
            /**
             * @description State of the delivery: `failed` is tried again, a `dead_letter` is not.
             * @enum {string}
             */
            status: "pending" | "processing" | "completed" | "failed" | "dead_letter";
            /** @description Number of attempts so far. */
            attempts: number;
            /** @description Number of attempts after which it becomes a dead letter. */
            maxAttempts: number;
            /** @description The HTTP status of the answer; null without an answer. */
            responseStatus: number | null;
            /** @description How long the answer took, in milliseconds. */
            durationMs: number | null;
            /**
             * Format: date-time
             * @description When it was queued.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When an attempt succeeded.
             */
            completedAt: string | null;
            /** @description The reason why there is no answer. */
            error: string | null;
            /**
             * Format: date-time
             * @description When the next attempt is due.
             */
            nextAttemptAt: string | null;
            /** @description The first 4000 characters of the answer. */
            responseBody: string | null;
            /** @description The headers of the answer. */
            responseHeaders: {
                [key: string]: string;
            } | null;
            /** @description The original event payload; null when it was older than the log is kept. */
            payload: unknown;
            /** @description Body of the latest attempt. */
            requestBody: string | null;
            /** @description Headers of the latest attempt, signature included. The endpoint’s custom headers are masked. */
            requestHeaders: {
                [key: string]: string;
            } | null;
            /** @description The attempts, oldest first, with the answers to the latest eleven. */
            attemptLog: components["schemas"]["WebhookAttempt"][];
        };
        WebhookEndpoint: {
            /** @description Id of the endpoint. */
            id: string;
            /** @description Id of the workspace it belongs to. */
            workspaceId: string;
            /**
             * Format: uri
             * @description Where deliveries are posted: an https URL.
             */
            url: string;
            /** @description What the endpoint is for. */
            description: string | null;
            /** @description Event types; `*` means all, also types of later versions. */
            events: ("*" | "link.created" | "link.updated" | "link.deleted" | "domain.verified" | "domain.failed" | "click.received" | "conversion.received" | "campaign.completed" | "report.generated" | "billing.subscription.updated")[];
            /**
             * @description A `paused` endpoint receives nothing.
             * @enum {string}
             */
            status: "active" | "paused";
            /** @description Failed attempts since the last success. */
            failureCount: number;
            /**
             * Format: date-time
             * @description When an attempt last failed.
             */
            lastFailureAt: string | null;
            /**
             * Format: date-time
             * @description When an attempt last succeeded.
             */
            lastSuccessAt: string | null;
            /** @description Id of the user who created it. */
            createdBy: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updatedAt: string;
            /** @description Send the headers of Standard Webhooks as well. */
            standardHeaders: boolean;
            /**
             * Format: email
             * @description Where a mail goes when deliveries to this endpoint keep failing: the verified address of an admin or owner of the workspace.
             */
            failureEmail: string | null;
            /** @description `click.received` deliveries that a backlog of a million refused. */
            droppedClicks: number;
            /** @description Pause the endpoint after this many hours in which every attempt failed; null: never. */
            disableAfterHours: number | null;
            /**
             * Format: date-time
             * @description When it was paused because of `disableAfterHours`; null once it is resumed.
             */
            autoPausedAt: string | null;
            /**
             * Format: date-time
             * @description Until when deliveries are signed with the previous secret as well; null without an overlap.
             */
            previousSecretValidUntil: string | null;
            /** @description Headers that every delivery carries, by name; each value is shown as `********`. */
            headers: {
                [key: string]: string;
            };
        };
        WebhookEndpointHour: {
            /**
             * Format: date-time
             * @description Start of the hour, in UTC.
             */
            start: string;
            /** @description Attempts that succeeded. */
            delivered: number;
            /** @description Attempts that failed. */
            failed: number;
        };
        WebhookEndpointStats: {
            /**
             * Format: date-time
             * @description Start of the first hour.
             */
            from: string;
            /**
             * Format: date-time
             * @description End of the present hour.
             */
            to: string;
            /** @description Attempts that succeeded. */
            delivered: number;
            /** @description Attempts that failed; a delivery may have several. */
            failed: number;
            /** @description Half of the answers took at most this long, in milliseconds, interpolated from counts; null without an answer. */
            p50Ms: number | null;
            /** @description 99 of 100 answers took at most this long. */
            p99Ms: number | null;
            /** @description Failed attempts since the last success. */
            failureCount: number;
            /**
             * Format: date-time
             * @description When an attempt last failed.
             */
            lastFailureAt: string | null;
            /**
             * Format: date-time
             * @description When an attempt last succeeded.
             */
            lastSuccessAt: string | null;
            /** @description The 24 hours, the oldest first. */
            hours: components["schemas"]["WebhookEndpointHour"][];
        };
        WebhookEventCatalog: {
            /** @description All event types. */
            events: components["schemas"]["WebhookEventType"][];
        };
        WebhookEventType: {
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "link.created" | "link.updated" | "link.deleted" | "domain.verified" | "domain.failed" | "click.received" | "conversion.received" | "campaign.completed" | "report.generated" | "billing.subscription.updated";
            /** @description Name to display. */
            label: string;
            /** @description When it happens. */
            description: string;
            /** @description Example of the data of this type. */
            sample: unknown;
        };
        WebhookSecret: {
            /** @description Id of the endpoint. */
            id: string;
            /** @description The key of the signatures, `whsec_` included. */
            secret: string;
        };
        Workspace: {
            /** @description Id of the workspace. */
            id: string;
            /** @description Name of the workspace. */
            name: string;
            /** @description Id of its plan. */
            plan: string;
            /**
             * @description Role of the caller in the workspace.
             * @enum {string}
             */
            role: "viewer" | "member" | "admin" | "owner";
            /** @description Suspended by the operator: its API requests are refused and its links do not redirect. */
            isSuspended: boolean;
            /** @description True: a click with `Sec-GPC: 1` or `DNT: 1` counts as a click but not as a visitor. A change applies to new clicks within ten seconds. */
            honorsPrivacySignals: boolean;
            /** @description IANA name of the time zone in which clients show times to members who have not chosen one. */
            timezone: string;
            /** @description Color of buttons and links on its pages for visitors, as `#` and six hexadecimal digits; null: the usual one. Only its own domains show it. */
            brandColor: string | null;
            /** @description Id of the image at the top of its pages for visitors (`POST /media`); null: none. Only its own domains show it. */
            logoMediaId: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updatedAt: string;
        };
        WorkspaceUsage: {
            /** @description The UTC calendar month. */
            period: string;
            /**
             * Format: date-time
             * @description Start of the next month.
             */
            resetsAt: string;
            /** @description Use by name of the limit. */
            usage: {
                [key: string]: components["schemas"]["LimitUse"];
            };
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type AbuseReport = components['schemas']['AbuseReport'];
export type AddressLocation = components['schemas']['AddressLocation'];
export type Alert = components['schemas']['Alert'];
export type AlertClicks = components['schemas']['AlertClicks'];
export type AlertDestination = components['schemas']['AlertDestination'];
export type AnalyticsBreakdowns = components['schemas']['AnalyticsBreakdowns'];
export type AnalyticsBucket = components['schemas']['AnalyticsBucket'];
export type AnalyticsComparedBreakdowns = components['schemas']['AnalyticsComparedBreakdowns'];
export type AnalyticsComparedLink = components['schemas']['AnalyticsComparedLink'];
export type AnalyticsComparedRow = components['schemas']['AnalyticsComparedRow'];
export type AnalyticsComparison = components['schemas']['AnalyticsComparison'];
export type AnalyticsMeta = components['schemas']['AnalyticsMeta'];
export type AnalyticsOverview = components['schemas']['AnalyticsOverview'];
export type AnalyticsPageMeta = components['schemas']['AnalyticsPageMeta'];
export type AnalyticsPeriod = components['schemas']['AnalyticsPeriod'];
export type AnalyticsRow = components['schemas']['AnalyticsRow'];
export type AnalyticsRowsMeta = components['schemas']['AnalyticsRowsMeta'];
export type AnalyticsSeriesMeta = components['schemas']['AnalyticsSeriesMeta'];
export type AnalyticsSummary = components['schemas']['AnalyticsSummary'];
export type AnalyticsTopLink = components['schemas']['AnalyticsTopLink'];
export type AnalyticsTotals = components['schemas']['AnalyticsTotals'];
export type AnalyticsValue = components['schemas']['AnalyticsValue'];
export type AnalyzedLink = components['schemas']['AnalyzedLink'];
export type ApiKey = components['schemas']['ApiKey'];
export type AttributedLink = components['schemas']['AttributedLink'];
export type AuditActor = components['schemas']['AuditActor'];
export type AuditEntry = components['schemas']['AuditEntry'];
export type AuditTarget = components['schemas']['AuditTarget'];
export type BatchEvent = components['schemas']['BatchEvent'];
export type BillingSubscriptionUpdatedEvent = components['schemas']['BillingSubscriptionUpdatedEvent'];
export type BioPage = components['schemas']['BioPage'];
export type BioPageAnalytics = components['schemas']['BioPageAnalytics'];
export type BioPageAnalyticsMeta = components['schemas']['BioPageAnalyticsMeta'];
export type BioPageBlock = components['schemas']['BioPageBlock'];
export type BioPageBlockAnalytics = components['schemas']['BioPageBlockAnalytics'];
export type BioPageBlockInput = components['schemas']['BioPageBlockInput'];
export type BioPageBucket = components['schemas']['BioPageBucket'];
export type BioPagePreview = components['schemas']['BioPagePreview'];
export type BioPagePreviewNode = components['schemas']['BioPagePreviewNode'];
export type BioPageSeo = components['schemas']['BioPageSeo'];
export type BioPageSeoInput = components['schemas']['BioPageSeoInput'];
export type BioPageSocial = components['schemas']['BioPageSocial'];
export type BioPageTheme = components['schemas']['BioPageTheme'];
export type BioPageThemeInput = components['schemas']['BioPageThemeInput'];
export type Breakdowns = components['schemas']['Breakdowns'];
export type BulkChangeMeta = components['schemas']['BulkChangeMeta'];
export type BulkMeta = components['schemas']['BulkMeta'];
export type BulkRow = components['schemas']['BulkRow'];
export type BulkRowError = components['schemas']['BulkRowError'];
export type Campaign = components['schemas']['Campaign'];
export type CampaignCompletedEvent = components['schemas']['CampaignCompletedEvent'];
export type CampaignGoal = components['schemas']['CampaignGoal'];
export type Checkout = components['schemas']['Checkout'];
export type ClickedLink = components['schemas']['ClickedLink'];
export type ClickEvent = components['schemas']['ClickEvent'];
export type ClickEventsMeta = components['schemas']['ClickEventsMeta'];
export type ClickPeriod = components['schemas']['ClickPeriod'];
export type ClickReceivedEvent = components['schemas']['ClickReceivedEvent'];
export type ConflictErrorDetails = components['schemas']['ConflictErrorDetails'];
export type ConversionError = components['schemas']['ConversionError'];
export type ConversionEvent = components['schemas']['ConversionEvent'];
export type ConversionEventsMeta = components['schemas']['ConversionEventsMeta'];
export type ConversionReceivedEvent = components['schemas']['ConversionReceivedEvent'];
export type ConvertedLink = components['schemas']['ConvertedLink'];
export type CountedLink = components['schemas']['CountedLink'];
export type CreateAlert = components['schemas']['CreateAlert'];
export type CreateApiKey = components['schemas']['CreateApiKey'];
export type CreateBioPage = components['schemas']['CreateBioPage'];
export type CreateCampaign = components['schemas']['CreateCampaign'];
export type CreateDashboard = components['schemas']['CreateDashboard'];
export type CreatedBioPageMeta = components['schemas']['CreatedBioPageMeta'];
export type CreatedInvitation = components['schemas']['CreatedInvitation'];
export type CreateDomain = components['schemas']['CreateDomain'];
export type CreatedWebhookEndpoint = components['schemas']['CreatedWebhookEndpoint'];
export type CreateFolder = components['schemas']['CreateFolder'];
export type CreateInvitation = components['schemas']['CreateInvitation'];
export type CreateLink = components['schemas']['CreateLink'];
export type CreateLinks = components['schemas']['CreateLinks'];
export type CreateLinkView = components['schemas']['CreateLinkView'];
export type CreateReport = components['schemas']['CreateReport'];
export type CreateUtmTemplate = components['schemas']['CreateUtmTemplate'];
export type CreateWebhookEndpoint = components['schemas']['CreateWebhookEndpoint'];
export type CreateWorkspace = components['schemas']['CreateWorkspace'];
export type CurrencyTotal = components['schemas']['CurrencyTotal'];
export type Dashboard = components['schemas']['Dashboard'];
export type DeferredLink = components['schemas']['DeferredLink'];
export type DeferredMatch = components['schemas']['DeferredMatch'];
export type DeleteLinks = components['schemas']['DeleteLinks'];
export type DeleteWorkspace = components['schemas']['DeleteWorkspace'];
export type Destination = components['schemas']['Destination'];
export type DispatchedWebhookEvent = components['schemas']['DispatchedWebhookEvent'];
export type DispatchWebhookEvent = components['schemas']['DispatchWebhookEvent'];
export type Domain = components['schemas']['Domain'];
export type DomainFailedEvent = components['schemas']['DomainFailedEvent'];
export type DomainRecord = components['schemas']['DomainRecord'];
export type DomainVerification = components['schemas']['DomainVerification'];
export type DomainVerifiedEvent = components['schemas']['DomainVerifiedEvent'];
export type DubAnswer = components['schemas']['DubAnswer'];
export type ErrorDetail = components['schemas']['ErrorDetail'];
export type EventBatch = components['schemas']['EventBatch'];
export type ExplainedStep = components['schemas']['ExplainedStep'];
export type FilteredPageMeta = components['schemas']['FilteredPageMeta'];
export type Folder = components['schemas']['Folder'];
export type ForbiddenErrorDetails = components['schemas']['ForbiddenErrorDetails'];
export type FoundCampaign = components['schemas']['FoundCampaign'];
export type FoundFolder = components['schemas']['FoundFolder'];
export type FoundLink = components['schemas']['FoundLink'];
export type FoundMember = components['schemas']['FoundMember'];
export type FoundTag = components['schemas']['FoundTag'];
export type FoundWebhookEndpoint = components['schemas']['FoundWebhookEndpoint'];
export type GeoAttribution = components['schemas']['GeoAttribution'];
export type GeoDataMeta = components['schemas']['GeoDataMeta'];
export type Invitation = components['schemas']['Invitation'];
export type InvitationLink = components['schemas']['InvitationLink'];
export type Invoice = components['schemas']['Invoice'];
export type LimitUse = components['schemas']['LimitUse'];
export type Link = components['schemas']['Link'];
export type LinkAnalytics = components['schemas']['LinkAnalytics'];
export type LinkCard = components['schemas']['LinkCard'];
export type LinkConditions = components['schemas']['LinkConditions'];
export type LinkCounts = components['schemas']['LinkCounts'];
export type LinkCreatedEvent = components['schemas']['LinkCreatedEvent'];
export type LinkDeletedEvent = components['schemas']['LinkDeletedEvent'];
export type LinkDraft = components['schemas']['LinkDraft'];
export type LinkExplanation = components['schemas']['LinkExplanation'];
export type LinkFilter = components['schemas']['LinkFilter'];
export type LinkHistoryActor = components['schemas']['LinkHistoryActor'];
export type LinkHistoryEntry = components['schemas']['LinkHistoryEntry'];
export type LinkImport = components['schemas']['LinkImport'];
export type LinkImportColumn = components['schemas']['LinkImportColumn'];
export type LinkImportColumns = components['schemas']['LinkImportColumns'];
export type LinkImportColumnsInput = components['schemas']['LinkImportColumnsInput'];
export type LinkImportError = components['schemas']['LinkImportError'];
export type LinkImportFailure = components['schemas']['LinkImportFailure'];
export type LinkImportRow = components['schemas']['LinkImportRow'];
export type LinkListMeta = components['schemas']['LinkListMeta'];
export type LinkPreview = components['schemas']['LinkPreview'];
export type LinkRule = components['schemas']['LinkRule'];
export type LinkSnapshot = components['schemas']['LinkSnapshot'];
export type LinkUpdatedEvent = components['schemas']['LinkUpdatedEvent'];
export type LinkVariant = components['schemas']['LinkVariant'];
export type LinkView = components['schemas']['LinkView'];
export type ListedWebhookEndpoint = components['schemas']['ListedWebhookEndpoint'];
export type Media = components['schemas']['Media'];
export type MediaMeta = components['schemas']['MediaMeta'];
export type MediaUse = components['schemas']['MediaUse'];
export type Member = components['schemas']['Member'];
export type Meta = components['schemas']['Meta'];
export type NewApiKey = components['schemas']['NewApiKey'];
export type NewConversion = components['schemas']['NewConversion'];
export type NewLinkCard = components['schemas']['NewLinkCard'];
export type NewLinkRule = components['schemas']['NewLinkRule'];
export type NewLinkVariant = components['schemas']['NewLinkVariant'];
export type PageMeta = components['schemas']['PageMeta'];
export type PaymentMethod = components['schemas']['PaymentMethod'];
export type Plan = components['schemas']['Plan'];
export type PlanCapabilities = components['schemas']['PlanCapabilities'];
export type PlanCapabilityRequiredErrorDetails = components['schemas']['PlanCapabilityRequiredErrorDetails'];
export type PlanLimitReachedErrorDetails = components['schemas']['PlanLimitReachedErrorDetails'];
export type PlanLimits = components['schemas']['PlanLimits'];
export type PlanPrice = components['schemas']['PlanPrice'];
export type PreconditionFailedErrorDetails = components['schemas']['PreconditionFailedErrorDetails'];
export type PublicDashboard = components['schemas']['PublicDashboard'];
export type PublicDashboardBucket = components['schemas']['PublicDashboardBucket'];
export type PublicDashboardLink = components['schemas']['PublicDashboardLink'];
export type PublicDashboardMetrics = components['schemas']['PublicDashboardMetrics'];
export type PublicDashboardPeriod = components['schemas']['PublicDashboardPeriod'];
export type PublicDashboardScope = components['schemas']['PublicDashboardScope'];
export type QrCodes = components['schemas']['QrCodes'];
export type QueuedWebhookTest = components['schemas']['QueuedWebhookTest'];
export type RateLimitedErrorDetails = components['schemas']['RateLimitedErrorDetails'];
export type ReceivedInvitation = components['schemas']['ReceivedInvitation'];
export type RecordConversions = components['schemas']['RecordConversions'];
export type RecordConversionsMeta = components['schemas']['RecordConversionsMeta'];
export type RecordedConversionRow = components['schemas']['RecordedConversionRow'];
export type RecordedConversions = components['schemas']['RecordedConversions'];
export type RenamedTag = components['schemas']['RenamedTag'];
export type RenameTag = components['schemas']['RenameTag'];
export type ReplayedWebhookEvents = components['schemas']['ReplayedWebhookEvents'];
export type ReplayWebhookEvents = components['schemas']['ReplayWebhookEvents'];
export type Report = components['schemas']['Report'];
export type ReportError = components['schemas']['ReportError'];
export type ReportFilters = components['schemas']['ReportFilters'];
export type ReportGeneratedEvent = components['schemas']['ReportGeneratedEvent'];
export type ReportSchedule = components['schemas']['ReportSchedule'];
export type ReportScheduleInput = components['schemas']['ReportScheduleInput'];
export type RequeuedWebhookDeliveries = components['schemas']['RequeuedWebhookDeliveries'];
export type ResolveDeferredLink = components['schemas']['ResolveDeferredLink'];
export type RetriedWebhookDelivery = components['schemas']['RetriedWebhookDelivery'];
export type RetryWebhookDeliveries = components['schemas']['RetryWebhookDeliveries'];
export type RollbackLink = components['schemas']['RollbackLink'];
export type RotatedWebhookSecret = components['schemas']['RotatedWebhookSecret'];
export type SearchResults = components['schemas']['SearchResults'];
export type SecurityActor = components['schemas']['SecurityActor'];
export type SecurityEntry = components['schemas']['SecurityEntry'];
export type SecurityGeo = components['schemas']['SecurityGeo'];
export type ShlinkImport = components['schemas']['ShlinkImport'];
export type SlugAnswer = components['schemas']['SlugAnswer'];
export type Subscription = components['schemas']['Subscription'];
export type Tag = components['schemas']['Tag'];
export type TestWebhookEndpoint = components['schemas']['TestWebhookEndpoint'];
export type TrackedAmount = components['schemas']['TrackedAmount'];
export type TrackedClick = components['schemas']['TrackedClick'];
export type TrackedCustomer = components['schemas']['TrackedCustomer'];
export type TrackedLead = components['schemas']['TrackedLead'];
export type TrackedLink = components['schemas']['TrackedLink'];
export type TrackedSale = components['schemas']['TrackedSale'];
export type TrackLead = components['schemas']['TrackLead'];
export type TrackSale = components['schemas']['TrackSale'];
export type UnavailableErrorDetails = components['schemas']['UnavailableErrorDetails'];
export type UndoBulk = components['schemas']['UndoBulk'];
export type UndoMeta = components['schemas']['UndoMeta'];
export type UndoRow = components['schemas']['UndoRow'];
export type UnknownImportDomain = components['schemas']['UnknownImportDomain'];
export type UnmetCondition = components['schemas']['UnmetCondition'];
export type UpdateAlert = components['schemas']['UpdateAlert'];
export type UpdateApiKey = components['schemas']['UpdateApiKey'];
export type UpdateBioPage = components['schemas']['UpdateBioPage'];
export type UpdateCampaign = components['schemas']['UpdateCampaign'];
export type UpdateDashboard = components['schemas']['UpdateDashboard'];
export type UpdateDomain = components['schemas']['UpdateDomain'];
export type UpdateEachLink = components['schemas']['UpdateEachLink'];
export type UpdateFolder = components['schemas']['UpdateFolder'];
export type UpdateLink = components['schemas']['UpdateLink'];
export type UpdateLinks = components['schemas']['UpdateLinks'];
export type UpdateLinkView = components['schemas']['UpdateLinkView'];
export type UpdateMember = components['schemas']['UpdateMember'];
export type UpdateReport = components['schemas']['UpdateReport'];
export type UpdateUtmTemplate = components['schemas']['UpdateUtmTemplate'];
export type UpdateWebhookEndpoint = components['schemas']['UpdateWebhookEndpoint'];
export type UpdateWorkspace = components['schemas']['UpdateWorkspace'];
export type UpsertMeta = components['schemas']['UpsertMeta'];
export type UtmTemplate = components['schemas']['UtmTemplate'];
export type WebhookAttempt = components['schemas']['WebhookAttempt'];
export type WebhookDelivery = components['schemas']['WebhookDelivery'];
export type WebhookDeliveryCounts = components['schemas']['WebhookDeliveryCounts'];
export type WebhookDeliveryDetail = components['schemas']['WebhookDeliveryDetail'];
export type WebhookEndpoint = components['schemas']['WebhookEndpoint'];
export type WebhookEndpointHour = components['schemas']['WebhookEndpointHour'];
export type WebhookEndpointStats = components['schemas']['WebhookEndpointStats'];
export type WebhookEventCatalog = components['schemas']['WebhookEventCatalog'];
export type WebhookEventType = components['schemas']['WebhookEventType'];
export type WebhookSecret = components['schemas']['WebhookSecret'];
export type Workspace = components['schemas']['Workspace'];
export type WorkspaceUsage = components['schemas']['WorkspaceUsage'];
export interface operations {
    upsertLink: {
        parameters: {
            query?: {
                /** @description Whether a link that exists stays as it is. */
                keep?: boolean;
            };
        };
    };
    checkSlug: {
        parameters: {
            query: {
                /** @description The wanted slug. */
                slug: string;
                /** @description The domain; without it the default one. */
                domainId?: string;
                /** @description Host of the domain, instead of `domainId`; the host of the server means no domain. */
                domain?: string;
            };
        };
    };
    countLinks: {
        parameters: {
            query?: {
                /** @description The field by which links are counted. */
                groupBy?: "status" | "tag" | "folderId" | "campaignId" | "domainId" | "createdBy";
                /** @description Only links with this text in name, slug or destination. */
                search?: string;
                /** @description Only links of this status. */
                status?: "active" | "paused" | "archived" | "expired" | "blocked";
                /** @description Include archived links. */
                includeArchived?: boolean;
                /** @description Only links created at this time or later. */
                createdFrom?: string;
                /** @description Only links created before this time. */
                createdTo?: string;
                /** @description Only links on this domain. */
                domainId?: string;
                /** @description Host of the domain, instead of `domainId`; the host of the server means no domain. */
                domain?: string;
                /** @description Only links of this campaign. */
                campaignId?: string;
                /** @description Only links in this folder. */
                folderId?: string;
                /** @description Only the link with this id of yours. */
                externalId?: string;
                /** @description Only links with this slug, or with this alias. */
                slug?: string;
                /** @description Only links to this destination, as answers have it. */
                destinationUrl?: string;
                /** @description Only links with this tag. */
                tag?: string;
                /** @description Only links with one of these tags, separated by commas. */
                tags?: string;
                /** @description Links with `any` of the `tags`, which is the default, or with `all` of them. */
                tagsMode?: "any" | "all";
            };
        };
    };
    exportLinks: {
        parameters: {
            query?: {
                /** @description Only links with this text in name, slug or destination. */
                search?: string;
                /** @description Only links of this status. */
                status?: "active" | "paused" | "archived" | "expired" | "blocked";
                /** @description Include archived links. */
                includeArchived?: boolean;
                /** @description Only links created at this time or later. */
                createdFrom?: string;
                /** @description Only links created before this time. */
                createdTo?: string;
                /** @description Only links on this domain. */
                domainId?: string;
                /** @description Host of the domain, instead of `domainId`; the host of the server means no domain. */
                domain?: string;
                /** @description Only links of this campaign. */
                campaignId?: string;
                /** @description Only links in this folder. */
                folderId?: string;
                /** @description Only the link with this id of yours. */
                externalId?: string;
                /** @description Only links with this slug, or with this alias. */
                slug?: string;
                /** @description Only links to this destination, as answers have it. */
                destinationUrl?: string;
                /** @description Only links with this tag. */
                tag?: string;
                /** @description Only links with one of these tags, separated by commas. */
                tags?: string;
                /** @description Links with `any` of the `tags`, which is the default, or with `all` of them. */
                tagsMode?: "any" | "all";
            };
        };
    };
    getLinkQrCode: {
        parameters: {
            query?: {
                /** @description Format of the image. */
                format?: "png" | "svg" | "pdf";
                /** @description Shape of the modules. */
                shape?: "square" | "rounded" | "dots";
                /** @description Width and height in pixels. */
                size?: number;
                /** @description Margin around the code, in modules of the code. */
                margin?: number;
                /** @description Color of the code: six hexadecimal digits. */
                fg?: string;
                /** @description Color of the background: six hexadecimal digits. */
                bg?: string;
                /** @description Level of error correction: L, M, Q or H. By default H with a logo, which covers a part of the code, Q with dots, else M. */
                level?: "L" | "M" | "Q" | "H";
            };
        };
    };
    drawLinkQrCode: {
        parameters: {
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description The file.
                     */
                    logo: Blob;
                    /**
                     * @description Format of the image.
                     * @default png
                     * @enum {string}
                     */
                    format?: "png" | "svg" | "pdf";
                    /**
                     * @description Shape of the modules.
                     * @default square
                     * @enum {string}
                     */
                    shape?: "square" | "rounded" | "dots";
                    /**
                     * @description Width and height in pixels.
                     * @default 600
                     */
                    size?: number;
                    /**
                     * @description Margin around the code, in modules of the code.
                     * @default 4
                     */
                    margin?: number;
                    /**
                     * @description Color of the code: six hexadecimal digits.
                     * @default 000000
                     */
                    fg?: string;
                    /**
                     * @description Color of the background: six hexadecimal digits.
                     * @default ffffff
                     */
                    bg?: string;
                    /**
                     * @description Level of error correction: L, M, Q or H. H by default, since the logo covers a part of the code.
                     * @enum {string}
                     */
                    level?: "L" | "M" | "Q" | "H";
                };
            };
        };
    };
    previewLink: {
        parameters: {
            query: {
                /** @description The page: an http or https URL. */
                url: string;
            };
        };
    };
    getDestinationIcon: {
        parameters: {
            query: {
                /** @description A page of the site. */
                url: string;
            };
        };
    };
    listLinks: {
        parameters: {
            query?: {
                /** @description Rows per page. More than 100 counts as 100. */
                limit?: number;
                /** @description How many rows to skip. */
                offset?: number;
                /** @description `meta.nextCursor` of the page before, in a request with the same filters and order. Reads a deep page as fast as the first one. Links created or deleted since then neither repeat nor hide another. */
                cursor?: string;
                /** @description Only links with this text in name, slug or destination. */
                search?: string;
                /** @description Only links of this status. */
                status?: "active" | "paused" | "archived" | "expired" | "blocked";
                /** @description Include archived links. */
                includeArchived?: boolean;
                /** @description Only links created at this time or later. */
                createdFrom?: string;
                /** @description Only links created before this time. */
                createdTo?: string;
                /** @description Only links on this domain. */
                domainId?: string;
                /** @description Host of the domain, instead of `domainId`; the host of the server means no domain. */
                domain?: string;
                /** @description Only links of this campaign. */
                campaignId?: string;
                /** @description Only links in this folder. */
                folderId?: string;
                /** @description Only the link with this id of yours. */
                externalId?: string;
                /** @description Only links with this slug, or with this alias. */
                slug?: string;
                /** @description Only links to this destination, as answers have it. */
                destinationUrl?: string;
                /** @description Only these links: ids, at most 100, separated by commas. */
                ids?: string;
                /** @description Only links with this tag. */
                tag?: string;
                /** @description Only links with one of these tags, separated by commas. */
                tags?: string;
                /** @description Links with `any` of the `tags`, which is the default, or with `all` of them. */
                tagsMode?: "any" | "all";
                /** @description Adds `periodClicks`, `periodConversions` and `periodValue` to each link: its clicks and conversions of the last calendar days, today included. */
                clickDays?: number;
                /** @description IANA time zone of the days of `clickDays`; UTC without it. */
                timezone?: string;
                /** @description Currency of `periodValue`, as three letters of ISO 4217; `usd` without it. */
                currency?: string;
                /** @description Sort field. The order by `clicks` and `lastClickedAt` may be ten seconds old; `periodClicks` needs `clickDays`. */
                sortBy?: "createdAt" | "updatedAt" | "name" | "slug" | "clicks" | "lastClickedAt" | "expiresAt" | "periodClicks";
                /** @description Ascending or descending. */
                sortOrder?: "asc" | "desc";
            };
        };
    };
    explainLink: {
        parameters: {
            query?: {
                /** @description User agent of the visitor. */
                userAgent?: string;
                /** @description ISO 3166-1 code of the country. */
                country?: string;
                /** @description Region, with its country. */
                region?: string;
                /** @description City; no condition depends on it. */
                city?: string;
                /** @description A language, or an Accept-Language header. */
                language?: string;
                /** @description Query of the short URL. */
                query?: string;
                /** @description Time of the visit; now by default. */
                at?: string;
                /** @description Whether the visitor has given the password. */
                unlocked?: boolean;
            };
        };
    };
    listLinkHistory: {
        parameters: {
            query?: {
                /** @description Rows per page. More than 100 counts as 100. */
                limit?: number;
                /** @description How many rows to skip. */
                offset?: number;
            };
        };
    };
    listLinkViews: {
        parameters: {
            query?: {
                /** @description Rows per page. More than 100 counts as 100. */
                limit?: number;
                /** @description How many rows to skip. */
                offset?: number;
                /** @description Only views with this text in their name, in any case. */
                search?: string;
                /** @description Sort field. */
                sortBy?: "createdAt" | "name";
                /** @description Ascending or descending. */
                sortOrder?: "asc" | "desc";
            };
        };
    };
    importLinks: {
        parameters: {
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description The file.
                     */
                    file: Blob;
                    /**
                     * @description Service that wrote the file. Absent: recognized by its columns.
                     * @enum {string}
                     */
                    source?: "csv" | "bitly" | "dub" | "shortio" | "rebrandly" | "yourls" | "kutt" | "shlink" | "sink" | "linktree" | "linkstack";
                    /** @description Whether to check and count everything, but write nothing. */
                    dryRun?: boolean;
                    /**
                     * @description What happens to a link with the same externalId, else slug, else id. The default is `skip`.
                     * @enum {string}
                     */
                    onConflict?: "skip" | "update";
                    /** @description JSON object: the field of a link for a column of the file; null leaves a column out. */
                    mapping?: string;
                    /** @description Host of a domain of the workspace, or of the shared host, on which all links of the file are created; `default`: the default domain. Without it the column `domain` counts. */
                    domain?: string;
                };
            };
        };
    };
    listImports: {
        parameters: {
            query?: {
                /** @description Rows per page. More than 100 counts as 100. */
                limit?: number;
                /** @description How many rows to skip. */
                offset?: number;
            };
        };
    };
    listImportRows: {
        parameters: {
            query?: {
                /** @description Rows per page. More than 100 counts as 100. */
                limit?: number;
                /** @description How many rows to skip. */
                offset?: number;
                /** @description Result of the row; in a dry run, the expected one. */
                status?: "created" | "updated" | "skipped" | "failed";
            };
        };
    };
    listFolders: {
        parameters: {
            query?: {
                /** @description Rows per page. More than 100 counts as 100. */
                limit?: number;
                /** @description How many rows to skip. */
                offset?: number;
                /** @description Only folders with this text in their name, in any case. */
                search?: string;
                /** @description Sort field. */
                sortBy?: "name" | "createdAt" | "updatedAt";
                /** @description Ascending or descending. */
                sortOrder?: "asc" | "desc";
            };
        };
    };
    listTags: {
        parameters: {
            query?: {
                /** @description Rows per page. More than 100 counts as 100. */
                limit?: number;
                /** @description How many rows to skip. */
                offset?: number;
                /** @description Only tags with this text in their name, in any case. */
                search?: string;
                /** @description Sort field. */
                sortBy?: "name" | "links";
                /** @description Ascending or descending. */
                sortOrder?: "asc" | "desc";
            };
        };
    };
    listCampaigns: {
        parameters: {
            query?: {
                /** @description Rows per page. More than 100 counts as 100. */
                limit?: number;
                /** @description How many rows to skip. */
                offset?: number;
                /** @description Only campaigns with this text in their name, in any case. */
                search?: string;
                /** @description Sort field. */
                sortBy?: "createdAt" | "updatedAt" | "name" | "startsAt" | "endsAt";
                /** @description Ascending or descending. */
                sortOrder?: "asc" | "desc";
                /** @description Only campaigns of this status. */
                status?: "draft" | "active" | "paused" | "completed" | "archived";
            };
        };
    };
    listUtmTemplates: {
        parameters: {
            query?: {
                /** @description Rows per page. More than 100 counts as 100. */
                limit?: number;
                /** @description How many rows to skip. */
                offset?: number;
                /** @description Only templates with this text in their name, in any case. */
                search?: string;
                /** @description Sort field. */
                sortBy?: "createdAt" | "updatedAt" | "name";
                /** @description Ascending or descending. */
                sortOrder?: "asc" | "desc";
            };
        };
    };
    search: {
        parameters: {
            query: {
                /** @description A part of a name, slug or address, in any case; the beginning of a slug, alias or external id; or a whole short URL. An empty one finds nothing. */
                q: string;
                /** @description The largest number of results of each kind. */
                limit?: number;
            };
        };
    };
    listBioPages: {
        parameters: {
            query?: {
                /** @description Rows per page. More than 100 counts as 100. */
                limit?: number;
                /** @description How many rows to skip. */
                offset?: number;
                /** @description Only pages with this text in their name, in any case. */
                search?: string;
                /** @description Sort field. */
                sortBy?: "createdAt" | "updatedAt" | "title";
                /** @description Ascending or descending. */
                sortOrder?: "asc" | "desc";
                /** @description Only pages of this status. */
                status?: "draft" | "published";
            };
        };
    };
    updateBioPage: {
        parameters: {
            query?: {
                /** @description Whether to keep the links that the page created for removed blocks. Links that another page shows are always kept. */
                links?: "keep" | "delete";
            };
        };
    };
    deleteBioPage: {
        parameters: {
            query?: {
                /** @description Whether to keep the links that the page created for removed blocks. Links that another page shows are always kept. */
                links?: "keep" | "delete";
            };
        };
    };
    uploadMedia: {
        parameters: {
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description The file.
                     */
                    file: Blob;
                };
            };
        };
    };
    listMedia: {
        parameters: {
            query?: {
                /** @description Rows per page. More than 100 counts as 100. */
                limit?: number;
                /** @description How many rows to skip. */
                offset?: number;
                /** @description Only images with this text in their names, in any case. */
                search?: string;
            };
        };
    };
    deleteMedia: {
        parameters: {
            query?: {
                /** @description Also deletes an image that is in use, and removes it from what shows it. */
                force?: boolean;
            };
        };
    };
    listDomains: {
        parameters: {
            query?: {
                /** @description Rows per page. More than 100 counts as 100. */
                limit?: number;
                /** @description How many rows to skip. */
                offset?: number;
                /** @description Only domains with this text in their host, in any case. */
                search?: string;
                /** @description Only domains of this status. */
                status?: "pending" | "verified" | "failed" | "misconfigured";
            };
        };
    };
    deleteDomain: {
        parameters: {
            query?: {
                /** @description Moves the links of the domain to the shared host: all of them, at most 1,000, or none. */
                force?: boolean;
            };
        };
    };
    getLinkAnalytics: {
        parameters: {
            query?: {
                /** @description Number of calendar days, including today. */
                days?: number;
                /** @description Instead of `days`: the last 24 hours, so many days, the month, quarter or year to date, or all days since the workspace exists. */
                interval?: "24h" | "7d" | "30d" | "90d" | "1y" | "mtd" | "qtd" | "ytd" | "all";
                /** @description Instead of `interval`: the first moment, as a time or as a date of the time zone. The default is 30 days before `end`. */
                start?: string;
                /** @description The moment after the period, or its last date. The default is now. */
                end?: string;
                /** @description IANA time zone of the calendar days. */
                timezone?: string;
                /** @description Also count crawlers, link previews and prefetches. */
                includeBots?: boolean;
                /** @description Only clicks with this label: ISO country of the visitor. Several are separated by commas, and a leading hyphen excludes them. */
                country?: string;
                /** @description Only clicks with this label: Region of the visitor. Several are separated by commas, and a leading hyphen excludes them. */
                region?: string;
                /** @description Only clicks with this label: City of the visitor. Several are separated by commas, and a leading hyphen excludes them. */
                city?: string;
                /** @description Only clicks with this label: Continent of the visitor. Several are separated by commas, and a leading hyphen excludes them. */
                continent?: string;
                /** @description Only clicks with this label: Kind of device. Several are separated by commas, and a leading hyphen excludes them. */
                device?: string;
                /** @description Only clicks with this label: Name of the browser. Several are separated by commas, and a leading hyphen excludes them. */
                browser?: string;
                /** @description Only clicks with this label: Name of the operating system. Several are separated by commas, and a leading hyphen excludes them. */
                os?: string;
                /** @description Only clicks with this label: Host of the page with the link; `direct` without one. Several are separated by commas, and a leading hyphen excludes them. */
                referrer?: string;
                /** @description Only clicks with this label: Preferred language of the browser. Several are separated by commas, and a leading hyphen excludes them. */
                language?: string;
                /** @description Only clicks with this label: `qr` for scanned codes, else `link`. Several are separated by commas, and a leading hyphen excludes them. */
                trigger?: string;
                /** @description Only clicks with this label: `utm_source` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmSource?: string;
                /** @description Only clicks with this label: `utm_medium` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmMedium?: string;
                /** @description Only clicks with this label: `utm_campaign` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmCampaign?: string;
                /** @description Only clicks with this label: `utm_term` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmTerm?: string;
                /** @description Only clicks with this label: `utm_content` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmContent?: string;
                /** @description Only clicks with this label: Destination of the click. Several are separated by commas, and a leading hyphen excludes them. */
                destination?: string;
                /** @description Only clicks with this label: The option of the link that chose the destination; `default` without one. Several are separated by commas, and a leading hyphen excludes them. */
                route?: string;
                /** @description Only clicks with this label: Id of the domain of the click; `default` for the shared host. Several are separated by commas, and a leading hyphen excludes them. */
                domain?: string;
                /** @description Only clicks on this domain. Several are separated by commas, and a leading hyphen excludes them. */
                domainId?: string;
                /** @description ISO 4217 code of the currency of `value`; `usd` by default. */
                currency?: string;
            };
        };
    };
    getLinkTimeseries: {
        parameters: {
            query?: {
                /** @description Number of calendar days, including today. */
                days?: number;
                /** @description Instead of `days`: the last 24 hours, so many days, the month, quarter or year to date, or all days since the workspace exists. */
                interval?: "24h" | "7d" | "30d" | "90d" | "1y" | "mtd" | "qtd" | "ytd" | "all";
                /** @description Instead of `interval`: the first moment, as a time or as a date of the time zone. The default is 30 days before `end`. */
                start?: string;
                /** @description The moment after the period, or its last date. The default is now. */
                end?: string;
                /** @description IANA time zone of the calendar days. */
                timezone?: string;
                /** @description Also count crawlers, link previews and prefetches. */
                includeBots?: boolean;
                /** @description Only clicks with this label: ISO country of the visitor. Several are separated by commas, and a leading hyphen excludes them. */
                country?: string;
                /** @description Only clicks with this label: Region of the visitor. Several are separated by commas, and a leading hyphen excludes them. */
                region?: string;
                /** @description Only clicks with this label: City of the visitor. Several are separated by commas, and a leading hyphen excludes them. */
                city?: string;
                /** @description Only clicks with this label: Continent of the visitor. Several are separated by commas, and a leading hyphen excludes them. */
                continent?: string;
                /** @description Only clicks with this label: Kind of device. Several are separated by commas, and a leading hyphen excludes them. */
                device?: string;
                /** @description Only clicks with this label: Name of the browser. Several are separated by commas, and a leading hyphen excludes them. */
                browser?: string;
                /** @description Only clicks with this label: Name of the operating system. Several are separated by commas, and a leading hyphen excludes them. */
                os?: string;
                /** @description Only clicks with this label: Host of the page with the link; `direct` without one. Several are separated by commas, and a leading hyphen excludes them. */
                referrer?: string;
                /** @description Only clicks with this label: Preferred language of the browser. Several are separated by commas, and a leading hyphen excludes them. */
                language?: string;
                /** @description Only clicks with this label: `qr` for scanned codes, else `link`. Several are separated by commas, and a leading hyphen excludes them. */
                trigger?: string;
                /** @description Only clicks with this label: `utm_source` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmSource?: string;
                /** @description Only clicks with this label: `utm_medium` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmMedium?: string;
                /** @description Only clicks with this label: `utm_campaign` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmCampaign?: string;
                /** @description Only clicks with this label: `utm_term` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmTerm?: string;
                /** @description Only clicks with this label: `utm_content` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmContent?: string;
                /** @description Only clicks with this label: Destination of the click. Several are separated by commas, and a leading hyphen excludes them. */
                destination?: string;
                /** @description Only clicks with this label: The option of the link that chose the destination; `default` without one. Several are separated by commas, and a leading hyphen excludes them. */
                route?: string;
                /** @description Only clicks with this label: Id of the domain of the click; `default` for the shared host. Several are separated by commas, and a leading hyphen excludes them. */
                domain?: string;
                /** @description Only clicks on this domain. Several are separated by commas, and a leading hyphen excludes them. */
                domainId?: string;
                /** @description ISO 4217 code of the currency of `value`; `usd` by default. */
                currency?: string;
                /** @description Length of a bucket, in the time zone; weeks begin on Monday. The default is hours up to two days, days up to 180, else months. */
                granularity?: "hour" | "day" | "week" | "month";
            };
        };
    };
    getLinkBreakdown: {
        parameters: {
            query?: {
                /** @description Number of calendar days, including today. */
                days?: number;
                /** @description Instead of `days`: the last 24 hours, so many days, the month, quarter or year to date, or all days since the workspace exists. */
                interval?: "24h" | "7d" | "30d" | "90d" | "1y" | "mtd" | "qtd" | "ytd" | "all";
                /** @description Instead of `interval`: the first moment, as a time or as a date of the time zone. The default is 30 days before `end`. */
                start?: string;
                /** @description The moment after the period, or its last date. The default is now. */
                end?: string;
                /** @description IANA time zone of the calendar days. */
                timezone?: string;
                /** @description Also count crawlers, link previews and prefetches. */
                includeBots?: boolean;
                /** @description Only clicks with this label: ISO country of the visitor. Several are separated by commas, and a leading hyphen excludes them. */
                country?: string;
                /** @description Only clicks with this label: Region of the visitor. Several are separated by commas, and a leading hyphen excludes them. */
                region?: string;
                /** @description Only clicks with this label: City of the visitor. Several are separated by commas, and a leading hyphen excludes them. */
                city?: string;
                /** @description Only clicks with this label: Continent of the visitor. Several are separated by commas, and a leading hyphen excludes them. */
                continent?: string;
                /** @description Only clicks with this label: Kind of device. Several are separated by commas, and a leading hyphen excludes them. */
                device?: string;
                /** @description Only clicks with this label: Name of the browser. Several are separated by commas, and a leading hyphen excludes them. */
                browser?: string;
                /** @description Only clicks with this label: Name of the operating system. Several are separated by commas, and a leading hyphen excludes them. */
                os?: string;
                /** @description Only clicks with this label: Host of the page with the link; `direct` without one. Several are separated by commas, and a leading hyphen excludes them. */
                referrer?: string;
                /** @description Only clicks with this label: Preferred language of the browser. Several are separated by commas, and a leading hyphen excludes them. */
                language?: string;
                /** @description Only clicks with this label: `qr` for scanned codes, else `link`. Several are separated by commas, and a leading hyphen excludes them. */
                trigger?: string;
                /** @description Only clicks with this label: `utm_source` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmSource?: string;
                /** @description Only clicks with this label: `utm_medium` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmMedium?: string;
                /** @description Only clicks with this label: `utm_campaign` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmCampaign?: string;
                /** @description Only clicks with this label: `utm_term` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmTerm?: string;
                /** @description Only clicks with this label: `utm_content` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmContent?: string;
                /** @description Only clicks with this label: Destination of the click. Several are separated by commas, and a leading hyphen excludes them. */
                destination?: string;
                /** @description Only clicks with this label: The option of the link that chose the destination; `default` without one. Several are separated by commas, and a leading hyphen excludes them. */
                route?: string;
                /** @description Only clicks with this label: Id of the domain of the click; `default` for the shared host. Several are separated by commas, and a leading hyphen excludes them. */
                domain?: string;
                /** @description Only clicks on this domain. Several are separated by commas, and a leading hyphen excludes them. */
                domainId?: string;
                /** @description ISO 4217 code of the currency of `value`; `usd` by default. */
                currency?: string;
                /** @description Rows per page. More than 1,000 counts as 1,000. */
                limit?: number;
                /** @description How many rows to skip. */
                offset?: number;
            };
        };
    };
    getAnalyticsOverview: {
        parameters: {
            query?: {
                /** @description Number of calendar days, including today. */
                days?: number;
                /** @description Instead of `days`: the last 24 hours, so many days, the month, quarter or year to date, or all days since the workspace exists. */
                interval?: "24h" | "7d" | "30d" | "90d" | "1y" | "mtd" | "qtd" | "ytd" | "all";
                /** @description Instead of `interval`: the first moment, as a time or as a date of the time zone. The default is 30 days before `end`. */
                start?: string;
                /** @description The moment after the period, or its last date. The default is now. */
                end?: string;
                /** @description IANA time zone of the calendar days. */
                timezone?: string;
                /** @description Also count crawlers, link previews and prefetches. */
                includeBots?: boolean;
                /** @description Only clicks with this label: ISO country of the visitor. Several are separated by commas, and a leading hyphen excludes them. */
                country?: string;
                /** @description Only clicks with this label: Region of the visitor. Several are separated by commas, and a leading hyphen excludes them. */
                region?: string;
                /** @description Only clicks with this label: City of the visitor. Several are separated by commas, and a leading hyphen excludes them. */
                city?: string;
                /** @description Only clicks with this label: Continent of the visitor. Several are separated by commas, and a leading hyphen excludes them. */
                continent?: string;
                /** @description Only clicks with this label: Kind of device. Several are separated by commas, and a leading hyphen excludes them. */
                device?: string;
                /** @description Only clicks with this label: Name of the browser. Several are separated by commas, and a leading hyphen excludes them. */
                browser?: string;
                /** @description Only clicks with this label: Name of the operating system. Several are separated by commas, and a leading hyphen excludes them. */
                os?: string;
                /** @description Only clicks with this label: Host of the page with the link; `direct` without one. Several are separated by commas, and a leading hyphen excludes them. */
                referrer?: string;
                /** @description Only clicks with this label: Preferred language of the browser. Several are separated by commas, and a leading hyphen excludes them. */
                language?: string;
                /** @description Only clicks with this label: `qr` for scanned codes, else `link`. Several are separated by commas, and a leading hyphen excludes them. */
                trigger?: string;
                /** @description Only clicks with this label: `utm_source` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmSource?: string;
                /** @description Only clicks with this label: `utm_medium` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmMedium?: string;
                /** @description Only clicks with this label: `utm_campaign` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmCampaign?: string;
                /** @description Only clicks with this label: `utm_term` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmTerm?: string;
                /** @description Only clicks with this label: `utm_content` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmContent?: string;
                /** @description Only clicks with this label: Destination of the click. Several are separated by commas, and a leading hyphen excludes them. */
                destination?: string;
                /** @description Only clicks with this label: The option of the link that chose the destination; `default` without one. Several are separated by commas, and a leading hyphen excludes them. */
                route?: string;
                /** @description Only clicks with this label: Id of the domain of the click; `default` for the shared host. Several are separated by commas, and a leading hyphen excludes them. */
                domain?: string;
                /** @description Only clicks on links of this id. Several are separated by commas, and a leading hyphen excludes them. */
                linkId?: string;
                /** @description Only clicks on links of this campaign. Several are separated by commas, and a leading hyphen excludes them. */
                campaignId?: string;
                /** @description Only clicks on links of this folder. Several are separated by commas, and a leading hyphen excludes them. */
                folderId?: string;
                /** @description Only clicks on links of this tag. Several are separated by commas, and a leading hyphen excludes them. */
                tag?: string;
                /** @description Only clicks on this domain. Several are separated by commas, and a leading hyphen excludes them. */
                domainId?: string;
                /** @description ISO 4217 code of the currency of `value`; `usd` by default. */
                currency?: string;
            };
        };
    };
    getCampaignAnalytics: {
        parameters: {
            query?: {
                /** @description Number of calendar days, including today. */
                days?: number;
                /** @description Instead of `days`: the last 24 hours, so many days, the month, quarter or year to date, or all days since the workspace exists. */
                interval?: "24h" | "7d" | "30d" | "90d" | "1y" | "mtd" | "qtd" | "ytd" | "all";
                /** @description Instead of `interval`: the first moment, as a time or as a date of the time zone. The default is 30 days before `end`. */
                start?: string;
                /** @description The moment after the period, or its last date. The default is now. */
                end?: string;
                /** @description IANA time zone of the calendar days. */
                timezone?: string;
                /** @description Also count crawlers, link previews and prefetches. */
                includeBots?: boolean;
                /** @description Only clicks with this label: ISO country of the visitor. Several are separated by commas, and a leading hyphen excludes them. */
                country?: string;
                /** @description Only clicks with this label: Region of the visitor. Several are separated by commas, and a leading hyphen excludes them. */
                region?: string;
                /** @description Only clicks with this label: City of the visitor. Several are separated by commas, and a leading hyphen excludes them. */
                city?: string;
                /** @description Only clicks with this label: Continent of the visitor. Several are separated by commas, and a leading hyphen excludes them. */
                continent?: string;
                /** @description Only clicks with this label: Kind of device. Several are separated by commas, and a leading hyphen excludes them. */
                device?: string;
                /** @description Only clicks with this label: Name of the browser. Several are separated by commas, and a leading hyphen excludes them. */
                browser?: string;
                /** @description Only clicks with this label: Name of the operating system. Several are separated by commas, and a leading hyphen excludes them. */
                os?: string;
                /** @description Only clicks with this label: Host of the page with the link; `direct` without one. Several are separated by commas, and a leading hyphen excludes them. */
                referrer?: string;
                /** @description Only clicks with this label: Preferred language of the browser. Several are separated by commas, and a leading hyphen excludes them. */
                language?: string;
                /** @description Only clicks with this label: `qr` for scanned codes, else `link`. Several are separated by commas, and a leading hyphen excludes them. */
                trigger?: string;
                /** @description Only clicks with this label: `utm_source` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmSource?: string;
                /** @description Only clicks with this label: `utm_medium` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmMedium?: string;
                /** @description Only clicks with this label: `utm_campaign` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmCampaign?: string;
                /** @description Only clicks with this label: `utm_term` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmTerm?: string;
                /** @description Only clicks with this label: `utm_content` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmContent?: string;
                /** @description Only clicks with this label: Destination of the click. Several are separated by commas, and a leading hyphen excludes them. */
                destination?: string;
                /** @description Only clicks with this label: The option of the link that chose the destination; `default` without one. Several are separated by commas, and a leading hyphen excludes them. */
                route?: string;
                /** @description Only clicks with this label: Id of the domain of the click; `default` for the shared host. Several are separated by commas, and a leading hyphen excludes them. */
                domain?: string;
                /** @description Only clicks on links of this id. Several are separated by commas, and a leading hyphen excludes them. */
                linkId?: string;
                /** @description Only clicks on links of this folder. Several are separated by commas, and a leading hyphen excludes them. */
                folderId?: string;
                /** @description Only clicks on links of this tag. Several are separated by commas, and a leading hyphen excludes them. */
                tag?: string;
                /** @description Only clicks on this domain. Several are separated by commas, and a leading hyphen excludes them. */
                domainId?: string;
                /** @description ISO 4217 code of the currency of `value`; `usd` by default. */
                currency?: string;
            };
        };
    };
    getDomainAnalytics: {
        parameters: {
            query?: {
                /** @description Number of calendar days, including today. */
                days?: number;
                /** @description Instead of `days`: the last 24 hours, so many days, the month, quarter or year to date, or all days since the workspace exists. */
                interval?: "24h" | "7d" | "30d" | "90d" | "1y" | "mtd" | "qtd" | "ytd" | "all";
                /** @description Instead of `interval`: the first moment, as a time or as a date of the time zone. The default is 30 days before `end`. */
                start?: string;
                /** @description The moment after the period, or its last date. The default is now. */
                end?: string;
                /** @description IANA time zone of the calendar days. */
                timezone?: string;
                /** @description Also count crawlers, link previews and prefetches. */
                includeBots?: boolean;
                /** @description Only clicks with this label: ISO country of the visitor. Several are separated by commas, and a leading hyphen excludes them. */
                country?: string;
                /** @description Only clicks with this label: Region of the visitor. Several are separated by commas, and a leading hyphen excludes them. */
                region?: string;
                /** @description Only clicks with this label: City of the visitor. Several are separated by commas, and a leading hyphen excludes them. */
                city?: string;
                /** @description Only clicks with this label: Continent of the visitor. Several are separated by commas, and a leading hyphen excludes them. */
                continent?: string;
                /** @description Only clicks with this label: Kind of device. Several are separated by commas, and a leading hyphen excludes them. */
                device?: string;
                /** @description Only clicks with this label: Name of the browser. Several are separated by commas, and a leading hyphen excludes them. */
                browser?: string;
                /** @description Only clicks with this label: Name of the operating system. Several are separated by commas, and a leading hyphen excludes them. */
                os?: string;
                /** @description Only clicks with this label: Host of the page with the link; `direct` without one. Several are separated by commas, and a leading hyphen excludes them. */
                referrer?: string;
                /** @description Only clicks with this label: Preferred language of the browser. Several are separated by commas, and a leading hyphen excludes them. */
                language?: string;
                /** @description Only clicks with this label: `qr` for scanned codes, else `link`. Several are separated by commas, and a leading hyphen excludes them. */
                trigger?: string;
                /** @description Only clicks with this label: `utm_source` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmSource?: string;
                /** @description Only clicks with this label: `utm_medium` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmMedium?: string;
                /** @description Only clicks with this label: `utm_campaign` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmCampaign?: string;
                /** @description Only clicks with this label: `utm_term` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmTerm?: string;
                /** @description Only clicks with this label: `utm_content` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmContent?: string;
                /** @description Only clicks with this label: Destination of the click. Several are separated by commas, and a leading hyphen excludes them. */
                destination?: string;
                /** @description Only clicks with this label: The option of the link that chose the destination; `default` without one. Several are separated by commas, and a leading hyphen excludes them. */
                route?: string;
                /** @description Only clicks with this label: Id of the domain of the click; `default` for the shared host. Several are separated by commas, and a leading hyphen excludes them. */
                domain?: string;
                /** @description Only clicks on links of this id. Several are separated by commas, and a leading hyphen excludes them. */
                linkId?: string;
                /** @description Only clicks on links of this campaign. Several are separated by commas, and a leading hyphen excludes them. */
                campaignId?: string;
                /** @description Only clicks on links of this folder. Several are separated by commas, and a leading hyphen excludes them. */
                folderId?: string;
                /** @description Only clicks on links of this tag. Several are separated by commas, and a leading hyphen excludes them. */
                tag?: string;
                /** @description ISO 4217 code of the currency of `value`; `usd` by default. */
                currency?: string;
            };
        };
    };
    getTimeseries: {
        parameters: {
            query?: {
                /** @description Number of calendar days, including today. */
                days?: number;
                /** @description Instead of `days`: the last 24 hours, so many days, the month, quarter or year to date, or all days since the workspace exists. */
                interval?: "24h" | "7d" | "30d" | "90d" | "1y" | "mtd" | "qtd" | "ytd" | "all";
                /** @description Instead of `interval`: the first moment, as a time or as a date of the time zone. The default is 30 days before `end`. */
                start?: string;
                /** @description The moment after the period, or its last date. The default is now. */
                end?: string;
                /** @description IANA time zone of the calendar days. */
                timezone?: string;
                /** @description Also count crawlers, link previews and prefetches. */
                includeBots?: boolean;
                /** @description Only clicks with this label: ISO country of the visitor. Several are separated by commas, and a leading hyphen excludes them. */
                country?: string;
                /** @description Only clicks with this label: Region of the visitor. Several are separated by commas, and a leading hyphen excludes them. */
                region?: string;
                /** @description Only clicks with this label: City of the visitor. Several are separated by commas, and a leading hyphen excludes them. */
                city?: string;
                /** @description Only clicks with this label: Continent of the visitor. Several are separated by commas, and a leading hyphen excludes them. */
                continent?: string;
                /** @description Only clicks with this label: Kind of device. Several are separated by commas, and a leading hyphen excludes them. */
                device?: string;
                /** @description Only clicks with this label: Name of the browser. Several are separated by commas, and a leading hyphen excludes them. */
                browser?: string;
                /** @description Only clicks with this label: Name of the operating system. Several are separated by commas, and a leading hyphen excludes them. */
                os?: string;
                /** @description Only clicks with this label: Host of the page with the link; `direct` without one. Several are separated by commas, and a leading hyphen excludes them. */
                referrer?: string;
                /** @description Only clicks with this label: Preferred language of the browser. Several are separated by commas, and a leading hyphen excludes them. */
                language?: string;
                /** @description Only clicks with this label: `qr` for scanned codes, else `link`. Several are separated by commas, and a leading hyphen excludes them. */
                trigger?: string;
                /** @description Only clicks with this label: `utm_source` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmSource?: string;
                /** @description Only clicks with this label: `utm_medium` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmMedium?: string;
                /** @description Only clicks with this label: `utm_campaign` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmCampaign?: string;
                /** @description Only clicks with this label: `utm_term` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmTerm?: string;
                /** @description Only clicks with this label: `utm_content` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmContent?: string;
                /** @description Only clicks with this label: Destination of the click. Several are separated by commas, and a leading hyphen excludes them. */
                destination?: string;
                /** @description Only clicks with this label: The option of the link that chose the destination; `default` without one. Several are separated by commas, and a leading hyphen excludes them. */
                route?: string;
                /** @description Only clicks with this label: Id of the domain of the click; `default` for the shared host. Several are separated by commas, and a leading hyphen excludes them. */
                domain?: string;
                /** @description Only clicks on links of this id. Several are separated by commas, and a leading hyphen excludes them. */
                linkId?: string;
                /** @description Only clicks on links of this campaign. Several are separated by commas, and a leading hyphen excludes them. */
                campaignId?: string;
                /** @description Only clicks on links of this folder. Several are separated by commas, and a leading hyphen excludes them. */
                folderId?: string;
                /** @description Only clicks on links of this tag. Several are separated by commas, and a leading hyphen excludes them. */
                tag?: string;
                /** @description Only clicks on this domain. Several are separated by commas, and a leading hyphen excludes them. */
                domainId?: string;
                /** @description ISO 4217 code of the currency of `value`; `usd` by default. */
                currency?: string;
                /** @description Length of a bucket, in the time zone; weeks begin on Monday. The default is hours up to two days, days up to 180, else months. */
                granularity?: "hour" | "day" | "week" | "month";
            };
        };
    };
    getTopLinks: {
        parameters: {
            query?: {
                /** @description Number of calendar days, including today. */
                days?: number;
                /** @description Instead of `days`: the last 24 hours, so many days, the month, quarter or year to date, or all days since the workspace exists. */
                interval?: "24h" | "7d" | "30d" | "90d" | "1y" | "mtd" | "qtd" | "ytd" | "all";
                /** @description Instead of `interval`: the first moment, as a time or as a date of the time zone. The default is 30 days before `end`. */
                start?: string;
                /** @description The moment after the period, or its last date. The default is now. */
                end?: string;
                /** @description IANA time zone of the calendar days. */
                timezone?: string;
                /** @description Also count crawlers, link previews and prefetches. */
                includeBots?: boolean;
                /** @description Only clicks with this label: ISO country of the visitor. Several are separated by commas, and a leading hyphen excludes them. */
                country?: string;
                /** @description Only clicks with this label: Region of the visitor. Several are separated by commas, and a leading hyphen excludes them. */
                region?: string;
                /** @description Only clicks with this label: City of the visitor. Several are separated by commas, and a leading hyphen excludes them. */
                city?: string;
                /** @description Only clicks with this label: Continent of the visitor. Several are separated by commas, and a leading hyphen excludes them. */
                continent?: string;
                /** @description Only clicks with this label: Kind of device. Several are separated by commas, and a leading hyphen excludes them. */
                device?: string;
                /** @description Only clicks with this label: Name of the browser. Several are separated by commas, and a leading hyphen excludes them. */
                browser?: string;
                /** @description Only clicks with this label: Name of the operating system. Several are separated by commas, and a leading hyphen excludes them. */
                os?: string;
                /** @description Only clicks with this label: Host of the page with the link; `direct` without one. Several are separated by commas, and a leading hyphen excludes them. */
                referrer?: string;
                /** @description Only clicks with this label: Preferred language of the browser. Several are separated by commas, and a leading hyphen excludes them. */
                language?: string;
                /** @description Only clicks with this label: `qr` for scanned codes, else `link`. Several are separated by commas, and a leading hyphen excludes them. */
                trigger?: string;
                /** @description Only clicks with this label: `utm_source` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmSource?: string;
                /** @description Only clicks with this label: `utm_medium` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmMedium?: string;
                /** @description Only clicks with this label: `utm_campaign` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmCampaign?: string;
                /** @description Only clicks with this label: `utm_term` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmTerm?: string;
                /** @description Only clicks with this label: `utm_content` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmContent?: string;
                /** @description Only clicks with this label: Destination of the click. Several are separated by commas, and a leading hyphen excludes them. */
                destination?: string;
                /** @description Only clicks with this label: The option of the link that chose the destination; `default` without one. Several are separated by commas, and a leading hyphen excludes them. */
                route?: string;
                /** @description Only clicks with this label: Id of the domain of the click; `default` for the shared host. Several are separated by commas, and a leading hyphen excludes them. */
                domain?: string;
                /** @description Only clicks on links of this id. Several are separated by commas, and a leading hyphen excludes them. */
                linkId?: string;
                /** @description Only clicks on links of this campaign. Several are separated by commas, and a leading hyphen excludes them. */
                campaignId?: string;
                /** @description Only clicks on links of this folder. Several are separated by commas, and a leading hyphen excludes them. */
                folderId?: string;
                /** @description Only clicks on links of this tag. Several are separated by commas, and a leading hyphen excludes them. */
                tag?: string;
                /** @description Only clicks on this domain. Several are separated by commas, and a leading hyphen excludes them. */
                domainId?: string;
                /** @description ISO 4217 code of the currency of `value`; `usd` by default. */
                currency?: string;
                /** @description Rows per page. More than 1,000 counts as 1,000. */
                limit?: number;
                /** @description How many rows to skip. */
                offset?: number;
            };
        };
    };
    getBreakdowns: {
        parameters: {
            query?: {
                /** @description Number of calendar days, including today. */
                days?: number;
                /** @description Instead of `days`: the last 24 hours, so many days, the month, quarter or year to date, or all days since the workspace exists. */
                interval?: "24h" | "7d" | "30d" | "90d" | "1y" | "mtd" | "qtd" | "ytd" | "all";
                /** @description Instead of `interval`: the first moment, as a time or as a date of the time zone. The default is 30 days before `end`. */
                start?: string;
                /** @description The moment after the period, or its last date. The default is now. */
                end?: string;
                /** @description IANA time zone of the calendar days. */
                timezone?: string;
                /** @description Also count crawlers, link previews and prefetches. */
                includeBots?: boolean;
                /** @description Only clicks with this label: ISO country of the visitor. Several are separated by commas, and a leading hyphen excludes them. */
                country?: string;
                /** @description Only clicks with this label: Region of the visitor. Several are separated by commas, and a leading hyphen excludes them. */
                region?: string;
                /** @description Only clicks with this label: City of the visitor. Several are separated by commas, and a leading hyphen excludes them. */
                city?: string;
                /** @description Only clicks with this label: Continent of the visitor. Several are separated by commas, and a leading hyphen excludes them. */
                continent?: string;
                /** @description Only clicks with this label: Kind of device. Several are separated by commas, and a leading hyphen excludes them. */
                device?: string;
                /** @description Only clicks with this label: Name of the browser. Several are separated by commas, and a leading hyphen excludes them. */
                browser?: string;
                /** @description Only clicks with this label: Name of the operating system. Several are separated by commas, and a leading hyphen excludes them. */
                os?: string;
                /** @description Only clicks with this label: Host of the page with the link; `direct` without one. Several are separated by commas, and a leading hyphen excludes them. */
                referrer?: string;
                /** @description Only clicks with this label: Preferred language of the browser. Several are separated by commas, and a leading hyphen excludes them. */
                language?: string;
                /** @description Only clicks with this label: `qr` for scanned codes, else `link`. Several are separated by commas, and a leading hyphen excludes them. */
                trigger?: string;
                /** @description Only clicks with this label: `utm_source` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmSource?: string;
                /** @description Only clicks with this label: `utm_medium` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmMedium?: string;
                /** @description Only clicks with this label: `utm_campaign` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmCampaign?: string;
                /** @description Only clicks with this label: `utm_term` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmTerm?: string;
                /** @description Only clicks with this label: `utm_content` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmContent?: string;
                /** @description Only clicks with this label: Destination of the click. Several are separated by commas, and a leading hyphen excludes them. */
                destination?: string;
                /** @description Only clicks with this label: The option of the link that chose the destination; `default` without one. Several are separated by commas, and a leading hyphen excludes them. */
                route?: string;
                /** @description Only clicks with this label: Id of the domain of the click; `default` for the shared host. Several are separated by commas, and a leading hyphen excludes them. */
                domain?: string;
                /** @description Only clicks on links of this id. Several are separated by commas, and a leading hyphen excludes them. */
                linkId?: string;
                /** @description Only clicks on links of this campaign. Several are separated by commas, and a leading hyphen excludes them. */
                campaignId?: string;
                /** @description Only clicks on links of this folder. Several are separated by commas, and a leading hyphen excludes them. */
                folderId?: string;
                /** @description Only clicks on links of this tag. Several are separated by commas, and a leading hyphen excludes them. */
                tag?: string;
                /** @description Only clicks on this domain. Several are separated by commas, and a leading hyphen excludes them. */
                domainId?: string;
                /** @description ISO 4217 code of the currency of `value`; `usd` by default. */
                currency?: string;
            };
        };
    };
    getBreakdown: {
        parameters: {
            query?: {
                /** @description Number of calendar days, including today. */
                days?: number;
                /** @description Instead of `days`: the last 24 hours, so many days, the month, quarter or year to date, or all days since the workspace exists. */
                interval?: "24h" | "7d" | "30d" | "90d" | "1y" | "mtd" | "qtd" | "ytd" | "all";
                /** @description Instead of `interval`: the first moment, as a time or as a date of the time zone. The default is 30 days before `end`. */
                start?: string;
                /** @description The moment after the period, or its last date. The default is now. */
                end?: string;
                /** @description IANA time zone of the calendar days. */
                timezone?: string;
                /** @description Also count crawlers, link previews and prefetches. */
                includeBots?: boolean;
                /** @description Only clicks with this label: ISO country of the visitor. Several are separated by commas, and a leading hyphen excludes them. */
                country?: string;
                /** @description Only clicks with this label: Region of the visitor. Several are separated by commas, and a leading hyphen excludes them. */
                region?: string;
                /** @description Only clicks with this label: City of the visitor. Several are separated by commas, and a leading hyphen excludes them. */
                city?: string;
                /** @description Only clicks with this label: Continent of the visitor. Several are separated by commas, and a leading hyphen excludes them. */
                continent?: string;
                /** @description Only clicks with this label: Kind of device. Several are separated by commas, and a leading hyphen excludes them. */
                device?: string;
                /** @description Only clicks with this label: Name of the browser. Several are separated by commas, and a leading hyphen excludes them. */
                browser?: string;
                /** @description Only clicks with this label: Name of the operating system. Several are separated by commas, and a leading hyphen excludes them. */
                os?: string;
                /** @description Only clicks with this label: Host of the page with the link; `direct` without one. Several are separated by commas, and a leading hyphen excludes them. */
                referrer?: string;
                /** @description Only clicks with this label: Preferred language of the browser. Several are separated by commas, and a leading hyphen excludes them. */
                language?: string;
                /** @description Only clicks with this label: `qr` for scanned codes, else `link`. Several are separated by commas, and a leading hyphen excludes them. */
                trigger?: string;
                /** @description Only clicks with this label: `utm_source` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmSource?: string;
                /** @description Only clicks with this label: `utm_medium` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmMedium?: string;
                /** @description Only clicks with this label: `utm_campaign` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmCampaign?: string;
                /** @description Only clicks with this label: `utm_term` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmTerm?: string;
                /** @description Only clicks with this label: `utm_content` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmContent?: string;
                /** @description Only clicks with this label: Destination of the click. Several are separated by commas, and a leading hyphen excludes them. */
                destination?: string;
                /** @description Only clicks with this label: The option of the link that chose the destination; `default` without one. Several are separated by commas, and a leading hyphen excludes them. */
                route?: string;
                /** @description Only clicks with this label: Id of the domain of the click; `default` for the shared host. Several are separated by commas, and a leading hyphen excludes them. */
                domain?: string;
                /** @description Only clicks on links of this id. Several are separated by commas, and a leading hyphen excludes them. */
                linkId?: string;
                /** @description Only clicks on links of this campaign. Several are separated by commas, and a leading hyphen excludes them. */
                campaignId?: string;
                /** @description Only clicks on links of this folder. Several are separated by commas, and a leading hyphen excludes them. */
                folderId?: string;
                /** @description Only clicks on links of this tag. Several are separated by commas, and a leading hyphen excludes them. */
                tag?: string;
                /** @description Only clicks on this domain. Several are separated by commas, and a leading hyphen excludes them. */
                domainId?: string;
                /** @description ISO 4217 code of the currency of `value`; `usd` by default. */
                currency?: string;
                /** @description Rows per page. More than 1,000 counts as 1,000. */
                limit?: number;
                /** @description How many rows to skip. */
                offset?: number;
            };
        };
    };
    queryAnalytics: {
        parameters: {
            query?: {
                /** @description What is counted. Leads and sales are conversions; `saleAmount` is the value of those in US dollars, in cents. */
                event?: "clicks" | "leads" | "sales" | "composite";
                /** @description What the rows stand for. */
                groupBy?: "count" | "timeseries" | "top_links" | "continents" | "countries" | "regions" | "cities" | "devices" | "browsers" | "os" | "triggers" | "referers" | "top_urls" | "utm_sources" | "utm_mediums" | "utm_campaigns" | "utm_terms" | "utm_contents";
                /** @description Number of calendar days, including today. */
                days?: number;
                /** @description Instead of `days`: the last 24 hours, so many days, the month, quarter or year to date, or all days since the workspace exists. */
                interval?: "24h" | "7d" | "30d" | "90d" | "1y" | "mtd" | "qtd" | "ytd" | "all";
                /** @description Instead of `interval`: the first moment, as a time or as a date of the time zone. The default is 30 days before `end`. */
                start?: string;
                /** @description The moment after the period, or its last date. The default is now. */
                end?: string;
                /** @description IANA time zone of the calendar days. */
                timezone?: string;
                /** @description Length of a bucket, in the time zone; weeks begin on Monday. The default is hours up to two days, days up to 180, else months. */
                granularity?: "hour" | "day" | "week" | "month";
                /** @description Only clicks with this link; several are separated by commas. */
                linkId?: string;
                /** @description Only clicks with this folder of the link; several are separated by commas. */
                folderId?: string;
                /** @description Only clicks with this tag of the link; several are separated by commas. */
                tag?: string;
                /** @description Only clicks with this domain, by its id, or `default` for the shared host; several are separated by commas. */
                domain?: string;
                /** @description Only clicks with this country; several are separated by commas. */
                country?: string;
                /** @description Only clicks with this city; several are separated by commas. */
                city?: string;
                /** @description Only clicks with this region; several are separated by commas. */
                region?: string;
                /** @description Only clicks with this continent; several are separated by commas. */
                continent?: string;
                /** @description Only clicks with this kind of device; several are separated by commas. */
                device?: string;
                /** @description Only clicks with this browser; several are separated by commas. */
                browser?: string;
                /** @description Only clicks with this operating system; several are separated by commas. */
                os?: string;
                /** @description Only clicks with this trigger; several are separated by commas. */
                trigger?: string;
                /** @description Only clicks with this referrer; several are separated by commas. */
                referer?: string;
                /** @description Only clicks with this destination; several are separated by commas. */
                url?: string;
                /** @description Only clicks with this UTM source; several are separated by commas. */
                utm_source?: string;
                /** @description Only clicks with this UTM medium; several are separated by commas. */
                utm_medium?: string;
                /** @description Only clicks with this UTM campaign; several are separated by commas. */
                utm_campaign?: string;
                /** @description Only clicks with this UTM term; several are separated by commas. */
                utm_term?: string;
                /** @description Only clicks with this UTM content; several are separated by commas. */
                utm_content?: string;
            };
        };
    };
    getAnalyticsSummary: {
        parameters: {
            query?: {
                /** @description Number of calendar days, including today. */
                days?: number;
                /** @description Instead of `days`: the last 24 hours, so many days, the month, quarter or year to date, or all days since the workspace exists. */
                interval?: "24h" | "7d" | "30d" | "90d" | "1y" | "mtd" | "qtd" | "ytd" | "all";
                /** @description Instead of `interval`: the first moment, as a time or as a date of the time zone. The default is 30 days before `end`. */
                start?: string;
                /** @description The moment after the period, or its last date. The default is now. */
                end?: string;
                /** @description IANA time zone of the calendar days. */
                timezone?: string;
                /** @description Also count crawlers, link previews and prefetches. */
                includeBots?: boolean;
                /** @description Only clicks with this label: ISO country of the visitor. Several are separated by commas, and a leading hyphen excludes them. */
                country?: string;
                /** @description Only clicks with this label: Region of the visitor. Several are separated by commas, and a leading hyphen excludes them. */
                region?: string;
                /** @description Only clicks with this label: City of the visitor. Several are separated by commas, and a leading hyphen excludes them. */
                city?: string;
                /** @description Only clicks with this label: Continent of the visitor. Several are separated by commas, and a leading hyphen excludes them. */
                continent?: string;
                /** @description Only clicks with this label: Kind of device. Several are separated by commas, and a leading hyphen excludes them. */
                device?: string;
                /** @description Only clicks with this label: Name of the browser. Several are separated by commas, and a leading hyphen excludes them. */
                browser?: string;
                /** @description Only clicks with this label: Name of the operating system. Several are separated by commas, and a leading hyphen excludes them. */
                os?: string;
                /** @description Only clicks with this label: Host of the page with the link; `direct` without one. Several are separated by commas, and a leading hyphen excludes them. */
                referrer?: string;
                /** @description Only clicks with this label: Preferred language of the browser. Several are separated by commas, and a leading hyphen excludes them. */
                language?: string;
                /** @description Only clicks with this label: `qr` for scanned codes, else `link`. Several are separated by commas, and a leading hyphen excludes them. */
                trigger?: string;
                /** @description Only clicks with this label: `utm_source` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmSource?: string;
                /** @description Only clicks with this label: `utm_medium` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmMedium?: string;
                /** @description Only clicks with this label: `utm_campaign` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmCampaign?: string;
                /** @description Only clicks with this label: `utm_term` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmTerm?: string;
                /** @description Only clicks with this label: `utm_content` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmContent?: string;
                /** @description Only clicks with this label: Destination of the click. Several are separated by commas, and a leading hyphen excludes them. */
                destination?: string;
                /** @description Only clicks with this label: The option of the link that chose the destination; `default` without one. Several are separated by commas, and a leading hyphen excludes them. */
                route?: string;
                /** @description Only clicks with this label: Id of the domain of the click; `default` for the shared host. Several are separated by commas, and a leading hyphen excludes them. */
                domain?: string;
                /** @description Only clicks on links of this id. Several are separated by commas, and a leading hyphen excludes them. */
                linkId?: string;
                /** @description Only clicks on links of this campaign. Several are separated by commas, and a leading hyphen excludes them. */
                campaignId?: string;
                /** @description Only clicks on links of this folder. Several are separated by commas, and a leading hyphen excludes them. */
                folderId?: string;
                /** @description Only clicks on links of this tag. Several are separated by commas, and a leading hyphen excludes them. */
                tag?: string;
                /** @description Only clicks on this domain. Several are separated by commas, and a leading hyphen excludes them. */
                domainId?: string;
                /** @description ISO 4217 code of the currency of `value`; `usd` by default. */
                currency?: string;
                /** @description Length of a bucket, in the time zone; weeks begin on Monday. The default is hours up to two days, days up to 180, else months. */
                granularity?: "hour" | "day" | "week" | "month";
                /** @description What to compare with: `previous`, as many days before; `year`, the same dates a year before; or a start and an end. */
                compare?: string;
            };
        };
    };
    getFilterValues: {
        parameters: {
            query?: {
                /** @description Number of calendar days, including today. */
                days?: number;
                /** @description Instead of `days`: the last 24 hours, so many days, the month, quarter or year to date, or all days since the workspace exists. */
                interval?: "24h" | "7d" | "30d" | "90d" | "1y" | "mtd" | "qtd" | "ytd" | "all";
                /** @description Instead of `interval`: the first moment, as a time or as a date of the time zone. The default is 30 days before `end`. */
                start?: string;
                /** @description The moment after the period, or its last date. The default is now. */
                end?: string;
                /** @description IANA time zone of the calendar days. */
                timezone?: string;
                /** @description Also count crawlers, link previews and prefetches. */
                includeBots?: boolean;
                /** @description Only clicks with this label: ISO country of the visitor. Several are separated by commas, and a leading hyphen excludes them. */
                country?: string;
                /** @description Only clicks with this label: Region of the visitor. Several are separated by commas, and a leading hyphen excludes them. */
                region?: string;
                /** @description Only clicks with this label: City of the visitor. Several are separated by commas, and a leading hyphen excludes them. */
                city?: string;
                /** @description Only clicks with this label: Continent of the visitor. Several are separated by commas, and a leading hyphen excludes them. */
                continent?: string;
                /** @description Only clicks with this label: Kind of device. Several are separated by commas, and a leading hyphen excludes them. */
                device?: string;
                /** @description Only clicks with this label: Name of the browser. Several are separated by commas, and a leading hyphen excludes them. */
                browser?: string;
                /** @description Only clicks with this label: Name of the operating system. Several are separated by commas, and a leading hyphen excludes them. */
                os?: string;
                /** @description Only clicks with this label: Host of the page with the link; `direct` without one. Several are separated by commas, and a leading hyphen excludes them. */
                referrer?: string;
                /** @description Only clicks with this label: Preferred language of the browser. Several are separated by commas, and a leading hyphen excludes them. */
                language?: string;
                /** @description Only clicks with this label: `qr` for scanned codes, else `link`. Several are separated by commas, and a leading hyphen excludes them. */
                trigger?: string;
                /** @description Only clicks with this label: `utm_source` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmSource?: string;
                /** @description Only clicks with this label: `utm_medium` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmMedium?: string;
                /** @description Only clicks with this label: `utm_campaign` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmCampaign?: string;
                /** @description Only clicks with this label: `utm_term` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmTerm?: string;
                /** @description Only clicks with this label: `utm_content` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmContent?: string;
                /** @description Only clicks with this label: Destination of the click. Several are separated by commas, and a leading hyphen excludes them. */
                destination?: string;
                /** @description Only clicks with this label: The option of the link that chose the destination; `default` without one. Several are separated by commas, and a leading hyphen excludes them. */
                route?: string;
                /** @description Only clicks with this label: Id of the domain of the click; `default` for the shared host. Several are separated by commas, and a leading hyphen excludes them. */
                domain?: string;
                /** @description Only clicks on links of this id. Several are separated by commas, and a leading hyphen excludes them. */
                linkId?: string;
                /** @description Only clicks on links of this campaign. Several are separated by commas, and a leading hyphen excludes them. */
                campaignId?: string;
                /** @description Only clicks on links of this folder. Several are separated by commas, and a leading hyphen excludes them. */
                folderId?: string;
                /** @description Only clicks on links of this tag. Several are separated by commas, and a leading hyphen excludes them. */
                tag?: string;
                /** @description Only clicks on this domain. Several are separated by commas, and a leading hyphen excludes them. */
                domainId?: string;
                /** @description ISO 4217 code of the currency of `value`; `usd` by default. */
                currency?: string;
                /** @description Only labels that contain this text, in any case of letters. */
                q?: string;
                /** @description Labels of the answer. More than 1,000 counts as 1,000. */
                limit?: number;
            };
        };
    };
    getBioPageAnalytics: {
        parameters: {
            query?: {
                /** @description Number of calendar days, including today. */
                days?: number;
                /** @description Instead of `days`: the last 24 hours, so many days, the month, quarter or year to date, or all days since the workspace exists. */
                interval?: "24h" | "7d" | "30d" | "90d" | "1y" | "mtd" | "qtd" | "ytd" | "all";
                /** @description Instead of `interval`: the first moment, as a time or as a date of the time zone. The default is 30 days before `end`. */
                start?: string;
                /** @description The moment after the period, or its last date. The default is now. */
                end?: string;
                /** @description IANA time zone of the calendar days. */
                timezone?: string;
                /** @description Also count clicks by crawlers, link previews and prefetches. Views by them are never counted. */
                includeBots?: boolean;
                /** @description Only clicks with this label: ISO country of the visitor. Several are separated by commas, and a leading hyphen excludes them. */
                country?: string;
                /** @description Only clicks with this label: Region of the visitor. Several are separated by commas, and a leading hyphen excludes them. */
                region?: string;
                /** @description Only clicks with this label: City of the visitor. Several are separated by commas, and a leading hyphen excludes them. */
                city?: string;
                /** @description Only clicks with this label: Continent of the visitor. Several are separated by commas, and a leading hyphen excludes them. */
                continent?: string;
                /** @description Only clicks with this label: Kind of device. Several are separated by commas, and a leading hyphen excludes them. */
                device?: string;
                /** @description Only clicks with this label: Name of the browser. Several are separated by commas, and a leading hyphen excludes them. */
                browser?: string;
                /** @description Only clicks with this label: Name of the operating system. Several are separated by commas, and a leading hyphen excludes them. */
                os?: string;
                /** @description Only clicks with this label: Host of the page with the link; `direct` without one. Several are separated by commas, and a leading hyphen excludes them. */
                referrer?: string;
                /** @description Only clicks with this label: Preferred language of the browser. Several are separated by commas, and a leading hyphen excludes them. */
                language?: string;
                /** @description Only clicks with this label: `qr` for scanned codes, else `link`. Several are separated by commas, and a leading hyphen excludes them. */
                trigger?: string;
                /** @description Only clicks with this label: `utm_source` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmSource?: string;
                /** @description Only clicks with this label: `utm_medium` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmMedium?: string;
                /** @description Only clicks with this label: `utm_campaign` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmCampaign?: string;
                /** @description Only clicks with this label: `utm_term` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmTerm?: string;
                /** @description Only clicks with this label: `utm_content` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmContent?: string;
                /** @description Only clicks with this label: Destination of the click. Several are separated by commas, and a leading hyphen excludes them. */
                destination?: string;
                /** @description Only clicks with this label: The option of the link that chose the destination; `default` without one. Several are separated by commas, and a leading hyphen excludes them. */
                route?: string;
                /** @description Only clicks with this label: Id of the domain of the click; `default` for the shared host. Several are separated by commas, and a leading hyphen excludes them. */
                domain?: string;
                /** @description Only clicks on this domain. Several are separated by commas, and a leading hyphen excludes them. */
                domainId?: string;
                /** @description Length of a bucket, in the time zone; weeks begin on Monday. The default is hours up to two days, days up to 180, else months. */
                granularity?: "hour" | "day" | "week" | "month";
            };
        };
    };
    listClicks: {
        parameters: {
            query?: {
                /** @description Number of calendar days, including today. */
                days?: number;
                /** @description Instead of `days`: the last 24 hours, so many days, the month, quarter or year to date, or all days since the workspace exists. */
                interval?: "24h" | "7d" | "30d" | "90d" | "1y" | "mtd" | "qtd" | "ytd" | "all";
                /** @description Instead of `interval`: the first moment, as a time or as a date of the time zone. The default is 30 days before `end`. */
                start?: string;
                /** @description The moment after the period, or its last date. The default is now. */
                end?: string;
                /** @description IANA time zone of the calendar days. */
                timezone?: string;
                /** @description Only clicks with this label: ISO country of the visitor. Several are separated by commas, and a leading hyphen excludes them. */
                country?: string;
                /** @description Only clicks with this label: Region of the visitor. Several are separated by commas, and a leading hyphen excludes them. */
                region?: string;
                /** @description Only clicks with this label: City of the visitor. Several are separated by commas, and a leading hyphen excludes them. */
                city?: string;
                /** @description Only clicks with this label: Continent of the visitor. Several are separated by commas, and a leading hyphen excludes them. */
                continent?: string;
                /** @description Only clicks with this label: Kind of device. Several are separated by commas, and a leading hyphen excludes them. */
                device?: string;
                /** @description Only clicks with this label: Name of the browser. Several are separated by commas, and a leading hyphen excludes them. */
                browser?: string;
                /** @description Only clicks with this label: Name of the operating system. Several are separated by commas, and a leading hyphen excludes them. */
                os?: string;
                /** @description Only clicks with this label: Host of the page with the link; `direct` without one. Several are separated by commas, and a leading hyphen excludes them. */
                referrer?: string;
                /** @description Only clicks with this label: Preferred language of the browser. Several are separated by commas, and a leading hyphen excludes them. */
                language?: string;
                /** @description Only clicks with this label: `qr` for scanned codes, else `link`. Several are separated by commas, and a leading hyphen excludes them. */
                trigger?: string;
                /** @description Only clicks with this label: `utm_source` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmSource?: string;
                /** @description Only clicks with this label: `utm_medium` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmMedium?: string;
                /** @description Only clicks with this label: `utm_campaign` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmCampaign?: string;
                /** @description Only clicks with this label: `utm_term` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmTerm?: string;
                /** @description Only clicks with this label: `utm_content` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmContent?: string;
                /** @description Only clicks with this label: Destination of the click. Several are separated by commas, and a leading hyphen excludes them. */
                destination?: string;
                /** @description Only clicks with this label: The option of the link that chose the destination; `default` without one. Several are separated by commas, and a leading hyphen excludes them. */
                route?: string;
                /** @description Only clicks with this label: Id of the domain of the click; `default` for the shared host. Several are separated by commas, and a leading hyphen excludes them. */
                domain?: string;
                /** @description Only clicks on links of this id. Several are separated by commas, and a leading hyphen excludes them. */
                linkId?: string;
                /** @description Only clicks on links of this campaign. Several are separated by commas, and a leading hyphen excludes them. */
                campaignId?: string;
                /** @description Only clicks on links of this folder. Several are separated by commas, and a leading hyphen excludes them. */
                folderId?: string;
                /** @description Only clicks on links of this tag. Several are separated by commas, and a leading hyphen excludes them. */
                tag?: string;
                /** @description Only clicks on this domain. Several are separated by commas, and a leading hyphen excludes them. */
                domainId?: string;
                /** @description Which clicks: `human` ones count; the others are crawlers, link previews and prefetches. */
                kind?: "human" | "bot" | "preview" | "prefetch" | "all";
                /** @description Rows per page. More than 100 counts as 100. */
                limit?: number;
                /** @description How many rows to skip; beyond 10,000 use `cursor`. */
                offset?: number;
                /** @description `meta.nextCursor` of the page before, with the same filters. */
                cursor?: string;
            };
        };
    };
    listConversions: {
        parameters: {
            query?: {
                /** @description Number of calendar days, including today. */
                days?: number;
                /** @description Instead of `days`: the last 24 hours, so many days, the month, quarter or year to date, or all days since the workspace exists. */
                interval?: "24h" | "7d" | "30d" | "90d" | "1y" | "mtd" | "qtd" | "ytd" | "all";
                /** @description Instead of `interval`: the first moment, as a time or as a date of the time zone. The default is 30 days before `end`. */
                start?: string;
                /** @description The moment after the period, or its last date. The default is now. */
                end?: string;
                /** @description IANA time zone of the calendar days. */
                timezone?: string;
                /** @description Only conversions attributed to this link. */
                linkId?: string;
                /** @description Only conversions of this type. */
                type?: "lead" | "sale" | "custom";
                /** @description Only conversions in this currency. */
                currency?: string;
                /** @description Only conversions of this customer. */
                customerId?: string;
                /** @description Rows per page. More than 100 counts as 100. */
                limit?: number;
                /** @description How many rows to skip. */
                offset?: number;
            };
        };
    };
    exportClicks: {
        parameters: {
            query?: {
                /** @description Number of calendar days, including today. */
                days?: number;
                /** @description Instead of `days`: the last 24 hours, so many days, the month, quarter or year to date, or all days since the workspace exists. */
                interval?: "24h" | "7d" | "30d" | "90d" | "1y" | "mtd" | "qtd" | "ytd" | "all";
                /** @description Instead of `interval`: the first moment, as a time or as a date of the time zone. The default is 30 days before `end`. */
                start?: string;
                /** @description The moment after the period, or its last date. The default is now. */
                end?: string;
                /** @description IANA time zone of the calendar days. */
                timezone?: string;
                /** @description Only clicks with this label: ISO country of the visitor. Several are separated by commas, and a leading hyphen excludes them. */
                country?: string;
                /** @description Only clicks with this label: Region of the visitor. Several are separated by commas, and a leading hyphen excludes them. */
                region?: string;
                /** @description Only clicks with this label: City of the visitor. Several are separated by commas, and a leading hyphen excludes them. */
                city?: string;
                /** @description Only clicks with this label: Continent of the visitor. Several are separated by commas, and a leading hyphen excludes them. */
                continent?: string;
                /** @description Only clicks with this label: Kind of device. Several are separated by commas, and a leading hyphen excludes them. */
                device?: string;
                /** @description Only clicks with this label: Name of the browser. Several are separated by commas, and a leading hyphen excludes them. */
                browser?: string;
                /** @description Only clicks with this label: Name of the operating system. Several are separated by commas, and a leading hyphen excludes them. */
                os?: string;
                /** @description Only clicks with this label: Host of the page with the link; `direct` without one. Several are separated by commas, and a leading hyphen excludes them. */
                referrer?: string;
                /** @description Only clicks with this label: Preferred language of the browser. Several are separated by commas, and a leading hyphen excludes them. */
                language?: string;
                /** @description Only clicks with this label: `qr` for scanned codes, else `link`. Several are separated by commas, and a leading hyphen excludes them. */
                trigger?: string;
                /** @description Only clicks with this label: `utm_source` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmSource?: string;
                /** @description Only clicks with this label: `utm_medium` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmMedium?: string;
                /** @description Only clicks with this label: `utm_campaign` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmCampaign?: string;
                /** @description Only clicks with this label: `utm_term` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmTerm?: string;
                /** @description Only clicks with this label: `utm_content` of the click. Several are separated by commas, and a leading hyphen excludes them. */
                utmContent?: string;
                /** @description Only clicks with this label: Destination of the click. Several are separated by commas, and a leading hyphen excludes them. */
                destination?: string;
                /** @description Only clicks with this label: The option of the link that chose the destination; `default` without one. Several are separated by commas, and a leading hyphen excludes them. */
                route?: string;
                /** @description Only clicks with this label: Id of the domain of the click; `default` for the shared host. Several are separated by commas, and a leading hyphen excludes them. */
                domain?: string;
                /** @description Only clicks on links of this id. Several are separated by commas, and a leading hyphen excludes them. */
                linkId?: string;
                /** @description Only clicks on links of this campaign. Several are separated by commas, and a leading hyphen excludes them. */
                campaignId?: string;
                /** @description Only clicks on links of this folder. Several are separated by commas, and a leading hyphen excludes them. */
                folderId?: string;
                /** @description Only clicks on links of this tag. Several are separated by commas, and a leading hyphen excludes them. */
                tag?: string;
                /** @description Only clicks on this domain. Several are separated by commas, and a leading hyphen excludes them. */
                domainId?: string;
                /** @description Which clicks: `human` ones count; the others are crawlers, link previews and prefetches. */
                kind?: "human" | "bot" | "preview" | "prefetch" | "all";
                /** @description A file for spreadsheets, or a list of objects. */
                format?: "csv" | "json";
            };
        };
    };
    streamClicks: {
        parameters: {
            query?: {
                /** @description Only clicks of this link. */
                linkId?: string;
                /** @description The stream ends after this time. 0 sends what came after `Last-Event-ID`, and ends. */
                maxSeconds?: number;
            };
        };
    };
    listDashboards: {
        parameters: {
            query?: {
                /** @description Rows per page. More than 100 counts as 100. */
                limit?: number;
                /** @description How many rows to skip. */
                offset?: number;
                /** @description Only dashboards of this link. */
                linkId?: string;
                /** @description Only dashboards of this campaign. */
                campaignId?: string;
                /** @description Only dashboards of this folder. */
                folderId?: string;
            };
        };
    };
    listReports: {
        parameters: {
            query?: {
                /** @description Rows per page. More than 100 counts as 100. */
                limit?: number;
                /** @description How many rows to skip. */
                offset?: number;
            };
        };
    };
    listAlerts: {
        parameters: {
            query?: {
                /** @description Rows per page. More than 100 counts as 100. */
                limit?: number;
                /** @description How many rows to skip. */
                offset?: number;
            };
        };
    };
    locateAddress: {
        parameters: {
            query?: {
                /** @description The address to look up, for owners and admins; without it, your own. */
                ip?: string;
            };
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                /** @description Rows per page. More than 100 counts as 100. */
                limit?: number;
                /** @description How many rows to skip. */
                offset?: number;
                /** @description Only keys that users made, or only those of allowed apps. */
                kind?: "key" | "app";
            };
        };
    };
    listMembers: {
        parameters: {
            query?: {
                /** @description Rows per page. More than 100 counts as 100. */
                limit?: number;
                /** @description How many rows to skip. */
                offset?: number;
            };
        };
    };
    listInvitations: {
        parameters: {
            query?: {
                /** @description Rows per page. More than 100 counts as 100. */
                limit?: number;
                /** @description How many rows to skip. */
                offset?: number;
                /** @description Only invitations of this status. */
                status?: "pending" | "accepted" | "rejected" | "canceled" | "expired";
            };
        };
    };
    listAuditLog: {
        parameters: {
            query?: {
                /** @description Rows per page. More than 100 counts as 100. */
                limit?: number;
                /** @description How many rows to skip. */
                offset?: number;
                /** @description Only entries with this action. */
                action?: "link.created" | "link.updated" | "link.deleted" | "link.restored" | "link.blocked" | "link.unblocked" | "folder.created" | "folder.updated" | "folder.deleted" | "media.created" | "media.deleted" | "bio_page.created" | "bio_page.updated" | "bio_page.deleted" | "tag.renamed" | "tag.deleted" | "campaign.created" | "campaign.updated" | "campaign.completed" | "campaign.deleted" | "link_view.created" | "link_view.updated" | "link_view.deleted" | "utm_template.created" | "utm_template.updated" | "utm_template.deleted" | "dashboard.created" | "dashboard.updated" | "dashboard.rotated" | "dashboard.deleted" | "alert.created" | "alert.updated" | "alert.deleted" | "report.created" | "report.updated" | "report.canceled" | "report.deleted" | "domain.created" | "domain.updated" | "domain.verified" | "domain.failed" | "domain.deleted" | "webhook.created" | "webhook.updated" | "webhook.deleted" | "webhook.auto_paused" | "webhook.secret_viewed" | "webhook.secret_rotated" | "webhook.tested" | "webhook.dispatched" | "webhook.replayed" | "webhook.delivery_retried" | "webhook.deliveries_retried" | "api_key.created" | "api_key.updated" | "api_key.rotated" | "api_key.revoked" | "member.joined" | "member.role_changed" | "member.role_set" | "member.removed" | "member.left" | "invitation.created" | "invitation.renewed" | "invitation.link_created" | "invitation.canceled" | "invitation.accepted" | "invitation.rejected" | "workspace.created" | "workspace.updated" | "workspace.suspended" | "workspace.resumed" | "workspace.rate_limit_set" | "billing.plan_changed" | "billing.subscription_updated";
                /** @description Only changes by this user or API key. */
                actorId?: string;
                /** @description Only changes of objects of this type. */
                targetType?: string;
                /** @description Only changes of this object. */
                targetId?: string;
                /** @description Only rows of this time or later. */
                from?: string;
                /** @description Only rows before this time. */
                to?: string;
            };
        };
    };
    listSecurityLog: {
        parameters: {
            query?: {
                /** @description Rows per page. More than 100 counts as 100. */
                limit?: number;
                /** @description How many rows to skip. */
                offset?: number;
                /** @description Only entries of this type. */
                type?: "sign_up.requested" | "sign_in.succeeded" | "sign_in.failed" | "sign_out" | "email.verified" | "email.changed" | "password.changed" | "password.reset_requested" | "password.reset" | "session.revoked" | "two_factor.enabled" | "two_factor.disabled" | "two_factor.failed" | "backup_codes.used" | "backup_codes.replaced" | "passkey.added" | "passkey.removed" | "account.linked" | "account.unlinked" | "account.deleted" | "operator.added" | "operator.removed" | "api_key.created" | "api_key.rotated" | "api_key.revoked" | "api_key.ip_denied" | "member.invited" | "member.joined" | "member.role_changed" | "member.removed" | "webhook.secret_viewed" | "webhook.secret_rotated" | "workspace.deleted" | "workspace.suspended" | "workspace.resumed";
                /** @description Only entries with this outcome. */
                outcome?: "success" | "failure";
                /** @description Only events by this user or API key. */
                actorId?: string;
                /** @description Only events that affect this user. */
                userId?: string;
                /** @description Only rows of this time or later. */
                from?: string;
                /** @description Only rows before this time. */
                to?: string;
            };
        };
    };
    listPlans: {
        parameters: {
            query?: {
                /** @description Rows per page. More than 100 counts as 100. */
                limit?: number;
                /** @description How many rows to skip. */
                offset?: number;
            };
        };
    };
    listInvoices: {
        parameters: {
            query?: {
                /** @description Rows per page. More than 100 counts as 100. */
                limit?: number;
                /** @description How many rows to skip. */
                offset?: number;
            };
        };
    };
    listPaymentMethods: {
        parameters: {
            query?: {
                /** @description Rows per page. More than 100 counts as 100. */
                limit?: number;
                /** @description How many rows to skip. */
                offset?: number;
            };
        };
    };
    listAbuseReports: {
        parameters: {
            query?: {
                /** @description Only reports with this status. */
                status?: "open" | "resolved";
                /** @description Only reports about this link. */
                linkId?: string;
                /** @description Rows per page. More than 100 counts as 100. */
                limit?: number;
                /** @description How many rows to skip. */
                offset?: number;
            };
        };
    };
    listWebhookEndpoints: {
        parameters: {
            query?: {
                /** @description Rows per page. More than 100 counts as 100. */
                limit?: number;
                /** @description How many rows to skip. */
                offset?: number;
                /** @description Adds to each endpoint its attempts of the last 24 hours. */
                stats?: "24h";
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: {
                /** @description Hours in which deliveries are signed with the previous secret as well; 0 when absent. */
                overlapHours?: number;
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description Only deliveries to this endpoint. */
                endpointId?: string;
                /** @description Only deliveries of this status. */
                status?: "pending" | "processing" | "completed" | "failed" | "dead_letter";
                /** @description Only deliveries of this type. */
                eventType?: "link.created" | "link.updated" | "link.deleted" | "domain.verified" | "domain.failed" | "click.received" | "conversion.received" | "campaign.completed" | "report.generated" | "billing.subscription.updated";
                /** @description Only deliveries of this event, including its replays. */
                eventId?: string;
                /** @description Only deliveries whose latest attempt was answered with this HTTP status. */
                responseStatus?: number;
                /** @description Only deliveries queued at this time or later. */
                from?: string;
                /** @description Only deliveries queued before this time. */
                to?: string;
                /** @description Rows per page. More than 100 counts as 100. */
                limit?: number;
                /** @description How many rows to skip. */
                offset?: number;
            };
        };
    };
    countWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description Only deliveries to this endpoint. */
                endpointId?: string;
                /** @description Only deliveries of this type. */
                eventType?: "link.created" | "link.updated" | "link.deleted" | "domain.verified" | "domain.failed" | "click.received" | "conversion.received" | "campaign.completed" | "report.generated" | "billing.subscription.updated";
                /** @description Only deliveries of this event, including its replays. */
                eventId?: string;
                /** @description Only deliveries whose latest attempt was answered with this HTTP status. */
                responseStatus?: number;
                /** @description Only deliveries queued at this time or later. */
                from?: string;
                /** @description Only deliveries queued before this time. */
                to?: string;
            };
        };
    };
    listenForWebhookEvents: {
        parameters: {
            query?: {
                /** @description The cursor of the previous answer; absent in the first call. */
                cursor?: string;
                /** @description Only these event types, separated by commas. */
                events?: string;
                /** @description Seconds to wait for an event when there is none yet. */
                waitSeconds?: number;
            };
        };
    };
    listWorkspaces: {
        parameters: {
            query?: {
                /** @description Rows per page. More than 100 counts as 100. */
                limit?: number;
                /** @description How many rows to skip. */
                offset?: number;
            };
        };
    };
}
