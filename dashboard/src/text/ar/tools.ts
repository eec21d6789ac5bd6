import type { messages as english } from '../en/tools.ts'

export const messages: typeof english = () => ({
  tools: {
    bookmarkletTitle: 'إشارة مرجعية',
    bookmarkletExplain:
      'اسحب الزر إلى شريط الإشارات المرجعية في متصفحك. في أي صفحة يفتح نموذج رابط جديد إلى تلك الصفحة.',
    bookmarklet: 'اختصر باستخدام Signpost',
    shareXTitle: 'ShareX',
    shareXExplain: (place) =>
      `افتح الملف في محرر نصوص، وضع مكان ${place} مفتاح API له النطاق links:write. ثم افتحه في ShareX واختره بوصفه URL shortener ضمن Destinations.`,
    shareXDownload: 'تنزيل signpost.sxcu',
    keyPlace: 'مفتاح_API',
    keys: 'مفاتيح API',
    appTitle: 'التطبيق',
    appExplain:
      'ثبّت لوحة التحكم من قائمة متصفحك: «تثبيت التطبيق» أو «إضافة إلى الشاشة الرئيسية». على Android تظهر بعد ذلك في قائمة المشاركة في التطبيقات الأخرى، وتفتح الصفحة المشاركة نموذج رابط جديد.',
  },
})
