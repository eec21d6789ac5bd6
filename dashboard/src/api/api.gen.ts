// Written by "npm run clients" from the OpenAPI documents; test/dashboard/client.slow.test.ts compares.
export interface paths {
    "/links/upsert": {
        put: operations["upsertLink"];
    };
    "/links/bulk": {
        post: operations["createLinks"];
        delete: operations["deleteLinks"];
        patch: operations["updateLinks"];
    };
    "/links/bulk/undo": {
        post: operations["undoBulk"];
    };
    "/links/check": {
        get: operations["checkSlug"];
    };
    "/links/count": {
        get: operations["countLinks"];
    };
    "/links/export.csv": {
        get: operations["exportLinks"];
    };
    "/links/{id}/qr": {
        get: operations["getLinkQrCode"];
        post: operations["drawLinkQrCode"];
    };
    "/links/qr": {
        post: operations["drawLinkQrCodes"];
    };
    "/links/preview": {
        get: operations["previewLink"];
    };
    "/links/icon": {
        get: operations["getDestinationIcon"];
    };
    "/links": {
        get: operations["listLinks"];
        post: operations["createLink"];
    };
    "/links/{id}": {
        get: operations["getLink"];
        delete: operations["deleteLink"];
        patch: operations["updateLink"];
    };
    "/links/{id}/explain": {
        get: operations["explainLink"];
    };
    "/links/explain": {
        post: operations["explainLinkDraft"];
    };
    "/links/{id}/history": {
        get: operations["listLinkHistory"];
    };
    "/links/{id}/restore": {
        post: operations["restoreLink"];
    };
    "/links/{id}/rollback": {
        post: operations["rollbackLink"];
    };
    "/link-views": {
        get: operations["listLinkViews"];
        post: operations["createLinkView"];
    };
    "/link-views/{id}": {
        delete: operations["deleteLinkView"];
        patch: operations["updateLinkView"];
    };
    "/links/import": {
        post: operations["importLinks"];
    };
    "/links/import/shlink": {
        post: operations["importFromShlink"];
    };
    "/links/import/columns": {
        post: operations["recognizeImportColumns"];
    };
    "/links/imports": {
        get: operations["listImports"];
    };
    "/links/imports/{id}": {
        get: operations["getImport"];
    };
    "/links/imports/{id}/rows": {
        get: operations["listImportRows"];
    };
    "/links/imports/{id}/cancel": {
        post: operations["cancelImport"];
    };
    "/links/imports/{id}/undo": {
        post: operations["undoImport"];
    };
    "/folders": {
        get: operations["listFolders"];
        post: operations["createFolder"];
    };
    "/folders/{id}": {
        get: operations["getFolder"];
        delete: operations["deleteFolder"];
        patch: operations["updateFolder"];
    };
    "/tags": {
        get: operations["listTags"];
    };
    "/tags/{name}": {
        delete: operations["deleteTag"];
        patch: operations["renameTag"];
    };
    "/campaigns": {
        get: operations["listCampaigns"];
        post: operations["createCampaign"];
    };
    "/campaigns/{id}": {
        get: operations["getCampaign"];
        delete: operations["deleteCampaign"];
        patch: operations["updateCampaign"];
    };
    "/utm-templates": {
        get: operations["listUtmTemplates"];
        post: operations["createUtmTemplate"];
    };
    "/utm-templates/{id}": {
        get: operations["getUtmTemplate"];
        delete: operations["deleteUtmTemplate"];
        patch: operations["updateUtmTemplate"];
    };
    "/search": {
        get: operations["search"];
    };
    "/bio-pages": {
        get: operations["listBioPages"];
        post: operations["createBioPage"];
    };
    "/bio-pages/{id}": {
        get: operations["getBioPage"];
        delete: operations["deleteBioPage"];
        patch: operations["updateBioPage"];
    };
    "/bio-pages/{id}/preview": {
        post: operations["previewBioPage"];
    };
    "/media": {
        get: operations["listMedia"];
        post: operations["uploadMedia"];
    };
    "/media/{id}": {
        get: operations["getMedia"];
        delete: operations["deleteMedia"];
    };
    "/media/{id}/content": {
        get: operations["getMediaContent"];
    };
    "/domains": {
        get: operations["listDomains"];
        post: operations["createDomain"];
    };
    "/domains/{id}": {
        get: operations["getDomain"];
        delete: operations["deleteDomain"];
        patch: operations["updateDomain"];
    };
    "/domains/{id}/verify": {
        post: operations["verifyDomain"];
    };
    "/analytics/links/{id}": {
        get: operations["getLinkAnalytics"];
    };
    "/analytics/links/{id}/timeseries": {
        get: operations["getLinkTimeseries"];
    };
    "/analytics/links/{id}/breakdowns/{dimension}": {
        get: operations["getLinkBreakdown"];
    };
    "/analytics/overview": {
        get: operations["getAnalyticsOverview"];
    };
    "/analytics/campaigns/{id}": {
        get: operations["getCampaignAnalytics"];
    };
    "/analytics/domains/{id}": {
        get: operations["getDomainAnalytics"];
    };
    "/analytics/timeseries": {
        get: operations["getTimeseries"];
    };
    "/analytics/top-links": {
        get: operations["getTopLinks"];
    };
    "/analytics/breakdowns": {
        get: operations["getBreakdowns"];
    };
    "/analytics/breakdowns/{dimension}": {
        get: operations["getBreakdown"];
    };
    "/analytics": {
        get: operations["queryAnalytics"];
    };
    "/analytics/summary": {
        get: operations["getAnalyticsSummary"];
    };
    "/analytics/values/{dimension}": {
        get: operations["getFilterValues"];
    };
    "/analytics/bio-pages/{id}": {
        get: operations["getBioPageAnalytics"];
    };
    "/analytics/events": {
        get: operations["listClicks"];
    };
    "/analytics/conversions": {
        get: operations["listConversions"];
    };
    "/analytics/export": {
        get: operations["exportClicks"];
    };
    "/analytics/live": {
        get: operations["streamClicks"];
    };
    "/dashboards": {
        get: operations["listDashboards"];
        post: operations["createDashboard"];
    };
    "/dashboards/{id}": {
        get: operations["getDashboard"];
        delete: operations["deleteDashboard"];
        patch: operations["updateDashboard"];
    };
    "/dashboards/{id}/rotate": {
        post: operations["rotateDashboard"];
    };
    "/public/dashboards/{token}": {
        get: operations["readPublicDashboard"];
    };
    "/reports": {
        get: operations["listReports"];
        post: operations["createReport"];
    };
    "/reports/{id}": {
        get: operations["getReport"];
        delete: operations["deleteReport"];
        patch: operations["updateReport"];
    };
    "/reports/{id}/download": {
        get: operations["downloadReport"];
    };
    "/reports/{id}/cancel": {
        post: operations["cancelReport"];
    };
    "/alerts": {
        get: operations["listAlerts"];
        post: operations["createAlert"];
    };
    "/alerts/{id}": {
        get: operations["getAlert"];
        delete: operations["deleteAlert"];
        patch: operations["updateAlert"];
    };
    "/conversions": {
        post: operations["recordConversions"];
    };
    "/track/lead": {
        post: operations["trackLead"];
    };
    "/track/sale": {
        post: operations["trackSale"];
    };
    "/deferred/resolve": {
        post: operations["resolveDeferredLink"];
    };
    "/geoip": {
        get: operations["locateAddress"];
    };
    "/api-keys": {
        get: operations["listApiKeys"];
        post: operations["createApiKey"];
    };
    "/api-keys/{id}": {
        get: operations["getApiKey"];
        delete: operations["revokeApiKey"];
        patch: operations["updateApiKey"];
    };
    "/api-keys/{id}/rotate": {
        post: operations["rotateApiKey"];
    };
    "/workspaces/{id}": {
        get: operations["getWorkspace"];
        delete: operations["deleteWorkspace"];
        patch: operations["updateWorkspace"];
    };
    "/members": {
        get: operations["listMembers"];
    };
    "/members/{userId}": {
        delete: operations["removeMember"];
        patch: operations["updateMember"];
    };
    "/invitations": {
        get: operations["listInvitations"];
        post: operations["createInvitation"];
    };
    "/invitations/{id}": {
        get: operations["getInvitation"];
        delete: operations["cancelInvitation"];
    };
    "/invitations/{id}/link": {
        post: operations["createInvitationLink"];
    };
    "/audit-log": {
        get: operations["listAuditLog"];
    };
    "/security-log": {
        get: operations["listSecurityLog"];
    };
    "/plans": {
        get: operations["listPlans"];
    };
    "/billing/subscription": {
        get: operations["getSubscription"];
    };
    "/billing/usage": {
        get: operations["getUsage"];
    };
    "/billing/invoices": {
        get: operations["listInvoices"];
    };
    "/billing/payment-methods": {
        get: operations["listPaymentMethods"];
    };
    "/billing/checkout": {
        post: operations["startCheckout"];
    };
    "/billing/portal": {
        post: operations["openBillingPortal"];
    };
    "/abuse-reports": {
        get: operations["listAbuseReports"];
    };
    "/webhooks/endpoints": {
        get: operations["listWebhookEndpoints"];
        post: operations["createWebhookEndpoint"];
    };
    "/webhooks": {
        parameters: {
        };
        /** @deprecated */
        get: operations["listWebhooks"];
        /** @deprecated */
        post: operations["createWebhook"];
    };
    "/webhooks/endpoints/{id}": {
        get: operations["getWebhookEndpoint"];
        delete: operations["deleteWebhookEndpoint"];
        patch: operations["updateWebhookEndpoint"];
    };
    "/webhooks/endpoints/{id}/stats": {
        get: operations["getWebhookEndpointStats"];
    };
    "/webhooks/endpoints/{id}/secret": {
        get: operations["getWebhookSecret"];
    };
    "/webhooks/endpoints/{id}/secret/rotate": {
        post: operations["rotateWebhookSecret"];
    };
    "/webhooks/endpoints/{id}/test": {
        post: operations["testWebhookEndpoint"];
    };
    "/webhooks/endpoints/{id}/replay": {
        post: operations["replayWebhookEvents"];
    };
    "/webhooks/deliveries": {
        get: operations["listWebhookDeliveries"];
    };
    "/webhooks/deliveries/counts": {
        get: operations["countWebhookDeliveries"];
    };
    "/webhooks/deliveries/retry": {
        post: operations["retryWebhookDeliveries"];
    };
    "/webhooks/deliveries/{deliveryId}": {
        get: operations["getWebhookDelivery"];
    };
    "/webhooks/deliveries/{deliveryId}/retry": {
        post: operations["retryWebhookDelivery"];
    };
    "/webhooks/events": {
        get: operations["listWebhookEventTypes"];
    };
    "/webhooks/dispatch": {
        post: operations["dispatchWebhookEvent"];
    };
    "/webhooks/listen": {
        get: operations["listenForWebhookEvents"];
    };
    "/workspaces": {
        get: operations["listWorkspaces"];
        post: operations["createWorkspace"];
    };
    "/workspaces/{id}/activate": {
        post: operations["activateWorkspace"];
    };
    "/invitations/received/{token}": {
        get: operations["getReceivedInvitation"];
    };
    "/invitations/{token}/accept": {
        post: operations["acceptInvitation"];
    };
    "/invitations/{token}/reject": {
        post: operations["rejectInvitation"];
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AbuseReport: {
            id: string;
            workspaceId: string;
            linkId: string;
            url: string;
            /** @enum {string} */
            reason: "phishing" | "malware" | "spam" | "other";
            details: string | null;
            /** @enum {string} */
            status: "open" | "resolved";
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            resolvedAt: string | null;
        };
        AddressLocation: {
            ip: string | null;
            country: string | null;
            countryName: string | null;
            region: string | null;
            regionName: string | null;
            city: string | null;
            continent: string | null;
            latitude: number | null;
            longitude: number | null;
            timezone: string | null;
            isEu: boolean | null;
        };
        Alert: {
            id: string;
            workspaceId: string;
            linkId: string | null;
            linkName: string | null;
            watches: ("clicks" | "destination")[];
            recipients: string[];
            isActive: boolean;
            clicks: components["schemas"]["AlertClicks"];
            destination: components["schemas"]["AlertDestination"];
            /** Format: date-time */
            checkedAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        AlertClicks: {
            /** @enum {string} */
            state: "usual" | "high" | "low";
            /** Format: date-time */
            since: string | null;
            count: number | null;
            usual: number | null;
        };
        AlertDestination: {
            /** @enum {string} */
            state: "ok" | "failing";
            /** Format: date-time */
            since: string | null;
        };
        AnalyticsBreakdowns: {
            country: components["schemas"]["AnalyticsRow"][];
            region: components["schemas"]["AnalyticsRow"][];
            city: components["schemas"]["AnalyticsRow"][];
            continent: components["schemas"]["AnalyticsRow"][];
            device: components["schemas"]["AnalyticsRow"][];
            browser: components["schemas"]["AnalyticsRow"][];
            os: components["schemas"]["AnalyticsRow"][];
            referrer: components["schemas"]["AnalyticsRow"][];
            language: components["schemas"]["AnalyticsRow"][];
            trigger: components["schemas"]["AnalyticsRow"][];
            utmSource: components["schemas"]["AnalyticsRow"][];
            utmMedium: components["schemas"]["AnalyticsRow"][];
            utmCampaign: components["schemas"]["AnalyticsRow"][];
            utmTerm: components["schemas"]["AnalyticsRow"][];
            utmContent: components["schemas"]["AnalyticsRow"][];
            destination: components["schemas"]["AnalyticsRow"][];
        };
        AnalyticsBucket: {
            /** Format: date-time */
            start: string;
            clicks: number;
            uniqueVisitors: number;
            importedClicks: number;
            conversions: number;
            value: number;
        };
        AnalyticsComparedBreakdowns: {
            country: components["schemas"]["AnalyticsComparedRow"][];
            region: components["schemas"]["AnalyticsComparedRow"][];
            city: components["schemas"]["AnalyticsComparedRow"][];
            continent: components["schemas"]["AnalyticsComparedRow"][];
            device: components["schemas"]["AnalyticsComparedRow"][];
            browser: components["schemas"]["AnalyticsComparedRow"][];
            os: components["schemas"]["AnalyticsComparedRow"][];
            referrer: components["schemas"]["AnalyticsComparedRow"][];
            language: components["schemas"]["AnalyticsComparedRow"][];
            trigger: components["schemas"]["AnalyticsComparedRow"][];
            utmSource: components["schemas"]["AnalyticsComparedRow"][];
            utmMedium: components["schemas"]["AnalyticsComparedRow"][];
            utmCampaign: components["schemas"]["AnalyticsComparedRow"][];
            utmTerm: components["schemas"]["AnalyticsComparedRow"][];
            utmContent: components["schemas"]["AnalyticsComparedRow"][];
            destination: components["schemas"]["AnalyticsComparedRow"][];
        };
        AnalyticsComparedLink: {
            link: components["schemas"]["CountedLink"];
            clicks: number;
            uniqueVisitors: number;
            conversions: number;
            value: number;
            comparedClicks: number | null;
        };
        AnalyticsComparedRow: {
            label: string;
            clicks: number;
            uniqueVisitors: number;
            percent: number;
            conversions: number;
            value: number;
            hostname?: string | null;
            comparedClicks: number | null;
        };
        AnalyticsComparison: {
            period: components["schemas"]["AnalyticsPeriod"];
            clicks: number;
            uniqueVisitors: number;
            botClicks: number;
            conversions: number;
            value: number;
            clicksChangePercent: number;
            uniqueVisitorsChangePercent: number;
            hasEarlierPeriod: boolean;
            series: components["schemas"]["AnalyticsBucket"][];
        };
        AnalyticsMeta: {
            requestId: string;
            period: components["schemas"]["AnalyticsPeriod"];
            timezone: string;
            /** Format: date-time */
            asOf: string;
            currencies?: string[];
            incomplete?: ("utc_days" | "filters" | "visitors")[];
        };
        AnalyticsOverview: {
            totalClicks: number;
            periodClicks: number;
            periodChangePercent: number;
            uniqueVisitors: number;
            uniqueVisitorsChangePercent: number;
            breakdowns: components["schemas"]["Breakdowns"];
            hasEarlierPeriod: boolean;
            botClicks: number;
            totalImportedClicks: number;
            approximate: boolean;
            links: number;
            conversions: number;
            value: number;
        };
        AnalyticsPageMeta: {
            requestId: string;
            period: components["schemas"]["AnalyticsPeriod"];
            timezone: string;
            /** Format: date-time */
            asOf: string;
            currencies?: string[];
            incomplete?: ("utc_days" | "filters" | "visitors")[];
            approximate: boolean;
            limit: number;
            offset: number;
        };
        AnalyticsPeriod: {
            /** Format: date-time */
            start: string;
            /** Format: date-time */
            end: string;
        };
        AnalyticsRow: {
            label: string;
            clicks: number;
            uniqueVisitors: number;
            percent: number;
            conversions: number;
            value: number;
            hostname?: string | null;
        };
        AnalyticsRowsMeta: {
            requestId: string;
            period: components["schemas"]["AnalyticsPeriod"];
            timezone: string;
            /** Format: date-time */
            asOf: string;
            currencies?: string[];
            incomplete?: ("utc_days" | "filters" | "visitors")[];
            approximate: boolean;
        };
        AnalyticsSeriesMeta: {
            requestId: string;
            period: components["schemas"]["AnalyticsPeriod"];
            timezone: string;
            /** Format: date-time */
            asOf: string;
            currencies?: string[];
            incomplete?: ("utc_days" | "filters" | "visitors")[];
            approximate: boolean;
            /** @enum {string} */
            granularity?: "hour" | "day" | "week" | "month";
        };
        AnalyticsSummary: {
            links: number;
            totals: components["schemas"]["AnalyticsTotals"];
            totalImportedClicks: number;
            series: components["schemas"]["AnalyticsBucket"][];
            breakdowns: components["schemas"]["AnalyticsComparedBreakdowns"];
            topLinks: components["schemas"]["AnalyticsComparedLink"][];
            comparison: components["schemas"]["AnalyticsComparison"] | null;
        };
        AnalyticsTopLink: {
            link: components["schemas"]["CountedLink"];
            clicks: number;
            uniqueVisitors: number;
            conversions: number;
            value: number;
        };
        AnalyticsTotals: {
            clicks: number;
            uniqueVisitors: number;
            botClicks: number;
            conversions: number;
            value: number;
        };
        AnalyticsValue: {
            value: string;
            clicks: number;
            hostname?: string | null;
        };
        AnalyzedLink: {
            id: string;
            slug: string;
        };
        ApiKey: {
            id: string;
            name: string;
            prefix: string;
            scopes: string[] | null;
            ipAllowlist: string[];
            workspaceId: string;
            userId: string;
            app: string | null;
            /** Format: date-time */
            lastUsedAt: string | null;
            lastUsedIp: string | null;
            /** Format: date-time */
            expiresAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        AttributedLink: {
            id: string;
            slug: string;
            name: string | null;
        };
        AuditActor: {
            /** @enum {string} */
            type: "user" | "api_key" | "system";
            id: string;
            name: string | null;
            email: string | null;
        };
        AuditEntry: {
            id: string;
            workspaceId: string;
            /** @enum {string} */
            action: "link.created" | "link.updated" | "link.deleted" | "link.restored" | "link.blocked" | "link.unblocked" | "folder.created" | "folder.updated" | "folder.deleted" | "media.created" | "media.deleted" | "bio_page.created" | "bio_page.updated" | "bio_page.deleted" | "tag.renamed" | "tag.deleted" | "campaign.created" | "campaign.updated" | "campaign.completed" | "campaign.deleted" | "link_view.created" | "link_view.updated" | "link_view.deleted" | "utm_template.created" | "utm_template.updated" | "utm_template.deleted" | "dashboard.created" | "dashboard.updated" | "dashboard.rotated" | "dashboard.deleted" | "alert.created" | "alert.updated" | "alert.deleted" | "report.created" | "report.updated" | "report.canceled" | "report.deleted" | "domain.created" | "domain.updated" | "domain.verified" | "domain.failed" | "domain.deleted" | "webhook.created" | "webhook.updated" | "webhook.deleted" | "webhook.auto_paused" | "webhook.secret_viewed" | "webhook.secret_rotated" | "webhook.tested" | "webhook.dispatched" | "webhook.replayed" | "webhook.delivery_retried" | "webhook.deliveries_retried" | "api_key.created" | "api_key.updated" | "api_key.rotated" | "api_key.revoked" | "member.joined" | "member.role_changed" | "member.role_set" | "member.removed" | "member.left" | "invitation.created" | "invitation.renewed" | "invitation.link_created" | "invitation.canceled" | "invitation.accepted" | "invitation.rejected" | "workspace.created" | "workspace.updated" | "workspace.suspended" | "workspace.resumed" | "workspace.rate_limit_set" | "billing.plan_changed" | "billing.subscription_updated";
            actor: components["schemas"]["AuditActor"];
            target: components["schemas"]["AuditTarget"];
            changes: {
                [key: string]: unknown;
            };
            ipAddress: string | null;
            userAgent: string | null;
            requestId: string;
            /** Format: date-time */
            createdAt: string;
            prevHash: string | null;
            hash: string | null;
        };
        AuditTarget: {
            type: string;
            id: string;
            name: string | null;
        };
        BatchEvent: {
            id: string;
            /** @enum {string} */
            type: "link.created" | "link.updated" | "link.deleted" | "domain.verified" | "domain.failed" | "click.received" | "conversion.received" | "campaign.completed" | "report.generated" | "billing.subscription.updated";
            workspaceId: string;
            /** Format: date-time */
            createdAt: string;
            payload: string;
        };
        BillingSubscriptionUpdatedEvent: {
            id: string;
            /** @constant */
            type: "billing.subscription.updated";
            workspaceId: string;
            endpointId: string;
            attempt: number;
            /** Format: date-time */
            createdAt: string;
            data: {
                plan: string;
                previousPlan: string;
                status: string;
                /** Format: date-time */
                currentPeriodEnd: string | null;
            };
        };
        BioPage: {
            id: string;
            workspaceId: string;
            slug: string;
            title: string;
            description: string | null;
            avatarMediaId: string | null;
            theme: components["schemas"]["BioPageTheme"];
            blocks: components["schemas"]["BioPageBlock"][];
            socials: components["schemas"]["BioPageSocial"][];
            seo: components["schemas"]["BioPageSeo"];
            /** @enum {string} */
            status: "draft" | "published";
            domainId: string | null;
            views: number;
            clicks: number;
            url: string;
            /** Format: date-time */
            publishedAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            isRoot: boolean;
        };
        BioPageAnalytics: {
            page: {
                id: string;
                slug: string;
                title: string;
            };
            totalViews: number;
            periodViews: number;
            periodViewsChangePercent: number;
            uniqueVisitors: number;
            uniqueVisitorsChangePercent: number;
            hasEarlierPeriod: boolean;
            periodClicks: number;
            clickRate: number | null;
            blocks: components["schemas"]["BioPageBlockAnalytics"][];
            timeseries: components["schemas"]["BioPageBucket"][];
            breakdowns: {
                country: {
                    [key: string]: number;
                };
                region: {
                    [key: string]: number;
                };
                city: {
                    [key: string]: number;
                };
                continent: {
                    [key: string]: number;
                };
                device: {
                    [key: string]: number;
                };
                browser: {
                    [key: string]: number;
                };
                os: {
                    [key: string]: number;
                };
                referrer: {
                    [key: string]: number;
                };
                language: {
                    [key: string]: number;
                };
                trigger: {
                    [key: string]: number;
                };
                utmSource: {
                    [key: string]: number;
                };
                utmMedium: {
                    [key: string]: number;
                };
                utmCampaign: {
                    [key: string]: number;
                };
                utmTerm: {
                    [key: string]: number;
                };
                utmContent: {
                    [key: string]: number;
                };
            };
            approximate: boolean;
        };
        BioPageAnalyticsMeta: {
            requestId: string;
            period: components["schemas"]["AnalyticsPeriod"];
            timezone: string;
            /** Format: date-time */
            asOf: string;
            incomplete?: ("utc_days" | "filters" | "visitors")[];
            /** @enum {string} */
            granularity?: "hour" | "day" | "week" | "month";
        };
        BioPageBlock: {
            id: string;
            /** @enum {string} */
            type: "link" | "header" | "text" | "image" | "social" | "embed";
            title: string | null;
            /** Format: uri */
            url: string | null;
            linkId: string | null;
            icon: string | null;
            enabled: boolean;
            /** Format: date-time */
            startsAt: string | null;
            /** Format: date-time */
            endsAt: string | null;
            mediaId: string | null;
            shortUrl: string | null;
            ownsLink: boolean;
        };
        BioPageBlockAnalytics: {
            id: string;
            title: string;
            linkId: string;
            clicks: number;
            uniqueVisitors: number;
            clickRate: number | null;
        };
        BioPageBlockInput: {
            /** @enum {string} */
            type: "link" | "header" | "text" | "image" | "social" | "embed";
            title?: string | null;
            /** Format: uri */
            url?: string | null;
            linkId?: string | null;
            icon?: string | null;
            enabled?: boolean;
            /** Format: date-time */
            startsAt?: string | null;
            /** Format: date-time */
            endsAt?: string | null;
            mediaId?: string | null;
            id?: string | null;
        };
        BioPageBucket: {
            /** Format: date-time */
            start: string;
            views: number;
            uniqueVisitors: number;
            clicks: number;
        };
        BioPagePreview: {
            style: string;
            nodes: components["schemas"]["BioPagePreviewNode"][];
        };
        BioPagePreviewNode: {
            parent: number | null;
            tag: string | null;
            attributes: {
                [key: string]: string;
            };
            text: string | null;
        };
        BioPageSeo: {
            title: string | null;
            description: string | null;
            imageMediaId: string | null;
            noindex: boolean;
        };
        BioPageSeoInput: {
            title?: string | null;
            description?: string | null;
            imageMediaId?: string | null;
            noindex?: boolean;
        };
        BioPageSocial: {
            /** @enum {string} */
            platform: "instagram" | "tiktok" | "youtube" | "x" | "facebook" | "threads" | "bluesky" | "mastodon" | "linkedin" | "github" | "twitch" | "discord" | "spotify" | "soundcloud" | "pinterest" | "snapchat" | "whatsapp" | "telegram" | "signal" | "email" | "phone" | "website";
            /** Format: uri */
            url: string;
        };
        BioPageTheme: {
            /** @enum {string} */
            preset: "plain" | "paper" | "midnight" | "sunrise" | "forest" | "ocean" | "candy" | "clay" | "mono" | "neon";
            background: string | null;
            text: string | null;
            accent: string | null;
            /** @enum {string|null} */
            font: "sans" | "serif" | "rounded" | "mono" | null;
        };
        BioPageThemeInput: {
            /** @enum {string} */
            preset?: "plain" | "paper" | "midnight" | "sunrise" | "forest" | "ocean" | "candy" | "clay" | "mono" | "neon";
            background?: string | null;
            text?: string | null;
            accent?: string | null;
            /** @enum {string|null} */
            font?: "sans" | "serif" | "rounded" | "mono" | null;
        };
        Breakdowns: {
            country: {
                [key: string]: number;
            };
            region: {
                [key: string]: number;
            };
            city: {
                [key: string]: number;
            };
            continent: {
                [key: string]: number;
            };
            device: {
                [key: string]: number;
            };
            browser: {
                [key: string]: number;
            };
            os: {
                [key: string]: number;
            };
            referrer: {
                [key: string]: number;
            };
            language: {
                [key: string]: number;
            };
            trigger: {
                [key: string]: number;
            };
            utmSource: {
                [key: string]: number;
            };
            utmMedium: {
                [key: string]: number;
            };
            utmCampaign: {
                [key: string]: number;
            };
            utmTerm: {
                [key: string]: number;
            };
            utmContent: {
                [key: string]: number;
            };
            destination: {
                [key: string]: number;
            };
        };
        BulkChangeMeta: {
            requestId: string;
            total: number;
            succeeded: number;
            failed: number;
            undoId: string | null;
        };
        BulkMeta: {
            requestId: string;
            total: number;
            succeeded: number;
            failed: number;
        };
        BulkRow: {
            index: number;
            id: string | null;
            /** @enum {string} */
            status: "created" | "updated" | "unchanged" | "deleted" | "failed";
            externalId: string | null;
            shortUrl: string | null;
            error: components["schemas"]["BulkRowError"] | null;
        };
        BulkRowError: {
            /** @enum {string} */
            code: "VALIDATION_ERROR" | "UNAUTHORIZED" | "INVALID_CREDENTIALS" | "PASSWORD_REQUIRED" | "INVALID_CODE" | "EMAIL_NOT_VERIFIED" | "FORBIDDEN" | "SESSION_NOT_FRESH" | "PLAN_CAPABILITY_REQUIRED" | "PLAN_LIMIT_REACHED" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "REQUEST_TIMEOUT" | "CONFLICT" | "GONE" | "PRECONDITION_FAILED" | "PAYLOAD_TOO_LARGE" | "URI_TOO_LONG" | "UNSUPPORTED_MEDIA_TYPE" | "RANGE_NOT_SATISFIABLE" | "EXPECTATION_FAILED" | "RATE_LIMITED" | "HEADERS_TOO_LARGE" | "BLOCKED" | "INTERNAL_ERROR" | "SECRET_KEY_CHANGED" | "UNAVAILABLE";
            message: string;
            details: unknown;
        };
        Campaign: {
            id: string;
            workspaceId: string;
            name: string;
            description: string | null;
            /** @enum {string} */
            status: "draft" | "active" | "paused" | "completed" | "archived";
            /** Format: date-time */
            startsAt: string | null;
            /** Format: date-time */
            endsAt: string | null;
            goal: components["schemas"]["CampaignGoal"] | null;
            utmSource: string | null;
            utmMedium: string | null;
            utmCampaign: string | null;
            utmTerm: string | null;
            utmContent: string | null;
            tags: string[];
            linkCount: number;
            clicks: number;
            /** Format: date-time */
            completedAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        CampaignCompletedEvent: {
            id: string;
            /** @constant */
            type: "campaign.completed";
            workspaceId: string;
            endpointId: string;
            attempt: number;
            /** Format: date-time */
            createdAt: string;
            data: components["schemas"]["Campaign"];
        };
        CampaignGoal: {
            /** @enum {string} */
            metric: "clicks" | "uniqueVisitors" | "conversions";
            target: number;
        };
        Checkout: {
            plan: string;
            /**
             * @default monthly
             * @enum {string}
             */
            interval: "monthly" | "yearly";
        };
        ClickedLink: {
            id: string;
            slug: string;
            shortUrl: string;
            domain: string;
        };
        ClickEvent: {
            id: string;
            /** @enum {string} */
            kind: "human" | "bot" | "preview" | "prefetch";
            route: string;
            domainId: string | null;
            visitor: string | null;
            clickId: string;
            link: components["schemas"]["ClickedLink"];
            destinationUrl: string;
            /** Format: date-time */
            timestamp: string;
            country: string | null;
            region: string | null;
            city: string | null;
            continent: string | null;
            device: string;
            browser: string;
            os: string;
            referrer: string;
            language: string | null;
            trigger: string;
            utmSource: string | null;
            utmMedium: string | null;
            utmCampaign: string | null;
            utmTerm: string | null;
            utmContent: string | null;
        };
        ClickEventsMeta: {
            requestId: string;
            period: components["schemas"]["AnalyticsPeriod"];
            timezone: string;
            /** Format: date-time */
            asOf: string;
            incomplete?: ("utc_days" | "filters" | "visitors")[];
            total: number;
            limit: number;
            offset: number;
            totalIsExact?: boolean;
            /** Format: date-time */
            clicksFrom: string | null;
            nextCursor: string | null;
        };
        ClickPeriod: {
            /** Format: date-time */
            start: string;
            /** Format: date-time */
            end: string;
        };
        ClickReceivedEvent: {
            id: string;
            /** @constant */
            type: "click.received";
            workspaceId: string;
            endpointId: string;
            attempt: number;
            /** Format: date-time */
            createdAt: string;
            data: {
                clickId: string;
                link: components["schemas"]["ClickedLink"];
                destinationUrl: string;
                /** Format: date-time */
                timestamp: string;
                country: string | null;
                region: string | null;
                city: string | null;
                continent: string | null;
                device: string;
                browser: string;
                os: string;
                referrer: string;
                language: string | null;
                trigger: string;
                utmSource: string | null;
                utmMedium: string | null;
                utmCampaign: string | null;
                utmTerm: string | null;
                utmContent: string | null;
            };
        };
        ConflictError: {
            error: {
                /** @constant */
                code: "CONFLICT";
                message: string;
                details: components["schemas"]["ConflictErrorDetails"] | components["schemas"]["ErrorDetail"][];
                requestId: string;
            };
            meta: components["schemas"]["Meta"];
        };
        ConflictErrorDetails: {
            reason?: string;
            workspaces?: {
                id: string;
                name: string;
            }[];
        };
        ConversionError: {
            /** @enum {string} */
            code: "VALIDATION_ERROR" | "UNAUTHORIZED" | "INVALID_CREDENTIALS" | "PASSWORD_REQUIRED" | "INVALID_CODE" | "EMAIL_NOT_VERIFIED" | "FORBIDDEN" | "SESSION_NOT_FRESH" | "PLAN_CAPABILITY_REQUIRED" | "PLAN_LIMIT_REACHED" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "REQUEST_TIMEOUT" | "CONFLICT" | "GONE" | "PRECONDITION_FAILED" | "PAYLOAD_TOO_LARGE" | "URI_TOO_LONG" | "UNSUPPORTED_MEDIA_TYPE" | "RANGE_NOT_SATISFIABLE" | "EXPECTATION_FAILED" | "RATE_LIMITED" | "HEADERS_TOO_LARGE" | "BLOCKED" | "INTERNAL_ERROR" | "SECRET_KEY_CHANGED" | "UNAVAILABLE";
            message: string;
            details: unknown;
        };
        ConversionEvent: {
            id: string;
            eventId: string;
            eventName: string;
            /** @enum {string} */
            type: "lead" | "sale" | "custom";
            value: number;
            currency: string;
            customerId: string | null;
            attributed: boolean;
            /** @enum {string} */
            reason: "sp_id" | "click_id" | "customer" | "link" | "waiting" | "unknown_click" | "old_click" | "later_click" | "no_click" | "too_many_waiting";
            link: components["schemas"]["AttributedLink"] | null;
            clickId: string | null;
            /** Format: date-time */
            clickedAt: string | null;
            /** Format: date-time */
            occurredAt: string;
            /** Format: date-time */
            receivedAt: string;
        };
        ConversionEventsMeta: {
            requestId: string;
            period: components["schemas"]["AnalyticsPeriod"];
            timezone: string;
            totals: components["schemas"]["CurrencyTotal"][];
            total: number;
            limit: number;
            offset: number;
        };
        ConversionReceivedEvent: {
            id: string;
            /** @constant */
            type: "conversion.received";
            workspaceId: string;
            endpointId: string;
            attempt: number;
            /** Format: date-time */
            createdAt: string;
            data: {
                id: string;
                eventId: string;
                eventName: string;
                /** @enum {string} */
                type: "lead" | "sale" | "custom";
                value: number;
                currency: string;
                clickId: string | null;
                link: components["schemas"]["ConvertedLink"] | null;
                customerId: string | null;
                customer: {
                    [key: string]: unknown;
                } | null;
                metadata: {
                    [key: string]: unknown;
                } | null;
                /** Format: date-time */
                occurredAt: string;
            };
        };
        ConvertedLink: {
            id: string;
            slug: string;
        };
        CountedLink: {
            id: string;
            name: string | null;
            slug: string | null;
            shortUrl: string | null;
        };
        CreateAlert: {
            watches: ("clicks" | "destination")[];
            recipients?: string[];
            isActive?: boolean;
            linkId?: string | null;
        };
        CreateApiKey: {
            name: string;
            scopes?: ("*" | "*:read" | "links:read" | "links:write" | "analytics:read" | "analytics:write" | "domains:read" | "domains:write" | "conversions:write" | "campaigns:read" | "campaigns:write" | "utm-templates:read" | "utm-templates:write" | "bio-pages:read" | "bio-pages:write" | "media:read" | "media:write" | "reports:read" | "reports:write" | "alerts:read" | "alerts:write" | "webhooks:read" | "webhooks:write" | "deferred:read" | "deferred:write" | "dashboards:read" | "dashboards:write" | "workspaces:read" | "workspaces:write" | "members:read" | "members:write" | "billing:read" | "audit-log:read" | "security-log:read")[] | null;
            ipAllowlist?: string[] | null;
            /** Format: date-time */
            expiresAt?: string | null;
        };
        CreateBioPage: {
            slug: string;
            title: string;
            description?: string | null;
            avatarMediaId?: string | null;
            theme?: components["schemas"]["BioPageThemeInput"];
            blocks?: components["schemas"]["BioPageBlockInput"][];
            socials?: components["schemas"]["BioPageSocial"][];
            seo?: components["schemas"]["BioPageSeoInput"];
            /** @enum {string} */
            status?: "draft" | "published";
            domainId?: string | null;
            isRoot?: boolean;
            importId?: string;
        };
        CreateCampaign: {
            name: string;
            description?: string | null;
            /** @enum {string} */
            status?: "draft" | "active" | "paused" | "completed" | "archived";
            /** Format: date-time */
            startsAt?: string | null;
            /** Format: date-time */
            endsAt?: string | null;
            goal?: components["schemas"]["CampaignGoal"] | null;
            utmSource?: string | null;
            utmMedium?: string | null;
            utmCampaign?: string | null;
            utmTerm?: string | null;
            utmContent?: string | null;
            tags?: string[] | null;
        };
        CreateDashboard: {
            title: string;
            linkId?: string | null;
            campaignId?: string | null;
            folderId?: string | null;
            /** @default 30 */
            days: number;
            password?: string | null;
            /** @default false */
            showConversions: boolean;
            /** @default usd */
            currency: string;
            /** @default false */
            doIndex: boolean;
        };
        CreatedBioPageMeta: {
            requestId: string;
            leftOut: number;
        };
        CreatedInvitation: {
            id: string;
            workspaceId: string;
            email: string;
            /** @enum {string} */
            role: "viewer" | "member" | "admin" | "owner";
            /** @enum {string} */
            status: "pending" | "accepted" | "rejected" | "canceled" | "expired";
            invitedBy: string | null;
            /** Format: date-time */
            expiresAt: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            mailed: boolean;
            accountRequired: boolean;
        };
        CreateDomain: {
            hostname?: string;
            caseSensitive?: boolean;
            rootRedirectUrl?: string | null;
            notFoundUrl?: string | null;
            expiredUrl?: string | null;
            appleAppSiteAssociation?: {
                [key: string]: unknown;
            } | null;
            assetLinks?: unknown[] | null;
        };
        CreatedWebhookEndpoint: {
            id: string;
            workspaceId: string;
            /** Format: uri */
            url: string;
            description: string | null;
            events: ("*" | "link.created" | "link.updated" | "link.deleted" | "domain.verified" | "domain.failed" | "click.received" | "conversion.received" | "campaign.completed" | "report.generated" | "billing.subscription.updated")[];
            /** @enum {string} */
            status: "active" | "paused";
            failureCount: number;
            /** Format: date-time */
            lastFailureAt: string | null;
            /** Format: date-time */
            lastSuccessAt: string | null;
            createdBy: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            standardHeaders: boolean;
            /** Format: email */
            failureEmail: string | null;
            droppedClicks: number;
            disableAfterHours: number | null;
            /** Format: date-time */
            autoPausedAt: string | null;
            /** Format: date-time */
            previousSecretValidUntil: string | null;
            headers: {
                [key: string]: string;
            };
            secret: string;
        };
        CreateFolder: {
            name: string;
        };
        CreateInvitation: {
            /** Format: email */
            email: string;
            /** @enum {string} */
            role: "viewer" | "member" | "admin" | "owner";
        };
        CreateLink: {
            name: string;
            /** Format: uri */
            destinationUrl: string;
            slug?: string | null;
            domainId?: string | null;
            /** Format: date-time */
            expiresAt?: string | null;
            password?: string | null;
            /** @enum {integer|null} */
            redirectType?: 301 | 302 | 307 | 308 | null;
            /** @enum {string|null} */
            status?: "active" | "paused" | "archived" | null;
            utmSource?: string | null;
            utmMedium?: string | null;
            utmCampaign?: string | null;
            utmTerm?: string | null;
            utmContent?: string | null;
            metadata?: {
                [key: string]: unknown;
            } | null;
            iosDeepLink?: string | null;
            androidDeepLink?: string | null;
            /** Format: uri */
            expiredUrl?: string | null;
            maxClicks?: number | null;
            /** Format: date-time */
            startsAt?: string | null;
            /** Format: date-time */
            variantsUntil?: string | null;
            rules?: components["schemas"]["NewLinkRule"][] | null;
            forwardQuery?: boolean | null;
            noindex?: boolean | null;
            trackConversions?: boolean | null;
            qrLogoMediaId?: string | null;
            card?: components["schemas"]["NewLinkCard"] | null;
            variants?: components["schemas"]["NewLinkVariant"][] | null;
            aliases?: string[] | null;
            tags?: string[] | null;
            folderId?: string | null;
            campaignId?: string | null;
            externalId?: string | null;
            utmTemplateId?: string | null;
            domain?: string | null;
        };
        CreateLinks: {
            links: components["schemas"]["CreateLink"][];
        } | components["schemas"]["CreateLink"][];
        CreateLinkView: {
            name: string;
            query: string;
            isShared?: boolean;
        };
        CreateReport: {
            /** @enum {string} */
            type: "links" | "clicks" | "conversions" | "campaign" | "domains" | "summary" | "audit_log";
            name?: string;
            /** @enum {string} */
            format?: "csv" | "json" | "xlsx" | "pdf";
            filters?: components["schemas"]["ReportFilters"];
            schedule?: components["schemas"]["ReportScheduleInput"] | null;
        };
        CreateUtmTemplate: {
            name: string;
            utmSource?: string | null;
            utmMedium?: string | null;
            utmCampaign?: string | null;
            utmTerm?: string | null;
            utmContent?: string | null;
        };
        CreateWebhookEndpoint: {
            /** Format: uri */
            url: string;
            events: ("*" | "link.created" | "link.updated" | "link.deleted" | "domain.verified" | "domain.failed" | "click.received" | "conversion.received" | "campaign.completed" | "report.generated" | "billing.subscription.updated")[];
            description?: string | null;
            /** @enum {string} */
            status?: "active" | "paused";
            standardHeaders?: boolean;
            /** Format: email */
            failureEmail?: string | null;
            disableAfterHours?: number | null;
            headers?: {
                [key: string]: string;
            } | null;
        };
        CreateWorkspace: {
            name: string;
            activate?: boolean;
        };
        CurrencyTotal: {
            currency: string;
            conversions: number;
            attributed: number;
            value: number;
        };
        Dashboard: {
            id: string;
            title: string;
            linkId: string | null;
            campaignId: string | null;
            folderId: string | null;
            days: number;
            hasPassword: boolean;
            showConversions: boolean;
            currency: string;
            doIndex: boolean;
            url: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            revokedAt: string | null;
            /** Format: date-time */
            updatedAt: string;
        };
        DeferredLink: {
            id: string;
            slug: string;
            domain: string;
            destinationUrl: string;
        };
        DeferredMatch: {
            matched: boolean;
            /** @enum {string|null} */
            method: "referrer" | "click_id" | "fingerprint" | null;
            confidence: number;
            clickId: string | null;
            link: components["schemas"]["DeferredLink"] | null;
            deepLink: string | null;
            metadata: {
                [key: string]: unknown;
            } | null;
            /** Format: date-time */
            clickedAt: string | null;
        };
        DeleteLinks: {
            ids?: string[];
            externalIds?: string[];
            filter?: components["schemas"]["LinkFilter"];
        };
        DeleteWorkspace: {
            confirm?: string;
        };
        Destination: {
            url: string;
        };
        DispatchedWebhookEvent: {
            dispatched: number;
        };
        DispatchWebhookEvent: {
            /** @enum {string} */
            type: "link.created" | "link.updated" | "link.deleted" | "domain.verified" | "domain.failed" | "click.received" | "conversion.received" | "campaign.completed" | "report.generated" | "billing.subscription.updated";
            payload?: {
                [key: string]: unknown;
            };
        };
        Domain: {
            id: string;
            workspaceId: string;
            hostname: string;
            /** @enum {string} */
            status: "pending" | "verified" | "failed" | "misconfigured";
            isDefault: boolean;
            caseSensitive: boolean;
            rootRedirectUrl: string | null;
            notFoundUrl: string | null;
            expiredUrl: string | null;
            appleAppSiteAssociation: {
                [key: string]: unknown;
            } | null;
            assetLinks: unknown[] | null;
            blockedUrls: ("rootRedirectUrl" | "notFoundUrl" | "expiredUrl")[];
            verification: components["schemas"]["DomainVerification"];
            /** @enum {string|null} */
            failureReason: "not_found" | "not_configured" | "token_mismatch" | "conflicting_records" | "lookup_error" | null;
            /** Format: date-time */
            lastCheckedAt: string | null;
            /** Format: date-time */
            verifiedAt: string | null;
            /** @enum {string} */
            sslStatus: "none" | "pending" | "active" | "failed";
            /** @enum {string|null} */
            sslFailureReason: "dns" | "connection" | "wrong_answer" | "caa" | "rate_limited" | "refused" | "unreachable" | "share_used" | null;
            /** Format: date-time */
            sslNextAttemptAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        DomainFailedEvent: {
            id: string;
            /** @constant */
            type: "domain.failed";
            workspaceId: string;
            endpointId: string;
            attempt: number;
            /** Format: date-time */
            createdAt: string;
            data: components["schemas"]["Domain"];
        };
        DomainRecord: {
            /** @enum {string} */
            type: "TXT" | "CNAME" | "A" | "AAAA";
            name: string;
            value: string;
            /** @enum {string} */
            purpose: "ownership" | "routing";
            found: string[];
            ok: boolean | null;
        };
        DomainVerification: {
            token: string;
            proofUrl: string;
            records: components["schemas"]["DomainRecord"][];
            routingNote: string | null;
        };
        DomainVerifiedEvent: {
            id: string;
            /** @constant */
            type: "domain.verified";
            workspaceId: string;
            endpointId: string;
            attempt: number;
            /** Format: date-time */
            createdAt: string;
            data: components["schemas"]["Domain"];
        };
        DubAnswer: unknown;
        EmailNotVerifiedError: {
            error: {
                /** @constant */
                code: "EMAIL_NOT_VERIFIED";
                message: string;
                details: components["schemas"]["ErrorDetail"][];
                requestId: string;
            };
            meta: components["schemas"]["Meta"];
        };
        ErrorDetail: {
            path: string;
            message: string;
            code?: string;
        };
        ErrorResponse: components["schemas"]["ValidationError"] | components["schemas"]["UnauthorizedError"] | components["schemas"]["InvalidCredentialsError"] | components["schemas"]["PasswordRequiredError"] | components["schemas"]["InvalidCodeError"] | components["schemas"]["EmailNotVerifiedError"] | components["schemas"]["ForbiddenError"] | components["schemas"]["SessionNotFreshError"] | components["schemas"]["PlanCapabilityRequiredError"] | components["schemas"]["PlanLimitReachedError"] | components["schemas"]["NotFoundError"] | components["schemas"]["MethodNotAllowedError"] | components["schemas"]["RequestTimeoutError"] | components["schemas"]["ConflictError"] | components["schemas"]["GoneError"] | components["schemas"]["PreconditionFailedError"] | components["schemas"]["PayloadTooLargeError"] | components["schemas"]["UriTooLongError"] | components["schemas"]["UnsupportedMediaTypeError"] | components["schemas"]["RangeNotSatisfiableError"] | components["schemas"]["ExpectationFailedError"] | components["schemas"]["RateLimitedError"] | components["schemas"]["HeadersTooLargeError"] | components["schemas"]["InternalError"] | components["schemas"]["SecretKeyChangedError"] | components["schemas"]["UnavailableError"];
        EventBatch: {
            events: components["schemas"]["BatchEvent"][];
            cursor: string;
        };
        ExpectationFailedError: {
            error: {
                /** @constant */
                code: "EXPECTATION_FAILED";
                message: string;
                details: components["schemas"]["ErrorDetail"][];
                requestId: string;
            };
            meta: components["schemas"]["Meta"];
        };
        ExplainedStep: {
            step: string;
            /** @enum {string} */
            result: "answer" | "continue";
            detail: string;
            name: string | null;
            unmet: components["schemas"]["UnmetCondition"] | null;
        };
        FilteredPageMeta: {
            requestId: string;
            total: number;
            limit: number;
            offset: number;
            totalIsExact?: boolean;
        };
        Folder: {
            id: string;
            workspaceId: string;
            name: string;
            links: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        ForbiddenError: {
            error: {
                /** @constant */
                code: "FORBIDDEN";
                message: string;
                details: components["schemas"]["ForbiddenErrorDetails"] | components["schemas"]["ErrorDetail"][];
                requestId: string;
            };
            meta: components["schemas"]["Meta"];
        };
        ForbiddenErrorDetails: {
            requiredRole?: string;
            requiredScope?: string;
            reason?: string;
            limit?: string;
            max?: number;
            used?: number;
        };
        FoundCampaign: {
            id: string;
            name: string;
            status: string;
        };
        FoundFolder: {
            id: string;
            name: string;
        };
        FoundLink: {
            id: string;
            name: string;
            slug: string;
            shortUrl: string;
            destinationUrl: string;
            externalId: string | null;
            status: string;
        };
        FoundMember: {
            userId: string;
            name: string;
            email: string;
            /** @enum {string} */
            role: "viewer" | "member" | "admin" | "owner";
        };
        FoundTag: {
            name: string;
        };
        FoundWebhookEndpoint: {
            id: string;
            url: string;
            description: string | null;
            status: string;
        };
        GeoAttribution: {
            text: string;
            url: string;
        };
        GeoDataMeta: {
            requestId: string;
            attribution: components["schemas"]["GeoAttribution"] | null;
            /** Format: date-time */
            dataBuiltAt: string | null;
        };
        GoneError: {
            error: {
                /** @constant */
                code: "GONE";
                message: string;
                details: components["schemas"]["ErrorDetail"][];
                requestId: string;
            };
            meta: components["schemas"]["Meta"];
        };
        HeadersTooLargeError: {
            error: {
                /** @constant */
                code: "HEADERS_TOO_LARGE";
                message: string;
                details: components["schemas"]["ErrorDetail"][];
                requestId: string;
            };
            meta: components["schemas"]["Meta"];
        };
        InternalError: {
            error: {
                /** @constant */
                code: "INTERNAL_ERROR";
                message: string;
                details: components["schemas"]["ErrorDetail"][];
                requestId: string;
            };
            meta: components["schemas"]["Meta"];
        };
        InvalidCodeError: {
            error: {
                /** @constant */
                code: "INVALID_CODE";
                message: string;
                details: components["schemas"]["ErrorDetail"][];
                requestId: string;
            };
            meta: components["schemas"]["Meta"];
        };
        InvalidCredentialsError: {
            error: {
                /** @constant */
                code: "INVALID_CREDENTIALS";
                message: string;
                details: components["schemas"]["ErrorDetail"][];
                requestId: string;
            };
            meta: components["schemas"]["Meta"];
        };
        Invitation: {
            id: string;
            workspaceId: string;
            email: string;
            /** @enum {string} */
            role: "viewer" | "member" | "admin" | "owner";
            /** @enum {string} */
            status: "pending" | "accepted" | "rejected" | "canceled" | "expired";
            invitedBy: string | null;
            /** Format: date-time */
            expiresAt: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        InvitationLink: {
            url: string;
            /** Format: date-time */
            expiresAt: string;
        };
        Invoice: {
            id: string;
            number: string | null;
            status: string | null;
            amountDue: number;
            amountPaid: number;
            currency: string;
            /** Format: date-time */
            periodStart: string | null;
            /** Format: date-time */
            periodEnd: string | null;
            /** Format: date-time */
            createdAt: string;
            url: string | null;
            pdfUrl: string | null;
        };
        LimitUse: {
            used: number;
            limit: number | null;
        };
        Link: {
            id: string;
            workspaceId: string;
            name: string;
            slug: string;
            domainId: string | null;
            /** Format: uri */
            destinationUrl: string;
            iosDeepLink: string | null;
            androidDeepLink: string | null;
            /** Format: date-time */
            expiresAt: string | null;
            password: string | null;
            redirectType: number;
            /** @enum {string} */
            status: "active" | "paused" | "archived" | "expired" | "blocked";
            campaignId: string | null;
            utmSource: string | null;
            utmMedium: string | null;
            utmCampaign: string | null;
            utmTerm: string | null;
            utmContent: string | null;
            metadata: {
                [key: string]: unknown;
            } | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            shortUrl: string;
            domain: string;
            tags: string[];
            folderId: string | null;
            externalId: string | null;
            /** Format: uri */
            expiredUrl: string | null;
            maxClicks: number | null;
            /** Format: date-time */
            startsAt: string | null;
            clicks: number;
            /** Format: date-time */
            lastClickedAt: string | null;
            /** Format: date-time */
            archivedAt: string | null;
            createdBy: string;
            trackConversions: boolean;
            rules: components["schemas"]["LinkRule"][];
            forwardQuery: boolean;
            noindex: boolean;
            card: components["schemas"]["LinkCard"] | null;
            qrLogoMediaId: string | null;
            variants: components["schemas"]["LinkVariant"][];
            /** Format: date-time */
            variantsUntil: string | null;
            aliases: string[];
            blockedReason: string | null;
            periodClicks?: number;
            periodConversions?: number;
            periodValue?: number;
        };
        LinkAnalytics: {
            link: components["schemas"]["AnalyzedLink"];
            totalClicks: number;
            periodClicks: number;
            periodChangePercent: number;
            uniqueVisitors: number;
            uniqueVisitorsChangePercent: number;
            breakdowns: components["schemas"]["Breakdowns"];
            hasEarlierPeriod: boolean;
            botClicks: number;
            totalImportedClicks: number;
            approximate: boolean;
            conversions: number;
            value: number;
        };
        LinkCard: {
            title: string | null;
            description: string | null;
            /** Format: uri */
            image: string | null;
        };
        LinkConditions: {
            country?: string[];
            region?: string[];
            continent?: string[];
            device?: string[];
            os?: string[];
            browser?: string[];
            language?: string[];
            query?: {
                [key: string]: string | null;
            };
            /** Format: date-time */
            from?: string;
            /** Format: date-time */
            to?: string;
        };
        LinkCounts: {
            total: number;
            groups: {
                key: string | null;
                count: number;
            }[];
        };
        LinkCreatedEvent: {
            id: string;
            /** @constant */
            type: "link.created";
            workspaceId: string;
            endpointId: string;
            attempt: number;
            /** Format: date-time */
            createdAt: string;
            data: components["schemas"]["LinkSnapshot"];
        };
        LinkDeletedEvent: {
            id: string;
            /** @constant */
            type: "link.deleted";
            workspaceId: string;
            endpointId: string;
            attempt: number;
            /** Format: date-time */
            createdAt: string;
            data: components["schemas"]["LinkSnapshot"];
        };
        LinkDraft: {
            name?: string;
            /** Format: uri */
            destinationUrl: string;
            slug?: string | null;
            domainId?: string | null;
            /** Format: date-time */
            expiresAt?: string | null;
            password?: string | null;
            /** @enum {integer|null} */
            redirectType?: 301 | 302 | 307 | 308 | null;
            /** @enum {string|null} */
            status?: "active" | "paused" | "archived" | null;
            utmSource?: string | null;
            utmMedium?: string | null;
            utmCampaign?: string | null;
            utmTerm?: string | null;
            utmContent?: string | null;
            metadata?: {
                [key: string]: unknown;
            } | null;
            iosDeepLink?: string | null;
            androidDeepLink?: string | null;
            /** Format: uri */
            expiredUrl?: string | null;
            maxClicks?: number | null;
            /** Format: date-time */
            startsAt?: string | null;
            /** Format: date-time */
            variantsUntil?: string | null;
            rules?: components["schemas"]["NewLinkRule"][] | null;
            forwardQuery?: boolean | null;
            noindex?: boolean | null;
            trackConversions?: boolean | null;
            qrLogoMediaId?: string | null;
            card?: components["schemas"]["NewLinkCard"] | null;
            variants?: components["schemas"]["NewLinkVariant"][] | null;
            aliases?: string[] | null;
            tags?: string[] | null;
            folderId?: string | null;
            campaignId?: string | null;
            externalId?: string | null;
            utmTemplateId?: string | null;
            domain?: string | null;
            visit?: {
                userAgent?: string;
                country?: string;
                region?: string;
                city?: string;
                language?: string;
                query?: string;
                /** Format: date-time */
                at?: string;
                unlocked?: boolean;
            };
        };
        LinkExplanation: {
            /** @enum {string} */
            outcome: "redirect" | "page" | "password" | "card" | "interstitial";
            status: number;
            location: string | null;
            page: string | null;
            route: string | null;
            steps: components["schemas"]["ExplainedStep"][];
        };
        LinkFilter: {
            search?: string;
            /** @enum {string} */
            status?: "active" | "paused" | "archived" | "expired" | "blocked";
            /** @default false */
            includeArchived: boolean;
            /** Format: date-time */
            createdFrom?: string;
            /** Format: date-time */
            createdTo?: string;
            domainId?: string;
            domain?: string;
            campaignId?: string;
            folderId?: string;
            externalId?: string;
            slug?: string;
            destinationUrl?: string;
            tag?: string;
            tags?: string;
            /** @enum {string} */
            tagsMode?: "any" | "all";
        };
        LinkHistoryActor: {
            /** @enum {string} */
            type: "user" | "api_key" | "system";
            id: string;
            name: string | null;
        };
        LinkHistoryEntry: {
            id: string;
            /** Format: date-time */
            changedAt: string;
            actor: components["schemas"]["LinkHistoryActor"];
            changes: {
                [key: string]: unknown;
            };
        };
        LinkImport: {
            id: string;
            /** @enum {string} */
            source: "csv" | "bitly" | "dub" | "shortio" | "rebrandly" | "yourls" | "kutt" | "shlink" | "sink" | "linktree" | "linkstack";
            /** @enum {string} */
            status: "pending" | "processing" | "completed" | "failed" | "canceled";
            dryRun: boolean;
            /** @enum {string} */
            onConflict: "skip" | "update";
            columns: components["schemas"]["LinkImportColumn"][];
            domain: string | null;
            total: number;
            processed: number;
            created: number;
            updated: number;
            skipped: number;
            failed: number;
            errors: components["schemas"]["LinkImportError"][];
            unknownDomains: components["schemas"]["UnknownImportDomain"][];
            error: components["schemas"]["LinkImportFailure"] | null;
            canUndo: boolean;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            completedAt: string | null;
        };
        LinkImportColumn: {
            column: string;
            /** @enum {string|null} */
            field: "name" | "domainId" | "domain" | "destinationUrl" | "slug" | "expiresAt" | "password" | "redirectType" | "status" | "utmSource" | "utmMedium" | "utmCampaign" | "utmTerm" | "utmContent" | "metadata" | "iosDeepLink" | "androidDeepLink" | "expiredUrl" | "maxClicks" | "startsAt" | "variantsUntil" | "rules" | "forwardQuery" | "noindex" | "trackConversions" | "card" | "variants" | "aliases" | "tags" | "folderId" | "campaignId" | "externalId" | "utmTemplateId" | "id" | "folder" | "campaign" | "shortUrl" | "clicks" | "clicksByDay" | "archived" | "banned" | "hasPassword" | null;
        };
        LinkImportColumns: {
            /** @enum {string} */
            source: "csv" | "bitly" | "dub" | "shortio" | "rebrandly" | "yourls" | "kutt" | "shlink" | "sink" | "linktree" | "linkstack";
            columns: components["schemas"]["LinkImportColumn"][];
            missing: string[];
        };
        LinkImportColumnsInput: {
            columns: string[];
            /** @enum {string} */
            source?: "csv" | "bitly" | "dub" | "shortio" | "rebrandly" | "yourls" | "kutt" | "shlink" | "sink" | "linktree" | "linkstack";
            mapping?: string;
        };
        LinkImportError: {
            row: number;
            column: string | null;
            code: string;
            message: string;
        };
        LinkImportFailure: {
            code: string;
            message: string;
        };
        LinkImportRow: {
            row: number;
            /** @enum {string} */
            status: "created" | "updated" | "skipped" | "failed";
            linkId: string | null;
            shortUrl: string | null;
            destinationUrl: string | null;
            note: string | null;
        };
        LinkListMeta: {
            requestId: string;
            total: number;
            limit: number;
            offset: number;
            totalIsExact?: boolean;
            nextCursor: string | null;
            period?: components["schemas"]["ClickPeriod"];
            timezone?: string;
            /** Format: date-time */
            asOf?: string;
            currencies?: string[];
        };
        LinkPreview: {
            url: string;
            finalUrl: string | null;
            title: string;
            description: string | null;
            image: string | null;
            favicon: string | null;
            siteName: string | null;
        };
        LinkRule: {
            id: string;
            name: string;
            enabled: boolean;
            conditions: components["schemas"]["LinkConditions"];
            /** Format: uri */
            destinationUrl: string;
        };
        LinkSnapshot: {
            id: string;
            workspaceId: string;
            name: string;
            slug: string;
            domainId: string | null;
            /** Format: uri */
            destinationUrl: string;
            iosDeepLink: string | null;
            androidDeepLink: string | null;
            /** Format: date-time */
            expiresAt: string | null;
            redirectType: number;
            /** @enum {string} */
            status: "active" | "paused" | "archived" | "expired" | "blocked";
            campaignId: string | null;
            utmSource: string | null;
            utmMedium: string | null;
            utmCampaign: string | null;
            utmTerm: string | null;
            utmContent: string | null;
            metadata: {
                [key: string]: unknown;
            } | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            shortUrl: string;
            domain: string;
            tags: string[];
            folderId: string | null;
            externalId: string | null;
            /** Format: uri */
            expiredUrl: string | null;
            maxClicks: number | null;
            /** Format: date-time */
            startsAt: string | null;
            clicks: number;
            /** Format: date-time */
            lastClickedAt: string | null;
            /** Format: date-time */
            archivedAt: string | null;
            createdBy: string;
            trackConversions: boolean;
            rules: components["schemas"]["LinkRule"][];
            forwardQuery: boolean;
            noindex: boolean;
            card: components["schemas"]["LinkCard"] | null;
            qrLogoMediaId: string | null;
            variants: components["schemas"]["LinkVariant"][];
            /** Format: date-time */
            variantsUntil: string | null;
            aliases: string[];
            blockedReason: string | null;
        };
        LinkUpdatedEvent: {
            id: string;
            /** @constant */
            type: "link.updated";
            workspaceId: string;
            endpointId: string;
            attempt: number;
            /** Format: date-time */
            createdAt: string;
            data: {
                id: string;
                workspaceId: string;
                name: string;
                slug: string;
                domainId: string | null;
                /** Format: uri */
                destinationUrl: string;
                iosDeepLink: string | null;
                androidDeepLink: string | null;
                /** Format: date-time */
                expiresAt: string | null;
                redirectType: number;
                /** @enum {string} */
                status: "active" | "paused" | "archived" | "expired" | "blocked";
                campaignId: string | null;
                utmSource: string | null;
                utmMedium: string | null;
                utmCampaign: string | null;
                utmTerm: string | null;
                utmContent: string | null;
                metadata: {
                    [key: string]: unknown;
                } | null;
                /** Format: date-time */
                createdAt: string;
                /** Format: date-time */
                updatedAt: string;
                shortUrl: string;
                domain: string;
                tags: string[];
                folderId: string | null;
                externalId: string | null;
                /** Format: uri */
                expiredUrl: string | null;
                maxClicks: number | null;
                /** Format: date-time */
                startsAt: string | null;
                clicks: number;
                /** Format: date-time */
                lastClickedAt: string | null;
                /** Format: date-time */
                archivedAt: string | null;
                createdBy: string;
                trackConversions: boolean;
                rules: components["schemas"]["LinkRule"][];
                forwardQuery: boolean;
                noindex: boolean;
                card: components["schemas"]["LinkCard"] | null;
                qrLogoMediaId: string | null;
                variants: components["schemas"]["LinkVariant"][];
                /** Format: date-time */
                variantsUntil: string | null;
                aliases: string[];
                blockedReason: string | null;
                changes: string[];
                previous: {
                    [key: string]: unknown;
                };
            };
        };
        LinkVariant: {
            id: string;
            name: string;
            /** Format: uri */
            destinationUrl: string;
            weight: number;
        };
        LinkView: {
            id: string;
            workspaceId: string;
            userId: string;
            name: string;
            query: string;
            isShared: boolean;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        ListedWebhookEndpoint: {
            id: string;
            workspaceId: string;
            /** Format: uri */
            url: string;
            description: string | null;
            events: ("*" | "link.created" | "link.updated" | "link.deleted" | "domain.verified" | "domain.failed" | "click.received" | "conversion.received" | "campaign.completed" | "report.generated" | "billing.subscription.updated")[];
            /** @enum {string} */
            status: "active" | "paused";
            failureCount: number;
            /** Format: date-time */
            lastFailureAt: string | null;
            /** Format: date-time */
            lastSuccessAt: string | null;
            createdBy: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            standardHeaders: boolean;
            /** Format: email */
            failureEmail: string | null;
            droppedClicks: number;
            disableAfterHours: number | null;
            /** Format: date-time */
            autoPausedAt: string | null;
            /** Format: date-time */
            previousSecretValidUntil: string | null;
            headers: {
                [key: string]: string;
            };
            stats?: components["schemas"]["WebhookEndpointStats"];
        };
        Media: {
            id: string;
            workspaceId: string;
            filename: string;
            /** @enum {string} */
            contentType: "image/png" | "image/jpeg" | "image/gif" | "image/webp" | "image/avif";
            size: number;
            width: number;
            height: number;
            frames: number;
            sha256: string;
            url: string;
            usedBy: components["schemas"]["MediaUse"][];
            /** Format: date-time */
            createdAt: string;
        };
        MediaMeta: {
            requestId: string;
            total: number;
            limit: number;
            offset: number;
            usedBytes: number;
        };
        MediaUse: {
            /** @enum {string} */
            type: "link" | "bio_page" | "workspace";
            id: string;
            name: string;
        };
        Member: {
            userId: string;
            name: string;
            email: string;
            /** @enum {string} */
            role: "viewer" | "member" | "admin" | "owner";
            /** Format: date-time */
            joinedAt: string;
            /** Format: date-time */
            lastActiveAt: string | null;
            twoFactorEnabled: boolean | null;
        };
        Meta: {
            requestId: string;
        };
        MethodNotAllowedError: {
            error: {
                /** @constant */
                code: "METHOD_NOT_ALLOWED";
                message: string;
                details: components["schemas"]["ErrorDetail"][];
                requestId: string;
            };
            meta: components["schemas"]["Meta"];
        };
        NewApiKey: {
            id: string;
            name: string;
            prefix: string;
            scopes: string[] | null;
            ipAllowlist: string[];
            workspaceId: string;
            userId: string;
            app: string | null;
            /** Format: date-time */
            lastUsedAt: string | null;
            lastUsedIp: string | null;
            /** Format: date-time */
            expiresAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            key: string;
        };
        NewConversion: {
            eventName: string;
            clickId?: string | null;
            linkId?: string | null;
            slug?: string | null;
            domain?: string | null;
            eventId?: string | null;
            customerId?: string | null;
            invoiceId?: string | null;
            /** @enum {string|null} */
            type?: "lead" | "sale" | "custom" | null;
            value?: number | null;
            currency?: string | null;
            /** Format: date-time */
            occurredAt?: string | null;
            customer?: {
                [key: string]: unknown;
            } | null;
            metadata?: {
                [key: string]: unknown;
            } | null;
        };
        NewLinkCard: {
            title?: string | null;
            description?: string | null;
            /** Format: uri */
            image?: string | null;
        };
        NewLinkRule: {
            id?: string | null;
            name?: string | null;
            enabled?: boolean | null;
            conditions: components["schemas"]["LinkConditions"];
            /** Format: uri */
            destinationUrl: string;
        };
        NewLinkVariant: {
            id?: string | null;
            name?: string | null;
            /** Format: uri */
            destinationUrl: string;
            weight: number;
        };
        NotFoundError: {
            error: {
                /** @constant */
                code: "NOT_FOUND";
                message: string;
                details: components["schemas"]["ErrorDetail"][];
                requestId: string;
            };
            meta: components["schemas"]["Meta"];
        };
        PageMeta: {
            requestId: string;
            total: number;
            limit: number;
            offset: number;
        };
        PasswordRequiredError: {
            error: {
                /** @constant */
                code: "PASSWORD_REQUIRED";
                message: string;
                details: components["schemas"]["ErrorDetail"][];
                requestId: string;
            };
            meta: components["schemas"]["Meta"];
        };
        PayloadTooLargeError: {
            error: {
                /** @constant */
                code: "PAYLOAD_TOO_LARGE";
                message: string;
                details: components["schemas"]["ErrorDetail"][];
                requestId: string;
            };
            meta: components["schemas"]["Meta"];
        };
        PaymentMethod: {
            id: string;
            type: string;
            brand: string | null;
            last4: string | null;
            expiryMonth: number | null;
            expiryYear: number | null;
        };
        Plan: {
            id: string;
            name: string;
            price: components["schemas"]["PlanPrice"];
            limits: components["schemas"]["PlanLimits"];
            capabilities: components["schemas"]["PlanCapabilities"];
            apiRequestsPerMinute: number | null;
            soldIntervals: ("monthly" | "yearly")[];
        };
        PlanCapabilities: {
            webhooks: boolean;
            custom_domains: boolean;
            conversions: boolean;
            password: boolean;
            deep_links: boolean;
            reports: boolean;
            audit_log: boolean;
            public_dashboards: boolean;
        };
        PlanCapabilityRequiredError: {
            error: {
                /** @constant */
                code: "PLAN_CAPABILITY_REQUIRED";
                message: string;
                details: components["schemas"]["PlanCapabilityRequiredErrorDetails"];
                requestId: string;
            };
            meta: components["schemas"]["Meta"];
        };
        PlanCapabilityRequiredErrorDetails: {
            capability: string;
            plan: string;
        };
        PlanLimitReachedError: {
            error: {
                /** @constant */
                code: "PLAN_LIMIT_REACHED";
                message: string;
                details: components["schemas"]["PlanLimitReachedErrorDetails"];
                requestId: string;
            };
            meta: components["schemas"]["Meta"];
        };
        PlanLimitReachedErrorDetails: {
            limit: string;
            max: number | null;
            used?: number;
        };
        PlanLimits: {
            links_monthly: number | null;
            clicks_monthly: number | null;
            domains: number | null;
            members: number | null;
            webhook_endpoints: number | null;
            api_requests_monthly: number | null;
            api_keys: number | null;
            campaigns: number | null;
            bio_pages: number | null;
            utm_templates: number | null;
            media_storage_mb: number | null;
            analytics_retention_days: number | null;
        };
        PlanPrice: {
            monthly: number | null;
            yearly: number | null;
            currency: string;
        };
        PreconditionFailedError: {
            error: {
                /** @constant */
                code: "PRECONDITION_FAILED";
                message: string;
                details: components["schemas"]["PreconditionFailedErrorDetails"];
                requestId: string;
            };
            meta: components["schemas"]["Meta"];
        };
        PreconditionFailedErrorDetails: {
            etag: string;
            current: {
                [key: string]: unknown;
            };
            /** @deprecated */
            present: {
                [key: string]: unknown;
            };
        };
        PublicDashboard: {
            title: string;
            scope: components["schemas"]["PublicDashboardScope"];
            period: components["schemas"]["PublicDashboardPeriod"];
            metrics: components["schemas"]["PublicDashboardMetrics"];
            timeseries: components["schemas"]["PublicDashboardBucket"][];
            breakdowns: {
                [key: string]: {
                    [key: string]: number;
                };
            };
            topLinks: components["schemas"]["PublicDashboardLink"][];
            /** Format: date-time */
            updatedAt: string;
        };
        PublicDashboardBucket: {
            /** Format: date-time */
            start: string;
            clicks: number;
            uniqueVisitors: number;
            conversions?: number;
            value?: number;
        };
        PublicDashboardLink: {
            name: string;
            shortUrl: string;
            clicks: number;
            uniqueVisitors: number;
            conversions?: number;
            value?: number;
        };
        PublicDashboardMetrics: {
            totalClicks: number;
            periodClicks: number;
            totalImportedClicks: number;
            periodChangePercent: number;
            uniqueVisitors: number;
            uniqueVisitorsChangePercent: number;
            hasEarlierPeriod: boolean;
            conversions?: number;
            value?: number;
            currency?: string;
            approximate: boolean;
        };
        PublicDashboardPeriod: {
            /** Format: date-time */
            start: string;
            /** Format: date-time */
            end: string;
            days: number;
            timezone: string;
            /** @enum {string} */
            granularity: "hour" | "day" | "week" | "month";
        };
        PublicDashboardScope: {
            /** @enum {string} */
            type: "workspace" | "link" | "campaign" | "folder";
            id: string;
        };
        QrCodes: {
            ids: string[];
            /**
             * @default png
             * @enum {string}
             */
            format: "png" | "svg" | "pdf";
            /**
             * @default square
             * @enum {string}
             */
            shape: "square" | "rounded" | "dots";
            /** @default 600 */
            size: number;
            /** @default 4 */
            margin: number;
            /** @default 000000 */
            fg: string;
            /** @default ffffff */
            bg: string;
            /** @enum {string} */
            level?: "L" | "M" | "Q" | "H";
        };
        QueuedWebhookTest: {
            id: string;
            status: string;
            /** @enum {string} */
            eventType: "link.created" | "link.updated" | "link.deleted" | "domain.verified" | "domain.failed" | "click.received" | "conversion.received" | "campaign.completed" | "report.generated" | "billing.subscription.updated";
            /** Format: date-time */
            createdAt: string;
        };
        RangeNotSatisfiableError: {
            error: {
                /** @constant */
                code: "RANGE_NOT_SATISFIABLE";
                message: string;
                details: components["schemas"]["ErrorDetail"][];
                requestId: string;
            };
            meta: components["schemas"]["Meta"];
        };
        RateLimitedError: {
            error: {
                /** @constant */
                code: "RATE_LIMITED";
                message: string;
                details: components["schemas"]["RateLimitedErrorDetails"];
                requestId: string;
            };
            meta: components["schemas"]["Meta"];
        };
        RateLimitedErrorDetails: {
            retryAfter: number;
            limit: number;
            window: number;
        };
        ReceivedInvitation: {
            id: string;
            workspaceId: string;
            email: string;
            /** @enum {string} */
            role: "viewer" | "member" | "admin" | "owner";
            /** @enum {string} */
            status: "pending" | "accepted" | "rejected" | "canceled" | "expired";
            invitedBy: string | null;
            /** Format: date-time */
            expiresAt: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            workspaceName: string;
            inviterName: string | null;
        };
        RecordConversions: {
            eventName: string;
            clickId?: string | null;
            linkId?: string | null;
            slug?: string | null;
            domain?: string | null;
            eventId?: string | null;
            customerId?: string | null;
            invoiceId?: string | null;
            /** @enum {string|null} */
            type?: "lead" | "sale" | "custom" | null;
            value?: number | null;
            currency?: string | null;
            /** Format: date-time */
            occurredAt?: string | null;
            customer?: {
                [key: string]: unknown;
            } | null;
            metadata?: {
                [key: string]: unknown;
            } | null;
        } | components["schemas"]["NewConversion"][];
        RecordConversionsMeta: {
            requestId: string;
            total?: number;
            succeeded?: number;
            failed?: number;
        };
        RecordedConversionRow: {
            index: number;
            id: string | null;
            eventId: string | null;
            duplicate: boolean;
            attributed: boolean;
            linkId: string | null;
            clickId: string | null;
            error: components["schemas"]["ConversionError"] | null;
        };
        RecordedConversions: {
            id: string;
            eventId: string;
            duplicate: boolean;
            attributed: boolean;
            linkId: string | null;
            clickId: string | null;
        } | components["schemas"]["RecordedConversionRow"][];
        RenamedTag: {
            name: string;
            links: number;
            pending: number;
        };
        RenameTag: {
            name: string;
        };
        ReplayedWebhookEvents: {
            queued: number;
            /** Format: date-time */
            next: string | null;
        };
        ReplayWebhookEvents: {
            /** Format: date-time */
            since: string;
            /** Format: date-time */
            until?: string;
            events?: ("*" | "link.created" | "link.updated" | "link.deleted" | "domain.verified" | "domain.failed" | "click.received" | "conversion.received" | "campaign.completed" | "report.generated" | "billing.subscription.updated")[];
        };
        Report: {
            id: string;
            workspaceId: string;
            name: string;
            /** @enum {string} */
            type: "links" | "clicks" | "conversions" | "campaign" | "domains" | "summary" | "audit_log";
            /** @enum {string} */
            format: "csv" | "json" | "xlsx" | "pdf";
            /** @enum {string} */
            status: "pending" | "processing" | "completed" | "failed";
            progress: number;
            filters: components["schemas"]["ReportFilters"];
            schedule: components["schemas"]["ReportSchedule"] | null;
            /** Format: date-time */
            nextRunAt: string | null;
            rowCount: number | null;
            size: number | null;
            downloadUrl: string | null;
            error: components["schemas"]["ReportError"] | null;
            /** Format: date-time */
            generatedAt: string | null;
            /** Format: date-time */
            expiresAt: string | null;
            /** Format: date-time */
            createdAt: string;
        };
        ReportError: {
            code: string;
            message: string;
        };
        ReportFilters: {
            days?: number;
            start?: string;
            end?: string;
            timezone?: string;
            linkIds?: string[];
            campaignId?: string;
            domainId?: string;
            currency?: string;
            dimensions?: ("country" | "region" | "city" | "continent" | "device" | "browser" | "os" | "referrer" | "language" | "trigger" | "utmSource" | "utmMedium" | "utmCampaign" | "utmTerm" | "utmContent" | "destination")[];
        };
        ReportGeneratedEvent: {
            id: string;
            /** @constant */
            type: "report.generated";
            workspaceId: string;
            endpointId: string;
            attempt: number;
            /** Format: date-time */
            createdAt: string;
            data: components["schemas"]["Report"];
        };
        ReportSchedule: {
            /** @enum {string} */
            frequency: "daily" | "weekly" | "monthly";
            hour: number;
            weekday: number | null;
            timezone: string;
            recipients: string[];
        };
        ReportScheduleInput: {
            /** @enum {string} */
            frequency: "daily" | "weekly" | "monthly";
            hour?: number;
            weekday?: number | null;
            timezone?: string;
            recipients?: string[];
        };
        RequestTimeoutError: {
            error: {
                /** @constant */
                code: "REQUEST_TIMEOUT";
                message: string;
                details: components["schemas"]["ErrorDetail"][];
                requestId: string;
            };
            meta: components["schemas"]["Meta"];
        };
        RequeuedWebhookDeliveries: {
            requeued: number;
            hasMore: boolean;
        };
        ResolveDeferredLink: {
            installReferrer?: string;
            clickId?: string;
            deepLink?: string;
            url?: string;
            domain?: string;
            /** @enum {string} */
            platform?: "ios" | "android";
            language?: string;
        };
        RetriedWebhookDelivery: {
            id: string;
            status: string;
            attempts: number;
            maxAttempts: number;
        };
        RetryWebhookDeliveries: {
            endpointId?: string;
            /** @enum {string} */
            status?: "failed" | "dead_letter";
            /** @enum {string} */
            eventType?: "link.created" | "link.updated" | "link.deleted" | "domain.verified" | "domain.failed" | "click.received" | "conversion.received" | "campaign.completed" | "report.generated" | "billing.subscription.updated";
            eventId?: string;
            responseStatus?: number;
            /** Format: date-time */
            from?: string;
            /** Format: date-time */
            to?: string;
        };
        RollbackLink: {
            historyId: string;
        };
        RotatedWebhookSecret: {
            id: string;
            secret: string;
            /** Format: date-time */
            previousSecretValidUntil: string | null;
        };
        SearchResults: {
            links?: components["schemas"]["FoundLink"][];
            campaigns?: components["schemas"]["FoundCampaign"][];
            tags?: components["schemas"]["FoundTag"][];
            folders?: components["schemas"]["FoundFolder"][];
            webhookEndpoints?: components["schemas"]["FoundWebhookEndpoint"][];
            members?: components["schemas"]["FoundMember"][];
        };
        SecretKeyChangedError: {
            error: {
                /** @constant */
                code: "SECRET_KEY_CHANGED";
                message: string;
                details: components["schemas"]["ErrorDetail"][];
                requestId: string;
            };
            meta: components["schemas"]["Meta"];
        };
        SecurityActor: {
            /** @enum {string} */
            type: "user" | "api_key" | "system" | "anonymous";
            id: string | null;
            name: string | null;
            email: string | null;
        };
        SecurityEntry: {
            id: string;
            workspaceId: string | null;
            /** @enum {string} */
            type: "sign_up.requested" | "sign_in.succeeded" | "sign_in.failed" | "sign_out" | "email.verified" | "email.changed" | "password.changed" | "password.reset_requested" | "password.reset" | "session.revoked" | "two_factor.enabled" | "two_factor.disabled" | "two_factor.failed" | "backup_codes.used" | "backup_codes.replaced" | "passkey.added" | "passkey.removed" | "account.linked" | "account.unlinked" | "account.deleted" | "operator.added" | "operator.removed" | "api_key.created" | "api_key.rotated" | "api_key.revoked" | "api_key.ip_denied" | "member.invited" | "member.joined" | "member.role_changed" | "member.removed" | "webhook.secret_viewed" | "webhook.secret_rotated" | "workspace.deleted" | "workspace.suspended" | "workspace.resumed";
            /** @enum {string} */
            outcome: "success" | "failure";
            actor: components["schemas"]["SecurityActor"];
            userId: string | null;
            details: {
                [key: string]: unknown;
            };
            ipAddress: string | null;
            userAgent: string | null;
            geo: components["schemas"]["SecurityGeo"];
            requestId: string;
            /** Format: date-time */
            createdAt: string;
        };
        SecurityGeo: {
            country: string | null;
        };
        SessionNotFreshError: {
            error: {
                /** @constant */
                code: "SESSION_NOT_FRESH";
                message: string;
                details: components["schemas"]["ErrorDetail"][];
                requestId: string;
            };
            meta: components["schemas"]["Meta"];
        };
        ShlinkImport: {
            baseUrl: string;
            apiKey: string;
            dryRun?: boolean;
            /** @enum {string} */
            onConflict?: "skip" | "update";
            domain?: string;
        };
        SlugAnswer: {
            slug: string;
            available: boolean;
            /** @enum {string|null} */
            reason: "taken" | "reserved" | "invalid" | null;
        };
        Subscription: {
            plan: string;
            /** @enum {string} */
            status: "active" | "trialing" | "past_due" | "canceled";
            /** Format: date-time */
            currentPeriodStart: string | null;
            /** Format: date-time */
            currentPeriodEnd: string | null;
            cancelAtPeriodEnd: boolean;
        };
        Tag: {
            name: string;
            links: number;
        };
        TestWebhookEndpoint: {
            /** @enum {string} */
            eventType?: "link.created" | "link.updated" | "link.deleted" | "domain.verified" | "domain.failed" | "click.received" | "conversion.received" | "campaign.completed" | "report.generated" | "billing.subscription.updated";
        };
        TrackedAmount: {
            amount: number;
            currency: string;
            invoiceId: string | null;
            paymentProcessor: string | null;
            metadata: {
                [key: string]: unknown;
            } | null;
        };
        TrackedClick: {
            id: string;
        };
        TrackedCustomer: {
            externalId: string | null;
            name: string | null;
            email: string | null;
            avatar: string | null;
        };
        TrackedLead: {
            id: string;
            eventId: string;
            duplicate: boolean;
            attributed: boolean;
            linkId: string | null;
            clickId: string | null;
            eventName: string;
            click: components["schemas"]["TrackedClick"] | null;
            link: components["schemas"]["TrackedLink"] | null;
            customer: components["schemas"]["TrackedCustomer"];
        };
        TrackedLink: {
            id: string;
        };
        TrackedSale: {
            id: string;
            eventId: string;
            duplicate: boolean;
            attributed: boolean;
            linkId: string | null;
            clickId: string | null;
            eventName: string;
            click: components["schemas"]["TrackedClick"] | null;
            link: components["schemas"]["TrackedLink"] | null;
            customer: components["schemas"]["TrackedCustomer"];
            sale: components["schemas"]["TrackedAmount"];
        };
        TrackLead: {
            eventName: string;
            clickId?: string | null;
            externalId?: string | null;
            customerExternalId?: string | null;
            customerName?: string | null;
            customerEmail?: string | null;
            customerAvatar?: string | null;
            metadata?: {
                [key: string]: unknown;
            } | null;
        };
        TrackSale: {
            amount: number;
            clickId?: string | null;
            externalId?: string | null;
            customerExternalId?: string | null;
            customerName?: string | null;
            customerEmail?: string | null;
            customerAvatar?: string | null;
            metadata?: {
                [key: string]: unknown;
            } | null;
            eventName?: string;
            currency?: string | null;
            invoiceId?: string | null;
            paymentProcessor?: string | null;
        };
        TransportError: {
            error: {
                /** @enum {string} */
                code: "METHOD_NOT_ALLOWED" | "REQUEST_TIMEOUT" | "PAYLOAD_TOO_LARGE" | "URI_TOO_LONG" | "UNSUPPORTED_MEDIA_TYPE" | "EXPECTATION_FAILED" | "HEADERS_TOO_LARGE";
                message: string;
                details: components["schemas"]["ErrorDetail"][];
                requestId: string;
            };
            meta: components["schemas"]["Meta"];
        };
        UnauthorizedError: {
            error: {
                /** @constant */
                code: "UNAUTHORIZED";
                message: string;
                details: components["schemas"]["ErrorDetail"][];
                requestId: string;
            };
            meta: components["schemas"]["Meta"];
        };
        UnavailableError: {
            error: {
                /** @constant */
                code: "UNAVAILABLE";
                message: string;
                details: components["schemas"]["UnavailableErrorDetails"] | components["schemas"]["ErrorDetail"][];
                requestId: string;
            };
            meta: components["schemas"]["Meta"];
        };
        UnavailableErrorDetails: {
            reason?: string;
        };
        UndoBulk: {
            undoId: string;
        };
        UndoMeta: {
            requestId: string;
            total: number;
            succeeded: number;
            skipped: number;
        };
        UndoRow: {
            id: string;
            /** @enum {string} */
            status: "restored" | "deleted" | "skipped";
            shortUrl: string | null;
            /** @enum {string|null} */
            reason: "changed" | "clicked" | "deleted" | "refused" | null;
            message: string | null;
        };
        UnknownImportDomain: {
            domain: string;
            rows: number;
        };
        UnmetCondition: {
            /** @enum {string} */
            condition: "country" | "region" | "continent" | "device" | "os" | "browser" | "language" | "query" | "from" | "to";
            wanted: string;
            found: string;
        };
        UnsupportedMediaTypeError: {
            error: {
                /** @constant */
                code: "UNSUPPORTED_MEDIA_TYPE";
                message: string;
                details: components["schemas"]["ErrorDetail"][];
                requestId: string;
            };
            meta: components["schemas"]["Meta"];
        };
        UpdateAlert: {
            watches?: ("clicks" | "destination")[];
            recipients?: string[];
            isActive?: boolean;
        };
        UpdateApiKey: {
            name?: string;
            scopes?: ("*" | "*:read" | "links:read" | "links:write" | "analytics:read" | "analytics:write" | "domains:read" | "domains:write" | "conversions:write" | "campaigns:read" | "campaigns:write" | "utm-templates:read" | "utm-templates:write" | "bio-pages:read" | "bio-pages:write" | "media:read" | "media:write" | "reports:read" | "reports:write" | "alerts:read" | "alerts:write" | "webhooks:read" | "webhooks:write" | "deferred:read" | "deferred:write" | "dashboards:read" | "dashboards:write" | "workspaces:read" | "workspaces:write" | "members:read" | "members:write" | "billing:read" | "audit-log:read" | "security-log:read")[] | null;
            ipAllowlist?: string[] | null;
            /** Format: date-time */
            expiresAt?: string | null;
        };
        UpdateBioPage: {
            slug?: string;
            title?: string;
            description?: string | null;
            avatarMediaId?: string | null;
            theme?: components["schemas"]["BioPageThemeInput"];
            blocks?: components["schemas"]["BioPageBlockInput"][];
            socials?: components["schemas"]["BioPageSocial"][];
            seo?: components["schemas"]["BioPageSeoInput"];
            /** @enum {string} */
            status?: "draft" | "published";
            domainId?: string | null;
            isRoot?: boolean;
        };
        UpdateCampaign: {
            name?: string;
            description?: string | null;
            /** @enum {string} */
            status?: "draft" | "active" | "paused" | "completed" | "archived";
            /** Format: date-time */
            startsAt?: string | null;
            /** Format: date-time */
            endsAt?: string | null;
            goal?: components["schemas"]["CampaignGoal"] | null;
            utmSource?: string | null;
            utmMedium?: string | null;
            utmCampaign?: string | null;
            utmTerm?: string | null;
            utmContent?: string | null;
            tags?: string[] | null;
        };
        UpdateDashboard: {
            title?: string;
            linkId?: string | null;
            campaignId?: string | null;
            folderId?: string | null;
            days?: number;
            password?: string | null;
            showConversions?: boolean;
            currency?: string;
            doIndex?: boolean;
            revoked?: boolean;
        };
        UpdateDomain: {
            isDefault?: boolean;
            caseSensitive?: boolean;
            rootRedirectUrl?: string | null;
            notFoundUrl?: string | null;
            expiredUrl?: string | null;
            appleAppSiteAssociation?: {
                [key: string]: unknown;
            } | null;
            assetLinks?: unknown[] | null;
        };
        UpdateEachLink: {
            name?: string;
            /** Format: uri */
            destinationUrl?: string;
            slug?: string | null;
            domainId?: string | null;
            /** Format: date-time */
            expiresAt?: string | null;
            password?: string | null;
            /** @enum {integer|null} */
            redirectType?: 301 | 302 | 307 | 308 | null;
            /** @enum {string|null} */
            status?: "active" | "paused" | "archived" | null;
            utmSource?: string | null;
            utmMedium?: string | null;
            utmCampaign?: string | null;
            utmTerm?: string | null;
            utmContent?: string | null;
            metadata?: {
                [key: string]: unknown;
            } | null;
            iosDeepLink?: string | null;
            androidDeepLink?: string | null;
            /** Format: uri */
            expiredUrl?: string | null;
            maxClicks?: number | null;
            /** Format: date-time */
            startsAt?: string | null;
            /** Format: date-time */
            variantsUntil?: string | null;
            rules?: components["schemas"]["NewLinkRule"][] | null;
            forwardQuery?: boolean | null;
            noindex?: boolean | null;
            trackConversions?: boolean | null;
            qrLogoMediaId?: string | null;
            card?: components["schemas"]["NewLinkCard"] | null;
            variants?: components["schemas"]["NewLinkVariant"][] | null;
            aliases?: string[] | null;
            tags?: string[] | null;
            folderId?: string | null;
            campaignId?: string | null;
            externalId?: string | null;
            utmTemplateId?: string | null;
            domain?: string | null;
            keepAlias?: boolean | null;
            addTags?: string[];
            removeTags?: string[];
        };
        UpdateFolder: {
            name?: string;
        };
        UpdateLink: {
            name?: string;
            /** Format: uri */
            destinationUrl?: string;
            slug?: string | null;
            domainId?: string | null;
            /** Format: date-time */
            expiresAt?: string | null;
            password?: string | null;
            /** @enum {integer|null} */
            redirectType?: 301 | 302 | 307 | 308 | null;
            /** @enum {string|null} */
            status?: "active" | "paused" | "archived" | null;
            utmSource?: string | null;
            utmMedium?: string | null;
            utmCampaign?: string | null;
            utmTerm?: string | null;
            utmContent?: string | null;
            metadata?: {
                [key: string]: unknown;
            } | null;
            iosDeepLink?: string | null;
            androidDeepLink?: string | null;
            /** Format: uri */
            expiredUrl?: string | null;
            maxClicks?: number | null;
            /** Format: date-time */
            startsAt?: string | null;
            /** Format: date-time */
            variantsUntil?: string | null;
            rules?: components["schemas"]["NewLinkRule"][] | null;
            forwardQuery?: boolean | null;
            noindex?: boolean | null;
            trackConversions?: boolean | null;
            qrLogoMediaId?: string | null;
            card?: components["schemas"]["NewLinkCard"] | null;
            variants?: components["schemas"]["NewLinkVariant"][] | null;
            aliases?: string[] | null;
            tags?: string[] | null;
            folderId?: string | null;
            campaignId?: string | null;
            externalId?: string | null;
            utmTemplateId?: string | null;
            domain?: string | null;
            keepAlias?: boolean | null;
        };
        UpdateLinks: {
            ids?: string[];
            externalIds?: string[];
            filter?: components["schemas"]["LinkFilter"];
            data: components["schemas"]["UpdateEachLink"];
        };
        UpdateLinkView: {
            name?: string;
            query?: string;
            isShared?: boolean;
        };
        UpdateMember: {
            /** @enum {string} */
            role: "viewer" | "member" | "admin" | "owner";
        };
        UpdateReport: {
            name?: string;
            filters?: components["schemas"]["ReportFilters"];
            schedule?: components["schemas"]["ReportScheduleInput"] | null;
        };
        UpdateUtmTemplate: {
            name?: string;
            utmSource?: string | null;
            utmMedium?: string | null;
            utmCampaign?: string | null;
            utmTerm?: string | null;
            utmContent?: string | null;
        };
        UpdateWebhookEndpoint: {
            /** Format: uri */
            url?: string;
            events?: ("*" | "link.created" | "link.updated" | "link.deleted" | "domain.verified" | "domain.failed" | "click.received" | "conversion.received" | "campaign.completed" | "report.generated" | "billing.subscription.updated")[];
            description?: string | null;
            /** @enum {string} */
            status?: "active" | "paused";
            standardHeaders?: boolean;
            /** Format: email */
            failureEmail?: string | null;
            disableAfterHours?: number | null;
            headers?: {
                [key: string]: string;
            } | null;
        };
        UpdateWorkspace: {
            name?: string;
            honorsPrivacySignals?: boolean;
            timezone?: string;
            brandColor?: string | null;
            logoMediaId?: string | null;
        };
        UpsertMeta: {
            requestId: string;
            created: boolean;
        };
        UriTooLongError: {
            error: {
                /** @constant */
                code: "URI_TOO_LONG";
                message: string;
                details: components["schemas"]["ErrorDetail"][];
                requestId: string;
            };
            meta: components["schemas"]["Meta"];
        };
        UtmTemplate: {
            id: string;
            workspaceId: string;
            name: string;
            utmSource: string | null;
            utmMedium: string | null;
            utmCampaign: string | null;
            utmTerm: string | null;
            utmContent: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        ValidationError: {
            error: {
                /** @constant */
                code: "VALIDATION_ERROR";
                message: string;
                details: components["schemas"]["ErrorDetail"][];
                requestId: string;
            };
            meta: components["schemas"]["Meta"];
        };
        WebhookAttempt: {
            attempt: number;
            /** Format: date-time */
            at: string;
            responseStatus: number | null;
            durationMs: number | null;
            error: string | null;
            responseHeaders: {
                [key: string]: string;
            } | null;
            responseBody: string | null;
        };
        WebhookDelivery: {
            id: string;
            workspaceId: string;
            endpointId: string;
            /** @enum {string} */
            eventType: "link.created" | "link.updated" | "link.deleted" | "domain.verified" | "domain.failed" | "click.received" | "conversion.received" | "campaign.completed" | "report.generated" | "billing.subscription.updated";
            eventId: string;
            /** @enum {string} */
            status: "pending" | "processing" | "completed" | "failed" | "dead_letter";
            attempts: number;
            maxAttempts: number;
            responseStatus: number | null;
            durationMs: number | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            completedAt: string | null;
            error: string | null;
            /** Format: date-time */
            nextAttemptAt: string | null;
        };
        WebhookDeliveryCounts: {
            total: number;
            pending: number;
            processing: number;
            completed: number;
            failed: number;
            dead_letter: number;
        };
        WebhookDeliveryDetail: {
            id: string;
            workspaceId: string;
            endpointId: string;
            /** @enum {string} */
            eventType: "link.created" | "link.updated" | "link.deleted" | "domain.verified" | "domain.failed" | "click.received" | "conversion.received" | "campaign.completed" | "report.generated" | "billing.subscription.updated";
            eventId: string;
            /** @enum {string} */
            status: "pending" | "processing" | "completed" | "failed" | "dead_letter";
            attempts: number;
            maxAttempts: number;
            responseStatus: number | null;
            durationMs: number | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            completedAt: string | null;
            error: string | null;
            /** Format: date-time */
            nextAttemptAt: string | null;
            responseBody: string | null;
            responseHeaders: {
                [key: string]: string;
            } | null;
            payload: unknown;
            requestBody: string | null;
            requestHeaders: {
                [key: string]: string;
            } | null;
            attemptLog: components["schemas"]["WebhookAttempt"][];
        };
        WebhookEndpoint: {
            id: string;
            workspaceId: string;
            /** Format: uri */
            url: string;
            description: string | null;
            events: ("*" | "link.created" | "link.updated" | "link.deleted" | "domain.verified" | "domain.failed" | "click.received" | "conversion.received" | "campaign.completed" | "report.generated" | "billing.subscription.updated")[];
            /** @enum {string} */
            status: "active" | "paused";
            failureCount: number;
            /** Format: date-time */
            lastFailureAt: string | null;
            /** Format: date-time */
            lastSuccessAt: string | null;
            createdBy: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            standardHeaders: boolean;
            /** Format: email */
            failureEmail: string | null;
            droppedClicks: number;
            disableAfterHours: number | null;
            /** Format: date-time */
            autoPausedAt: string | null;
            /** Format: date-time */
            previousSecretValidUntil: string | null;
            headers: {
                [key: string]: string;
            };
        };
        WebhookEndpointHour: {
            /** Format: date-time */
            start: string;
            delivered: number;
            failed: number;
        };
        WebhookEndpointStats: {
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            delivered: number;
            failed: number;
            p50Ms: number | null;
            p99Ms: number | null;
            failureCount: number;
            /** Format: date-time */
            lastFailureAt: string | null;
            /** Format: date-time */
            lastSuccessAt: string | null;
            hours: components["schemas"]["WebhookEndpointHour"][];
        };
        WebhookEventCatalog: {
            events: components["schemas"]["WebhookEventType"][];
        };
        WebhookEventType: {
            /** @enum {string} */
            type: "link.created" | "link.updated" | "link.deleted" | "domain.verified" | "domain.failed" | "click.received" | "conversion.received" | "campaign.completed" | "report.generated" | "billing.subscription.updated";
            label: string;
            description: string;
            sample: unknown;
        };
        WebhookSecret: {
            id: string;
            secret: string;
        };
        Workspace: {
            id: string;
            name: string;
            plan: string;
            /** @enum {string} */
            role: "viewer" | "member" | "admin" | "owner";
            isSuspended: boolean;
            honorsPrivacySignals: boolean;
            timezone: string;
            brandColor: string | null;
            logoMediaId: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        WorkspaceUsage: {
            period: string;
            /** Format: date-time */
            resetsAt: string;
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
export type $defs = Record<string, never>;
export interface operations {
    upsertLink: {
        parameters: {
            query?: {
                keep?: boolean;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateLink"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Link"];
                        meta: components["schemas"]["UpsertMeta"];
                    };
                };
            };
        };
    };
    createLinks: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateLinks"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["BulkRow"][];
                        meta: components["schemas"]["BulkMeta"];
                    };
                };
            };
        };
    };
    deleteLinks: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeleteLinks"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["BulkRow"][];
                        meta: components["schemas"]["BulkChangeMeta"];
                    };
                };
            };
        };
    };
    updateLinks: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateLinks"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["BulkRow"][];
                        meta: components["schemas"]["BulkChangeMeta"];
                    };
                };
            };
        };
    };
    undoBulk: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UndoBulk"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["UndoRow"][];
                        meta: components["schemas"]["UndoMeta"];
                    };
                };
            };
        };
    };
    checkSlug: {
        parameters: {
            query: {
                slug: string;
                domainId?: string;
                domain?: string;
                workspaceId?: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SlugAnswer"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    countLinks: {
        parameters: {
            query?: {
                groupBy?: "status" | "tag" | "folderId" | "campaignId" | "domainId" | "createdBy";
                search?: string;
                status?: "active" | "paused" | "archived" | "expired" | "blocked";
                includeArchived?: boolean;
                createdFrom?: string;
                createdTo?: string;
                domainId?: string;
                domain?: string;
                campaignId?: string;
                folderId?: string;
                externalId?: string;
                slug?: string;
                destinationUrl?: string;
                tag?: string;
                tags?: string;
                tagsMode?: "any" | "all";
                workspaceId?: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LinkCounts"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    exportLinks: {
        parameters: {
            query?: {
                search?: string;
                status?: "active" | "paused" | "archived" | "expired" | "blocked";
                includeArchived?: boolean;
                createdFrom?: string;
                createdTo?: string;
                domainId?: string;
                domain?: string;
                campaignId?: string;
                folderId?: string;
                externalId?: string;
                slug?: string;
                destinationUrl?: string;
                tag?: string;
                tags?: string;
                tagsMode?: "any" | "all";
                workspaceId?: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
        };
    };
    getLinkQrCode: {
        parameters: {
            query?: {
                format?: "png" | "svg" | "pdf";
                shape?: "square" | "rounded" | "dots";
                size?: number;
                margin?: number;
                fg?: string;
                bg?: string;
                level?: "L" | "M" | "Q" | "H";
                workspaceId?: string;
            };
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                    "image/svg+xml": string;
                    "application/pdf": string;
                };
            };
        };
    };
    drawLinkQrCode: {
        parameters: {
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** Format: binary */
                    logo: string;
                    /**
                     * @default png
                     * @enum {string}
                     */
                    format?: "png" | "svg" | "pdf";
                    /**
                     * @default square
                     * @enum {string}
                     */
                    shape?: "square" | "rounded" | "dots";
                    /** @default 600 */
                    size?: number;
                    /** @default 4 */
                    margin?: number;
                    /** @default 000000 */
                    fg?: string;
                    /** @default ffffff */
                    bg?: string;
                    /** @enum {string} */
                    level?: "L" | "M" | "Q" | "H";
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                    "image/svg+xml": string;
                    "application/pdf": string;
                };
            };
        };
    };
    drawLinkQrCodes: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["QrCodes"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": string;
                };
            };
        };
    };
    previewLink: {
        parameters: {
            query: {
                url: string;
                workspaceId?: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LinkPreview"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getDestinationIcon: {
        parameters: {
            query: {
                url: string;
                workspaceId?: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                    "image/x-icon": string;
                    "image/jpeg": string;
                    "image/gif": string;
                    "image/svg+xml": string;
                };
            };
        };
    };
    listLinks: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                cursor?: string;
                search?: string;
                status?: "active" | "paused" | "archived" | "expired" | "blocked";
                includeArchived?: boolean;
                createdFrom?: string;
                createdTo?: string;
                domainId?: string;
                domain?: string;
                campaignId?: string;
                folderId?: string;
                externalId?: string;
                slug?: string;
                destinationUrl?: string;
                ids?: string;
                tag?: string;
                tags?: string;
                tagsMode?: "any" | "all";
                clickDays?: number;
                timezone?: string;
                currency?: string;
                sortBy?: "createdAt" | "updatedAt" | "name" | "slug" | "clicks" | "lastClickedAt" | "expiresAt" | "periodClicks";
                sortOrder?: "asc" | "desc";
                workspaceId?: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Link"][];
                        meta: components["schemas"]["LinkListMeta"];
                    };
                };
            };
        };
    };
    createLink: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateLink"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Link"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getLink: {
        parameters: {
            query?: {
                workspaceId?: string;
            };
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Link"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    deleteLink: {
        parameters: {
            path: {
                id: string;
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
            };
        };
    };
    updateLink: {
        parameters: {
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateLink"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Link"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    explainLink: {
        parameters: {
            query?: {
                userAgent?: string;
                country?: string;
                region?: string;
                city?: string;
                language?: string;
                query?: string;
                at?: string;
                unlocked?: boolean;
                workspaceId?: string;
            };
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LinkExplanation"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    explainLinkDraft: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkDraft"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LinkExplanation"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listLinkHistory: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                workspaceId?: string;
            };
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LinkHistoryEntry"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
        };
    };
    restoreLink: {
        parameters: {
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Link"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    rollbackLink: {
        parameters: {
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RollbackLink"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Link"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listLinkViews: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                search?: string;
                sortBy?: "createdAt" | "name";
                sortOrder?: "asc" | "desc";
                workspaceId?: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LinkView"][];
                        meta: components["schemas"]["FilteredPageMeta"];
                    };
                };
            };
        };
    };
    createLinkView: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateLinkView"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LinkView"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    deleteLinkView: {
        parameters: {
            path: {
                id: string;
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
            };
        };
    };
    updateLinkView: {
        parameters: {
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateLinkView"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LinkView"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    importLinks: {
        parameters: {
            query?: {
                source?: "csv" | "bitly" | "dub" | "shortio" | "rebrandly" | "yourls" | "kutt" | "shlink" | "sink" | "linktree" | "linkstack";
                dryRun?: boolean;
                onConflict?: "skip" | "update";
                mapping?: string;
                domain?: string;
            };
        };
        requestBody: {
            content: {
                "text/csv": string;
                "application/csv": string;
                "text/plain": string;
                "application/json": string;
                "multipart/form-data": {
                    /** Format: binary */
                    file: string;
                    /** @enum {string} */
                    source?: "csv" | "bitly" | "dub" | "shortio" | "rebrandly" | "yourls" | "kutt" | "shlink" | "sink" | "linktree" | "linkstack";
                    dryRun?: boolean;
                    /** @enum {string} */
                    onConflict?: "skip" | "update";
                    mapping?: string;
                    domain?: string;
                };
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LinkImport"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    importFromShlink: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ShlinkImport"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LinkImport"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    recognizeImportColumns: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkImportColumnsInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LinkImportColumns"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listImports: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                workspaceId?: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LinkImport"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
        };
    };
    getImport: {
        parameters: {
            query?: {
                workspaceId?: string;
            };
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LinkImport"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listImportRows: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                status?: "created" | "updated" | "skipped" | "failed";
                workspaceId?: string;
            };
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LinkImportRow"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
        };
    };
    cancelImport: {
        parameters: {
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LinkImport"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    undoImport: {
        parameters: {
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["UndoRow"][];
                        meta: components["schemas"]["UndoMeta"];
                    };
                };
            };
        };
    };
    listFolders: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                search?: string;
                sortBy?: "name" | "createdAt" | "updatedAt";
                sortOrder?: "asc" | "desc";
                workspaceId?: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Folder"][];
                        meta: components["schemas"]["FilteredPageMeta"];
                    };
                };
            };
        };
    };
    createFolder: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateFolder"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Folder"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getFolder: {
        parameters: {
            query?: {
                workspaceId?: string;
            };
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Folder"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    deleteFolder: {
        parameters: {
            path: {
                id: string;
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
            };
        };
    };
    updateFolder: {
        parameters: {
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateFolder"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Folder"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listTags: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                search?: string;
                sortBy?: "name" | "links";
                sortOrder?: "asc" | "desc";
                workspaceId?: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Tag"][];
                        meta: components["schemas"]["FilteredPageMeta"];
                    };
                };
            };
        };
    };
    deleteTag: {
        parameters: {
            path: {
                name: string;
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
            };
        };
    };
    renameTag: {
        parameters: {
            path: {
                name: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RenameTag"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RenamedTag"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listCampaigns: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                search?: string;
                sortBy?: "createdAt" | "updatedAt" | "name" | "startsAt" | "endsAt";
                sortOrder?: "asc" | "desc";
                status?: "draft" | "active" | "paused" | "completed" | "archived";
                workspaceId?: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Campaign"][];
                        meta: components["schemas"]["FilteredPageMeta"];
                    };
                };
            };
        };
    };
    createCampaign: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateCampaign"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Campaign"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getCampaign: {
        parameters: {
            query?: {
                workspaceId?: string;
            };
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Campaign"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    deleteCampaign: {
        parameters: {
            path: {
                id: string;
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
            };
        };
    };
    updateCampaign: {
        parameters: {
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateCampaign"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Campaign"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listUtmTemplates: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                search?: string;
                sortBy?: "createdAt" | "updatedAt" | "name";
                sortOrder?: "asc" | "desc";
                workspaceId?: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["UtmTemplate"][];
                        meta: components["schemas"]["FilteredPageMeta"];
                    };
                };
            };
        };
    };
    createUtmTemplate: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateUtmTemplate"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["UtmTemplate"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getUtmTemplate: {
        parameters: {
            query?: {
                workspaceId?: string;
            };
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["UtmTemplate"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    deleteUtmTemplate: {
        parameters: {
            path: {
                id: string;
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
            };
        };
    };
    updateUtmTemplate: {
        parameters: {
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateUtmTemplate"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["UtmTemplate"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    search: {
        parameters: {
            query: {
                q: string;
                limit?: number;
                workspaceId?: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SearchResults"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listBioPages: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                search?: string;
                sortBy?: "createdAt" | "updatedAt" | "title";
                sortOrder?: "asc" | "desc";
                status?: "draft" | "published";
                workspaceId?: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["BioPage"][];
                        meta: components["schemas"]["FilteredPageMeta"];
                    };
                };
            };
        };
    };
    createBioPage: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateBioPage"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["BioPage"];
                        meta: components["schemas"]["CreatedBioPageMeta"];
                    };
                };
            };
        };
    };
    getBioPage: {
        parameters: {
            query?: {
                workspaceId?: string;
            };
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["BioPage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    deleteBioPage: {
        parameters: {
            query?: {
                links?: "keep" | "delete";
            };
            path: {
                id: string;
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
            };
        };
    };
    updateBioPage: {
        parameters: {
            query?: {
                links?: "keep" | "delete";
            };
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateBioPage"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["BioPage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    previewBioPage: {
        parameters: {
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateBioPage"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["BioPagePreview"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listMedia: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                search?: string;
                workspaceId?: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Media"][];
                        meta: components["schemas"]["MediaMeta"];
                    };
                };
            };
        };
    };
    uploadMedia: {
        parameters: {
        };
        requestBody: {
            content: {
                "image/png": string;
                "image/jpeg": string;
                "image/gif": string;
                "image/webp": string;
                "image/avif": string;
                "application/octet-stream": string;
                "multipart/form-data": {
                    /** Format: binary */
                    file: string;
                };
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Media"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getMedia: {
        parameters: {
            query?: {
                workspaceId?: string;
            };
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Media"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    deleteMedia: {
        parameters: {
            query?: {
                force?: boolean;
            };
            path: {
                id: string;
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
            };
        };
    };
    getMediaContent: {
        parameters: {
            query?: {
                workspaceId?: string;
            };
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                    "image/jpeg": string;
                    "image/gif": string;
                    "image/webp": string;
                    "image/avif": string;
                };
            };
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                    "image/jpeg": string;
                    "image/gif": string;
                    "image/webp": string;
                    "image/avif": string;
                };
            };
        };
    };
    listDomains: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                search?: string;
                status?: "pending" | "verified" | "failed" | "misconfigured";
                workspaceId?: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Domain"][];
                        meta: components["schemas"]["FilteredPageMeta"];
                    };
                };
            };
        };
    };
    createDomain: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateDomain"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Domain"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getDomain: {
        parameters: {
            query?: {
                workspaceId?: string;
            };
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Domain"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    deleteDomain: {
        parameters: {
            query?: {
                force?: boolean;
            };
            path: {
                id: string;
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
            };
        };
    };
    updateDomain: {
        parameters: {
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateDomain"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Domain"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    verifyDomain: {
        parameters: {
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Domain"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getLinkAnalytics: {
        parameters: {
            query?: {
                days?: number;
                interval?: "24h" | "7d" | "30d" | "90d" | "1y" | "mtd" | "qtd" | "ytd" | "all";
                start?: string;
                end?: string;
                timezone?: string;
                includeBots?: boolean;
                country?: string;
                region?: string;
                city?: string;
                continent?: string;
                device?: string;
                browser?: string;
                os?: string;
                referrer?: string;
                language?: string;
                trigger?: string;
                utmSource?: string;
                utmMedium?: string;
                utmCampaign?: string;
                utmTerm?: string;
                utmContent?: string;
                destination?: string;
                route?: string;
                domain?: string;
                domainId?: string;
                currency?: string;
                workspaceId?: string;
            };
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LinkAnalytics"];
                        meta: components["schemas"]["AnalyticsMeta"];
                    };
                };
            };
        };
    };
    getLinkTimeseries: {
        parameters: {
            query?: {
                days?: number;
                interval?: "24h" | "7d" | "30d" | "90d" | "1y" | "mtd" | "qtd" | "ytd" | "all";
                start?: string;
                end?: string;
                timezone?: string;
                includeBots?: boolean;
                country?: string;
                region?: string;
                city?: string;
                continent?: string;
                device?: string;
                browser?: string;
                os?: string;
                referrer?: string;
                language?: string;
                trigger?: string;
                utmSource?: string;
                utmMedium?: string;
                utmCampaign?: string;
                utmTerm?: string;
                utmContent?: string;
                destination?: string;
                route?: string;
                domain?: string;
                domainId?: string;
                currency?: string;
                granularity?: "hour" | "day" | "week" | "month";
                workspaceId?: string;
            };
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AnalyticsBucket"][];
                        meta: components["schemas"]["AnalyticsSeriesMeta"];
                    };
                };
            };
        };
    };
    getLinkBreakdown: {
        parameters: {
            query?: {
                days?: number;
                interval?: "24h" | "7d" | "30d" | "90d" | "1y" | "mtd" | "qtd" | "ytd" | "all";
                start?: string;
                end?: string;
                timezone?: string;
                includeBots?: boolean;
                country?: string;
                region?: string;
                city?: string;
                continent?: string;
                device?: string;
                browser?: string;
                os?: string;
                referrer?: string;
                language?: string;
                trigger?: string;
                utmSource?: string;
                utmMedium?: string;
                utmCampaign?: string;
                utmTerm?: string;
                utmContent?: string;
                destination?: string;
                route?: string;
                domain?: string;
                domainId?: string;
                currency?: string;
                limit?: number;
                offset?: number;
                workspaceId?: string;
            };
            path: {
                id: string;
                dimension: "country" | "region" | "city" | "continent" | "device" | "browser" | "os" | "referrer" | "language" | "trigger" | "utmSource" | "utmMedium" | "utmCampaign" | "utmTerm" | "utmContent" | "destination" | "route" | "domain";
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AnalyticsRow"][];
                        meta: components["schemas"]["AnalyticsPageMeta"];
                    };
                };
            };
        };
    };
    getAnalyticsOverview: {
        parameters: {
            query?: {
                days?: number;
                interval?: "24h" | "7d" | "30d" | "90d" | "1y" | "mtd" | "qtd" | "ytd" | "all";
                start?: string;
                end?: string;
                timezone?: string;
                includeBots?: boolean;
                country?: string;
                region?: string;
                city?: string;
                continent?: string;
                device?: string;
                browser?: string;
                os?: string;
                referrer?: string;
                language?: string;
                trigger?: string;
                utmSource?: string;
                utmMedium?: string;
                utmCampaign?: string;
                utmTerm?: string;
                utmContent?: string;
                destination?: string;
                route?: string;
                domain?: string;
                linkId?: string;
                campaignId?: string;
                folderId?: string;
                tag?: string;
                domainId?: string;
                currency?: string;
                workspaceId?: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AnalyticsOverview"];
                        meta: components["schemas"]["AnalyticsMeta"];
                    };
                };
            };
        };
    };
    getCampaignAnalytics: {
        parameters: {
            query?: {
                days?: number;
                interval?: "24h" | "7d" | "30d" | "90d" | "1y" | "mtd" | "qtd" | "ytd" | "all";
                start?: string;
                end?: string;
                timezone?: string;
                includeBots?: boolean;
                country?: string;
                region?: string;
                city?: string;
                continent?: string;
                device?: string;
                browser?: string;
                os?: string;
                referrer?: string;
                language?: string;
                trigger?: string;
                utmSource?: string;
                utmMedium?: string;
                utmCampaign?: string;
                utmTerm?: string;
                utmContent?: string;
                destination?: string;
                route?: string;
                domain?: string;
                linkId?: string;
                folderId?: string;
                tag?: string;
                domainId?: string;
                currency?: string;
                workspaceId?: string;
            };
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AnalyticsOverview"];
                        meta: components["schemas"]["AnalyticsMeta"];
                    };
                };
            };
        };
    };
    getDomainAnalytics: {
        parameters: {
            query?: {
                days?: number;
                interval?: "24h" | "7d" | "30d" | "90d" | "1y" | "mtd" | "qtd" | "ytd" | "all";
                start?: string;
                end?: string;
                timezone?: string;
                includeBots?: boolean;
                country?: string;
                region?: string;
                city?: string;
                continent?: string;
                device?: string;
                browser?: string;
                os?: string;
                referrer?: string;
                language?: string;
                trigger?: string;
                utmSource?: string;
                utmMedium?: string;
                utmCampaign?: string;
                utmTerm?: string;
                utmContent?: string;
                destination?: string;
                route?: string;
                domain?: string;
                linkId?: string;
                campaignId?: string;
                folderId?: string;
                tag?: string;
                currency?: string;
                workspaceId?: string;
            };
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AnalyticsOverview"];
                        meta: components["schemas"]["AnalyticsMeta"];
                    };
                };
            };
        };
    };
    getTimeseries: {
        parameters: {
            query?: {
                days?: number;
                interval?: "24h" | "7d" | "30d" | "90d" | "1y" | "mtd" | "qtd" | "ytd" | "all";
                start?: string;
                end?: string;
                timezone?: string;
                includeBots?: boolean;
                country?: string;
                region?: string;
                city?: string;
                continent?: string;
                device?: string;
                browser?: string;
                os?: string;
                referrer?: string;
                language?: string;
                trigger?: string;
                utmSource?: string;
                utmMedium?: string;
                utmCampaign?: string;
                utmTerm?: string;
                utmContent?: string;
                destination?: string;
                route?: string;
                domain?: string;
                linkId?: string;
                campaignId?: string;
                folderId?: string;
                tag?: string;
                domainId?: string;
                currency?: string;
                granularity?: "hour" | "day" | "week" | "month";
                workspaceId?: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AnalyticsBucket"][];
                        meta: components["schemas"]["AnalyticsSeriesMeta"];
                    };
                };
            };
        };
    };
    getTopLinks: {
        parameters: {
            query?: {
                days?: number;
                interval?: "24h" | "7d" | "30d" | "90d" | "1y" | "mtd" | "qtd" | "ytd" | "all";
                start?: string;
                end?: string;
                timezone?: string;
                includeBots?: boolean;
                country?: string;
                region?: string;
                city?: string;
                continent?: string;
                device?: string;
                browser?: string;
                os?: string;
                referrer?: string;
                language?: string;
                trigger?: string;
                utmSource?: string;
                utmMedium?: string;
                utmCampaign?: string;
                utmTerm?: string;
                utmContent?: string;
                destination?: string;
                route?: string;
                domain?: string;
                linkId?: string;
                campaignId?: string;
                folderId?: string;
                tag?: string;
                domainId?: string;
                currency?: string;
                limit?: number;
                offset?: number;
                workspaceId?: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AnalyticsTopLink"][];
                        meta: components["schemas"]["AnalyticsPageMeta"];
                    };
                };
            };
        };
    };
    getBreakdowns: {
        parameters: {
            query?: {
                days?: number;
                interval?: "24h" | "7d" | "30d" | "90d" | "1y" | "mtd" | "qtd" | "ytd" | "all";
                start?: string;
                end?: string;
                timezone?: string;
                includeBots?: boolean;
                country?: string;
                region?: string;
                city?: string;
                continent?: string;
                device?: string;
                browser?: string;
                os?: string;
                referrer?: string;
                language?: string;
                trigger?: string;
                utmSource?: string;
                utmMedium?: string;
                utmCampaign?: string;
                utmTerm?: string;
                utmContent?: string;
                destination?: string;
                route?: string;
                domain?: string;
                linkId?: string;
                campaignId?: string;
                folderId?: string;
                tag?: string;
                domainId?: string;
                currency?: string;
                workspaceId?: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AnalyticsBreakdowns"];
                        meta: components["schemas"]["AnalyticsRowsMeta"];
                    };
                };
            };
        };
    };
    getBreakdown: {
        parameters: {
            query?: {
                days?: number;
                interval?: "24h" | "7d" | "30d" | "90d" | "1y" | "mtd" | "qtd" | "ytd" | "all";
                start?: string;
                end?: string;
                timezone?: string;
                includeBots?: boolean;
                country?: string;
                region?: string;
                city?: string;
                continent?: string;
                device?: string;
                browser?: string;
                os?: string;
                referrer?: string;
                language?: string;
                trigger?: string;
                utmSource?: string;
                utmMedium?: string;
                utmCampaign?: string;
                utmTerm?: string;
                utmContent?: string;
                destination?: string;
                route?: string;
                domain?: string;
                linkId?: string;
                campaignId?: string;
                folderId?: string;
                tag?: string;
                domainId?: string;
                currency?: string;
                limit?: number;
                offset?: number;
                workspaceId?: string;
            };
            path: {
                dimension: "country" | "region" | "city" | "continent" | "device" | "browser" | "os" | "referrer" | "language" | "trigger" | "utmSource" | "utmMedium" | "utmCampaign" | "utmTerm" | "utmContent" | "destination" | "route" | "domain";
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AnalyticsRow"][];
                        meta: components["schemas"]["AnalyticsPageMeta"];
                    };
                };
            };
        };
    };
    queryAnalytics: {
        parameters: {
            query?: {
                event?: "clicks" | "leads" | "sales" | "composite";
                groupBy?: "count" | "timeseries" | "top_links" | "continents" | "countries" | "regions" | "cities" | "devices" | "browsers" | "os" | "triggers" | "referers" | "top_urls" | "utm_sources" | "utm_mediums" | "utm_campaigns" | "utm_terms" | "utm_contents";
                days?: number;
                interval?: "24h" | "7d" | "30d" | "90d" | "1y" | "mtd" | "qtd" | "ytd" | "all";
                start?: string;
                end?: string;
                timezone?: string;
                granularity?: "hour" | "day" | "week" | "month";
                linkId?: string;
                folderId?: string;
                tag?: string;
                domain?: string;
                country?: string;
                city?: string;
                region?: string;
                continent?: string;
                device?: string;
                browser?: string;
                os?: string;
                trigger?: string;
                referer?: string;
                url?: string;
                utm_source?: string;
                utm_medium?: string;
                utm_campaign?: string;
                utm_term?: string;
                utm_content?: string;
                workspaceId?: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["DubAnswer"];
                        meta: components["schemas"]["AnalyticsMeta"];
                    };
                };
            };
        };
    };
    getAnalyticsSummary: {
        parameters: {
            query?: {
                days?: number;
                interval?: "24h" | "7d" | "30d" | "90d" | "1y" | "mtd" | "qtd" | "ytd" | "all";
                start?: string;
                end?: string;
                timezone?: string;
                includeBots?: boolean;
                country?: string;
                region?: string;
                city?: string;
                continent?: string;
                device?: string;
                browser?: string;
                os?: string;
                referrer?: string;
                language?: string;
                trigger?: string;
                utmSource?: string;
                utmMedium?: string;
                utmCampaign?: string;
                utmTerm?: string;
                utmContent?: string;
                destination?: string;
                route?: string;
                domain?: string;
                linkId?: string;
                campaignId?: string;
                folderId?: string;
                tag?: string;
                domainId?: string;
                currency?: string;
                granularity?: "hour" | "day" | "week" | "month";
                compare?: string;
                workspaceId?: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AnalyticsSummary"];
                        meta: components["schemas"]["AnalyticsSeriesMeta"];
                    };
                };
            };
        };
    };
    getFilterValues: {
        parameters: {
            query?: {
                days?: number;
                interval?: "24h" | "7d" | "30d" | "90d" | "1y" | "mtd" | "qtd" | "ytd" | "all";
                start?: string;
                end?: string;
                timezone?: string;
                includeBots?: boolean;
                country?: string;
                region?: string;
                city?: string;
                continent?: string;
                device?: string;
                browser?: string;
                os?: string;
                referrer?: string;
                language?: string;
                trigger?: string;
                utmSource?: string;
                utmMedium?: string;
                utmCampaign?: string;
                utmTerm?: string;
                utmContent?: string;
                destination?: string;
                route?: string;
                domain?: string;
                linkId?: string;
                campaignId?: string;
                folderId?: string;
                tag?: string;
                domainId?: string;
                currency?: string;
                q?: string;
                limit?: number;
                workspaceId?: string;
            };
            path: {
                dimension: "country" | "region" | "city" | "continent" | "device" | "browser" | "os" | "referrer" | "language" | "trigger" | "utmSource" | "utmMedium" | "utmCampaign" | "utmTerm" | "utmContent" | "destination" | "route" | "domain";
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AnalyticsValue"][];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getBioPageAnalytics: {
        parameters: {
            query?: {
                days?: number;
                interval?: "24h" | "7d" | "30d" | "90d" | "1y" | "mtd" | "qtd" | "ytd" | "all";
                start?: string;
                end?: string;
                timezone?: string;
                includeBots?: boolean;
                country?: string;
                region?: string;
                city?: string;
                continent?: string;
                device?: string;
                browser?: string;
                os?: string;
                referrer?: string;
                language?: string;
                trigger?: string;
                utmSource?: string;
                utmMedium?: string;
                utmCampaign?: string;
                utmTerm?: string;
                utmContent?: string;
                destination?: string;
                route?: string;
                domain?: string;
                domainId?: string;
                granularity?: "hour" | "day" | "week" | "month";
                workspaceId?: string;
            };
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["BioPageAnalytics"];
                        meta: components["schemas"]["BioPageAnalyticsMeta"];
                    };
                };
            };
        };
    };
    listClicks: {
        parameters: {
            query?: {
                days?: number;
                interval?: "24h" | "7d" | "30d" | "90d" | "1y" | "mtd" | "qtd" | "ytd" | "all";
                start?: string;
                end?: string;
                timezone?: string;
                country?: string;
                region?: string;
                city?: string;
                continent?: string;
                device?: string;
                browser?: string;
                os?: string;
                referrer?: string;
                language?: string;
                trigger?: string;
                utmSource?: string;
                utmMedium?: string;
                utmCampaign?: string;
                utmTerm?: string;
                utmContent?: string;
                destination?: string;
                route?: string;
                domain?: string;
                linkId?: string;
                campaignId?: string;
                folderId?: string;
                tag?: string;
                domainId?: string;
                kind?: "human" | "bot" | "preview" | "prefetch" | "all";
                limit?: number;
                offset?: number;
                cursor?: string;
                workspaceId?: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ClickEvent"][];
                        meta: components["schemas"]["ClickEventsMeta"];
                    };
                };
            };
        };
    };
    listConversions: {
        parameters: {
            query?: {
                days?: number;
                interval?: "24h" | "7d" | "30d" | "90d" | "1y" | "mtd" | "qtd" | "ytd" | "all";
                start?: string;
                end?: string;
                timezone?: string;
                linkId?: string;
                type?: "lead" | "sale" | "custom";
                currency?: string;
                customerId?: string;
                limit?: number;
                offset?: number;
                workspaceId?: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ConversionEvent"][];
                        meta: components["schemas"]["ConversionEventsMeta"];
                    };
                };
            };
        };
    };
    exportClicks: {
        parameters: {
            query?: {
                days?: number;
                interval?: "24h" | "7d" | "30d" | "90d" | "1y" | "mtd" | "qtd" | "ytd" | "all";
                start?: string;
                end?: string;
                timezone?: string;
                country?: string;
                region?: string;
                city?: string;
                continent?: string;
                device?: string;
                browser?: string;
                os?: string;
                referrer?: string;
                language?: string;
                trigger?: string;
                utmSource?: string;
                utmMedium?: string;
                utmCampaign?: string;
                utmTerm?: string;
                utmContent?: string;
                destination?: string;
                route?: string;
                domain?: string;
                linkId?: string;
                campaignId?: string;
                folderId?: string;
                tag?: string;
                domainId?: string;
                kind?: "human" | "bot" | "preview" | "prefetch" | "all";
                format?: "csv" | "json";
                workspaceId?: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                    "application/json": string;
                };
            };
        };
    };
    streamClicks: {
        parameters: {
            query?: {
                linkId?: string;
                maxSeconds?: number;
                workspaceId?: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
        };
    };
    listDashboards: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                linkId?: string;
                campaignId?: string;
                folderId?: string;
                workspaceId?: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Dashboard"][];
                        meta: components["schemas"]["FilteredPageMeta"];
                    };
                };
            };
        };
    };
    createDashboard: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateDashboard"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Dashboard"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getDashboard: {
        parameters: {
            query?: {
                workspaceId?: string;
            };
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Dashboard"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    deleteDashboard: {
        parameters: {
            path: {
                id: string;
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
            };
        };
    };
    updateDashboard: {
        parameters: {
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateDashboard"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Dashboard"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    rotateDashboard: {
        parameters: {
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Dashboard"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    readPublicDashboard: {
        parameters: {
            path: {
                token: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PublicDashboard"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listReports: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                workspaceId?: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Report"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
        };
    };
    createReport: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateReport"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Report"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getReport: {
        parameters: {
            query?: {
                workspaceId?: string;
            };
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Report"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    deleteReport: {
        parameters: {
            path: {
                id: string;
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
            };
        };
    };
    updateReport: {
        parameters: {
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateReport"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Report"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    downloadReport: {
        parameters: {
            query?: {
                workspaceId?: string;
            };
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                    "application/json": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                    "application/pdf": string;
                };
            };
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                    "application/json": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                    "application/pdf": string;
                };
            };
        };
    };
    cancelReport: {
        parameters: {
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Report"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listAlerts: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                workspaceId?: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Alert"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
        };
    };
    createAlert: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateAlert"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Alert"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getAlert: {
        parameters: {
            query?: {
                workspaceId?: string;
            };
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Alert"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    deleteAlert: {
        parameters: {
            path: {
                id: string;
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
            };
        };
    };
    updateAlert: {
        parameters: {
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateAlert"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Alert"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    recordConversions: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecordConversions"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RecordedConversions"];
                        meta: components["schemas"]["RecordConversionsMeta"];
                    };
                };
            };
        };
    };
    trackLead: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TrackLead"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["TrackedLead"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    trackSale: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TrackSale"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["TrackedSale"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    resolveDeferredLink: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResolveDeferredLink"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["DeferredMatch"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    locateAddress: {
        parameters: {
            query?: {
                ip?: string;
                workspaceId?: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AddressLocation"];
                        meta: components["schemas"]["GeoDataMeta"];
                    };
                };
            };
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                kind?: "key" | "app";
                workspaceId?: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ApiKey"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
        };
    };
    createApiKey: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateApiKey"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["NewApiKey"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getApiKey: {
        parameters: {
            query?: {
                workspaceId?: string;
            };
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ApiKey"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    revokeApiKey: {
        parameters: {
            path: {
                id: string;
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
            };
        };
    };
    updateApiKey: {
        parameters: {
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateApiKey"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ApiKey"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    rotateApiKey: {
        parameters: {
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["NewApiKey"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getWorkspace: {
        parameters: {
            query?: {
                workspaceId?: string;
            };
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Workspace"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    deleteWorkspace: {
        parameters: {
            query?: {
                confirm?: string;
            };
            path: {
                id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DeleteWorkspace"];
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
            };
        };
    };
    updateWorkspace: {
        parameters: {
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateWorkspace"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Workspace"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listMembers: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                workspaceId?: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Member"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
        };
    };
    removeMember: {
        parameters: {
            path: {
                userId: string;
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
            };
        };
    };
    updateMember: {
        parameters: {
            path: {
                userId: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateMember"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Member"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listInvitations: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                status?: "pending" | "accepted" | "rejected" | "canceled" | "expired";
                workspaceId?: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Invitation"][];
                        meta: components["schemas"]["FilteredPageMeta"];
                    };
                };
            };
        };
    };
    createInvitation: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateInvitation"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CreatedInvitation"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getInvitation: {
        parameters: {
            query?: {
                workspaceId?: string;
            };
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Invitation"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    cancelInvitation: {
        parameters: {
            path: {
                id: string;
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
            };
        };
    };
    createInvitationLink: {
        parameters: {
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["InvitationLink"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listAuditLog: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                action?: "link.created" | "link.updated" | "link.deleted" | "link.restored" | "link.blocked" | "link.unblocked" | "folder.created" | "folder.updated" | "folder.deleted" | "media.created" | "media.deleted" | "bio_page.created" | "bio_page.updated" | "bio_page.deleted" | "tag.renamed" | "tag.deleted" | "campaign.created" | "campaign.updated" | "campaign.completed" | "campaign.deleted" | "link_view.created" | "link_view.updated" | "link_view.deleted" | "utm_template.created" | "utm_template.updated" | "utm_template.deleted" | "dashboard.created" | "dashboard.updated" | "dashboard.rotated" | "dashboard.deleted" | "alert.created" | "alert.updated" | "alert.deleted" | "report.created" | "report.updated" | "report.canceled" | "report.deleted" | "domain.created" | "domain.updated" | "domain.verified" | "domain.failed" | "domain.deleted" | "webhook.created" | "webhook.updated" | "webhook.deleted" | "webhook.auto_paused" | "webhook.secret_viewed" | "webhook.secret_rotated" | "webhook.tested" | "webhook.dispatched" | "webhook.replayed" | "webhook.delivery_retried" | "webhook.deliveries_retried" | "api_key.created" | "api_key.updated" | "api_key.rotated" | "api_key.revoked" | "member.joined" | "member.role_changed" | "member.role_set" | "member.removed" | "member.left" | "invitation.created" | "invitation.renewed" | "invitation.link_created" | "invitation.canceled" | "invitation.accepted" | "invitation.rejected" | "workspace.created" | "workspace.updated" | "workspace.suspended" | "workspace.resumed" | "workspace.rate_limit_set" | "billing.plan_changed" | "billing.subscription_updated";
                actorId?: string;
                targetType?: string;
                targetId?: string;
                from?: string;
                to?: string;
                workspaceId?: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AuditEntry"][];
                        meta: components["schemas"]["FilteredPageMeta"];
                    };
                };
            };
        };
    };
    listSecurityLog: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                type?: "sign_up.requested" | "sign_in.succeeded" | "sign_in.failed" | "sign_out" | "email.verified" | "email.changed" | "password.changed" | "password.reset_requested" | "password.reset" | "session.revoked" | "two_factor.enabled" | "two_factor.disabled" | "two_factor.failed" | "backup_codes.used" | "backup_codes.replaced" | "passkey.added" | "passkey.removed" | "account.linked" | "account.unlinked" | "account.deleted" | "operator.added" | "operator.removed" | "api_key.created" | "api_key.rotated" | "api_key.revoked" | "api_key.ip_denied" | "member.invited" | "member.joined" | "member.role_changed" | "member.removed" | "webhook.secret_viewed" | "webhook.secret_rotated" | "workspace.deleted" | "workspace.suspended" | "workspace.resumed";
                outcome?: "success" | "failure";
                actorId?: string;
                userId?: string;
                from?: string;
                to?: string;
                workspaceId?: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SecurityEntry"][];
                        meta: components["schemas"]["FilteredPageMeta"];
                    };
                };
            };
        };
    };
    listPlans: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                workspaceId?: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Plan"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
        };
    };
    getSubscription: {
        parameters: {
            query?: {
                workspaceId?: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Subscription"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getUsage: {
        parameters: {
            query?: {
                workspaceId?: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WorkspaceUsage"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listInvoices: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                workspaceId?: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Invoice"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
        };
    };
    listPaymentMethods: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                workspaceId?: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PaymentMethod"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
        };
    };
    startCheckout: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Checkout"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Destination"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    openBillingPortal: {
        parameters: {
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Destination"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listAbuseReports: {
        parameters: {
            query?: {
                status?: "open" | "resolved";
                linkId?: string;
                limit?: number;
                offset?: number;
                workspaceId?: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AbuseReport"][];
                        meta: components["schemas"]["FilteredPageMeta"];
                    };
                };
            };
        };
    };
    listWebhookEndpoints: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                stats?: "24h";
                workspaceId?: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ListedWebhookEndpoint"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
        };
    };
    createWebhookEndpoint: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhookEndpoint"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CreatedWebhookEndpoint"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                stats?: "24h";
                workspaceId?: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ListedWebhookEndpoint"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
        };
    };
    createWebhook: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhookEndpoint"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CreatedWebhookEndpoint"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getWebhookEndpoint: {
        parameters: {
            query?: {
                workspaceId?: string;
            };
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WebhookEndpoint"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    deleteWebhookEndpoint: {
        parameters: {
            path: {
                id: string;
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
            };
        };
    };
    updateWebhookEndpoint: {
        parameters: {
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateWebhookEndpoint"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WebhookEndpoint"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getWebhookEndpointStats: {
        parameters: {
            query?: {
                workspaceId?: string;
            };
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WebhookEndpointStats"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getWebhookSecret: {
        parameters: {
            query?: {
                workspaceId?: string;
            };
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WebhookSecret"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: {
                overlapHours?: number;
            };
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RotatedWebhookSecret"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    testWebhookEndpoint: {
        parameters: {
            path: {
                id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["TestWebhookEndpoint"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["QueuedWebhookTest"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    replayWebhookEvents: {
        parameters: {
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplayWebhookEvents"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ReplayedWebhookEvents"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                endpointId?: string;
                status?: "pending" | "processing" | "completed" | "failed" | "dead_letter";
                eventType?: "link.created" | "link.updated" | "link.deleted" | "domain.verified" | "domain.failed" | "click.received" | "conversion.received" | "campaign.completed" | "report.generated" | "billing.subscription.updated";
                eventId?: string;
                responseStatus?: number;
                from?: string;
                to?: string;
                limit?: number;
                offset?: number;
                workspaceId?: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WebhookDelivery"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
        };
    };
    countWebhookDeliveries: {
        parameters: {
            query?: {
                endpointId?: string;
                eventType?: "link.created" | "link.updated" | "link.deleted" | "domain.verified" | "domain.failed" | "click.received" | "conversion.received" | "campaign.completed" | "report.generated" | "billing.subscription.updated";
                eventId?: string;
                responseStatus?: number;
                from?: string;
                to?: string;
                workspaceId?: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WebhookDeliveryCounts"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    retryWebhookDeliveries: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RetryWebhookDeliveries"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RequeuedWebhookDeliveries"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getWebhookDelivery: {
        parameters: {
            query?: {
                workspaceId?: string;
            };
            path: {
                deliveryId: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WebhookDeliveryDetail"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    retryWebhookDelivery: {
        parameters: {
            path: {
                deliveryId: string;
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RetriedWebhookDelivery"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listWebhookEventTypes: {
        parameters: {
            query?: {
                workspaceId?: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WebhookEventCatalog"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    dispatchWebhookEvent: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DispatchWebhookEvent"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["DispatchedWebhookEvent"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listenForWebhookEvents: {
        parameters: {
            query?: {
                cursor?: string;
                events?: string;
                waitSeconds?: number;
                workspaceId?: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["EventBatch"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listWorkspaces: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Workspace"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
        };
    };
    createWorkspace: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWorkspace"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Workspace"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    activateWorkspace: {
        parameters: {
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Workspace"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getReceivedInvitation: {
        parameters: {
            path: {
                token: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ReceivedInvitation"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    acceptInvitation: {
        parameters: {
            path: {
                token: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Invitation"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    rejectInvitation: {
        parameters: {
            path: {
                token: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Invitation"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
}
