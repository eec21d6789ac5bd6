import { formatNumber } from '../kit/locale.ts'
import { text as shared } from './en.ts'
import { plural } from './plural.ts'

/** Texts of the page of conversions. */
export const text = {
  ...shared,
  conversions: {
    title: 'Conversions',
    note: 'Leads and sales that your server reports.',
    none: 'No conversions in this period',
    noneExplain:
      'Turn on "Track conversions" for a link. Its destination gets each click id as sp_id; your server sends it to POST /v1/conversions with the sale.',
    list: 'Conversions, newest first',
    older: 'Older conversions',
    series: 'Conversions over time',
    seriesDescribe: 'Conversions over time. Use the arrow keys.',
    seriesNote: 'Attributed to a link.',
    totals: 'Totals by currency',
    attributedOf: (attributed: number, all: number) =>
      `${formatNumber(attributed)} of ${plural(all, 'conversion', 'conversions')} attributed`,
    type: 'Type',
    anyType: 'All types',
    types: { lead: 'Lead', sale: 'Sale', custom: 'Other' },
    customer: (id: string) => `customer ${id}`,
    noLink: 'No link',
    deletedLink: 'deleted link',
    reasons: {
      sp_id: 'Signed id of the click',
      click_id: 'Id of the click',
      customer: 'Last click of the customer',
      link: 'Link named by your server',
      waiting: 'Waiting for its click',
      unknown_click: 'Its click is unknown',
      old_click: 'Its click is more than 30 days older',
      later_click: 'Its click came after it',
      no_click: 'Names no click and no link',
      too_many_waiting: 'Too many others waited for their clicks',
    },
  },
}
