import type { messages as english } from '../en/conversions.ts'

export const messages: typeof english = ({ plural, formatNumber }) => ({
  conversions: {
    title: 'Conversions',
    note: 'Leads und Verkäufe, die der eigene Server meldet.',
    none: 'Keine Conversions in diesem Zeitraum',
    noneExplain:
      'Bei einem Link „Conversions erfassen“ einschalten. Das Ziel erhält jede Klick-ID als sp_id; der eigene Server sendet sie mit dem Verkauf an POST /v1/conversions.',
    list: 'Conversions, neueste zuerst',
    older: 'Ältere Conversions',
    series: 'Conversions im Zeitverlauf',
    seriesDescribe: 'Conversions im Zeitverlauf. Mit den Pfeiltasten bewegen.',
    seriesNote: 'Einem Link zugeordnet.',
    totals: 'Summen nach Währung',
    attributedOf: (attributed, all) =>
      `${formatNumber(attributed)} von ${plural(all, { one: '# Conversion', other: '# Conversions' })} zugeordnet`,
    type: 'Art',
    anyType: 'Alle Arten',
    types: { lead: 'Lead', sale: 'Verkauf', custom: 'Sonstige' },
    customer: (id) => `Kunde ${id}`,
    noLink: 'Kein Link',
    deletedLink: 'gelöschter Link',
    reasons: {
      sp_id: 'Signierte Klick-ID',
      click_id: 'Klick-ID',
      customer: 'Letzter Klick des Kunden',
      link: 'Vom eigenen Server gewählter Link',
      waiting: 'Wartet auf den Klick',
      unknown_click: 'Unbekannter Klick',
      old_click: 'Klick mehr als 30 Tage früher',
      later_click: 'Klick kam später',
      no_click: 'Kein Klick oder Link angegeben',
      too_many_waiting: 'Zu viele Conversions warteten auf Klicks',
    },
  },
})
