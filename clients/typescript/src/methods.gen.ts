// Written by "npm run clients" from the OpenAPI document; tests compare.
import type { Call, FeedCall, ListCall, LiveEvent, Options } from './call.ts'
import type * as types from './types.gen.ts'

type Query<Id extends keyof types.operations> = types.operations[Id] extends {
  parameters: { query?: infer Q }
}
  ? NonNullable<Q>
  : never
type Form<Id extends keyof types.operations> = types.operations[Id] extends {
  requestBody?: { content: { 'multipart/form-data': infer F } }
}
  ? F
  : never

export interface Methods {
  links: {
    /** Create or update a link. Updates the link with this `externalId`, else this `slug`, else this `destinationUrl` (the oldest of several), or creates it. Missing fields stay as they are; with `keep` all of them do. Needs the role `member` and, for a key with scopes, `links:write`. */
    upsert(body: types.CreateLink, options?: Options & { query?: Query<'upsertLink'> }): Call<types.Link, types.UpsertMeta>
    /** Create many links. Creates up to 1,000 links in one transaction. The answer has the error of each row that fails; the other rows are created. Beyond the limit of the plan, the later rows fail. Needs the role `member` and, for a key with scopes, `links:write`. */
    createMany(body: types.CreateLinks, options?: Options): Call<types.BulkRow[], types.BulkMeta>
    /** Update many links. Changes the fields in `data` of up to 1,000 links, named by `ids` or `externalIds`, or of up to 10,000 that a `filter` matches, in one transaction. `addTags` and `removeTags` keep the other tags of each link. A link without a difference is `unchanged`. The answer has the error of each row that fails. Use `meta.undoId` to undo the changes. Needs the role `member` and, for a key with scopes, `links:write`. */
    updateMany(body: types.UpdateLinks, options?: Options): Call<types.BulkRow[], types.BulkChangeMeta>
    /** Delete many links. Deletes up to 1,000 links, named by `ids` or `externalIds`, or up to 10,000 that a `filter` matches, in one transaction. The answer has the error of each row that fails. Use `meta.undoId` to undo the deletion. Needs the role `member` and, for a key with scopes, `links:write`. */
    deleteMany(body: types.DeleteLinks, options?: Options): Call<types.BulkRow[], types.BulkChangeMeta>
    /** Undo a change or deletion of many links. Works once, within an hour. Restores deleted links with their ids, slugs and statistics, and the former values of changed fields. Skips links that were changed since. Needs the role `member` and, for a key with scopes, `links:write`. */
    undo(body: types.UndoBulk, options?: Options): Call<types.UndoRow[], types.UndoMeta>
    /** Check a slug. Returns whether a link of the workspace could have this slug. The answer reveals no more about other workspaces than a creation does. Needs the role `viewer` and, for a key with scopes, `links:read`. */
    check(query: Query<'checkSlug'>, options?: Options): Call<types.SlugAnswer>
    /** Count links. Counts the links that the filters of `GET /links` match, in all and by a field. Archived links are left out by default. Needs the role `viewer` and, for a key with scopes, `links:read`. */
    count(query?: Query<'countLinks'>, options?: Options): Call<types.LinkCounts>
    /** Export links as CSV. Sends the links of the workspace, newest first, as a CSV file that can be imported again. The file is streamed. A workspace has one export at a time. Needs the role `viewer` and, for a key with scopes, `links:read`. */
    export(query?: Query<'exportLinks'>, options?: Options): Call<Response>
    /** Read the QR code of a link. Sends an image of the QR code of the short URL, with the image of `qrLogoMediaId` in its middle. Scans of it count as visits with `qr=1`. Needs the role `viewer` and, for a key with scopes, `links:read`. */
    qr(id: string, query?: Query<'getLinkQrCode'>, options?: Options): Call<Response>
    /** Draw the QR code of a link with another logo. Sends an image of the QR code with a logo in its middle: a PNG or JPEG of at most 64 KiB. Nothing is stored. Needs the role `viewer` and, for a key with scopes, `links:read`. */
    qrWithLogo(id: string, body: Form<'drawLinkQrCode'>, options?: Options): Call<Response>
    /** Read the QR codes of many links. Sends a ZIP archive with the QR codes of up to 100 links, each named by its slug. Needs the role `viewer` and, for a key with scopes, `links:read`. */
    qrMany(body: types.QrCodes, options?: Options): Call<Response>
    /** Preview a destination. Reads title, description, image and icon of a page, as messengers do. A page that cannot be read is answered with a title from its URL and null for the rest, without a reason. Needs the role `viewer` and, for a key with scopes, `links:read`. */
    preview(query: Query<'previewLink'>, options?: Options): Call<types.LinkPreview>
    /** Read the icon of a destination. Sends the icon of the site, which the server reads and keeps for a week, so that no browser asks the site. A site without one that can be read is answered with a globe. Needs the role `viewer` and, for a key with scopes, `links:read`. */
    icon(query: Query<'getDestinationIcon'>, options?: Options): Call<Response>
    /** Create a link. Creates a short link. Without a slug it gets a random one of seven characters. Needs the role `member` and, for a key with scopes, `links:write`. */
    create(body: types.CreateLink, options?: Options): Call<types.Link>
    /** List links. Pages through the links of the workspace, newest first unless `sortBy` says otherwise. Archived links are left out by default. Needs the role `viewer` and, for a key with scopes, `links:read`. */
    list(query?: Query<'listLinks'>, options?: Options): ListCall<types.Link, types.LinkListMeta>
    /** Read a link. Returns one link with its number of clicks. Needs the role `viewer` and, for a key with scopes, `links:read`. */
    get(id: string, options?: Options): Call<types.Link>
    /** Update a link. Changes the fields that are sent. Redirects follow within a second. Needs the role `member` and, for a key with scopes, `links:write`. */
    update(id: string, body: types.UpdateLink, options?: Options): Call<types.Link>
    /** Delete a link. The short URL returns 404 from then on. The link can be restored for an hour, and its slug stays reserved for the workspace for 30 days. Needs the role `member` and, for a key with scopes, `links:write`. */
    delete(id: string, options?: Options): Call<void>
    /** Explain the answer to a visit. Returns the answer that a described visitor would get from the short URL, and the steps that lead to it. Nothing is counted. Variants are drawn as for a visitor whose address is unknown. Needs the role `viewer` and, for a key with scopes, `links:read`. */
    explain(id: string, query?: Query<'explainLink'>, options?: Options): Call<types.LinkExplanation>
    /** Explain the answer to a visit of a link that does not exist. Takes the body of a creation, in which the name may be missing, and a described visitor. Nothing is stored, no slug is taken, and neither the plan nor other links are checked. Needs the role `viewer` and, for a key with scopes, `links:read`. */
    explainDraft(body: types.LinkDraft, options?: Options): Call<types.LinkExplanation>
    /** Read the history of a link. Pages through the changes of a link, newest first; the last entry is its creation. The newest 500 changes are kept. Needs the role `viewer` and, for a key with scopes, `links:read`. */
    history(id: string, query?: Query<'listLinkHistory'>, options?: Options): ListCall<types.LinkHistoryEntry, types.PageMeta>
    /** Restore a deleted link. Restores a link within an hour of its deletion, with its id, slug, aliases, options, history and statistics, and sends `link.created`. It does not count against the plan. 409 when another link of the workspace has taken its slug. Needs the role `member` and, for a key with scopes, `links:write`. */
    restore(id: string, options?: Options): Call<types.Link>
    /** Roll a link back. Restores all fields but the password as they were right after an entry of the history. It is an ordinary update: 409 when the former slug is taken, and undone by another rollback. Needs the role `member` and, for a key with scopes, `links:write`. */
    rollback(id: string, body: types.RollbackLink, options?: Options): Call<types.Link>
    views: {
      /** List saved views of links. Pages through the views of the user and those that are shared, by name. Needs the role `viewer` and, for a key with scopes, `links:read`. */
      list(query?: Query<'listLinkViews'>, options?: Options): ListCall<types.LinkView, types.FilteredPageMeta>
      /** Save a view of links. Keeps filters, order and columns of the list of links under a name, for the user alone unless `isShared` is true. Needs the role `member` and, for a key with scopes, `links:write`. */
      create(body: types.CreateLinkView, options?: Options): Call<types.LinkView>
      /** Update a saved view. Changes the fields that are sent. 404 for a view of another user that is not shared. Needs the role `member` and, for a key with scopes, `links:write`. */
      update(id: string, body: types.UpdateLinkView, options?: Options): Call<types.LinkView>
      /** Delete a saved view. The links stay. 404 for a view of another user that is not shared. Needs the role `member` and, for a key with scopes, `links:write`. */
      delete(id: string, options?: Options): Call<void>
    }
    imports: {
      /** Import links from a file. Takes a CSV file of at most 10 MiB and 10,000 rows, or an export of another service, and creates its links in the background. Each row fails alone. A workspace has one import at a time. Needs the role `member` and, for a key with scopes, `links:write`. */
      create(body: Form<'importLinks'>, options?: Options): Call<types.LinkImport>
      /** Import links from a Shlink server. Reads the links of a Shlink server from its API in the background, 100,000 at most, with redirect rules and visits by day, and creates them as an import of a file does. A dry run reads no visits. Needs the role `member` and, for a key with scopes, `links:write`. */
      createFromShlink(body: types.ShlinkImport, options?: Options): Call<types.LinkImport>
      /** Recognize the columns of a file. Returns the field of a link for each column of a file with this first row, as an import would read it. Needs the role `viewer` and, for a key with scopes, `links:read`. */
      recognizeColumns(body: types.LinkImportColumnsInput, options?: Options): Call<types.LinkImportColumns>
      /** List imports. Pages through the imports of the last 30 days, newest first. Needs the role `viewer` and, for a key with scopes, `links:read`. */
      list(query?: Query<'listImports'>, options?: Options): ListCall<types.LinkImport, types.PageMeta>
      /** Read an import. Returns the state of an import, with the errors of refused rows. Needs the role `viewer` and, for a key with scopes, `links:read`. */
      get(id: string, options?: Options): Call<types.LinkImport>
      /** List the rows of an import. Pages through the rows of the newest import of the workspace, with their short URLs, or those that they would get in a dry run. Rows of earlier imports are not kept. Needs the role `viewer` and, for a key with scopes, `links:read`. */
      rows(id: string, query?: Query<'listImportRows'>, options?: Options): ListCall<types.LinkImportRow, types.PageMeta>
      /** Cancel an import. Stops an import. Links that it has already created stay. Needs the role `member` and, for a key with scopes, `links:write`. */
      cancel(id: string, options?: Options): Call<types.LinkImport>
      /** Undo an import. Works once, within an hour: deletes the links that a finished or canceled import created, and restores those that it changed. Skips links that were changed since, and new ones with clicks. Needs the role `member` and, for a key with scopes, `links:write`. */
      undo(id: string, options?: Options): Call<types.UndoRow[], types.UndoMeta>
    }
  }
  folders: {
    /** Create a folder. Creates a folder for links. A workspace has at most 1,000 folders. Needs the role `member` and, for a key with scopes, `links:write`. */
    create(body: types.CreateFolder, options?: Options): Call<types.Folder>
    /** List folders. Pages through the folders of the workspace with their numbers of links, by name. Needs the role `viewer` and, for a key with scopes, `links:read`. */
    list(query?: Query<'listFolders'>, options?: Options): ListCall<types.Folder, types.FilteredPageMeta>
    /** Read a folder. Returns one folder with its number of links. Needs the role `viewer` and, for a key with scopes, `links:read`. */
    get(id: string, options?: Options): Call<types.Folder>
    /** Rename a folder. Changes the name; the links stay in the folder. Needs the role `member` and, for a key with scopes, `links:write`. */
    update(id: string, body: types.UpdateFolder, options?: Options): Call<types.Folder>
    /** Delete a folder. Its links stay, in no folder, and do not change otherwise. Needs the role `member` and, for a key with scopes, `links:write`. */
    delete(id: string, options?: Options): Call<void>
  }
  tags: {
    /** List tags. Pages through the tags of the links of the workspace, by name. Needs the role `viewer` and, for a key with scopes, `links:read`. */
    list(query?: Query<'listTags'>, options?: Options): ListCall<types.Tag, types.FilteredPageMeta>
    /** Rename a tag. Replaces the tag on every link. If the new tag already exists, the two become one. Needs the role `member` and, for a key with scopes, `links:write`. */
    rename(name: string, body: types.RenameTag, options?: Options): Call<types.RenamedTag>
    /** Delete a tag. Removes the tag from every link. The links stay. Needs the role `member` and, for a key with scopes, `links:write`. */
    delete(name: string, options?: Options): Call<void>
  }
  campaigns: {
    /** Create a campaign. Creates a campaign, which groups links and gives them UTM values. Needs the role `member` and, for a key with scopes, `campaigns:write`. */
    create(body: types.CreateCampaign, options?: Options): Call<types.Campaign>
    /** List campaigns. Pages through the campaigns of the workspace with their links and clicks, newest first unless `sortBy` says otherwise. Needs the role `viewer` and, for a key with scopes, `campaigns:read`. */
    list(query?: Query<'listCampaigns'>, options?: Options): ListCall<types.Campaign, types.FilteredPageMeta>
    /** Read a campaign. Returns one campaign with its numbers of links and clicks. Needs the role `viewer` and, for a key with scopes, `campaigns:read`. */
    get(id: string, options?: Options): Call<types.Campaign>
    /** Update a campaign. Changes the fields that are sent. The first time that the campaign becomes `completed`, `campaign.completed` is sent. Its links keep their UTM values. Needs the role `member` and, for a key with scopes, `campaigns:write`. */
    update(id: string, body: types.UpdateCampaign, options?: Options): Call<types.Campaign>
    /** Delete a campaign. Its links stay, in no campaign, and keep their UTM values. Needs the role `member` and, for a key with scopes, `campaigns:write`. */
    delete(id: string, options?: Options): Call<void>
  }
  utmTemplates: {
    /** Create a UTM template. Creates a set of UTM values that links can take over when they are written. Needs the role `member` and, for a key with scopes, `utm-templates:write`. */
    create(body: types.CreateUtmTemplate, options?: Options): Call<types.UtmTemplate>
    /** List UTM templates. Pages through the templates of the workspace, newest first unless `sortBy` says otherwise. Needs the role `viewer` and, for a key with scopes, `utm-templates:read`. */
    list(query?: Query<'listUtmTemplates'>, options?: Options): ListCall<types.UtmTemplate, types.FilteredPageMeta>
    /** Read a UTM template. Returns one template. Needs the role `viewer` and, for a key with scopes, `utm-templates:read`. */
    get(id: string, options?: Options): Call<types.UtmTemplate>
    /** Update a UTM template. Changes the fields that are sent. Links that took over values keep them. Needs the role `member` and, for a key with scopes, `utm-templates:write`. */
    update(id: string, body: types.UpdateUtmTemplate, options?: Options): Call<types.UtmTemplate>
    /** Delete a UTM template. Links that took over its values keep them. Needs the role `member` and, for a key with scopes, `utm-templates:write`. */
    delete(id: string, options?: Options): Call<void>
  }
  /** Search the workspace. Finds links, campaigns, tags, folders, webhook endpoints and members, a few of each: an exact slug first, then what begins with the text, then what contains it. A pasted short URL finds its link. Needs the role `viewer`. */
  search(query: Query<'search'>, options?: Options): Call<types.SearchResults>
  bioPages: {
    /** Create a bio page. Creates a page of links, a draft unless `status` says otherwise. A block of the type `link` without a `linkId` gets a link of its own, which is named after it. With an `importId` the blocks are the links of an import. Needs the role `member` and, for a key with scopes, `bio-pages:write`. */
    create(body: types.CreateBioPage, options?: Options): Call<types.BioPage, types.CreatedBioPageMeta>
    /** List bio pages. Pages through the bio pages of the workspace with their views and clicks, newest first unless `sortBy` says otherwise. Needs the role `viewer` and, for a key with scopes, `bio-pages:read`. */
    list(query?: Query<'listBioPages'>, options?: Options): ListCall<types.BioPage, types.FilteredPageMeta>
    /** Read a bio page. Returns one page with its blocks, views and clicks. Needs the role `viewer` and, for a key with scopes, `bio-pages:read`. */
    get(id: string, options?: Options): Call<types.BioPage>
    /** Update a bio page. Changes the fields that are sent and leaves the others alone. The change is public within a second. Needs the role `member` and, for a key with scopes, `bio-pages:write`. */
    update(id: string, body: types.UpdateBioPage, options?: Options & { query?: Query<'updateBioPage'> }): Call<types.BioPage>
    /** Delete a bio page. The links of its blocks stay, unless `links=delete` deletes them too. Needs the role `member` and, for a key with scopes, `bio-pages:write`. */
    delete(id: string, query?: Query<'deleteBioPage'>, options?: Options): Call<void>
    /** Preview a change of a bio page. Takes and checks the body of an update. Returns the elements of the page as it would be shown now. Stores nothing and creates no link. Needs the role `viewer` and, for a key with scopes, `bio-pages:read`. */
    preview(id: string, body: types.UpdateBioPage, options?: Options): Call<types.BioPagePreview>
  }
  media: {
    /** Upload an image. Stores a PNG, JPEG, GIF, WebP or AVIF image of at most 5 MiB, 25 megapixels and 100 frames. The same bytes are stored once: uploading them again returns the existing image. Needs the role `member` and, for a key with scopes, `media:write`. */
    upload(body: Form<'uploadMedia'>, options?: Options): Call<types.Media>
    /** List images. Pages through the images of the workspace, newest first. Needs the role `viewer` and, for a key with scopes, `media:read`. */
    list(query?: Query<'listMedia'>, options?: Options): ListCall<types.Media, types.MediaMeta>
    /** Read an image. Returns one image and what shows it. Needs the role `viewer` and, for a key with scopes, `media:read`. */
    get(id: string, options?: Options): Call<types.Media>
    /** Delete an image. Deletes an image that nothing shows; with `force`, any image. Needs the role `member` and, for a key with scopes, `media:write`. */
    delete(id: string, query?: Query<'deleteMedia'>, options?: Options): Call<void>
    /** Read the bytes of an image. Sends the file as it was uploaded, byte for byte, or the part that `Range` names. Needs the role `viewer` and, for a key with scopes, `media:read`. */
    content(id: string, options?: Options): Call<Response>
  }
  domains: {
    /** Add a domain. Claims a host for short links. It is `pending` until the records in `verification` are found; links on it redirect from then on. Needs the role `admin` and, for a key with scopes, `domains:write`. */
    create(body: types.CreateDomain, options?: Options): Call<types.Domain>
    /** List domains. Pages through the domains of the workspace, the newest first. Needs the role `viewer` and, for a key with scopes, `domains:read`. */
    list(query?: Query<'listDomains'>, options?: Options): ListCall<types.Domain, types.FilteredPageMeta>
    /** Read a domain. Returns one domain with the records to create, and what the last check found. Needs the role `viewer` and, for a key with scopes, `domains:read`. */
    get(id: string, options?: Options): Call<types.Domain>
    /** Change a domain. Changes the settings of a domain. A change of `caseSensitive` is refused if slugs of its links would become the same. Needs the role `admin` and, for a key with scopes, `domains:write`. */
    update(id: string, body: types.UpdateDomain, options?: Options): Call<types.Domain>
    /** Delete a domain. Refused while links are on it, unless `force` moves them to the shared host. Slugs that are taken or reserved there are listed in the error, and nothing is moved then. Needs the role `admin` and, for a key with scopes, `domains:write`. */
    delete(id: string, query?: Query<'deleteDomain'>, options?: Options): Call<void>
    /** Verify a domain. Looks for the records now, and returns the domain with what was found. Domains are also checked without a request. Needs the role `admin` and, for a key with scopes, `domains:write`. */
    verify(id: string, options?: Options): Call<types.Domain>
  }
  analytics: {
    /** Clicks, visitors and breakdowns of a link. Counts the clicks of the last `days` calendar days, today included, and compares them with as many days before. Needs the role `viewer` and, for a key with scopes, `analytics:read`. */
    link(id: string, query?: Query<'getLinkAnalytics'>, options?: Options): Call<types.LinkAnalytics, types.AnalyticsMeta>
    /** Clicks and visitors of a link over time. A row for each hour, day, week or month of the period, also without a click. Needs the role `viewer` and, for a key with scopes, `analytics:read`. */
    linkTimeseries(id: string, query?: Query<'getLinkTimeseries'>, options?: Options): Call<types.AnalyticsBucket[], types.AnalyticsSeriesMeta>
    /** Clicks and visitors of a link by label. The labels of one dimension, the most clicked first. Needs the role `viewer` and, for a key with scopes, `analytics:read`. */
    linkBreakdown(id: string, dimension: string, query?: Query<'getLinkBreakdown'>, options?: Options): ListCall<types.AnalyticsRow, types.AnalyticsPageMeta>
    /** Clicks, visitors and breakdowns of all links. The numbers of a link over all links that the filters name. Needs the role `viewer` and, for a key with scopes, `analytics:read`. */
    overview(query?: Query<'getAnalyticsOverview'>, options?: Options): Call<types.AnalyticsOverview, types.AnalyticsMeta>
    /** Clicks, visitors and breakdowns of a campaign. The numbers of a link over the links that are in the campaign today. Needs the role `viewer` and, for a key with scopes, `analytics:read`. */
    campaign(id: string, query?: Query<'getCampaignAnalytics'>, options?: Options): Call<types.AnalyticsOverview, types.AnalyticsMeta>
    /** Clicks, visitors and breakdowns of a domain. The numbers of a link over the clicks on the domain, also of links that have left it. Needs the role `viewer` and, for a key with scopes, `analytics:read`. */
    domain(id: string, query?: Query<'getDomainAnalytics'>, options?: Options): Call<types.AnalyticsOverview, types.AnalyticsMeta>
    /** Clicks and visitors over time. A row for each hour, day, week or month of the period, also without a click. Needs the role `viewer` and, for a key with scopes, `analytics:read`. */
    timeseries(query?: Query<'getTimeseries'>, options?: Options): Call<types.AnalyticsBucket[], types.AnalyticsSeriesMeta>
    /** The most clicked links. Links by their clicks of the period, in descending order. Needs the role `viewer` and, for a key with scopes, `analytics:read`. */
    topLinks(query?: Query<'getTopLinks'>, options?: Options): ListCall<types.AnalyticsTopLink, types.AnalyticsPageMeta>
    /** The most clicked labels of every dimension. Ten labels of each dimension, with clicks and visitors. Needs the role `viewer` and, for a key with scopes, `analytics:read`. */
    breakdowns(query?: Query<'getBreakdowns'>, options?: Options): Call<types.AnalyticsBreakdowns, types.AnalyticsRowsMeta>
    /** Clicks and visitors by label. The labels of one dimension, the most clicked first. Needs the role `viewer` and, for a key with scopes, `analytics:read`. */
    breakdown(dimension: string, query?: Query<'getBreakdown'>, options?: Options): ListCall<types.AnalyticsRow, types.AnalyticsPageMeta>
    /** Clicks with the field names of Dub. Takes the parameters of Dub and answers with its fields, in the usual envelope. Needs the role `viewer` and, for a key with scopes, `analytics:read`. */
    query(query?: Query<'queryAnalytics'>, options?: Options): Call<types.DubAnswer, types.AnalyticsMeta>
    /** All numbers of a page, and of a period to compare with. Totals, series, breakdowns and top links of the filters, counted as of one moment. Needs the role `viewer` and, for a key with scopes, `analytics:read`. */
    summary(query?: Query<'getAnalyticsSummary'>, options?: Options): Call<types.AnalyticsSummary, types.AnalyticsSeriesMeta>
    /** Labels to filter by. Labels that contain a text, the most clicked first. Needs the role `viewer` and, for a key with scopes, `analytics:read`. */
    values(dimension: string, query?: Query<'getFilterValues'>, options?: Options): Call<types.AnalyticsValue[]>
    /** Views, visitors and clicks of a bio page. Counts the human views of the period, and the clicks of the links of its blocks. The click rate is clicks divided by views. Needs the role `viewer` and, for a key with scopes, `analytics:read`. */
    bioPage(id: string, query?: Query<'getBioPageAnalytics'>, options?: Options): Call<types.BioPageAnalytics, types.BioPageAnalyticsMeta>
    /** The log of clicks. Single clicks of the period, newest first, with the data of click.received. Clicks of months that were folded into daily counts are not in it. Needs the role `viewer` and, for a key with scopes, `analytics:read`. */
    clicks(query?: Query<'listClicks'>, options?: Options): ListCall<types.ClickEvent, types.ClickEventsMeta>
    /** The log of conversions. Conversions that happened in the period, newest first, each with the reason of its attribution. Those that wait for their click, or have none, are among them. Needs the role `viewer` and, for a key with scopes, `analytics:read`. */
    conversions(query?: Query<'listConversions'>, options?: Options): ListCall<types.ConversionEvent, types.ConversionEventsMeta>
    /** Export clicks as CSV or JSON. Sends all clicks of the period, oldest first, while they are read. A visitor has one pseudonym in an export, and another one in the next. One export of a workspace runs at a time. Needs the role `viewer` and, for a key with scopes, `analytics:read`. */
    export(query?: Query<'exportClicks'>, options?: Options): Call<Response>
    /** Clicks as they happen. Server-sent events: `click` with the data of click.received and the id of the click, `ping` every ten seconds, and `skipped` with the number of clicks that were left out, which is null when it is unknown. With `Last-Event-ID` the clicks that began to count after that one come first. Needs the role `viewer` and, for a key with scopes, `analytics:read`. */
    live(query?: Query<'streamClicks'>, options?: Options): AsyncGenerator<LiveEvent, void>
  }
  dashboards: {
    /** Share a dashboard. Makes the statistics of the workspace, or of one link, campaign or folder, readable at an address that needs no account. Needs the role `member` and, for a key with scopes, `dashboards:write`. */
    create(body: types.CreateDashboard, options?: Options): Call<types.Dashboard>
    /** List shared dashboards. Pages through the shared dashboards of the workspace, newest first. Needs the role `member` and, for a key with scopes, `dashboards:read`. */
    list(query?: Query<'listDashboards'>, options?: Options): ListCall<types.Dashboard, types.FilteredPageMeta>
    /** Read a shared dashboard. Returns one shared dashboard with its address. Needs the role `member` and, for a key with scopes, `dashboards:read`. */
    get(id: string, options?: Options): Call<types.Dashboard>
    /** Update a shared dashboard. Changes the fields that are sent and leaves the others alone. After a change of the password, visitors must enter the new one. Needs the role `member` and, for a key with scopes, `dashboards:write`. */
    update(id: string, body: types.UpdateDashboard, options?: Options): Call<types.Dashboard>
    /** Delete a shared dashboard. Its address stops working at once. Needs the role `member` and, for a key with scopes, `dashboards:write`. */
    delete(id: string, options?: Options): Call<void>
    /** Give a shared dashboard another address. Replaces the token. The former address stops working at once. Needs the role `member` and, for a key with scopes, `dashboards:write`. */
    rotate(id: string, options?: Options): Call<types.Dashboard>
    /** Read a shared dashboard as a visitor. Returns the statistics of a shared dashboard; needs no credential. Requests within a second get the same answer. An unknown, revoked or rotated token is a 404. So is a token whose link, campaign or folder was deleted, or whose workspace is suspended or has a plan without public dashboards. Needs no credential. */
    read(token: string, options?: Options): Call<types.PublicDashboard>
  }
  reports: {
    /** List reports. Pages through the reports of the workspace, newest first. Needs the role `viewer` and, for a key with scopes, `reports:read`. */
    list(query?: Query<'listReports'>, options?: Options): ListCall<types.Report, types.PageMeta>
    /** Ask for a report. A job writes the file in the background: read the report until its status is `completed`, or receive `report.generated`. The file is kept for 30 days. Needs the role `member` and, for a key with scopes, `reports:write`. */
    create(body: types.CreateReport, options?: Options): Call<types.Report>
    /** Read a report. Returns one report with the progress of its latest run. Needs the role `viewer` and, for a key with scopes, `reports:read`. */
    get(id: string, options?: Options): Call<types.Report>
    /** Update a report. Changes the fields that are sent and leaves the others and the file alone. Needs the role `member` and, for a key with scopes, `reports:write`. */
    update(id: string, body: types.UpdateReport, options?: Options): Call<types.Report>
    /** Delete a report. Deletes a report with its file. Needs the role `member` and, for a key with scopes, `reports:write`. */
    delete(id: string, options?: Options): Call<void>
    /** Download a report. Sends the file of the latest run that was completed, or the part of it that `Range` names. Needs the role `viewer` and, for a key with scopes, `reports:read`. */
    download(id: string, options?: Options): Call<Response>
    /** Cancel a report. Ends the run that is under way. The report is then `failed`, with the error `canceled`. Needs the role `member` and, for a key with scopes, `reports:write`. */
    cancel(id: string, options?: Options): Call<types.Report>
  }
  alerts: {
    /** Create an alert. Watches the clicks of a link or of the whole workspace, or the destination of a link. There is one alert for each of them, and 50 in a workspace. Needs the role `member` and, for a key with scopes, `alerts:write`. */
    create(body: types.CreateAlert, options?: Options): Call<types.Alert>
    /** List alerts. Pages through the alerts of the workspace and their states, newest first. Needs the role `viewer` and, for a key with scopes, `alerts:read`. */
    list(query?: Query<'listAlerts'>, options?: Options): ListCall<types.Alert, types.PageMeta>
    /** Read an alert. Returns one alert and its state. Needs the role `viewer` and, for a key with scopes, `alerts:read`. */
    get(id: string, options?: Options): Call<types.Alert>
    /** Update an alert. Changes the fields that are sent. What is no longer watched is over, without a mail. Needs the role `member` and, for a key with scopes, `alerts:write`. */
    update(id: string, body: types.UpdateAlert, options?: Options): Call<types.Alert>
    /** Delete an alert. Nothing is watched any more. Needs the role `member` and, for a key with scopes, `alerts:write`. */
    delete(id: string, options?: Options): Call<void>
  }
  conversions: {
    /** Report conversions. Stores one conversion, or a list of up to 100 of which each fails alone, and attributes it to a link. The same event is stored once, however late it is sent again. It waits up to ten minutes for a click that is not known yet. Needs the role `member` and, for a key with scopes, `conversions:write`. */
    record(body: types.RecordConversions, options?: Options): Call<types.RecordedConversions, types.RecordConversionsMeta>
    /** Report a lead with the field names of Dub. Like `POST /conversions` with the type `lead`, with the field names of Dub. Needs the role `member` and, for a key with scopes, `conversions:write`. */
    trackLead(body: types.TrackLead, options?: Options): Call<types.TrackedLead>
    /** Report a sale with the field names of Dub. Like `POST /conversions` with the type `sale`, with the field names of Dub. Needs the role `member` and, for a key with scopes, `conversions:write`. */
    trackSale(body: types.TrackSale, options?: Options): Call<types.TrackedSale>
  }
  deepLinks: {
    /** Resolve a deferred deep link. Tells an app that is opened for the first time which link led to its installation: by the install referrer, by the click or the short URL, or by the address of the phone. A click is matched once. Needs the role `member` and, for a key with scopes, `deferred:write`. */
    resolve(body: types.ResolveDeferredLink, options?: Options): Call<types.DeferredMatch>
  }
  geoip: {
    /** Locate an address. Returns what the geo database of this server knows about your address, or for owners and admins about any other. What is not known is null, as is everything about loopback and private addresses. Needs the role `viewer`. */
    locate(query?: Query<'locateAddress'>, options?: Options): Call<types.AddressLocation, types.GeoDataMeta>
  }
  apiKeys: {
    /** Create an API key; the key itself is shown this once. Creates a key that acts as the signed-in user in this workspace, restricted to the given scopes and addresses. Needs the role `admin`, by a session: API keys are refused. An API key is not enough: needs a signed-in session. */
    create(body: types.CreateApiKey, options?: Options): Call<types.NewApiKey>
    /** List API keys. Pages through the keys of the workspace, newest first. The keys themselves are not shown. Needs the role `admin`, by a session: API keys are refused. An API key is not enough: needs a signed-in session. */
    list(query?: Query<'listApiKeys'>, options?: Options): ListCall<types.ApiKey, types.PageMeta>
    /** Read an API key. Returns one key without its secret. Needs the role `admin`, by a session: API keys are refused. An API key is not enough: needs a signed-in session. */
    get(id: string, options?: Options): Call<types.ApiKey>
    /** Update an API key. Changes the fields that are sent and leaves the others alone. Needs the role `admin`, by a session: API keys are refused. An API key is not enough: needs a signed-in session. */
    update(id: string, body: types.UpdateApiKey, options?: Options): Call<types.ApiKey>
    /** Revoke an API key. The key stops working at once. Needs the role `admin`, by a session: API keys are refused. An API key is not enough: needs a signed-in session. */
    revoke(id: string, options?: Options): Call<void>
    /** Replace the secret of an API key; the new key is shown this once. The old secret stops working at once. Only the user to whom the key belongs can rotate it. Needs the role `admin`, by a session: API keys are refused. An API key is not enough: needs a signed-in session. */
    rotate(id: string, options?: Options): Call<types.NewApiKey>
  }
  workspaces: {
    /** Read a workspace. Returns the workspace with the caller’s role in it. Needs the role `viewer` and, for a key with scopes, `workspaces:read`. */
    get(id: string, options?: Options): Call<types.Workspace>
    /** Change the name or settings of a workspace (admin). Changes the fields that are sent. It needs the role `admin` in that workspace. Needs the role `viewer` and, for a key with scopes, `workspaces:write`. */
    update(id: string, body: types.UpdateWorkspace, options?: Options): Call<types.Workspace>
    /** Delete a workspace and everything in it (owner). Takes the name of the workspace as a confirmation, in the body or in the query. It needs the role `owner` in that workspace. Needs the role `viewer` and, for a key with scopes, `workspaces:write`. */
    delete(id: string, body?: types.DeleteWorkspace, options?: Options): Call<void>
    /** List your workspaces; an API key sees its own. Pages through the workspaces of the signed-in user. Needs a session or an API key. */
    list(query?: Query<'listWorkspaces'>, options?: Options): ListCall<types.Workspace, types.PageMeta>
    /** Create a workspace. Creates a workspace owned by the signed-in user. It becomes the active one of a session without one. Needs a session. An API key is not enough: needs a signed-in session. */
    create(body: types.CreateWorkspace, options?: Options): Call<types.Workspace>
    /** Make a workspace the active one of the session. Later requests of this session act in it. Needs a session. An API key is not enough: needs a signed-in session. */
    activate(id: string, options?: Options): Call<types.Workspace>
  }
  members: {
    /** List the members of the workspace. Pages through the members of the workspace, with their roles. Admins also see when a member was last active, and whether two-factor sign-in is on. Needs the role `viewer` and, for a key with scopes, `members:read`. */
    list(query?: Query<'listMembers'>, options?: Options): ListCall<types.Member, types.PageMeta>
    /** Change the role of a member. Only an owner can grant or revoke the role of owner. The last owner keeps the role. Needs the role `admin` and, for a key with scopes, `members:write`. */
    update(userId: string, body: types.UpdateMember, options?: Options): Call<types.Member>
    /** Remove a member (admin), or leave. Ends the membership, and the API keys of the user in this workspace. Every member may leave, except the last owner. Needs the role `viewer` and, for a key with scopes, `members:write`. */
    remove(userId: string, options?: Options): Call<void>
  }
  invitations: {
    /** List invitations. Pages through the invitations of the workspace, newest first. Needs the role `admin` and, for a key with scopes, `members:read`. */
    list(query?: Query<'listInvitations'>, options?: Options): ListCall<types.Invitation, types.FilteredPageMeta>
    /** Invite an address by mail; an open invitation of it is renewed. Mails a link that is valid for 14 days. Only the invited address can accept it. Needs the role `admin` and, for a key with scopes, `members:write`. */
    create(body: types.CreateInvitation, options?: Options): Call<types.CreatedInvitation>
    /** Read an invitation. Returns one invitation of the workspace. Its token is only in the mail. Needs the role `admin` and, for a key with scopes, `members:read`. */
    get(id: string, options?: Options): Call<types.Invitation>
    /** Cancel an invitation. The link of its mail no longer works. Needs the role `admin` and, for a key with scopes, `members:write`. */
    cancel(id: string, options?: Options): Call<void>
    /** Create a link to an invitation, to pass on. Returns a link in addition to the one in the mail, and voids the last such link. The invited user confirms the address by mail after the sign-up. Needs the role `admin` and, for a key with scopes, `members:write`. */
    createLink(id: string, options?: Options): Call<types.InvitationLink>
    /** Read the invitation that you received, by the token of the mail. The signed-in user must own the invited address. It changes nothing. Needs a session. Strictly limited by client address. An API key is not enough: needs a signed-in session. */
    getReceived(token: string, options?: Options): Call<types.ReceivedInvitation>
    /** Accept an invitation, which makes its workspace the active one. The signed-in user must own the invited address. The user then has the role of the invitation. Needs a session. Strictly limited by client address. An API key is not enough: needs a signed-in session. */
    accept(token: string, options?: Options): Call<types.Invitation>
    /** Reject an invitation. The signed-in user must own the invited address. Needs a session. Strictly limited by client address. An API key is not enough: needs a signed-in session. */
    reject(token: string, options?: Options): Call<types.Invitation>
  }
  auditLog: {
    /** List changes and their authors. Pages through the changes of the workspace, newest first. Each row is chained to the one before it by a hash. Needs the role `admin` and, for a key with scopes, `audit-log:read`. */
    list(query?: Query<'listAuditLog'>, options?: Options): ListCall<types.AuditEntry, types.FilteredPageMeta>
  }
  securityLog: {
    /** List sign-ins and other security events. Pages through the security events of the workspace and of its members, newest first. Needs the role `admin` and, for a key with scopes, `security-log:read`. */
    list(query?: Query<'listSecurityLog'>, options?: Options): ListCall<types.SecurityEntry, types.FilteredPageMeta>
  }
  plans: {
    /** List the plans. Returns every plan of this server with its limits and what it includes. Needs the role `viewer`. */
    list(query?: Query<'listPlans'>, options?: Options): ListCall<types.Plan, types.PageMeta>
  }
  billing: {
    /** Read the subscription of the workspace. Returns the plan of the workspace and the paid period. Needs the role `admin` and, for a key with scopes, `billing:read`. */
    subscription(options?: Options): Call<types.Subscription>
    /** Read what the workspace has used of its plan. Returns the use of each limit in the present calendar month. Needs the role `admin` and, for a key with scopes, `billing:read`. */
    usage(options?: Options): Call<types.WorkspaceUsage>
    /** List invoices. Returns the invoices of the billing provider; an empty list without one. Needs the role `admin` and, for a key with scopes, `billing:read`. */
    invoices(query?: Query<'listInvoices'>, options?: Options): ListCall<types.Invoice, types.PageMeta>
    /** List payment methods. Returns the payment methods of the billing provider; an empty list without one. Needs the role `admin` and, for a key with scopes, `billing:read`. */
    paymentMethods(query?: Query<'listPaymentMethods'>, options?: Options): ListCall<types.PaymentMethod, types.PageMeta>
    /** Start to buy a plan. Returns the address of the payment page. The plan changes when the provider confirms the payment. Needs the role `owner`, by a session: API keys are refused. An API key is not enough: needs a signed-in session. */
    checkout(body: types.Checkout, options?: Options): Call<types.Destination>
    /** Open the page of the subscription. Returns the address of the page on which the subscription is changed or ended. Needs the role `owner`, by a session: API keys are refused. An API key is not enough: needs a signed-in session. */
    portal(options?: Options): Call<types.Destination>
  }
  abuseReports: {
    /** List abuse reports. Pages through what visitors have reported about links of the workspace in the last 90 days, newest first. Who sent a report is not disclosed. Needs the role `admin` and, for a key with scopes, `links:read`. */
    list(query?: Query<'listAbuseReports'>, options?: Options): ListCall<types.AbuseReport, types.FilteredPageMeta>
  }
  webhooks: {
    endpoints: {
      /** List webhook endpoints. Returns the endpoints of the workspace, newest first, without their secrets. With `stats=24h` each has its attempts of the last 24 hours. Needs the role `viewer` and, for a key with scopes, `webhooks:read`. */
      list(query?: Query<'listWebhookEndpoints'>, options?: Options): ListCall<types.ListedWebhookEndpoint, types.PageMeta>
      /** Create a webhook endpoint. Registers a URL that receives events. The answer has the signing secret, which can be read again later. Needs the role `admin` and, for a key with scopes, `webhooks:write`. */
      create(body: types.CreateWebhookEndpoint, options?: Options): Call<types.CreatedWebhookEndpoint>
      /** Read a webhook endpoint. Returns one endpoint with the state of its deliveries. The signing secret is not in it. Needs the role `viewer` and, for a key with scopes, `webhooks:read`. */
      get(id: string, options?: Options): Call<types.WebhookEndpoint>
      /** Update a webhook endpoint. Changes the fields that are sent and leaves the others alone. A paused endpoint receives nothing; what happens in that time can be replayed. Needs the role `admin` and, for a key with scopes, `webhooks:write`. */
      update(id: string, body: types.UpdateWebhookEndpoint, options?: Options): Call<types.WebhookEndpoint>
      /** Delete a webhook endpoint and its delivery log. Waiting deliveries are dropped. Needs the role `admin` and, for a key with scopes, `webhooks:write`. */
      delete(id: string, options?: Options): Call<void>
      /** Read the attempts of the last 24 hours. Returns how many attempts succeeded and failed in each hour, how long the answers took, and the health of the endpoint. Needs the role `viewer` and, for a key with scopes, `webhooks:read`. */
      stats(id: string, options?: Options): Call<types.WebhookEndpointStats>
      /** Read the signing secret. Returns the signing key. Each read is recorded in the audit log. Needs the role `admin` and, for a key with scopes, `webhooks:write`. */
      getSecret(id: string, options?: Options): Call<types.WebhookSecret>
      /** Replace the signing secret; without an overlap the old one is invalid at once. Returns the new key. All later attempts are signed with it, also for deliveries that already wait. During an overlap they have a signature of the previous key as well. Needs the role `admin` and, for a key with scopes, `webhooks:write`. */
      rotateSecret(id: string, query?: Query<'rotateWebhookSecret'>, options?: Options): Call<types.RotatedWebhookSecret>
      /** Send a sample event to this endpoint. Queues one delivery with sample data, whether the endpoint subscribes to the type or not. Needs the role `admin` and, for a key with scopes, `webhooks:write`. */
      test(id: string, body?: types.TestWebhookEndpoint, options?: Options): Call<types.QueuedWebhookTest>
      /** Deliver past events to this endpoint again. Queues the events of a period as new deliveries. A long period takes several calls: pass `next` as `since` until it is null. Needs the role `admin` and, for a key with scopes, `webhooks:write`. */
      replay(id: string, body: types.ReplayWebhookEvents, options?: Options): Call<types.ReplayedWebhookEvents>
    }
    deliveries: {
      /** List deliveries. Pages through the delivery log of the last 30 days, newest first. Filters apply together. Needs the role `viewer` and, for a key with scopes, `webhooks:read`. */
      list(query?: Query<'listWebhookDeliveries'>, options?: Options): ListCall<types.WebhookDelivery, types.PageMeta>
      /** Count deliveries by status. Counts the deliveries that the filters of the list match, in each status. Needs the role `viewer` and, for a key with scopes, `webhooks:read`. */
      counts(query?: Query<'countWebhookDeliveries'>, options?: Options): Call<types.WebhookDeliveryCounts>
      /** Retry failed and dead-letter deliveries by filter. Makes the next attempt of every delivery that matches due now. An empty filter means all of them. Needs the role `admin` and, for a key with scopes, `webhooks:write`. */
      retryMany(body: types.RetryWebhookDeliveries, options?: Options): Call<types.RequeuedWebhookDeliveries>
      /** Read a delivery with its attempts. Returns one delivery with its requests and the answers of the endpoint. Needs the role `viewer` and, for a key with scopes, `webhooks:read`. */
      get(deliveryId: string, options?: Options): Call<types.WebhookDeliveryDetail>
      /** Retry a failed or dead-letter delivery. Makes the next attempt due now; a dead letter gets one extra attempt. Needs the role `admin` and, for a key with scopes, `webhooks:write`. */
      retry(deliveryId: string, options?: Options): Call<types.RetriedWebhookDelivery>
    }
    /** List the event types. Returns every type that an endpoint can subscribe to, with an example of its data. Needs the role `viewer` and, for a key with scopes, `webhooks:read`. */
    eventTypes(options?: Options): Call<types.WebhookEventCatalog>
    /** Send an event to every active endpoint that subscribes to it. Sends a payload of your own under one of the event types. Needs the role `admin` and, for a key with scopes, `webhooks:write`. */
    dispatch(body: types.DispatchWebhookEvent, options?: Options): Call<types.DispatchedWebhookEvent>
    /** Wait for new events instead of receiving deliveries. Returns the events since `cursor`, or waits for one. For machines that deliveries cannot reach. Needs the role `admin` and, for a key with scopes, `webhooks:write`. */
    listen(query?: Query<'listenForWebhookEvents'>, options?: Options): FeedCall
  }
}

/** Method, path, and flags: b JSON body, f form, q query, k Idempotency-Key, l list, r file, s stream, e feed. */
export const OPERATIONS = {
  links: {
    upsert: 'PUT /links/upsert bq',
    createMany: 'POST /links/bulk bk',
    updateMany: 'PATCH /links/bulk b',
    deleteMany: 'DELETE /links/bulk b',
    undo: 'POST /links/bulk/undo bk',
    check: 'GET /links/check q',
    count: 'GET /links/count q',
    export: 'GET /links/export.csv qr',
    qr: 'GET /links/{id}/qr qr',
    qrWithLogo: 'POST /links/{id}/qr fr',
    qrMany: 'POST /links/qr br',
    preview: 'GET /links/preview q',
    icon: 'GET /links/icon qr',
    create: 'POST /links bk',
    list: 'GET /links ql',
    get: 'GET /links/{id}',
    update: 'PATCH /links/{id} b',
    delete: 'DELETE /links/{id}',
    explain: 'GET /links/{id}/explain q',
    explainDraft: 'POST /links/explain b',
    history: 'GET /links/{id}/history ql',
    restore: 'POST /links/{id}/restore k',
    rollback: 'POST /links/{id}/rollback bk',
    views: {
      list: 'GET /link-views ql',
      create: 'POST /link-views bk',
      update: 'PATCH /link-views/{id} b',
      delete: 'DELETE /link-views/{id}',
    },
    imports: {
      create: 'POST /links/import fk',
      createFromShlink: 'POST /links/import/shlink bk',
      recognizeColumns: 'POST /links/import/columns b',
      list: 'GET /links/imports ql',
      get: 'GET /links/imports/{id}',
      rows: 'GET /links/imports/{id}/rows ql',
      cancel: 'POST /links/imports/{id}/cancel k',
      undo: 'POST /links/imports/{id}/undo k',
    },
  },
  folders: {
    create: 'POST /folders bk',
    list: 'GET /folders ql',
    get: 'GET /folders/{id}',
    update: 'PATCH /folders/{id} b',
    delete: 'DELETE /folders/{id}',
  },
  tags: {
    list: 'GET /tags ql',
    rename: 'PATCH /tags/{name} b',
    delete: 'DELETE /tags/{name}',
  },
  campaigns: {
    create: 'POST /campaigns bk',
    list: 'GET /campaigns ql',
    get: 'GET /campaigns/{id}',
    update: 'PATCH /campaigns/{id} b',
    delete: 'DELETE /campaigns/{id}',
  },
  utmTemplates: {
    create: 'POST /utm-templates bk',
    list: 'GET /utm-templates ql',
    get: 'GET /utm-templates/{id}',
    update: 'PATCH /utm-templates/{id} b',
    delete: 'DELETE /utm-templates/{id}',
  },
  search: 'GET /search q',
  bioPages: {
    create: 'POST /bio-pages bk',
    list: 'GET /bio-pages ql',
    get: 'GET /bio-pages/{id}',
    update: 'PATCH /bio-pages/{id} bq',
    delete: 'DELETE /bio-pages/{id} q',
    preview: 'POST /bio-pages/{id}/preview b',
  },
  media: {
    upload: 'POST /media fk',
    list: 'GET /media ql',
    get: 'GET /media/{id}',
    delete: 'DELETE /media/{id} q',
    content: 'GET /media/{id}/content r',
  },
  domains: {
    create: 'POST /domains bk',
    list: 'GET /domains ql',
    get: 'GET /domains/{id}',
    update: 'PATCH /domains/{id} b',
    delete: 'DELETE /domains/{id} q',
    verify: 'POST /domains/{id}/verify k',
  },
  analytics: {
    link: 'GET /analytics/links/{id} q',
    linkTimeseries: 'GET /analytics/links/{id}/timeseries q',
    linkBreakdown: 'GET /analytics/links/{id}/breakdowns/{dimension} ql',
    overview: 'GET /analytics/overview q',
    campaign: 'GET /analytics/campaigns/{id} q',
    domain: 'GET /analytics/domains/{id} q',
    timeseries: 'GET /analytics/timeseries q',
    topLinks: 'GET /analytics/top-links ql',
    breakdowns: 'GET /analytics/breakdowns q',
    breakdown: 'GET /analytics/breakdowns/{dimension} ql',
    query: 'GET /analytics q',
    summary: 'GET /analytics/summary q',
    values: 'GET /analytics/values/{dimension} q',
    bioPage: 'GET /analytics/bio-pages/{id} q',
    clicks: 'GET /analytics/events ql',
    conversions: 'GET /analytics/conversions ql',
    export: 'GET /analytics/export qr',
    live: 'GET /analytics/live qs',
  },
  dashboards: {
    create: 'POST /dashboards bk',
    list: 'GET /dashboards ql',
    get: 'GET /dashboards/{id}',
    update: 'PATCH /dashboards/{id} b',
    delete: 'DELETE /dashboards/{id}',
    rotate: 'POST /dashboards/{id}/rotate k',
    read: 'GET /public/dashboards/{token}',
  },
  reports: {
    list: 'GET /reports ql',
    create: 'POST /reports bk',
    get: 'GET /reports/{id}',
    update: 'PATCH /reports/{id} b',
    delete: 'DELETE /reports/{id}',
    download: 'GET /reports/{id}/download r',
    cancel: 'POST /reports/{id}/cancel k',
  },
  alerts: {
    create: 'POST /alerts bk',
    list: 'GET /alerts ql',
    get: 'GET /alerts/{id}',
    update: 'PATCH /alerts/{id} b',
    delete: 'DELETE /alerts/{id}',
  },
  conversions: {
    record: 'POST /conversions bk',
    trackLead: 'POST /track/lead bk',
    trackSale: 'POST /track/sale bk',
  },
  deepLinks: {
    resolve: 'POST /deferred/resolve bk',
  },
  geoip: {
    locate: 'GET /geoip q',
  },
  apiKeys: {
    create: 'POST /api-keys bk',
    list: 'GET /api-keys ql',
    get: 'GET /api-keys/{id}',
    update: 'PATCH /api-keys/{id} b',
    revoke: 'DELETE /api-keys/{id}',
    rotate: 'POST /api-keys/{id}/rotate k',
  },
  workspaces: {
    get: 'GET /workspaces/{id}',
    update: 'PATCH /workspaces/{id} b',
    delete: 'DELETE /workspaces/{id} b',
    list: 'GET /workspaces ql',
    create: 'POST /workspaces bk',
    activate: 'POST /workspaces/{id}/activate',
  },
  members: {
    list: 'GET /members ql',
    update: 'PATCH /members/{userId} b',
    remove: 'DELETE /members/{userId}',
  },
  invitations: {
    list: 'GET /invitations ql',
    create: 'POST /invitations bk',
    get: 'GET /invitations/{id}',
    cancel: 'DELETE /invitations/{id}',
    createLink: 'POST /invitations/{id}/link k',
    getReceived: 'GET /invitations/received/{token}',
    accept: 'POST /invitations/{token}/accept k',
    reject: 'POST /invitations/{token}/reject k',
  },
  auditLog: {
    list: 'GET /audit-log ql',
  },
  securityLog: {
    list: 'GET /security-log ql',
  },
  plans: {
    list: 'GET /plans ql',
  },
  billing: {
    subscription: 'GET /billing/subscription',
    usage: 'GET /billing/usage',
    invoices: 'GET /billing/invoices ql',
    paymentMethods: 'GET /billing/payment-methods ql',
    checkout: 'POST /billing/checkout bk',
    portal: 'POST /billing/portal k',
  },
  abuseReports: {
    list: 'GET /abuse-reports ql',
  },
  webhooks: {
    endpoints: {
      list: 'GET /webhooks/endpoints ql',
      create: 'POST /webhooks/endpoints bk',
      get: 'GET /webhooks/endpoints/{id}',
      update: 'PATCH /webhooks/endpoints/{id} b',
      delete: 'DELETE /webhooks/endpoints/{id}',
      stats: 'GET /webhooks/endpoints/{id}/stats',
      getSecret: 'GET /webhooks/endpoints/{id}/secret',
      rotateSecret: 'POST /webhooks/endpoints/{id}/secret/rotate qk',
      test: 'POST /webhooks/endpoints/{id}/test bk',
      replay: 'POST /webhooks/endpoints/{id}/replay bk',
    },
    deliveries: {
      list: 'GET /webhooks/deliveries ql',
      counts: 'GET /webhooks/deliveries/counts q',
      retryMany: 'POST /webhooks/deliveries/retry bk',
      get: 'GET /webhooks/deliveries/{deliveryId}',
      retry: 'POST /webhooks/deliveries/{deliveryId}/retry k',
    },
    eventTypes: 'GET /webhooks/events',
    dispatch: 'POST /webhooks/dispatch bk',
    listen: 'GET /webhooks/listen qe',
  },
} as const
