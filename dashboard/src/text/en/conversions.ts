import type { Tools } from '../load.ts'

/** Texts of the page of conversions. */
export const messages = ({ plural, formatNumber }: Tools) => ({
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
      `${formatNumber(attributed)} of ${plural(all, { one: '# conversion', other: '# conversions' })} attributed`,
    type: 'Type',
    anyType: 'All types',
    types: { lead: 'Lead', sale: 'Sale', custom: 'Other' },
    customer: (id: string) => `customer ${id}`,
    noLink: 'No link',
    deletedLink: 'deleted link',
    reasons: {
      sp_id: 'Signed click ID',
      click_id: 'Click ID',
      customer: "Customer's last click",
      link: 'Link chosen by your server',
      waiting: 'Waiting for its click',
      unknown_click: 'Unknown click',
      old_click: 'Click more than 30 days earlier',
      later_click: 'Click came later',
      no_click: 'No click or link given',
      too_many_waiting: 'Too many conversions were waiting for clicks',
    },
  },
})
