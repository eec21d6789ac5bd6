// Written by "npm run clients" from the OpenAPI documents; test/dashboard/client.slow.test.ts compares.
export interface paths {
    "/operator/workspaces": {
        get: operations["listServerWorkspaces"];
    };
    "/operator/workspaces/{id}": {
        get: operations["getServerWorkspace"];
        patch: operations["updateServerWorkspace"];
    };
    "/operator/workspaces/{id}/suspend": {
        post: operations["suspendServerWorkspace"];
    };
    "/operator/workspaces/{id}/resume": {
        post: operations["resumeServerWorkspace"];
    };
    "/operator/users": {
        get: operations["listServerUsers"];
    };
    "/operator/users/{id}": {
        get: operations["getServerUser"];
    };
    "/operator/abuse-reports": {
        get: operations["listServerAbuseReports"];
    };
    "/operator/abuse-reports/{id}/resolve": {
        post: operations["resolveServerAbuseReport"];
    };
    "/operator/blocks": {
        get: operations["listBlocks"];
        post: operations["createBlock"];
    };
    "/operator/blocks/{id}": {
        delete: operations["deleteBlock"];
    };
    "/operator/health": {
        get: operations["getServerHealth"];
    };
    "/auth/sign-up/email": {
        post: operations["signUp"];
    };
    "/auth/verify-email": {
        get: operations["showVerifyEmailPage"];
        post: operations["verifyEmail"];
    };
    "/auth/send-verification-email": {
        post: operations["sendVerificationEmail"];
    };
    "/auth/sign-in/email": {
        post: operations["signIn"];
    };
    "/auth/sign-out": {
        post: operations["signOut"];
    };
    "/auth/session": {
        get: operations["getSession"];
    };
    "/auth/sessions": {
        get: operations["listSessions"];
        delete: operations["endOtherSessions"];
    };
    "/auth/sessions/{id}": {
        delete: operations["endSession"];
    };
    "/auth/ok": {
        get: operations["getAuthStatus"];
    };
    "/auth/request-password-reset": {
        post: operations["requestPasswordReset"];
    };
    "/auth/reset-password": {
        get: operations["showResetPasswordPage"];
        post: operations["resetPassword"];
    };
    "/auth/change-password": {
        post: operations["changePassword"];
    };
    "/auth/user": {
        delete: operations["deleteUser"];
        patch: operations["updateUser"];
    };
    "/auth/change-email": {
        get: operations["showChangeEmailPage"];
        post: operations["changeEmail"];
    };
    "/auth/change-email/confirm": {
        post: operations["confirmEmailChange"];
    };
    "/auth/two-factor": {
        get: operations["getTwoFactor"];
    };
    "/auth/two-factor/enable": {
        post: operations["enableTwoFactor"];
    };
    "/auth/two-factor/verify": {
        get: operations["showTwoFactorPage"];
        post: operations["verifyTwoFactor"];
    };
    "/auth/two-factor/disable": {
        post: operations["disableTwoFactor"];
    };
    "/auth/two-factor/backup-codes": {
        post: operations["replaceBackupCodes"];
    };
    "/auth/passkeys/register/options": {
        post: operations["startPasskeyRegistration"];
    };
    "/auth/passkeys/register/verify": {
        post: operations["registerPasskey"];
    };
    "/auth/passkeys/sign-in/options": {
        post: operations["startPasskeySignIn"];
    };
    "/auth/passkeys/sign-in/verify": {
        post: operations["signInWithPasskey"];
    };
    "/auth/passkeys": {
        get: operations["listPasskeys"];
    };
    "/auth/passkeys/{id}": {
        delete: operations["removePasskey"];
        patch: operations["updatePasskey"];
    };
    "/auth/providers": {
        get: operations["listSignInProviders"];
    };
    "/auth/sign-in/{provider}": {
        get: operations["startProviderSignIn"];
    };
    "/auth/callback/{provider}": {
        get: operations["finishProviderSignIn"];
    };
    "/auth/link/{provider}": {
        post: operations["startProviderLink"];
    };
    "/auth/accounts": {
        get: operations["listLinkedAccounts"];
    };
    "/auth/accounts/{id}": {
        delete: operations["unlinkAccount"];
    };
    "/auth/oauth/authorize": {
        get: operations["authorizeApp"];
    };
    "/auth/oauth/device": {
        post: operations["startDevice"];
    };
    "/auth/oauth/register": {
        post: operations["registerClient"];
    };
    "/auth/oauth/token": {
        post: operations["requestToken"];
    };
    "/auth/oauth/revoke": {
        post: operations["revokeToken"];
    };
    "/auth/oauth/requests/{request}": {
        get: operations["getAppRequest"];
    };
    "/auth/oauth/requests/{request}/allow": {
        post: operations["allowApp"];
    };
    "/auth/oauth/requests/{request}/deny": {
        post: operations["denyApp"];
    };
    "/auth/user/export": {
        get: operations["exportUser"];
    };
    "/auth/invitation": {
        get: operations["showInvitationPage"];
        post: operations["answerInvitation"];
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AccountExport: {
            /** Format: date-time */
            exportedAt: string;
            user: components["schemas"]["ExportedUser"];
            memberships: components["schemas"]["ExportedMembership"][];
            sessions: components["schemas"]["ExportedSession"][];
            apiKeys: components["schemas"]["ExportedApiKey"][];
            passkeys: components["schemas"]["ExportedPasskey"][];
            linkedAccounts: components["schemas"]["ExportedLinkedAccount"][];
            invitations: components["schemas"]["ExportedInvitation"][];
            securityLog: components["schemas"]["ExportedSecurityEntry"][];
        };
        ActiveWorkspace: {
            id: string;
            name: string;
            plan: string;
            timezone: string;
            isSuspended: boolean;
        };
        AllowApp: {
            workspaceId: string;
            scopes: ("*" | "*:read" | "links:read" | "links:write" | "analytics:read" | "analytics:write" | "domains:read" | "domains:write" | "conversions:write" | "campaigns:read" | "campaigns:write" | "utm-templates:read" | "utm-templates:write" | "bio-pages:read" | "bio-pages:write" | "media:read" | "media:write" | "reports:read" | "reports:write" | "alerts:read" | "alerts:write" | "webhooks:read" | "webhooks:write" | "deferred:read" | "deferred:write" | "dashboards:read" | "dashboards:write" | "workspaces:read" | "workspaces:write" | "members:read" | "members:write" | "billing:read" | "audit-log:read" | "security-log:read")[] | null;
        };
        AnswerInvitation: {
            token: string;
            /** @enum {string} */
            answer: "accept" | "reject";
        };
        AppAnswer: {
            redirectUrl: string | null;
        };
        AppRequest: {
            /** @enum {string} */
            kind: "app" | "device";
            name: string;
            host: string | null;
            returnsTo: string | null;
            scopes: string[];
            /** Format: date-time */
            expiresAt: string;
        };
        AuthStatus: {
            ok: boolean;
        };
        Block: {
            id: string;
            /** @enum {string} */
            kind: "host" | "link" | "workspace" | "image";
            value: string;
            reason: string | null;
            links: number;
            /** @enum {string} */
            state: "in progress" | "complete" | "being lifted";
            /** Format: date-time */
            createdAt: string;
        };
        ChangeEmail: {
            /** Format: email */
            newEmail: string;
            password?: string;
        };
        ChangePassword: {
            currentPassword?: string;
            newPassword: string;
        };
        ConfirmEmailChange: {
            token: string;
            password?: string;
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
        CreateBlock: {
            /** @enum {string} */
            kind: "host" | "link" | "workspace" | "image";
            value: string;
            reason?: string;
        };
        DeleteUser: {
            password?: string;
            /** @enum {string} */
            workspaces?: "delete" | "refuse";
        };
        DeviceStarted: {
            device_code: string;
            user_code: string;
            verification_uri: string;
            verification_uri_complete: string;
            expires_in: number;
            interval: number;
        };
        DisableTwoFactor: {
            password?: string;
            code: string;
        };
        EmailAddress: {
            /** Format: email */
            email: string;
        };
        EmailChange: {
            changed: boolean;
        };
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
        EnableTwoFactor: {
            password?: string;
        };
        ErrorDetail: {
            path: string;
            message: string;
            code?: string;
        };
        ErrorResponse: components["schemas"]["ValidationError"] | components["schemas"]["UnauthorizedError"] | components["schemas"]["InvalidCredentialsError"] | components["schemas"]["PasswordRequiredError"] | components["schemas"]["InvalidCodeError"] | components["schemas"]["EmailNotVerifiedError"] | components["schemas"]["ForbiddenError"] | components["schemas"]["SessionNotFreshError"] | components["schemas"]["PlanCapabilityRequiredError"] | components["schemas"]["PlanLimitReachedError"] | components["schemas"]["NotFoundError"] | components["schemas"]["MethodNotAllowedError"] | components["schemas"]["RequestTimeoutError"] | components["schemas"]["ConflictError"] | components["schemas"]["GoneError"] | components["schemas"]["PreconditionFailedError"] | components["schemas"]["PayloadTooLargeError"] | components["schemas"]["UriTooLongError"] | components["schemas"]["UnsupportedMediaTypeError"] | components["schemas"]["RangeNotSatisfiableError"] | components["schemas"]["ExpectationFailedError"] | components["schemas"]["RateLimitedError"] | components["schemas"]["HeadersTooLargeError"] | components["schemas"]["InternalError"] | components["schemas"]["SecretKeyChangedError"] | components["schemas"]["UnavailableError"];
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
        ExportedApiKey: {
            id: string;
            workspaceId: string;
            name: string;
            prefix: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            lastUsedAt: string | null;
            /** Format: date-time */
            expiresAt: string | null;
        };
        ExportedInvitation: {
            workspaceName: string;
            role: string;
            status: string;
            /** Format: date-time */
            createdAt: string;
        };
        ExportedLinkedAccount: {
            provider: string;
            email: string | null;
            /** Format: date-time */
            createdAt: string;
        };
        ExportedMembership: {
            workspaceId: string;
            workspaceName: string;
            role: string;
            /** Format: date-time */
            joinedAt: string;
            /** Format: date-time */
            lastActiveAt: string | null;
        };
        ExportedPasskey: {
            id: string;
            name: string;
            /** Format: date-time */
            createdAt: string;
        };
        ExportedSecurityEntry: {
            type: string;
            outcome: string;
            workspaceId: string | null;
            details: {
                [key: string]: unknown;
            };
            ip: string | null;
            userAgent: string | null;
            country: string | null;
            /** Format: date-time */
            createdAt: string;
        };
        ExportedSession: {
            id: string;
            method: string;
            ip: string | null;
            userAgent: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            lastSeenAt: string;
            /** Format: date-time */
            expiresAt: string;
        };
        ExportedUser: {
            id: string;
            name: string;
            email: string;
            /** Format: date-time */
            emailVerifiedAt: string | null;
            hasPassword: boolean;
            twoFactorEnabled: boolean;
            preferences: {
                [key: string]: unknown;
            };
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
        LinkedAccount: {
            id: string;
            provider: string;
            email: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            lastUsedAt: string;
        };
        LinkStart: {
            url: string;
        };
        MailSent: {
            sent: boolean;
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
        NewBackupCodes: {
            backupCodes: string[];
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
        Passkey: {
            id: string;
            name: string;
            isSynced: boolean;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            lastUsedAt: string | null;
        };
        PasskeyCreationOptions: {
            [key: string]: unknown;
        };
        PasskeyRequestOptions: {
            [key: string]: unknown;
        };
        PasskeySignIn: {
            response: {
                [key: string]: unknown;
            };
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
        PasswordReset: {
            reset: boolean;
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
        Preferences: {
            timezone: string | null;
            /** @enum {string|null} */
            language: "en" | "de" | "fr" | "es" | "it" | "pt-BR" | "nl" | "pl" | "tr" | "ja" | "zh-CN" | "ar" | null;
            locale: string | null;
            weekStart: number | null;
            /** @enum {string|null} */
            theme: "light" | "dark" | "system" | null;
        };
        Profile: {
            id: string;
            name: string;
            email: string;
            emailVerified: boolean;
            hasPassword: boolean;
            /** Format: date-time */
            createdAt: string;
            preferences: components["schemas"]["Preferences"];
        };
        ProvidersMeta: {
            requestId: string;
            total: number;
            limit: number;
            offset: number;
            /** @enum {string} */
            signup: "open" | "invite" | "closed";
            emailVerificationRequired: boolean;
            /** @enum {string} */
            mail: "smtp" | "outbox";
            outboxPath: string | null;
            shortDomain: string;
            passkeys: boolean;
            password: {
                minLength: number;
                maxLength: number;
            };
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
        RegisterClient: {
            client_name?: unknown;
            redirect_uris?: unknown;
        };
        RegisteredClient: {
            client_id: string;
            client_name: string;
            redirect_uris: string[];
            grant_types: string[];
            response_types: string[];
            token_endpoint_auth_method: string;
        };
        RegisterPasskey: {
            name: string;
            response: {
                [key: string]: unknown;
            };
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
        RequestToken: {
            grant_type?: string;
            client_id?: string;
            code?: string;
            redirect_uri?: string;
            code_verifier?: string;
            refresh_token?: string;
            device_code?: string;
            resource?: string;
        };
        ResetPassword: {
            token: string;
            password: string;
        };
        Revoked: Record<string, never>;
        RevokeToken: {
            token?: string;
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
        ServerAbuseReport: {
            id: string;
            workspaceId: string | null;
            linkId: string | null;
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
            email: string | null;
            destinationHost: string | null;
            isMixedScript: boolean;
        };
        ServerCheck: {
            name: string;
            isOk: boolean;
        };
        ServerDeliveries: {
            queued: number;
            due: number;
            /** Format: date-time */
            oldestDueAt: string | null;
        };
        ServerHealth: {
            version: string;
            node: string;
            /** Format: date-time */
            startedAt: string;
            checks: components["schemas"]["ServerCheck"][];
            mail: components["schemas"]["ServerMail"];
            deliveries: components["schemas"]["ServerDeliveries"];
            sweeps: components["schemas"]["ServerSweep"][];
            journals: components["schemas"]["ServerJournal"][];
            storage: components["schemas"]["ServerStorage"];
        };
        ServerJournal: {
            id: string;
            /** Format: date-time */
            shippedBefore: string;
            /** Format: date-time */
            reportedAt: string;
            isSilent: boolean;
        };
        ServerMail: {
            /** @enum {string} */
            transport: "smtp" | "outbox";
            waiting: number;
            sent: number;
            failed: number;
            lastFailure: components["schemas"]["ServerMailFailure"] | null;
        };
        ServerMailFailure: {
            /** Format: date-time */
            at: string;
            reason: string;
        };
        ServerMember: {
            id: string;
            name: string;
            email: string;
            /** @enum {string} */
            role: "viewer" | "member" | "admin" | "owner";
        };
        ServerMembership: {
            workspaceId: string;
            name: string;
            /** @enum {string} */
            role: "viewer" | "member" | "admin" | "owner";
        };
        ServerOwner: {
            id: string;
            name: string;
            email: string;
        };
        ServerPlan: {
            id: string;
            name: string;
        };
        ServerStorage: {
            diskFreeBytes: number | null;
            diskTotalBytes: number | null;
            postgresBytes: number | null;
            clickhouseBytes: number | null;
            mediaBytes: number | null;
        };
        ServerSweep: {
            name: string;
            /** Format: date-time */
            succeededAt: string | null;
            isRunning: boolean;
        };
        ServerUser: {
            id: string;
            name: string;
            email: string;
            emailVerified: boolean;
            twoFactorEnabled: boolean;
            isOperator: boolean;
            /** Format: date-time */
            lastSignInAt: string | null;
            workspaces: number;
            /** Format: date-time */
            createdAt: string;
        };
        ServerUserDetail: {
            id: string;
            name: string;
            email: string;
            emailVerified: boolean;
            twoFactorEnabled: boolean;
            isOperator: boolean;
            /** Format: date-time */
            lastSignInAt: string | null;
            workspaces: number;
            /** Format: date-time */
            createdAt: string;
            memberships: components["schemas"]["ServerMembership"][];
        };
        ServerWorkspace: {
            id: string;
            name: string;
            plan: string;
            /** @enum {string} */
            state: "active" | "suspended" | "blocked";
            owner: components["schemas"]["ServerOwner"] | null;
            members: number;
            links: number;
            clicksThisMonth: number | null;
            /** Format: date-time */
            suspendedAt: string | null;
            apiRequestsPerMinute: number | null;
            /** Format: date-time */
            createdAt: string;
        };
        ServerWorkspaceDetail: {
            id: string;
            name: string;
            plan: string;
            /** @enum {string} */
            state: "active" | "suspended" | "blocked";
            owner: components["schemas"]["ServerOwner"] | null;
            members: number;
            links: number;
            clicksThisMonth: number | null;
            /** Format: date-time */
            suspendedAt: string | null;
            apiRequestsPerMinute: number | null;
            /** Format: date-time */
            createdAt: string;
            people: components["schemas"]["ServerMember"][];
            plans: components["schemas"]["ServerPlan"][];
        };
        Session: {
            id: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string;
        };
        SessionEntry: {
            id: string;
            isCurrent: boolean;
            method: string;
            ip: string | null;
            userAgent: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            lastSeenAt: string;
            /** Format: date-time */
            expiresAt: string;
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
        SignedIn: {
            user: components["schemas"]["User"];
            session: components["schemas"]["Session"];
            workspace: components["schemas"]["ActiveWorkspace"] | null;
            /** @enum {string|null} */
            role: "viewer" | "member" | "admin" | "owner" | null;
            capabilities: components["schemas"]["PlanCapabilities"] | null;
            preferences: components["schemas"]["Preferences"];
            isOperator: boolean;
            /** Format: date-time */
            freshUntil: string | null;
        };
        SignedUp: {
            email: string;
            verificationRequired: boolean;
            invitationRequired: boolean;
            signedIn: boolean;
            invitationRefused?: string;
        };
        SignIn: {
            /** Format: email */
            email: string;
            password: string;
        };
        SignInProvider: {
            id: string;
            name: string;
        };
        SignInResult: {
            user?: components["schemas"]["User"];
            session?: components["schemas"]["Session"];
            workspace?: components["schemas"]["ActiveWorkspace"] | null;
            /** @enum {string|null} */
            role?: "viewer" | "member" | "admin" | "owner" | null;
            capabilities?: components["schemas"]["PlanCapabilities"] | null;
            preferences?: components["schemas"]["Preferences"];
            isOperator?: boolean;
            /** Format: date-time */
            freshUntil?: string | null;
            twoFactorRequired?: boolean;
            invitationRefused?: string;
        };
        SignUp: {
            name: string;
            /** Format: email */
            email: string;
            password: string;
            invitationToken?: string;
        };
        StartDevice: {
            client_id?: string;
            scope?: string;
        };
        SuspendWorkspace: {
            reason?: string;
        };
        Tokens: {
            access_token: string;
            token_type: string;
            scope: string;
            expires_in?: number;
            refresh_token?: string;
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
        TwoFactorOff: {
            enabled: boolean;
        };
        TwoFactorResult: {
            user?: components["schemas"]["User"];
            session?: components["schemas"]["Session"];
            workspace?: components["schemas"]["ActiveWorkspace"] | null;
            /** @enum {string|null} */
            role?: "viewer" | "member" | "admin" | "owner" | null;
            capabilities?: components["schemas"]["PlanCapabilities"] | null;
            preferences?: components["schemas"]["Preferences"];
            isOperator?: boolean;
            /** Format: date-time */
            freshUntil?: string | null;
            enabled?: boolean;
        };
        TwoFactorSetup: {
            secret: string;
            otpauthUrl: string;
            backupCodes: string[];
        };
        TwoFactorState: {
            enabled: boolean;
            backupCodesLeft: number;
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
        UpdatePasskey: {
            name: string;
        };
        UpdatePreferences: {
            timezone?: string | null;
            /** @enum {string|null} */
            language?: "en" | "de" | "fr" | "es" | "it" | "pt-BR" | "nl" | "pl" | "tr" | "ja" | "zh-CN" | "ar" | null;
            locale?: string | null;
            weekStart?: number | null;
            /** @enum {string|null} */
            theme?: "light" | "dark" | "system" | null;
        };
        UpdateServerWorkspace: {
            plan?: string;
            apiRequestsPerMinute?: number | null;
        };
        UpdateUser: {
            name?: string;
            preferences?: components["schemas"]["UpdatePreferences"];
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
        User: {
            id: string;
            name: string;
            email: string;
            emailVerified: boolean;
            hasPassword: boolean;
            /** Format: date-time */
            createdAt: string;
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
        VerifyEmail: {
            token: string;
            password?: string;
        };
        VerifyTwoFactor: {
            code: string;
            redirect?: string;
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
    listServerWorkspaces: {
        parameters: {
            query?: {
                search?: string;
                state?: "active" | "suspended" | "blocked";
                plan?: string;
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
                        data: components["schemas"]["ServerWorkspace"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
        };
    };
    getServerWorkspace: {
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
                        data: components["schemas"]["ServerWorkspaceDetail"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    updateServerWorkspace: {
        parameters: {
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateServerWorkspace"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ServerWorkspaceDetail"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    suspendServerWorkspace: {
        parameters: {
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SuspendWorkspace"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ServerWorkspaceDetail"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    resumeServerWorkspace: {
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
                        data: components["schemas"]["ServerWorkspaceDetail"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listServerUsers: {
        parameters: {
            query?: {
                search?: string;
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
                        data: components["schemas"]["ServerUser"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
        };
    };
    getServerUser: {
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
                        data: components["schemas"]["ServerUserDetail"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listServerAbuseReports: {
        parameters: {
            query?: {
                status?: "open" | "resolved";
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
                        data: components["schemas"]["ServerAbuseReport"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
        };
    };
    resolveServerAbuseReport: {
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
    listBlocks: {
        parameters: {
            query?: {
                kind?: "host" | "link" | "workspace" | "image";
                search?: string;
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
                        data: components["schemas"]["Block"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
        };
    };
    createBlock: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateBlock"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Block"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    deleteBlock: {
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
    getServerHealth: {
        parameters: {
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ServerHealth"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    signUp: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignUp"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SignedUp"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    showVerifyEmailPage: {
        parameters: {
            query?: {
                token?: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    verifyEmail: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerifyEmail"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SignInResult"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    sendVerificationEmail: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmailAddress"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MailSent"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    signIn: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignIn"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SignInResult"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    signOut: {
        parameters: {
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
            };
        };
    };
    getSession: {
        parameters: {
            query?: {
                optional?: boolean;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SignedIn"] | null;
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listSessions: {
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
                        data: components["schemas"]["SessionEntry"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
        };
    };
    endOtherSessions: {
        parameters: {
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
            };
        };
    };
    endSession: {
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
    getAuthStatus: {
        parameters: {
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AuthStatus"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    requestPasswordReset: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmailAddress"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MailSent"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    showResetPasswordPage: {
        parameters: {
            query?: {
                token?: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    resetPassword: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResetPassword"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PasswordReset"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    changePassword: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangePassword"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SignedIn"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    deleteUser: {
        parameters: {
            query?: {
                workspaces?: "delete" | "refuse";
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DeleteUser"];
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
    updateUser: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateUser"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Profile"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    showChangeEmailPage: {
        parameters: {
            query?: {
                token?: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    changeEmail: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeEmail"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MailSent"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    confirmEmailChange: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmEmailChange"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["EmailChange"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    getTwoFactor: {
        parameters: {
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["TwoFactorState"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    enableTwoFactor: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EnableTwoFactor"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["TwoFactorSetup"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    showTwoFactorPage: {
        parameters: {
            query?: {
                redirect?: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    verifyTwoFactor: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerifyTwoFactor"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["TwoFactorResult"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    disableTwoFactor: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DisableTwoFactor"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["TwoFactorOff"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    replaceBackupCodes: {
        parameters: {
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["NewBackupCodes"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    startPasskeyRegistration: {
        parameters: {
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PasskeyCreationOptions"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    registerPasskey: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RegisterPasskey"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Passkey"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    startPasskeySignIn: {
        parameters: {
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PasskeyRequestOptions"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    signInWithPasskey: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasskeySignIn"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SignedIn"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listPasskeys: {
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
                        data: components["schemas"]["Passkey"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
        };
    };
    removePasskey: {
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
    updatePasskey: {
        parameters: {
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdatePasskey"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Passkey"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listSignInProviders: {
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
                        data: components["schemas"]["SignInProvider"][];
                        meta: components["schemas"]["ProvidersMeta"];
                    };
                };
            };
        };
    };
    startProviderSignIn: {
        parameters: {
            query?: {
                redirect?: string;
            };
            path: {
                provider: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    finishProviderSignIn: {
        parameters: {
            query?: {
                code?: string;
                state?: string;
                iss?: string;
                error?: string;
            };
            path: {
                provider: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    startProviderLink: {
        parameters: {
            query?: {
                redirect?: string;
            };
            path: {
                provider: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LinkStart"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    listLinkedAccounts: {
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
                        data: components["schemas"]["LinkedAccount"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
        };
    };
    unlinkAccount: {
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
    authorizeApp: {
        parameters: {
            query?: {
                response_type?: string;
                client_id?: string;
                redirect_uri?: string;
                scope?: string;
                state?: string;
                code_challenge?: string;
                code_challenge_method?: string;
                resource?: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    startDevice: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StartDevice"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeviceStarted"];
                };
            };
        };
    };
    registerClient: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RegisterClient"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RegisteredClient"];
                };
            };
        };
    };
    requestToken: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RequestToken"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tokens"];
                };
            };
        };
    };
    revokeToken: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RevokeToken"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Revoked"];
                };
            };
        };
    };
    getAppRequest: {
        parameters: {
            path: {
                request: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AppRequest"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    allowApp: {
        parameters: {
            path: {
                request: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AllowApp"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AppAnswer"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    denyApp: {
        parameters: {
            path: {
                request: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AppAnswer"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    exportUser: {
        parameters: {
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AccountExport"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    showInvitationPage: {
        parameters: {
            query?: {
                token?: string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    answerInvitation: {
        parameters: {
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AnswerInvitation"];
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
