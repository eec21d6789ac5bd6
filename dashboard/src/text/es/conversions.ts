import type { messages as english } from '../en/conversions.ts'

export const messages: typeof english = ({ plural, formatNumber }) => ({
  conversions: {
    title: 'Conversiones',
    note: 'Leads y ventas que comunica el servidor propio.',
    none: 'No hay conversiones en este periodo',
    noneExplain:
      'Primero se activa «Medir conversiones» en un enlace. Su destino recibe el id de cada clic como sp_id; el servidor propio lo envía con la venta a POST /v1/conversions.',
    list: 'Conversiones, las más recientes primero',
    older: 'Conversiones anteriores',
    series: 'Conversiones a lo largo del tiempo',
    seriesDescribe: 'Conversiones a lo largo del tiempo. Usar las teclas de flecha.',
    seriesNote: 'Atribuidas a un enlace.',
    totals: 'Totales por moneda',
    attributedOf: (attributed, all) =>
      plural(all, {
        one: `Atribuidas: ${formatNumber(attributed)} de # conversión`,
        many: `Atribuidas: ${formatNumber(attributed)} de # de conversiones`,
        other: `Atribuidas: ${formatNumber(attributed)} de # conversiones`,
      }),
    type: 'Tipo',
    anyType: 'Todos los tipos',
    types: { lead: 'Lead', sale: 'Venta', custom: 'Otra' },
    customer: (id) => `cliente ${id}`,
    noLink: 'Sin enlace',
    deletedLink: 'enlace eliminado',
    reasons: {
      sp_id: 'ID de clic firmado',
      click_id: 'ID de clic',
      customer: 'Último clic del cliente',
      link: 'Enlace elegido por el servidor propio',
      waiting: 'A la espera de su clic',
      unknown_click: 'Clic desconocido',
      old_click: 'Clic de más de 30 días antes',
      later_click: 'El clic llegó después',
      no_click: 'Sin clic ni enlace indicado',
      too_many_waiting: 'Había demasiadas conversiones a la espera de clics',
    },
  },
})
