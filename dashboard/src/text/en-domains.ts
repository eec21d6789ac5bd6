import { text as shared } from './en.ts'
import { plural } from './plural.ts'

/** Texts of the pages of domains. */
export const text = {
  ...shared,
  domains: {
    title: 'Domains',
    count: (count: number) => plural(count, 'domain', 'domains'),
    missing: 'Domain not found in this workspace',
    add: 'Add domain',
    added: (hostname: string) => `Added ${hostname}. Create its records next.`,
    hostname: 'Host',
    hostnameHint: 'A host of yours that short links begin with, or any address on it.',
    search: 'Search by host',
    statusFilter: 'Status',
    anyStatus: 'Any status',
    noneFound: 'No domain matches',
    noneFoundHint: 'Choose another status, or search for something else.',
    none: 'No domains yet',
    noneExplain:
      'On a domain of your own, short links carry your name: go.example.com/sale. It takes two records at the provider of your DNS.',
    noneForRole: 'An admin of this workspace can add one.',
    default: 'Default',
    neverChecked: 'not checked yet',
    lastChecked: 'checked',
    verifiedAt: 'verified',
    actionsOf: (hostname: string) => `Actions of ${hostname}`,

    records: 'Records',
    recordsExplain:
      'Create them at the provider of your DNS. Some providers append the domain to a name by themselves: enter only the part before it there.',
    recordsToCome: 'The records that it will need',
    recordsToComeNote:
      'A domain such as example.com itself takes A and AAAA records in the place of the CNAME record.',
    exampleHost: 'go.example.com',
    tokenToCome: 'signpost-verify=… (made when you add it)',
    targetToCome: 'the host that is shown when you add it',
    type: 'Type',
    name: 'Name',
    value: 'Value',
    state: 'Last check',
    purposes: {
      ownership: 'proves that the domain is yours',
      routing: 'sends its visitors here',
    },
    copyName: (type: string) => `Copy the name of the ${type} record`,
    copyValue: (type: string) => `Copy the value of the ${type} record`,
    found: 'found',
    notFound: 'not found',
    notChecked: 'not checked yet',
    foundInstead: 'found instead:',
    foundBeside: 'found beside others:',
    noRoute: 'One record is missing here: where the domain points.',
    proof: 'Prove it without DNS',
    proofExplain:
      'A web server that answers on the domain can prove the ownership in the place of the TXT record: at this address, with this text and nothing else.',
    copyProofUrl: 'Copy the address',
    copyToken: 'Copy the text',

    status: 'Status',
    checkNow: 'Check now',
    checking: 'Looking for the records…',
    states: {
      pending: 'The records have not been found yet.',
      verified: 'The domain is yours. Links on it redirect.',
      misconfigured: 'The TXT record was there, and is missing now.',
      failed: 'Links on this domain answer "not found".',
    },
    next: {
      pending:
        'Create the records and check. Signpost also looks by itself, every ten minutes for seven days and daily after that; this page follows.',
      verified: 'Keep the TXT record: Signpost looks for it daily.',
      misconfigured:
        'Links go on redirecting for 72 hours. Create the TXT record again; Signpost looks for it every hour.',
      failed:
        'Correct the records and check again. Signpost also looks by itself, every ten minutes for seven days after the domain was added, and daily after that.',
    },
    reasons: {
      not_found: 'There is no such domain in DNS. Look at its spelling, or register it first.',
      not_configured:
        'The TXT record was not found. A new record can take minutes, at some providers hours, until every name server has it.',
      token_mismatch: 'The TXT record has another value. Replace it by the one below.',
      conflicting_records:
        'The records are right, and another workspace holds this domain. It must be deleted there first.',
      lookup_error:
        'The name servers of the domain failed or did not answer. Check again in a few minutes.',
    },
    certificate: {
      states: {
        none: 'This server orders no certificate for it. Where a proxy in front has one, links open over https.',
        pending: 'Its certificate is being ordered. Links open over https soon after.',
        active: 'It has a certificate: links open over https.',
        failed:
          'It has no valid certificate, so links do not open over https. The next attempt follows by itself.',
      },
      nextAttempt: 'Next attempt:',
      reasons: {
        dns: 'The certificate authority did not find the host in DNS. Create the record that sends visitors here.',
        connection:
          'The certificate authority could not connect to the host. Check the record that sends visitors here; the operator checks that ports 80 and 443 are open.',
        wrong_answer:
          'Another server answers for the host. Correct the record that sends visitors here, and delete other A and AAAA records.',
        caa: 'A CAA record of the domain allows other certificate authorities only. Delete it, or add the one of this server.',
        rate_limited:
          'A limit of the certificate authority is reached. The certificate follows later.',
        refused: 'The certificate authority refused. The log of the server has its reason.',
        share_used:
          'This account, or the registrable domain, has used its share of certificate orders. The certificate follows by itself.',
        unreachable:
          'The certificate has expired, and the certificate authority cannot be reached. The log of the server has the reason.',
      },
    },
    notRouted:
      'Visitors of the domain do not arrive here yet: the record that sends them is missing or has another value.',

    history: 'Status history',
    by: (name: string) => `by ${name}`,

    settings: 'Settings',
    editSettings: 'Settings of the domain',
    isDefault: 'Default domain',
    isDefaultHint: 'New links are on it, unless they name another one.',
    isDefaultLater: 'Only a verified domain can be the default.',
    caseSensitive: 'Upper and lower case differ',
    caseSensitiveHint: '/Docs and /docs are two links.',
    rootRedirectUrl: 'Without a path, visitors go to',
    notFoundUrl: 'From unknown links, visitors go to',
    expiredUrl: 'From expired links, visitors go to',
    expiredUrlHint: "A link's own address for that comes first.",
    appleAppSiteAssociation: 'App links of iOS',
    appleAppSiteAssociationHint: 'JSON, served as /.well-known/apple-app-site-association.',
    assetLinks: 'App links of Android',
    assetLinksHint: 'JSON, served as /.well-known/assetlinks.json.',
    notObject: 'It must be a JSON object: { … }.',
    notArray: 'It must be a JSON array: [ … ].',
    notJson: (reason: string) => `It is no JSON: ${reason}`,
    ownPage: 'a page of this server',
    isBlocked: '(blocked by the operator: a page of this server is shown)',
    noFile: 'none',
    aFile: 'set',
    yes: 'yes',
    no: 'no',
    createdAt: 'Added',
    id: 'Id',
    conflict: 'Another user has changed this domain since you opened it.',

    delete: 'Delete',
    deleteTitle: (hostname: string) => `Delete ${hostname}?`,
    deleteExplain: 'Links cannot be on it any longer, and another workspace may claim it.',
    deleted: (hostname: string) => `Deleted ${hostname}.`,
    moveLinks: 'Move its links to the shared host',
    moveLinksHint:
      'They keep their paths, clicks and history. Short URLs with this domain stop working.',
    takenSlugs: 'Links that cannot move',

    limitReached: (max: number) =>
      `Your plan includes ${plural(max, 'domain', 'domains')}, and ${max === 1 ? 'it is' : 'all are'} in use.`,
    toPlans: 'See the plans',
  },
}
