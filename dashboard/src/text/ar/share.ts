import type { messages as english } from '../en/share.ts'

export const messages: typeof english = () => ({
  share: {
    product: 'Signpost',
    loading: 'جارٍ التحميل…',
    scope: {
      workspace: 'كل الروابط',
      link: 'رابط واحد',
      campaign: 'حملة واحدة',
      folder: 'مجلد واحد',
    },
    updated: (when) => `آخر تحديث ${when}`,
    away: (when) => `الخادم لا يستجيب. هذه الأرقام من ${when}.`,
    days: (first, last) => (first === last ? first : `من ${first} إلى ${last}`),
    value: 'القيمة',
    allClicks: 'كل النقرات',
    now: 'نقرات',
    importedInAll: (clicks) => `استُوردت ${clicks} من كل النقرات من خدمة أخرى.`,
    topLinks: 'أبرز الروابط',
    foot: (zone) => `لا تُحسب برامج الزحف ومعاينات الروابط. المنطقة الزمنية: ${zone}.`,
    locked: {
      title: 'هذه اللوحة محمية بكلمة مرور',
      intro: 'أدخل كلمة المرور التي وصلتك مع الرابط.',
      label: 'كلمة المرور',
      open: 'فتح اللوحة',
      wrong: 'كلمة المرور غير صحيحة. حاول مرة أخرى.',
      failed: 'تعذّر التحقق من كلمة المرور. حاول بعد قليل.',
      wait: (seconds) => `محاولات كثيرة جدًا. حاول بعد ${seconds}.`,
      cookie: 'يتذكرها ملف تعريف ارتباط في هذا المتصفح 12 ساعة.',
    },
    gone: {
      title: 'اللوحة غير موجودة',
      intro: 'ربما كان العنوان غير مكتمل، أو لم تعد اللوحة مشتركة. اسأل من أرسلها إليك.',
    },
    failed: {
      title: 'تعذّر تحميل الأرقام',
      intro: 'الخادم لا يستجيب أو مشغول. تحاول هذه الصفحة مجددًا تلقائيًا.',
      retry: 'إعادة المحاولة',
    },
  },
})
