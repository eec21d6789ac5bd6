import type { Tools } from '../load.ts'

/** Texts of the pages of domains. */
export const messages = ({ plural }: Tools) => ({
  domains: {
    title: 'Domains',
    count: (count: number) => plural(count, { one: '# domain', other: '# domains' }),
    missing: 'Domain not found in this workspace',
    add: 'Add domain',
    added: (hostname: string) => `Added ${hostname}. Now add its DNS records.`,
    hostname: 'Domain',
    hostnameHint: 'Such as go.example.com. You can also paste any address on it.',
    search: 'Search domains',
    statusFilter: 'Status',
    anyStatus: 'Any status',
    noneFound: 'No matching domains',
    noneFoundHint: 'Choose another status, or search for something else.',
    none: 'No domains yet',
    noneExplain:
      'Put your own name in short links, such as go.example.com/sale. You need to add two DNS records.',
    noneForRole: 'An admin of this workspace can add one.',
    default: 'Default',
    neverChecked: 'not checked yet',
    lastChecked: 'checked',
    verifiedAt: 'verified',
    actionsOf: (hostname: string) => `Actions of ${hostname}`,

    records: 'DNS records',
    recordsExplain:
      'Add these records at your DNS provider. If it appends the domain to each name, enter only the part before it.',
    recordsToCome: 'Records you will need',
    recordsToComeNote:
      'A root domain such as example.com uses A and AAAA records instead of CNAME.',
    exampleHost: 'go.example.com',
    tokenToCome: 'signpost-verify=… (shown after you add the domain)',
    targetToCome: 'shown after you add the domain',
    type: 'Type',
    name: 'Name',
    value: 'Value',
    state: 'Last check',
    purposes: {
      ownership: 'proves you own the domain',
      routing: 'sends visitors here',
    },
    copyName: (type: string) => `Copy the name of the ${type} record`,
    copyValue: (type: string) => `Copy the value of the ${type} record`,
    found: 'found',
    notFound: 'not found',
    notChecked: 'not checked yet',
    foundInstead: 'found instead:',
    foundBeside: 'also found:',
    noRoute: 'The record that points the domain here is not known yet.',
    noRouteExplain:
      'Set CNAME_TARGET to the name under which visitors reach this server, such as links.example.com, or PUBLIC_URL to its address, such as https://links.example.com. Then restart it.',
    proof: 'Verify without DNS',
    proofExplain:
      'Instead of the TXT record, a web server on the domain can return this text, and nothing else, at this address.',
    copyProofUrl: 'Copy the address',
    copyToken: 'Copy the text',

    status: 'Status',
    checkNow: 'Check now',
    checking: 'Checking the records…',
    states: {
      pending: 'The records have not been found yet.',
      verified: 'Verified. Links on this domain work.',
      misconfigured: 'The TXT record is gone.',
      failed: 'Not verified. Links on this domain show "Not found".',
    },
    next: {
      pending:
        'Add the records, then check. Signpost also checks automatically: every ten minutes for seven days, then daily.',
      verified: 'Keep the TXT record. Signpost checks it daily.',
      misconfigured:
        'Links keep working for 72 hours. Add the TXT record again; Signpost checks every hour.',
      failed:
        'Correct the records and check again. Signpost also checks automatically: every ten minutes for the first seven days, then daily.',
    },
    reasons: {
      not_found: 'This domain does not exist in DNS. Check the spelling, or register it first.',
      not_configured:
        'The TXT record was not found. New records can take minutes, or hours at some providers.',
      token_mismatch: 'The TXT record has a different value. Replace it with the one below.',
      conflicting_records:
        'The records are correct, but another workspace uses this domain. Delete it there first.',
      lookup_error: "The domain's name servers did not respond. Check again in a few minutes.",
    },
    certificate: {
      states: {
        none: 'This server does not request a certificate for it. If a proxy in front has one, links open over HTTPS.',
        pending: 'Requesting a certificate. Links open over HTTPS soon.',
        active: 'Certificate active. Links open over HTTPS.',
        failed:
          'No valid certificate, so links do not open over HTTPS. Signpost tries again automatically.',
      },
      nextAttempt: 'Next attempt:',
      reasons: {
        dns: 'The certificate authority did not find the domain in DNS. Add the record that sends visitors here.',
        connection:
          'The certificate authority could not connect. Check the record that sends visitors here, and ask the operator whether ports 80 and 443 are open.',
        wrong_answer:
          'Another server responds for this domain. Correct the record that sends visitors here, and delete other A and AAAA records.',
        caa: 'A CAA record allows only other certificate authorities. Delete it, or add the one this server uses.',
        rate_limited:
          "The certificate authority's rate limit was reached. Signpost tries again later.",
        refused: 'The certificate authority refused. The server log has the reason.',
        share_used:
          'This account or domain has requested many certificates. Signpost tries again automatically.',
        unreachable:
          'The certificate expired and the certificate authority cannot be reached. The server log has the reason.',
      },
    },
    notRouted:
      'Visitors do not arrive here yet: the record that sends them is missing or has a different value.',

    history: 'Status history',
    by: (name: string) => `by ${name}`,

    settings: 'Settings',
    editSettings: 'Domain settings',
    isDefault: 'Default domain',
    isDefaultHint: 'New links use it unless you choose another one.',
    isDefaultLater: 'Verify the domain to make it the default.',
    caseSensitive: 'Case-sensitive slugs',
    caseSensitiveHint: '/Docs and /docs are different links.',
    rootRedirectUrl: 'Redirect the home page to',
    notFoundUrl: 'Redirect unknown links to',
    expiredUrl: 'Redirect expired links to',
    expiredUrlHint: "A link's own fallback URL comes first.",
    appleAppSiteAssociation: 'iOS app links',
    appleAppSiteAssociationHint: 'JSON, served at /.well-known/apple-app-site-association.',
    assetLinks: 'Android app links',
    assetLinksHint: 'JSON, served at /.well-known/assetlinks.json.',
    notObject: 'Enter a JSON object: { … }.',
    notArray: 'Enter a JSON array: [ … ].',
    notJson: (reason: string) => `This is not valid JSON: ${reason}`,
    ownPage: 'the default page',
    isBlocked: '(blocked by the operator: visitors see the default page)',
    noFile: 'none',
    aFile: 'set',
    yes: 'yes',
    no: 'no',
    createdAt: 'Added',
    id: 'ID',
    conflict: 'Another user has changed this domain since you opened it.',

    delete: 'Delete',
    deleteTitle: (hostname: string) => `Delete ${hostname}?`,
    deleteExplain: 'You can no longer use it for links, and another workspace may add it.',
    deleted: (hostname: string) => `Deleted ${hostname}.`,
    moveLinks: 'Move its links to the shared domain',
    moveLinksHint:
      'They keep their slugs, clicks and history. Short URLs on this domain stop working.',
    takenSlugs: 'Links that cannot be moved',

    limitReached: (max: number) =>
      `Your plan includes ${plural(max, { one: '# domain', other: '# domains' })}, ${max === 1 ? 'and it is' : 'and all are'} in use.`,
    toPlans: 'See plans',
  },
})
