# Written by "npm run clients" from the OpenAPI document; tests compare.
# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import builtins
from collections.abc import Iterator
from typing import Unpack

from . import types
from ._protocol import Answer, LiveEvent, Options, Request, path_part
from ._transport import Download, Page, Transport


class WebhooksDeliveries:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self, query: types.ListWebhookDeliveriesQuery | None = None, **options: Unpack[Options]) -> Page[types.WebhookDelivery, types.PageMeta]:
        """List deliveries. Pages through the delivery log of the last 30 days, newest first. Filters apply together. Needs the role `viewer` and, for a key with scopes, `webhooks:read`."""
        return self._transport.list(Request("GET", "/webhooks/deliveries", options, query=query))

    def counts(self, query: types.CountWebhookDeliveriesQuery | None = None, **options: Unpack[Options]) -> Answer[types.WebhookDeliveryCounts, types.Meta]:
        """Count deliveries by status. Counts the deliveries that the filters of the list match, in each status. Needs the role `viewer` and, for a key with scopes, `webhooks:read`."""
        return self._transport.send(Request("GET", "/webhooks/deliveries/counts", options, query=query))

    def retry_many(self, body: types.RetryWebhookDeliveries, **options: Unpack[Options]) -> Answer[types.RequeuedWebhookDeliveries, types.Meta]:
        """Retry failed and dead-letter deliveries by filter. Makes the next attempt of every delivery that matches due now. An empty filter means all of them. Needs the role `admin` and, for a key with scopes, `webhooks:write`."""
        return self._transport.send(Request("POST", "/webhooks/deliveries/retry", options, body=body, keyed=True))

    def get(self, delivery_id: str, **options: Unpack[Options]) -> Answer[types.WebhookDeliveryDetail, types.Meta]:
        """Read a delivery with its attempts. Returns one delivery with its requests and the answers of the endpoint. Needs the role `viewer` and, for a key with scopes, `webhooks:read`."""
        return self._transport.send(Request("GET", f"/webhooks/deliveries/{path_part('delivery_id', delivery_id)}", options))

    def retry(self, delivery_id: str, **options: Unpack[Options]) -> Answer[types.RetriedWebhookDelivery, types.Meta]:
        """Retry a failed or dead-letter delivery. Makes the next attempt due now; a dead letter gets one extra attempt. Needs the role `admin` and, for a key with scopes, `webhooks:write`."""
        return self._transport.send(Request("POST", f"/webhooks/deliveries/{path_part('delivery_id', delivery_id)}/retry", options, keyed=True))


class WebhooksEndpoints:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self, query: types.ListWebhookEndpointsQuery | None = None, **options: Unpack[Options]) -> Page[types.ListedWebhookEndpoint, types.PageMeta]:
        """List webhook endpoints. Returns the endpoints of the workspace, newest first, without their secrets. With `stats=24h` each has its attempts of the last 24 hours. Needs the role `viewer` and, for a key with scopes, `webhooks:read`."""
        return self._transport.list(Request("GET", "/webhooks/endpoints", options, query=query))

    def create(self, body: types.CreateWebhookEndpoint, **options: Unpack[Options]) -> Answer[types.CreatedWebhookEndpoint, types.Meta]:
        """Create a webhook endpoint. Registers a URL that receives events. The answer has the signing secret, which can be read again later. Needs the role `admin` and, for a key with scopes, `webhooks:write`."""
        return self._transport.send(Request("POST", "/webhooks/endpoints", options, body=body, keyed=True))

    def get(self, id: str, **options: Unpack[Options]) -> Answer[types.WebhookEndpoint, types.Meta]:
        """Read a webhook endpoint. Returns one endpoint with the state of its deliveries. The signing secret is not in it. Needs the role `viewer` and, for a key with scopes, `webhooks:read`."""
        return self._transport.send(Request("GET", f"/webhooks/endpoints/{path_part('id', id)}", options))

    def update(self, id: str, body: types.UpdateWebhookEndpoint, **options: Unpack[Options]) -> Answer[types.WebhookEndpoint, types.Meta]:
        """Update a webhook endpoint. Changes the fields that are sent and leaves the others alone. A paused endpoint receives nothing; what happens in that time can be replayed. Needs the role `admin` and, for a key with scopes, `webhooks:write`."""
        return self._transport.send(Request("PATCH", f"/webhooks/endpoints/{path_part('id', id)}", options, body=body))

    def delete(self, id: str, **options: Unpack[Options]) -> Answer[None, types.Meta]:
        """Delete a webhook endpoint and its delivery log. Waiting deliveries are dropped. Needs the role `admin` and, for a key with scopes, `webhooks:write`."""
        return self._transport.send(Request("DELETE", f"/webhooks/endpoints/{path_part('id', id)}", options))

    def stats(self, id: str, **options: Unpack[Options]) -> Answer[types.WebhookEndpointStats, types.Meta]:
        """Read the attempts of the last 24 hours. Returns how many attempts succeeded and failed in each hour, how long the answers took, and the health of the endpoint. Needs the role `viewer` and, for a key with scopes, `webhooks:read`."""
        return self._transport.send(Request("GET", f"/webhooks/endpoints/{path_part('id', id)}/stats", options))

    def get_secret(self, id: str, **options: Unpack[Options]) -> Answer[types.WebhookSecret, types.Meta]:
        """Read the signing secret. Returns the signing key. Each read is recorded in the audit log. Needs the role `admin` and, for a key with scopes, `webhooks:write`."""
        return self._transport.send(Request("GET", f"/webhooks/endpoints/{path_part('id', id)}/secret", options))

    def rotate_secret(self, id: str, query: types.RotateWebhookSecretQuery | None = None, **options: Unpack[Options]) -> Answer[types.RotatedWebhookSecret, types.Meta]:
        """Replace the signing secret; without an overlap the old one is invalid at once. Returns the new key. All later attempts are signed with it, also for deliveries that already wait. During an overlap they have a signature of the previous key as well. Needs the role `admin` and, for a key with scopes, `webhooks:write`."""
        return self._transport.send(Request("POST", f"/webhooks/endpoints/{path_part('id', id)}/secret/rotate", options, query=query, keyed=True))

    def test(self, id: str, body: types.TestWebhookEndpoint | None = None, **options: Unpack[Options]) -> Answer[types.QueuedWebhookTest, types.Meta]:
        """Send a sample event to this endpoint. Queues one delivery with sample data, whether the endpoint subscribes to the type or not. Needs the role `admin` and, for a key with scopes, `webhooks:write`."""
        return self._transport.send(Request("POST", f"/webhooks/endpoints/{path_part('id', id)}/test", options, body=body, keyed=True))

    def replay(self, id: str, body: types.ReplayWebhookEvents, **options: Unpack[Options]) -> Answer[types.ReplayedWebhookEvents, types.Meta]:
        """Deliver past events to this endpoint again. Queues the events of a period as new deliveries. A long period takes several calls: pass `next` as `since` until it is null. Needs the role `admin` and, for a key with scopes, `webhooks:write`."""
        return self._transport.send(Request("POST", f"/webhooks/endpoints/{path_part('id', id)}/replay", options, body=body, keyed=True))


class Webhooks:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self.endpoints = WebhooksEndpoints(transport)
        self.deliveries = WebhooksDeliveries(transport)

    def event_types(self, **options: Unpack[Options]) -> Answer[types.WebhookEventCatalog, types.Meta]:
        """List the event types. Returns every type that an endpoint can subscribe to, with an example of its data. Needs the role `viewer` and, for a key with scopes, `webhooks:read`."""
        return self._transport.send(Request("GET", "/webhooks/events", options))

    def dispatch(self, body: types.DispatchWebhookEvent, **options: Unpack[Options]) -> Answer[types.DispatchedWebhookEvent, types.Meta]:
        """Send an event to every active endpoint that subscribes to it. Sends a payload of your own under one of the event types. Needs the role `admin` and, for a key with scopes, `webhooks:write`."""
        return self._transport.send(Request("POST", "/webhooks/dispatch", options, body=body, keyed=True))

    def listen(self, query: types.ListenForWebhookEventsQuery | None = None, **options: Unpack[Options]) -> Iterator[types.BatchEvent]:
        """Wait for new events instead of receiving deliveries. Returns the events since `cursor`, or waits for one. For machines that deliveries cannot reach. Needs the role `admin` and, for a key with scopes, `webhooks:write`."""
        return self._transport.follow_events(Request("GET", "/webhooks/listen", options, query=query))


class AbuseReports:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self, query: types.ListAbuseReportsQuery | None = None, **options: Unpack[Options]) -> Page[types.AbuseReport, types.FilteredPageMeta]:
        """List abuse reports. Pages through what visitors have reported about links of the workspace in the last 90 days, newest first. Who sent a report is not disclosed. Needs the role `admin` and, for a key with scopes, `links:read`."""
        return self._transport.list(Request("GET", "/abuse-reports", options, query=query))


class Billing:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def subscription(self, **options: Unpack[Options]) -> Answer[types.Subscription, types.Meta]:
        """Read the subscription of the workspace. Returns the plan of the workspace and the paid period. Needs the role `admin` and, for a key with scopes, `billing:read`."""
        return self._transport.send(Request("GET", "/billing/subscription", options))

    def usage(self, **options: Unpack[Options]) -> Answer[types.WorkspaceUsage, types.Meta]:
        """Read what the workspace has used of its plan. Returns the use of each limit in the present calendar month. Needs the role `admin` and, for a key with scopes, `billing:read`."""
        return self._transport.send(Request("GET", "/billing/usage", options))

    def invoices(self, query: types.ListInvoicesQuery | None = None, **options: Unpack[Options]) -> Page[types.Invoice, types.PageMeta]:
        """List invoices. Returns the invoices of the billing provider; an empty list without one. Needs the role `admin` and, for a key with scopes, `billing:read`."""
        return self._transport.list(Request("GET", "/billing/invoices", options, query=query))

    def payment_methods(self, query: types.ListPaymentMethodsQuery | None = None, **options: Unpack[Options]) -> Page[types.PaymentMethod, types.PageMeta]:
        """List payment methods. Returns the payment methods of the billing provider; an empty list without one. Needs the role `admin` and, for a key with scopes, `billing:read`."""
        return self._transport.list(Request("GET", "/billing/payment-methods", options, query=query))

    def checkout(self, body: types.Checkout, **options: Unpack[Options]) -> Answer[types.Destination, types.Meta]:
        """Start to buy a plan. Returns the address of the payment page. The plan changes when the provider confirms the payment. Needs the role `owner`, by a session: API keys are refused. An API key is not enough: needs a signed-in session."""
        return self._transport.send(Request("POST", "/billing/checkout", options, body=body, keyed=True))

    def portal(self, **options: Unpack[Options]) -> Answer[types.Destination, types.Meta]:
        """Open the page of the subscription. Returns the address of the page on which the subscription is changed or ended. Needs the role `owner`, by a session: API keys are refused. An API key is not enough: needs a signed-in session."""
        return self._transport.send(Request("POST", "/billing/portal", options, keyed=True))


class Plans:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self, query: types.ListPlansQuery | None = None, **options: Unpack[Options]) -> Page[types.Plan, types.PageMeta]:
        """List the plans. Returns every plan of this server with its limits and what it includes. Needs the role `viewer`."""
        return self._transport.list(Request("GET", "/plans", options, query=query))


class SecurityLog:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self, query: types.ListSecurityLogQuery | None = None, **options: Unpack[Options]) -> Page[types.SecurityEntry, types.FilteredPageMeta]:
        """List sign-ins and other security events. Pages through the security events of the workspace and of its members, newest first. Needs the role `admin` and, for a key with scopes, `security-log:read`."""
        return self._transport.list(Request("GET", "/security-log", options, query=query))


class AuditLog:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self, query: types.ListAuditLogQuery | None = None, **options: Unpack[Options]) -> Page[types.AuditEntry, types.FilteredPageMeta]:
        """List changes and their authors. Pages through the changes of the workspace, newest first. Each row is chained to the one before it by a hash. Needs the role `admin` and, for a key with scopes, `audit-log:read`."""
        return self._transport.list(Request("GET", "/audit-log", options, query=query))


class Invitations:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self, query: types.ListInvitationsQuery | None = None, **options: Unpack[Options]) -> Page[types.Invitation, types.FilteredPageMeta]:
        """List invitations. Pages through the invitations of the workspace, newest first. Needs the role `admin` and, for a key with scopes, `members:read`."""
        return self._transport.list(Request("GET", "/invitations", options, query=query))

    def create(self, body: types.CreateInvitation, **options: Unpack[Options]) -> Answer[types.CreatedInvitation, types.Meta]:
        """Invite an address by mail; an open invitation of it is renewed. Mails a link that is valid for 14 days. Only the invited address can accept it. Needs the role `admin` and, for a key with scopes, `members:write`."""
        return self._transport.send(Request("POST", "/invitations", options, body=body, keyed=True))

    def get(self, id: str, **options: Unpack[Options]) -> Answer[types.Invitation, types.Meta]:
        """Read an invitation. Returns one invitation of the workspace. Its token is only in the mail. Needs the role `admin` and, for a key with scopes, `members:read`."""
        return self._transport.send(Request("GET", f"/invitations/{path_part('id', id)}", options))

    def cancel(self, id: str, **options: Unpack[Options]) -> Answer[None, types.Meta]:
        """Cancel an invitation. The link of its mail no longer works. Needs the role `admin` and, for a key with scopes, `members:write`."""
        return self._transport.send(Request("DELETE", f"/invitations/{path_part('id', id)}", options))

    def create_link(self, id: str, **options: Unpack[Options]) -> Answer[types.InvitationLink, types.Meta]:
        """Create a link to an invitation, to pass on. Returns a link in addition to the one in the mail, and voids the last such link. The invited user confirms the address by mail after the sign-up. Needs the role `admin` and, for a key with scopes, `members:write`."""
        return self._transport.send(Request("POST", f"/invitations/{path_part('id', id)}/link", options, keyed=True))

    def get_received(self, token: str, **options: Unpack[Options]) -> Answer[types.ReceivedInvitation, types.Meta]:
        """Read the invitation that you received, by the token of the mail. The signed-in user must own the invited address. It changes nothing. Needs a session. Strictly limited by client address. An API key is not enough: needs a signed-in session."""
        return self._transport.send(Request("GET", f"/invitations/received/{path_part('token', token)}", options))

    def accept(self, token: str, **options: Unpack[Options]) -> Answer[types.Invitation, types.Meta]:
        """Accept an invitation, which makes its workspace the active one. The signed-in user must own the invited address. The user then has the role of the invitation. Needs a session. Strictly limited by client address. An API key is not enough: needs a signed-in session."""
        return self._transport.send(Request("POST", f"/invitations/{path_part('token', token)}/accept", options, keyed=True))

    def reject(self, token: str, **options: Unpack[Options]) -> Answer[types.Invitation, types.Meta]:
        """Reject an invitation. The signed-in user must own the invited address. Needs a session. Strictly limited by client address. An API key is not enough: needs a signed-in session."""
        return self._transport.send(Request("POST", f"/invitations/{path_part('token', token)}/reject", options, keyed=True))


class Members:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self, query: types.ListMembersQuery | None = None, **options: Unpack[Options]) -> Page[types.Member, types.PageMeta]:
        """List the members of the workspace. Pages through the members of the workspace, with their roles. Admins also see when a member was last active, and whether two-factor sign-in is on. Needs the role `viewer` and, for a key with scopes, `members:read`."""
        return self._transport.list(Request("GET", "/members", options, query=query))

    def update(self, user_id: str, body: types.UpdateMember, **options: Unpack[Options]) -> Answer[types.Member, types.Meta]:
        """Change the role of a member. Only an owner can grant or revoke the role of owner. The last owner keeps the role. Needs the role `admin` and, for a key with scopes, `members:write`."""
        return self._transport.send(Request("PATCH", f"/members/{path_part('user_id', user_id)}", options, body=body))

    def remove(self, user_id: str, **options: Unpack[Options]) -> Answer[None, types.Meta]:
        """Remove a member (admin), or leave. Ends the membership, and the API keys of the user in this workspace. Every member may leave, except the last owner. Needs the role `viewer` and, for a key with scopes, `members:write`."""
        return self._transport.send(Request("DELETE", f"/members/{path_part('user_id', user_id)}", options))


class Workspaces:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(self, id: str, **options: Unpack[Options]) -> Answer[types.Workspace, types.Meta]:
        """Read a workspace. Returns the workspace with the caller’s role in it. Needs the role `viewer` and, for a key with scopes, `workspaces:read`."""
        return self._transport.send(Request("GET", f"/workspaces/{path_part('id', id)}", options))

    def update(self, id: str, body: types.UpdateWorkspace, **options: Unpack[Options]) -> Answer[types.Workspace, types.Meta]:
        """Change the name or settings of a workspace (admin). Changes the fields that are sent. It needs the role `admin` in that workspace. Needs the role `viewer` and, for a key with scopes, `workspaces:write`."""
        return self._transport.send(Request("PATCH", f"/workspaces/{path_part('id', id)}", options, body=body))

    def delete(self, id: str, body: types.DeleteWorkspace | None = None, **options: Unpack[Options]) -> Answer[None, types.Meta]:
        """Delete a workspace and everything in it (owner). Takes the name of the workspace as a confirmation, in the body or in the query. It needs the role `owner` in that workspace. Needs the role `viewer` and, for a key with scopes, `workspaces:write`."""
        return self._transport.send(Request("DELETE", f"/workspaces/{path_part('id', id)}", options, body=body))

    def list(self, query: types.ListWorkspacesQuery | None = None, **options: Unpack[Options]) -> Page[types.Workspace, types.PageMeta]:
        """List your workspaces; an API key sees its own. Pages through the workspaces of the signed-in user. Needs a session or an API key."""
        return self._transport.list(Request("GET", "/workspaces", options, query=query))

    def create(self, body: types.CreateWorkspace, **options: Unpack[Options]) -> Answer[types.Workspace, types.Meta]:
        """Create a workspace. Creates a workspace owned by the signed-in user. It becomes the active one of a session without one. Needs a session. An API key is not enough: needs a signed-in session."""
        return self._transport.send(Request("POST", "/workspaces", options, body=body, keyed=True))

    def activate(self, id: str, **options: Unpack[Options]) -> Answer[types.Workspace, types.Meta]:
        """Make a workspace the active one of the session. Later requests of this session act in it. Needs a session. An API key is not enough: needs a signed-in session."""
        return self._transport.send(Request("POST", f"/workspaces/{path_part('id', id)}/activate", options))


class ApiKeys:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(self, body: types.CreateApiKey, **options: Unpack[Options]) -> Answer[types.NewApiKey, types.Meta]:
        """Create an API key; the key itself is shown this once. Creates a key that acts as the signed-in user in this workspace, restricted to the given scopes and addresses. Needs the role `admin`, by a session: API keys are refused. An API key is not enough: needs a signed-in session."""
        return self._transport.send(Request("POST", "/api-keys", options, body=body, keyed=True))

    def list(self, query: types.ListApiKeysQuery | None = None, **options: Unpack[Options]) -> Page[types.ApiKey, types.PageMeta]:
        """List API keys. Pages through the keys of the workspace, newest first. The keys themselves are not shown. Needs the role `admin`, by a session: API keys are refused. An API key is not enough: needs a signed-in session."""
        return self._transport.list(Request("GET", "/api-keys", options, query=query))

    def get(self, id: str, **options: Unpack[Options]) -> Answer[types.ApiKey, types.Meta]:
        """Read an API key. Returns one key without its secret. Needs the role `admin`, by a session: API keys are refused. An API key is not enough: needs a signed-in session."""
        return self._transport.send(Request("GET", f"/api-keys/{path_part('id', id)}", options))

    def update(self, id: str, body: types.UpdateApiKey, **options: Unpack[Options]) -> Answer[types.ApiKey, types.Meta]:
        """Update an API key. Changes the fields that are sent and leaves the others alone. Needs the role `admin`, by a session: API keys are refused. An API key is not enough: needs a signed-in session."""
        return self._transport.send(Request("PATCH", f"/api-keys/{path_part('id', id)}", options, body=body))

    def revoke(self, id: str, **options: Unpack[Options]) -> Answer[None, types.Meta]:
        """Revoke an API key. The key stops working at once. Needs the role `admin`, by a session: API keys are refused. An API key is not enough: needs a signed-in session."""
        return self._transport.send(Request("DELETE", f"/api-keys/{path_part('id', id)}", options))

    def rotate(self, id: str, **options: Unpack[Options]) -> Answer[types.NewApiKey, types.Meta]:
        """Replace the secret of an API key; the new key is shown this once. The old secret stops working at once. Only the user to whom the key belongs can rotate it. Needs the role `admin`, by a session: API keys are refused. An API key is not enough: needs a signed-in session."""
        return self._transport.send(Request("POST", f"/api-keys/{path_part('id', id)}/rotate", options, keyed=True))


class Geoip:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def locate(self, query: types.LocateAddressQuery | None = None, **options: Unpack[Options]) -> Answer[types.AddressLocation, types.GeoDataMeta]:
        """Locate an address. Returns what the geo database of this server knows about your address, or for owners and admins about any other. What is not known is null, as is everything about loopback and private addresses. Needs the role `viewer`."""
        return self._transport.send(Request("GET", "/geoip", options, query=query))


class DeepLinks:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def resolve(self, body: types.ResolveDeferredLink, **options: Unpack[Options]) -> Answer[types.DeferredMatch, types.Meta]:
        """Resolve a deferred deep link. Tells an app that is opened for the first time which link led to its installation: by the install referrer, by the click or the short URL, or by the address of the phone. A click is matched once. Needs the role `member` and, for a key with scopes, `deferred:write`."""
        return self._transport.send(Request("POST", "/deferred/resolve", options, body=body, keyed=True))


class Conversions:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def record(self, body: types.RecordConversions, **options: Unpack[Options]) -> Answer[types.RecordedConversions, types.RecordConversionsMeta]:
        """Report conversions. Stores one conversion, or a list of up to 100 of which each fails alone, and attributes it to a link. The same event is stored once, however late it is sent again. It waits up to ten minutes for a click that is not known yet. Needs the role `member` and, for a key with scopes, `conversions:write`."""
        return self._transport.send(Request("POST", "/conversions", options, body=body, keyed=True))

    def track_lead(self, body: types.TrackLead, **options: Unpack[Options]) -> Answer[types.TrackedLead, types.Meta]:
        """Report a lead with the field names of Dub. Like `POST /conversions` with the type `lead`, with the field names of Dub. Needs the role `member` and, for a key with scopes, `conversions:write`."""
        return self._transport.send(Request("POST", "/track/lead", options, body=body, keyed=True))

    def track_sale(self, body: types.TrackSale, **options: Unpack[Options]) -> Answer[types.TrackedSale, types.Meta]:
        """Report a sale with the field names of Dub. Like `POST /conversions` with the type `sale`, with the field names of Dub. Needs the role `member` and, for a key with scopes, `conversions:write`."""
        return self._transport.send(Request("POST", "/track/sale", options, body=body, keyed=True))


class Alerts:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(self, body: types.CreateAlert, **options: Unpack[Options]) -> Answer[types.Alert, types.Meta]:
        """Create an alert. Watches the clicks of a link or of the whole workspace, or the destination of a link. There is one alert for each of them, and 50 in a workspace. Needs the role `member` and, for a key with scopes, `alerts:write`."""
        return self._transport.send(Request("POST", "/alerts", options, body=body, keyed=True))

    def list(self, query: types.ListAlertsQuery | None = None, **options: Unpack[Options]) -> Page[types.Alert, types.PageMeta]:
        """List alerts. Pages through the alerts of the workspace and their states, newest first. Needs the role `viewer` and, for a key with scopes, `alerts:read`."""
        return self._transport.list(Request("GET", "/alerts", options, query=query))

    def get(self, id: str, **options: Unpack[Options]) -> Answer[types.Alert, types.Meta]:
        """Read an alert. Returns one alert and its state. Needs the role `viewer` and, for a key with scopes, `alerts:read`."""
        return self._transport.send(Request("GET", f"/alerts/{path_part('id', id)}", options))

    def update(self, id: str, body: types.UpdateAlert, **options: Unpack[Options]) -> Answer[types.Alert, types.Meta]:
        """Update an alert. Changes the fields that are sent. What is no longer watched is over, without a mail. Needs the role `member` and, for a key with scopes, `alerts:write`."""
        return self._transport.send(Request("PATCH", f"/alerts/{path_part('id', id)}", options, body=body))

    def delete(self, id: str, **options: Unpack[Options]) -> Answer[None, types.Meta]:
        """Delete an alert. Nothing is watched any more. Needs the role `member` and, for a key with scopes, `alerts:write`."""
        return self._transport.send(Request("DELETE", f"/alerts/{path_part('id', id)}", options))


class Reports:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self, query: types.ListReportsQuery | None = None, **options: Unpack[Options]) -> Page[types.Report, types.PageMeta]:
        """List reports. Pages through the reports of the workspace, newest first. Needs the role `viewer` and, for a key with scopes, `reports:read`."""
        return self._transport.list(Request("GET", "/reports", options, query=query))

    def create(self, body: types.CreateReport, **options: Unpack[Options]) -> Answer[types.Report, types.Meta]:
        """Ask for a report. A job writes the file in the background: read the report until its status is `completed`, or receive `report.generated`. The file is kept for 30 days. Needs the role `member` and, for a key with scopes, `reports:write`."""
        return self._transport.send(Request("POST", "/reports", options, body=body, keyed=True))

    def get(self, id: str, **options: Unpack[Options]) -> Answer[types.Report, types.Meta]:
        """Read a report. Returns one report with the progress of its latest run. Needs the role `viewer` and, for a key with scopes, `reports:read`."""
        return self._transport.send(Request("GET", f"/reports/{path_part('id', id)}", options))

    def update(self, id: str, body: types.UpdateReport, **options: Unpack[Options]) -> Answer[types.Report, types.Meta]:
        """Update a report. Changes the fields that are sent and leaves the others and the file alone. Needs the role `member` and, for a key with scopes, `reports:write`."""
        return self._transport.send(Request("PATCH", f"/reports/{path_part('id', id)}", options, body=body))

    def delete(self, id: str, **options: Unpack[Options]) -> Answer[None, types.Meta]:
        """Delete a report. Deletes a report with its file. Needs the role `member` and, for a key with scopes, `reports:write`."""
        return self._transport.send(Request("DELETE", f"/reports/{path_part('id', id)}", options))

    def download(self, id: str, **options: Unpack[Options]) -> Download:
        """Download a report. Sends the file of the latest run that was completed, or the part of it that `Range` names. Needs the role `viewer` and, for a key with scopes, `reports:read`."""
        return self._transport.download(Request("GET", f"/reports/{path_part('id', id)}/download", options))

    def cancel(self, id: str, **options: Unpack[Options]) -> Answer[types.Report, types.Meta]:
        """Cancel a report. Ends the run that is under way. The report is then `failed`, with the error `canceled`. Needs the role `member` and, for a key with scopes, `reports:write`."""
        return self._transport.send(Request("POST", f"/reports/{path_part('id', id)}/cancel", options, keyed=True))


class Dashboards:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(self, body: types.CreateDashboard, **options: Unpack[Options]) -> Answer[types.Dashboard, types.Meta]:
        """Share a dashboard. Makes the statistics of the workspace, or of one link, campaign or folder, readable at an address that needs no account. Needs the role `member` and, for a key with scopes, `dashboards:write`."""
        return self._transport.send(Request("POST", "/dashboards", options, body=body, keyed=True))

    def list(self, query: types.ListDashboardsQuery | None = None, **options: Unpack[Options]) -> Page[types.Dashboard, types.FilteredPageMeta]:
        """List shared dashboards. Pages through the shared dashboards of the workspace, newest first. Needs the role `member` and, for a key with scopes, `dashboards:read`."""
        return self._transport.list(Request("GET", "/dashboards", options, query=query))

    def get(self, id: str, **options: Unpack[Options]) -> Answer[types.Dashboard, types.Meta]:
        """Read a shared dashboard. Returns one shared dashboard with its address. Needs the role `member` and, for a key with scopes, `dashboards:read`."""
        return self._transport.send(Request("GET", f"/dashboards/{path_part('id', id)}", options))

    def update(self, id: str, body: types.UpdateDashboard, **options: Unpack[Options]) -> Answer[types.Dashboard, types.Meta]:
        """Update a shared dashboard. Changes the fields that are sent and leaves the others alone. After a change of the password, visitors must enter the new one. Needs the role `member` and, for a key with scopes, `dashboards:write`."""
        return self._transport.send(Request("PATCH", f"/dashboards/{path_part('id', id)}", options, body=body))

    def delete(self, id: str, **options: Unpack[Options]) -> Answer[None, types.Meta]:
        """Delete a shared dashboard. Its address stops working at once. Needs the role `member` and, for a key with scopes, `dashboards:write`."""
        return self._transport.send(Request("DELETE", f"/dashboards/{path_part('id', id)}", options))

    def rotate(self, id: str, **options: Unpack[Options]) -> Answer[types.Dashboard, types.Meta]:
        """Give a shared dashboard another address. Replaces the token. The former address stops working at once. Needs the role `member` and, for a key with scopes, `dashboards:write`."""
        return self._transport.send(Request("POST", f"/dashboards/{path_part('id', id)}/rotate", options, keyed=True))

    def read(self, token: str, **options: Unpack[Options]) -> Answer[types.PublicDashboard, types.Meta]:
        """Read a shared dashboard as a visitor. Returns the statistics of a shared dashboard; needs no credential. Requests within a second get the same answer. An unknown, revoked or rotated token is a 404. So is a token whose link, campaign or folder was deleted, or whose workspace is suspended or has a plan without public dashboards. Needs no credential."""
        return self._transport.send(Request("GET", f"/public/dashboards/{path_part('token', token)}", options))


class Analytics:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def link(self, id: str, query: types.GetLinkAnalyticsQuery | None = None, **options: Unpack[Options]) -> Answer[types.LinkAnalytics, types.AnalyticsMeta]:
        """Clicks, visitors and breakdowns of a link. Counts the clicks of the last `days` calendar days, today included, and compares them with as many days before. Needs the role `viewer` and, for a key with scopes, `analytics:read`."""
        return self._transport.send(Request("GET", f"/analytics/links/{path_part('id', id)}", options, query=query))

    def link_timeseries(self, id: str, query: types.GetLinkTimeseriesQuery | None = None, **options: Unpack[Options]) -> Answer[builtins.list[types.AnalyticsBucket], types.AnalyticsSeriesMeta]:
        """Clicks and visitors of a link over time. A row for each hour, day, week or month of the period, also without a click. Needs the role `viewer` and, for a key with scopes, `analytics:read`."""
        return self._transport.send(Request("GET", f"/analytics/links/{path_part('id', id)}/timeseries", options, query=query))

    def link_breakdown(self, id: str, dimension: str, query: types.GetLinkBreakdownQuery | None = None, **options: Unpack[Options]) -> Page[types.AnalyticsRow, types.AnalyticsPageMeta]:
        """Clicks and visitors of a link by label. The labels of one dimension, the most clicked first. Needs the role `viewer` and, for a key with scopes, `analytics:read`."""
        return self._transport.list(Request("GET", f"/analytics/links/{path_part('id', id)}/breakdowns/{path_part('dimension', dimension)}", options, query=query))

    def overview(self, query: types.GetAnalyticsOverviewQuery | None = None, **options: Unpack[Options]) -> Answer[types.AnalyticsOverview, types.AnalyticsMeta]:
        """Clicks, visitors and breakdowns of all links. The numbers of a link over all links that the filters name. Needs the role `viewer` and, for a key with scopes, `analytics:read`."""
        return self._transport.send(Request("GET", "/analytics/overview", options, query=query))

    def campaign(self, id: str, query: types.GetCampaignAnalyticsQuery | None = None, **options: Unpack[Options]) -> Answer[types.AnalyticsOverview, types.AnalyticsMeta]:
        """Clicks, visitors and breakdowns of a campaign. The numbers of a link over the links that are in the campaign today. Needs the role `viewer` and, for a key with scopes, `analytics:read`."""
        return self._transport.send(Request("GET", f"/analytics/campaigns/{path_part('id', id)}", options, query=query))

    def domain(self, id: str, query: types.GetDomainAnalyticsQuery | None = None, **options: Unpack[Options]) -> Answer[types.AnalyticsOverview, types.AnalyticsMeta]:
        """Clicks, visitors and breakdowns of a domain. The numbers of a link over the clicks on the domain, also of links that have left it. Needs the role `viewer` and, for a key with scopes, `analytics:read`."""
        return self._transport.send(Request("GET", f"/analytics/domains/{path_part('id', id)}", options, query=query))

    def timeseries(self, query: types.GetTimeseriesQuery | None = None, **options: Unpack[Options]) -> Answer[builtins.list[types.AnalyticsBucket], types.AnalyticsSeriesMeta]:
        """Clicks and visitors over time. A row for each hour, day, week or month of the period, also without a click. Needs the role `viewer` and, for a key with scopes, `analytics:read`."""
        return self._transport.send(Request("GET", "/analytics/timeseries", options, query=query))

    def top_links(self, query: types.GetTopLinksQuery | None = None, **options: Unpack[Options]) -> Page[types.AnalyticsTopLink, types.AnalyticsPageMeta]:
        """The most clicked links. Links by their clicks of the period, in descending order. Needs the role `viewer` and, for a key with scopes, `analytics:read`."""
        return self._transport.list(Request("GET", "/analytics/top-links", options, query=query))

    def breakdowns(self, query: types.GetBreakdownsQuery | None = None, **options: Unpack[Options]) -> Answer[types.AnalyticsBreakdowns, types.AnalyticsRowsMeta]:
        """The most clicked labels of every dimension. Ten labels of each dimension, with clicks and visitors. Needs the role `viewer` and, for a key with scopes, `analytics:read`."""
        return self._transport.send(Request("GET", "/analytics/breakdowns", options, query=query))

    def breakdown(self, dimension: str, query: types.GetBreakdownQuery | None = None, **options: Unpack[Options]) -> Page[types.AnalyticsRow, types.AnalyticsPageMeta]:
        """Clicks and visitors by label. The labels of one dimension, the most clicked first. Needs the role `viewer` and, for a key with scopes, `analytics:read`."""
        return self._transport.list(Request("GET", f"/analytics/breakdowns/{path_part('dimension', dimension)}", options, query=query))

    def query(self, query: types.QueryAnalyticsQuery | None = None, **options: Unpack[Options]) -> Answer[types.DubAnswer, types.AnalyticsMeta]:
        """Clicks with the field names of Dub. Takes the parameters of Dub and answers with its fields, in the usual envelope. Needs the role `viewer` and, for a key with scopes, `analytics:read`."""
        return self._transport.send(Request("GET", "/analytics", options, query=query))

    def summary(self, query: types.GetAnalyticsSummaryQuery | None = None, **options: Unpack[Options]) -> Answer[types.AnalyticsSummary, types.AnalyticsSeriesMeta]:
        """All numbers of a page, and of a period to compare with. Totals, series, breakdowns and top links of the filters, counted as of one moment. Needs the role `viewer` and, for a key with scopes, `analytics:read`."""
        return self._transport.send(Request("GET", "/analytics/summary", options, query=query))

    def values(self, dimension: str, query: types.GetFilterValuesQuery | None = None, **options: Unpack[Options]) -> Answer[builtins.list[types.AnalyticsValue], types.Meta]:
        """Labels to filter by. Labels that contain a text, the most clicked first. Needs the role `viewer` and, for a key with scopes, `analytics:read`."""
        return self._transport.send(Request("GET", f"/analytics/values/{path_part('dimension', dimension)}", options, query=query))

    def bio_page(self, id: str, query: types.GetBioPageAnalyticsQuery | None = None, **options: Unpack[Options]) -> Answer[types.BioPageAnalytics, types.BioPageAnalyticsMeta]:
        """Views, visitors and clicks of a bio page. Counts the human views of the period, and the clicks of the links of its blocks. The click rate is clicks divided by views. Needs the role `viewer` and, for a key with scopes, `analytics:read`."""
        return self._transport.send(Request("GET", f"/analytics/bio-pages/{path_part('id', id)}", options, query=query))

    def clicks(self, query: types.ListClicksQuery | None = None, **options: Unpack[Options]) -> Page[types.ClickEvent, types.ClickEventsMeta]:
        """The log of clicks. Single clicks of the period, newest first, with the data of click.received. Clicks of months that were folded into daily counts are not in it. Needs the role `viewer` and, for a key with scopes, `analytics:read`."""
        return self._transport.list(Request("GET", "/analytics/events", options, query=query))

    def conversions(self, query: types.ListConversionsQuery | None = None, **options: Unpack[Options]) -> Page[types.ConversionEvent, types.ConversionEventsMeta]:
        """The log of conversions. Conversions that happened in the period, newest first, each with the reason of its attribution. Those that wait for their click, or have none, are among them. Needs the role `viewer` and, for a key with scopes, `analytics:read`."""
        return self._transport.list(Request("GET", "/analytics/conversions", options, query=query))

    def export(self, query: types.ExportClicksQuery | None = None, **options: Unpack[Options]) -> Download:
        """Export clicks as CSV or JSON. Sends all clicks of the period, oldest first, while they are read. A visitor has one pseudonym in an export, and another one in the next. One export of a workspace runs at a time. Needs the role `viewer` and, for a key with scopes, `analytics:read`."""
        return self._transport.download(Request("GET", "/analytics/export", options, query=query))

    def live(self, query: types.StreamClicksQuery | None = None, **options: Unpack[Options]) -> Iterator[LiveEvent]:
        """Clicks as they happen. Server-sent events: `click` with the data of click.received and the id of the click, `ping` every ten seconds, and `skipped` with the number of clicks that were left out, which is null when it is unknown. With `Last-Event-ID` the clicks that began to count after that one come first. Needs the role `viewer` and, for a key with scopes, `analytics:read`."""
        return self._transport.follow_clicks(Request("GET", "/analytics/live", options, query=query))


class Domains:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(self, body: types.CreateDomain, **options: Unpack[Options]) -> Answer[types.Domain, types.Meta]:
        """Add a domain. Claims a host for short links. It is `pending` until the records in `verification` are found; links on it redirect from then on. Needs the role `admin` and, for a key with scopes, `domains:write`."""
        return self._transport.send(Request("POST", "/domains", options, body=body, keyed=True))

    def list(self, query: types.ListDomainsQuery | None = None, **options: Unpack[Options]) -> Page[types.Domain, types.FilteredPageMeta]:
        """List domains. Pages through the domains of the workspace, the newest first. Needs the role `viewer` and, for a key with scopes, `domains:read`."""
        return self._transport.list(Request("GET", "/domains", options, query=query))

    def get(self, id: str, **options: Unpack[Options]) -> Answer[types.Domain, types.Meta]:
        """Read a domain. Returns one domain with the records to create, and what the last check found. Needs the role `viewer` and, for a key with scopes, `domains:read`."""
        return self._transport.send(Request("GET", f"/domains/{path_part('id', id)}", options))

    def update(self, id: str, body: types.UpdateDomain, **options: Unpack[Options]) -> Answer[types.Domain, types.Meta]:
        """Change a domain. Changes the settings of a domain. A change of `caseSensitive` is refused if slugs of its links would become the same. Needs the role `admin` and, for a key with scopes, `domains:write`."""
        return self._transport.send(Request("PATCH", f"/domains/{path_part('id', id)}", options, body=body))

    def delete(self, id: str, query: types.DeleteDomainQuery | None = None, **options: Unpack[Options]) -> Answer[None, types.Meta]:
        """Delete a domain. Refused while links are on it, unless `force` moves them to the shared host. Slugs that are taken or reserved there are listed in the error, and nothing is moved then. Needs the role `admin` and, for a key with scopes, `domains:write`."""
        return self._transport.send(Request("DELETE", f"/domains/{path_part('id', id)}", options, query=query))

    def verify(self, id: str, **options: Unpack[Options]) -> Answer[types.Domain, types.Meta]:
        """Verify a domain. Looks for the records now, and returns the domain with what was found. Domains are also checked without a request. Needs the role `admin` and, for a key with scopes, `domains:write`."""
        return self._transport.send(Request("POST", f"/domains/{path_part('id', id)}/verify", options, keyed=True))


class Media:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def upload(self, form: types.UploadMediaForm, **options: Unpack[Options]) -> Answer[types.Media, types.Meta]:
        """Upload an image. Stores a PNG, JPEG, GIF, WebP or AVIF image of at most 5 MiB, 25 megapixels and 100 frames. The same bytes are stored once: uploading them again returns the existing image. Needs the role `member` and, for a key with scopes, `media:write`."""
        return self._transport.send(Request("POST", "/media", options, form=form, keyed=True))

    def list(self, query: types.ListMediaQuery | None = None, **options: Unpack[Options]) -> Page[types.Media, types.MediaMeta]:
        """List images. Pages through the images of the workspace, newest first. Needs the role `viewer` and, for a key with scopes, `media:read`."""
        return self._transport.list(Request("GET", "/media", options, query=query))

    def get(self, id: str, **options: Unpack[Options]) -> Answer[types.Media, types.Meta]:
        """Read an image. Returns one image and what shows it. Needs the role `viewer` and, for a key with scopes, `media:read`."""
        return self._transport.send(Request("GET", f"/media/{path_part('id', id)}", options))

    def delete(self, id: str, query: types.DeleteMediaQuery | None = None, **options: Unpack[Options]) -> Answer[None, types.Meta]:
        """Delete an image. Deletes an image that nothing shows; with `force`, any image. Needs the role `member` and, for a key with scopes, `media:write`."""
        return self._transport.send(Request("DELETE", f"/media/{path_part('id', id)}", options, query=query))

    def content(self, id: str, **options: Unpack[Options]) -> Download:
        """Read the bytes of an image. Sends the file as it was uploaded, byte for byte, or the part that `Range` names. Needs the role `viewer` and, for a key with scopes, `media:read`."""
        return self._transport.download(Request("GET", f"/media/{path_part('id', id)}/content", options))


class BioPages:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(self, body: types.CreateBioPage, **options: Unpack[Options]) -> Answer[types.BioPage, types.CreatedBioPageMeta]:
        """Create a bio page. Creates a page of links, a draft unless `status` says otherwise. A block of the type `link` without a `linkId` gets a link of its own, which is named after it. With an `importId` the blocks are the links of an import. Needs the role `member` and, for a key with scopes, `bio-pages:write`."""
        return self._transport.send(Request("POST", "/bio-pages", options, body=body, keyed=True))

    def list(self, query: types.ListBioPagesQuery | None = None, **options: Unpack[Options]) -> Page[types.BioPage, types.FilteredPageMeta]:
        """List bio pages. Pages through the bio pages of the workspace with their views and clicks, newest first unless `sortBy` says otherwise. Needs the role `viewer` and, for a key with scopes, `bio-pages:read`."""
        return self._transport.list(Request("GET", "/bio-pages", options, query=query))

    def get(self, id: str, **options: Unpack[Options]) -> Answer[types.BioPage, types.Meta]:
        """Read a bio page. Returns one page with its blocks, views and clicks. Needs the role `viewer` and, for a key with scopes, `bio-pages:read`."""
        return self._transport.send(Request("GET", f"/bio-pages/{path_part('id', id)}", options))

    def update(self, id: str, body: types.UpdateBioPage, query: types.UpdateBioPageQuery | None = None, **options: Unpack[Options]) -> Answer[types.BioPage, types.Meta]:
        """Update a bio page. Changes the fields that are sent and leaves the others alone. The change is public within a second. Needs the role `member` and, for a key with scopes, `bio-pages:write`."""
        return self._transport.send(Request("PATCH", f"/bio-pages/{path_part('id', id)}", options, body=body, query=query))

    def delete(self, id: str, query: types.DeleteBioPageQuery | None = None, **options: Unpack[Options]) -> Answer[None, types.Meta]:
        """Delete a bio page. The links of its blocks stay, unless `links=delete` deletes them too. Needs the role `member` and, for a key with scopes, `bio-pages:write`."""
        return self._transport.send(Request("DELETE", f"/bio-pages/{path_part('id', id)}", options, query=query))

    def preview(self, id: str, body: types.UpdateBioPage, **options: Unpack[Options]) -> Answer[types.BioPagePreview, types.Meta]:
        """Preview a change of a bio page. Takes and checks the body of an update. Returns the elements of the page as it would be shown now. Stores nothing and creates no link. Needs the role `viewer` and, for a key with scopes, `bio-pages:read`."""
        return self._transport.send(Request("POST", f"/bio-pages/{path_part('id', id)}/preview", options, body=body))


class UtmTemplates:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(self, body: types.CreateUtmTemplate, **options: Unpack[Options]) -> Answer[types.UtmTemplate, types.Meta]:
        """Create a UTM template. Creates a set of UTM values that links can take over when they are written. Needs the role `member` and, for a key with scopes, `utm-templates:write`."""
        return self._transport.send(Request("POST", "/utm-templates", options, body=body, keyed=True))

    def list(self, query: types.ListUtmTemplatesQuery | None = None, **options: Unpack[Options]) -> Page[types.UtmTemplate, types.FilteredPageMeta]:
        """List UTM templates. Pages through the templates of the workspace, newest first unless `sortBy` says otherwise. Needs the role `viewer` and, for a key with scopes, `utm-templates:read`."""
        return self._transport.list(Request("GET", "/utm-templates", options, query=query))

    def get(self, id: str, **options: Unpack[Options]) -> Answer[types.UtmTemplate, types.Meta]:
        """Read a UTM template. Returns one template. Needs the role `viewer` and, for a key with scopes, `utm-templates:read`."""
        return self._transport.send(Request("GET", f"/utm-templates/{path_part('id', id)}", options))

    def update(self, id: str, body: types.UpdateUtmTemplate, **options: Unpack[Options]) -> Answer[types.UtmTemplate, types.Meta]:
        """Update a UTM template. Changes the fields that are sent. Links that took over values keep them. Needs the role `member` and, for a key with scopes, `utm-templates:write`."""
        return self._transport.send(Request("PATCH", f"/utm-templates/{path_part('id', id)}", options, body=body))

    def delete(self, id: str, **options: Unpack[Options]) -> Answer[None, types.Meta]:
        """Delete a UTM template. Links that took over its values keep them. Needs the role `member` and, for a key with scopes, `utm-templates:write`."""
        return self._transport.send(Request("DELETE", f"/utm-templates/{path_part('id', id)}", options))


class Campaigns:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(self, body: types.CreateCampaign, **options: Unpack[Options]) -> Answer[types.Campaign, types.Meta]:
        """Create a campaign. Creates a campaign, which groups links and gives them UTM values. Needs the role `member` and, for a key with scopes, `campaigns:write`."""
        return self._transport.send(Request("POST", "/campaigns", options, body=body, keyed=True))

    def list(self, query: types.ListCampaignsQuery | None = None, **options: Unpack[Options]) -> Page[types.Campaign, types.FilteredPageMeta]:
        """List campaigns. Pages through the campaigns of the workspace with their links and clicks, newest first unless `sortBy` says otherwise. Needs the role `viewer` and, for a key with scopes, `campaigns:read`."""
        return self._transport.list(Request("GET", "/campaigns", options, query=query))

    def get(self, id: str, **options: Unpack[Options]) -> Answer[types.Campaign, types.Meta]:
        """Read a campaign. Returns one campaign with its numbers of links and clicks. Needs the role `viewer` and, for a key with scopes, `campaigns:read`."""
        return self._transport.send(Request("GET", f"/campaigns/{path_part('id', id)}", options))

    def update(self, id: str, body: types.UpdateCampaign, **options: Unpack[Options]) -> Answer[types.Campaign, types.Meta]:
        """Update a campaign. Changes the fields that are sent. The first time that the campaign becomes `completed`, `campaign.completed` is sent. Its links keep their UTM values. Needs the role `member` and, for a key with scopes, `campaigns:write`."""
        return self._transport.send(Request("PATCH", f"/campaigns/{path_part('id', id)}", options, body=body))

    def delete(self, id: str, **options: Unpack[Options]) -> Answer[None, types.Meta]:
        """Delete a campaign. Its links stay, in no campaign, and keep their UTM values. Needs the role `member` and, for a key with scopes, `campaigns:write`."""
        return self._transport.send(Request("DELETE", f"/campaigns/{path_part('id', id)}", options))


class Tags:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self, query: types.ListTagsQuery | None = None, **options: Unpack[Options]) -> Page[types.Tag, types.FilteredPageMeta]:
        """List tags. Pages through the tags of the links of the workspace, by name. Needs the role `viewer` and, for a key with scopes, `links:read`."""
        return self._transport.list(Request("GET", "/tags", options, query=query))

    def rename(self, name: str, body: types.RenameTag, **options: Unpack[Options]) -> Answer[types.RenamedTag, types.Meta]:
        """Rename a tag. Replaces the tag on every link. If the new tag already exists, the two become one. Needs the role `member` and, for a key with scopes, `links:write`."""
        return self._transport.send(Request("PATCH", f"/tags/{path_part('name', name)}", options, body=body))

    def delete(self, name: str, **options: Unpack[Options]) -> Answer[None, types.Meta]:
        """Delete a tag. Removes the tag from every link. The links stay. Needs the role `member` and, for a key with scopes, `links:write`."""
        return self._transport.send(Request("DELETE", f"/tags/{path_part('name', name)}", options))


class Folders:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(self, body: types.CreateFolder, **options: Unpack[Options]) -> Answer[types.Folder, types.Meta]:
        """Create a folder. Creates a folder for links. A workspace has at most 1,000 folders. Needs the role `member` and, for a key with scopes, `links:write`."""
        return self._transport.send(Request("POST", "/folders", options, body=body, keyed=True))

    def list(self, query: types.ListFoldersQuery | None = None, **options: Unpack[Options]) -> Page[types.Folder, types.FilteredPageMeta]:
        """List folders. Pages through the folders of the workspace with their numbers of links, by name. Needs the role `viewer` and, for a key with scopes, `links:read`."""
        return self._transport.list(Request("GET", "/folders", options, query=query))

    def get(self, id: str, **options: Unpack[Options]) -> Answer[types.Folder, types.Meta]:
        """Read a folder. Returns one folder with its number of links. Needs the role `viewer` and, for a key with scopes, `links:read`."""
        return self._transport.send(Request("GET", f"/folders/{path_part('id', id)}", options))

    def update(self, id: str, body: types.UpdateFolder, **options: Unpack[Options]) -> Answer[types.Folder, types.Meta]:
        """Rename a folder. Changes the name; the links stay in the folder. Needs the role `member` and, for a key with scopes, `links:write`."""
        return self._transport.send(Request("PATCH", f"/folders/{path_part('id', id)}", options, body=body))

    def delete(self, id: str, **options: Unpack[Options]) -> Answer[None, types.Meta]:
        """Delete a folder. Its links stay, in no folder, and do not change otherwise. Needs the role `member` and, for a key with scopes, `links:write`."""
        return self._transport.send(Request("DELETE", f"/folders/{path_part('id', id)}", options))


class LinksImports:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(self, form: types.ImportLinksForm, **options: Unpack[Options]) -> Answer[types.LinkImport, types.Meta]:
        """Import links from a file. Takes a CSV file of at most 10 MiB and 10,000 rows, or an export of another service, and creates its links in the background. Each row fails alone. A workspace has one import at a time. Needs the role `member` and, for a key with scopes, `links:write`."""
        return self._transport.send(Request("POST", "/links/import", options, form=form, keyed=True))

    def create_from_shlink(self, body: types.ShlinkImport, **options: Unpack[Options]) -> Answer[types.LinkImport, types.Meta]:
        """Import links from a Shlink server. Reads the links of a Shlink server from its API in the background, 100,000 at most, with redirect rules and visits by day, and creates them as an import of a file does. A dry run reads no visits. Needs the role `member` and, for a key with scopes, `links:write`."""
        return self._transport.send(Request("POST", "/links/import/shlink", options, body=body, keyed=True))

    def recognize_columns(self, body: types.LinkImportColumnsInput, **options: Unpack[Options]) -> Answer[types.LinkImportColumns, types.Meta]:
        """Recognize the columns of a file. Returns the field of a link for each column of a file with this first row, as an import would read it. Needs the role `viewer` and, for a key with scopes, `links:read`."""
        return self._transport.send(Request("POST", "/links/import/columns", options, body=body))

    def list(self, query: types.ListImportsQuery | None = None, **options: Unpack[Options]) -> Page[types.LinkImport, types.PageMeta]:
        """List imports. Pages through the imports of the last 30 days, newest first. Needs the role `viewer` and, for a key with scopes, `links:read`."""
        return self._transport.list(Request("GET", "/links/imports", options, query=query))

    def get(self, id: str, **options: Unpack[Options]) -> Answer[types.LinkImport, types.Meta]:
        """Read an import. Returns the state of an import, with the errors of refused rows. Needs the role `viewer` and, for a key with scopes, `links:read`."""
        return self._transport.send(Request("GET", f"/links/imports/{path_part('id', id)}", options))

    def rows(self, id: str, query: types.ListImportRowsQuery | None = None, **options: Unpack[Options]) -> Page[types.LinkImportRow, types.PageMeta]:
        """List the rows of an import. Pages through the rows of the newest import of the workspace, with their short URLs, or those that they would get in a dry run. Rows of earlier imports are not kept. Needs the role `viewer` and, for a key with scopes, `links:read`."""
        return self._transport.list(Request("GET", f"/links/imports/{path_part('id', id)}/rows", options, query=query))

    def cancel(self, id: str, **options: Unpack[Options]) -> Answer[types.LinkImport, types.Meta]:
        """Cancel an import. Stops an import. Links that it has already created stay. Needs the role `member` and, for a key with scopes, `links:write`."""
        return self._transport.send(Request("POST", f"/links/imports/{path_part('id', id)}/cancel", options, keyed=True))

    def undo(self, id: str, **options: Unpack[Options]) -> Answer[builtins.list[types.UndoRow], types.UndoMeta]:
        """Undo an import. Works once, within an hour: deletes the links that a finished or canceled import created, and restores those that it changed. Skips links that were changed since, and new ones with clicks. Needs the role `member` and, for a key with scopes, `links:write`."""
        return self._transport.send(Request("POST", f"/links/imports/{path_part('id', id)}/undo", options, keyed=True))


class LinksViews:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self, query: types.ListLinkViewsQuery | None = None, **options: Unpack[Options]) -> Page[types.LinkView, types.FilteredPageMeta]:
        """List saved views of links. Pages through the views of the user and those that are shared, by name. Needs the role `viewer` and, for a key with scopes, `links:read`."""
        return self._transport.list(Request("GET", "/link-views", options, query=query))

    def create(self, body: types.CreateLinkView, **options: Unpack[Options]) -> Answer[types.LinkView, types.Meta]:
        """Save a view of links. Keeps filters, order and columns of the list of links under a name, for the user alone unless `isShared` is true. Needs the role `member` and, for a key with scopes, `links:write`."""
        return self._transport.send(Request("POST", "/link-views", options, body=body, keyed=True))

    def update(self, id: str, body: types.UpdateLinkView, **options: Unpack[Options]) -> Answer[types.LinkView, types.Meta]:
        """Update a saved view. Changes the fields that are sent. 404 for a view of another user that is not shared. Needs the role `member` and, for a key with scopes, `links:write`."""
        return self._transport.send(Request("PATCH", f"/link-views/{path_part('id', id)}", options, body=body))

    def delete(self, id: str, **options: Unpack[Options]) -> Answer[None, types.Meta]:
        """Delete a saved view. The links stay. 404 for a view of another user that is not shared. Needs the role `member` and, for a key with scopes, `links:write`."""
        return self._transport.send(Request("DELETE", f"/link-views/{path_part('id', id)}", options))


class Links:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self.views = LinksViews(transport)
        self.imports = LinksImports(transport)

    def upsert(self, body: types.CreateLink, query: types.UpsertLinkQuery | None = None, **options: Unpack[Options]) -> Answer[types.Link, types.UpsertMeta]:
        """Create or update a link. Updates the link with this `externalId`, else this `slug`, else this `destinationUrl` (the oldest of several), or creates it. Missing fields stay as they are; with `keep` all of them do. Needs the role `member` and, for a key with scopes, `links:write`."""
        return self._transport.send(Request("PUT", "/links/upsert", options, body=body, query=query))

    def create_many(self, body: types.CreateLinks, **options: Unpack[Options]) -> Answer[builtins.list[types.BulkRow], types.BulkMeta]:
        """Create many links. Creates up to 1,000 links in one transaction. The answer has the error of each row that fails; the other rows are created. Beyond the limit of the plan, the later rows fail. Needs the role `member` and, for a key with scopes, `links:write`."""
        return self._transport.send(Request("POST", "/links/bulk", options, body=body, keyed=True))

    def update_many(self, body: types.UpdateLinks, **options: Unpack[Options]) -> Answer[builtins.list[types.BulkRow], types.BulkChangeMeta]:
        """Update many links. Changes the fields in `data` of up to 1,000 links, named by `ids` or `externalIds`, or of up to 10,000 that a `filter` matches, in one transaction. `addTags` and `removeTags` keep the other tags of each link. A link without a difference is `unchanged`. The answer has the error of each row that fails. Use `meta.undoId` to undo the changes. Needs the role `member` and, for a key with scopes, `links:write`."""
        return self._transport.send(Request("PATCH", "/links/bulk", options, body=body))

    def delete_many(self, body: types.DeleteLinks, **options: Unpack[Options]) -> Answer[builtins.list[types.BulkRow], types.BulkChangeMeta]:
        """Delete many links. Deletes up to 1,000 links, named by `ids` or `externalIds`, or up to 10,000 that a `filter` matches, in one transaction. The answer has the error of each row that fails. Use `meta.undoId` to undo the deletion. Needs the role `member` and, for a key with scopes, `links:write`."""
        return self._transport.send(Request("DELETE", "/links/bulk", options, body=body))

    def undo(self, body: types.UndoBulk, **options: Unpack[Options]) -> Answer[builtins.list[types.UndoRow], types.UndoMeta]:
        """Undo a change or deletion of many links. Works once, within an hour. Restores deleted links with their ids, slugs and statistics, and the former values of changed fields. Skips links that were changed since. Needs the role `member` and, for a key with scopes, `links:write`."""
        return self._transport.send(Request("POST", "/links/bulk/undo", options, body=body, keyed=True))

    def check(self, query: types.CheckSlugQuery, **options: Unpack[Options]) -> Answer[types.SlugAnswer, types.Meta]:
        """Check a slug. Returns whether a link of the workspace could have this slug. The answer reveals no more about other workspaces than a creation does. Needs the role `viewer` and, for a key with scopes, `links:read`."""
        return self._transport.send(Request("GET", "/links/check", options, query=query))

    def count(self, query: types.CountLinksQuery | None = None, **options: Unpack[Options]) -> Answer[types.LinkCounts, types.Meta]:
        """Count links. Counts the links that the filters of `GET /links` match, in all and by a field. Archived links are left out by default. Needs the role `viewer` and, for a key with scopes, `links:read`."""
        return self._transport.send(Request("GET", "/links/count", options, query=query))

    def export(self, query: types.ExportLinksQuery | None = None, **options: Unpack[Options]) -> Download:
        """Export links as CSV. Sends the links of the workspace, newest first, as a CSV file that can be imported again. The file is streamed. A workspace has one export at a time. Needs the role `viewer` and, for a key with scopes, `links:read`."""
        return self._transport.download(Request("GET", "/links/export.csv", options, query=query))

    def qr(self, id: str, query: types.GetLinkQrCodeQuery | None = None, **options: Unpack[Options]) -> Download:
        """Read the QR code of a link. Sends an image of the QR code of the short URL, with the image of `qrLogoMediaId` in its middle. Scans of it count as visits with `qr=1`. Needs the role `viewer` and, for a key with scopes, `links:read`."""
        return self._transport.download(Request("GET", f"/links/{path_part('id', id)}/qr", options, query=query))

    def qr_with_logo(self, id: str, form: types.DrawLinkQrCodeForm, **options: Unpack[Options]) -> Download:
        """Draw the QR code of a link with another logo. Sends an image of the QR code with a logo in its middle: a PNG or JPEG of at most 64 KiB. Nothing is stored. Needs the role `viewer` and, for a key with scopes, `links:read`."""
        return self._transport.download(Request("POST", f"/links/{path_part('id', id)}/qr", options, form=form))

    def qr_many(self, body: types.QrCodes, **options: Unpack[Options]) -> Download:
        """Read the QR codes of many links. Sends a ZIP archive with the QR codes of up to 100 links, each named by its slug. Needs the role `viewer` and, for a key with scopes, `links:read`."""
        return self._transport.download(Request("POST", "/links/qr", options, body=body))

    def preview(self, query: types.PreviewLinkQuery, **options: Unpack[Options]) -> Answer[types.LinkPreview, types.Meta]:
        """Preview a destination. Reads title, description, image and icon of a page, as messengers do. A page that cannot be read is answered with a title from its URL and null for the rest, without a reason. Needs the role `viewer` and, for a key with scopes, `links:read`."""
        return self._transport.send(Request("GET", "/links/preview", options, query=query))

    def icon(self, query: types.GetDestinationIconQuery, **options: Unpack[Options]) -> Download:
        """Read the icon of a destination. Sends the icon of the site, which the server reads and keeps for a week, so that no browser asks the site. A site without one that can be read is answered with a globe. Needs the role `viewer` and, for a key with scopes, `links:read`."""
        return self._transport.download(Request("GET", "/links/icon", options, query=query))

    def create(self, body: types.CreateLink, **options: Unpack[Options]) -> Answer[types.Link, types.Meta]:
        """Create a link. Creates a short link. Without a slug it gets a random one of seven characters. Needs the role `member` and, for a key with scopes, `links:write`."""
        return self._transport.send(Request("POST", "/links", options, body=body, keyed=True))

    def list(self, query: types.ListLinksQuery | None = None, **options: Unpack[Options]) -> Page[types.Link, types.LinkListMeta]:
        """List links. Pages through the links of the workspace, newest first unless `sortBy` says otherwise. Archived links are left out by default. Needs the role `viewer` and, for a key with scopes, `links:read`."""
        return self._transport.list(Request("GET", "/links", options, query=query))

    def get(self, id: str, **options: Unpack[Options]) -> Answer[types.Link, types.Meta]:
        """Read a link. Returns one link with its number of clicks. Needs the role `viewer` and, for a key with scopes, `links:read`."""
        return self._transport.send(Request("GET", f"/links/{path_part('id', id)}", options))

    def update(self, id: str, body: types.UpdateLink, **options: Unpack[Options]) -> Answer[types.Link, types.Meta]:
        """Update a link. Changes the fields that are sent. Redirects follow within a second. Needs the role `member` and, for a key with scopes, `links:write`."""
        return self._transport.send(Request("PATCH", f"/links/{path_part('id', id)}", options, body=body))

    def delete(self, id: str, **options: Unpack[Options]) -> Answer[None, types.Meta]:
        """Delete a link. The short URL returns 404 from then on. The link can be restored for an hour, and its slug stays reserved for the workspace for 30 days. Needs the role `member` and, for a key with scopes, `links:write`."""
        return self._transport.send(Request("DELETE", f"/links/{path_part('id', id)}", options))

    def explain(self, id: str, query: types.ExplainLinkQuery | None = None, **options: Unpack[Options]) -> Answer[types.LinkExplanation, types.Meta]:
        """Explain the answer to a visit. Returns the answer that a described visitor would get from the short URL, and the steps that lead to it. Nothing is counted. Variants are drawn as for a visitor whose address is unknown. Needs the role `viewer` and, for a key with scopes, `links:read`."""
        return self._transport.send(Request("GET", f"/links/{path_part('id', id)}/explain", options, query=query))

    def explain_draft(self, body: types.LinkDraft, **options: Unpack[Options]) -> Answer[types.LinkExplanation, types.Meta]:
        """Explain the answer to a visit of a link that does not exist. Takes the body of a creation, in which the name may be missing, and a described visitor. Nothing is stored, no slug is taken, and neither the plan nor other links are checked. Needs the role `viewer` and, for a key with scopes, `links:read`."""
        return self._transport.send(Request("POST", "/links/explain", options, body=body))

    def history(self, id: str, query: types.ListLinkHistoryQuery | None = None, **options: Unpack[Options]) -> Page[types.LinkHistoryEntry, types.PageMeta]:
        """Read the history of a link. Pages through the changes of a link, newest first; the last entry is its creation. The newest 500 changes are kept. Needs the role `viewer` and, for a key with scopes, `links:read`."""
        return self._transport.list(Request("GET", f"/links/{path_part('id', id)}/history", options, query=query))

    def restore(self, id: str, **options: Unpack[Options]) -> Answer[types.Link, types.Meta]:
        """Restore a deleted link. Restores a link within an hour of its deletion, with its id, slug, aliases, options, history and statistics, and sends `link.created`. It does not count against the plan. 409 when another link of the workspace has taken its slug. Needs the role `member` and, for a key with scopes, `links:write`."""
        return self._transport.send(Request("POST", f"/links/{path_part('id', id)}/restore", options, keyed=True))

    def rollback(self, id: str, body: types.RollbackLink, **options: Unpack[Options]) -> Answer[types.Link, types.Meta]:
        """Roll a link back. Restores all fields but the password as they were right after an entry of the history. It is an ordinary update: 409 when the former slug is taken, and undone by another rollback. Needs the role `member` and, for a key with scopes, `links:write`."""
        return self._transport.send(Request("POST", f"/links/{path_part('id', id)}/rollback", options, body=body, keyed=True))


class Resources:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self.links = Links(transport)
        self.folders = Folders(transport)
        self.tags = Tags(transport)
        self.campaigns = Campaigns(transport)
        self.utm_templates = UtmTemplates(transport)
        self.bio_pages = BioPages(transport)
        self.media = Media(transport)
        self.domains = Domains(transport)
        self.analytics = Analytics(transport)
        self.dashboards = Dashboards(transport)
        self.reports = Reports(transport)
        self.alerts = Alerts(transport)
        self.conversions = Conversions(transport)
        self.deep_links = DeepLinks(transport)
        self.geoip = Geoip(transport)
        self.api_keys = ApiKeys(transport)
        self.workspaces = Workspaces(transport)
        self.members = Members(transport)
        self.invitations = Invitations(transport)
        self.audit_log = AuditLog(transport)
        self.security_log = SecurityLog(transport)
        self.plans = Plans(transport)
        self.billing = Billing(transport)
        self.abuse_reports = AbuseReports(transport)
        self.webhooks = Webhooks(transport)

    def search(self, query: types.SearchQuery, **options: Unpack[Options]) -> Answer[types.SearchResults, types.Meta]:
        """Search the workspace. Finds links, campaigns, tags, folders, webhook endpoints and members, a few of each: an exact slug first, then what begins with the text, then what contains it. A pasted short URL finds its link. Needs the role `viewer`."""
        return self._transport.send(Request("GET", "/search", options, query=query))
