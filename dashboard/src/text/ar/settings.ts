import type { messages as english } from '../en/settings.ts'

export const messages: typeof english = () => ({
  settings: {
    title: 'الإعدادات',
    general: 'مساحة العمل',
    name: 'الاسم',
    id: 'المعرّف',
    idHint: 'ترسله طلبات API في x-signpost-workspace.',
    copyId: 'نسخ المعرّف',
    timezone: 'المنطقة الزمنية',
    timezoneHint: 'للأعضاء الذين لم يختاروا منطقتهم.',
    privacySignals: 'احترام إشارات الخصوصية',
    privacySignalsHint: 'المتصفحات التي ترفض التتبع (Sec-GPC وDNT) تُحسب نقراتٍ لا زوارًا.',
    brand: 'العلامة التجارية',
    brandExplain:
      'يراها الزوار على نطاقات مساحة العمل الخاصة بها، في صفحات مثل صفحة الرابط المنتهي أو كلمة المرور. ولا يعرضها النطاق المشترك.',
    saveBrand: 'حفظ العلامة التجارية',
    logo: 'الشعار',
    brandColor: 'اللون',
    brandColorHint: 'مثل ‎#0b5e82، للأزرار والروابط.',
    saved: 'تم الحفظ.',
    plan: 'الخطة',
    role: 'دورك',
    danger: 'منطقة الخطر',
    deleteTitle: (name) => `حذف ${name}؟`,
    delete: 'حذف مساحة العمل',
    deleteExplain:
      'تتوقف روابطها فورًا. وتُحذف الروابط والنقرات والويب هوك والمفاتيح والسجلات نهائيًا.',
    deleted: (name) => `تم حذف ${name}.`,
  },
})
