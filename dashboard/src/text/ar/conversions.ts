import type { messages as english } from '../en/conversions.ts'

export const messages: typeof english = ({ plural, formatNumber }) => ({
  conversions: {
    title: 'التحويلات',
    note: 'العملاء المحتملون والمبيعات التي يبلّغ عنها خادمك.',
    none: 'لا تحويلات في هذه الفترة',
    noneExplain:
      'فعّل «تتبع التحويلات» لرابط. تتلقى وجهته معرّف كل نقرة في sp_id، ويرسله خادمك إلى POST /v1/conversions مع عملية البيع.',
    list: 'التحويلات، الأحدث أولًا',
    older: 'تحويلات أقدم',
    series: 'التحويلات عبر الزمن',
    seriesDescribe: 'التحويلات عبر الزمن. استخدم مفاتيح الأسهم.',
    seriesNote: 'المنسوبة إلى رابط.',
    totals: 'المجاميع حسب العملة',
    attributedOf: (attributed, all) =>
      `نُسب ${formatNumber(attributed)} من ${plural(all, { one: 'تحويل واحد', two: 'تحويلين', few: '# تحويلات', many: '# تحويلًا', other: '# تحويل' })}`,
    type: 'النوع',
    anyType: 'كل الأنواع',
    types: { lead: 'عميل محتمل', sale: 'بيع', custom: 'غير ذلك' },
    customer: (id) => `العميل ${id}`,
    noLink: 'بلا رابط',
    deletedLink: 'رابط محذوف',
    reasons: {
      sp_id: 'معرّف نقرة موقّع',
      click_id: 'معرّف نقرة',
      customer: 'آخر نقرة للعميل',
      link: 'رابط اختاره خادمك',
      waiting: 'بانتظار نقرته',
      unknown_click: 'نقرة غير معروفة',
      old_click: 'نقرة أقدم بأكثر من 30 يومًا',
      later_click: 'نقرة لاحقة',
      no_click: 'بلا نقرة أو رابط',
      too_many_waiting: 'تحويلات كثيرة كانت بانتظار نقراتها',
    },
  },
})
