import type { messages as english } from '../en/shared.ts'

export const messages: typeof english = ({ plural, formatNumber }) => ({
  actions: {
    retry: 'إعادة المحاولة',
    close: 'إغلاق',
    cancel: 'إلغاء',
    save: 'حفظ',
    edit: 'تعديل',
    copy: 'نسخ',
    copied: 'تم النسخ',
    undo: 'تراجع',
    more: 'المزيد',
    back: 'رجوع',
    done: 'تم',
    download: 'تنزيل',
    next: 'التالي',
    search: 'بحث',
    chooseColor: (name) => `اختيار اللون: ${name}`,
    chosen: 'مختار',
    loading: 'جارٍ التحميل…',
    none: 'لا شيء',
    removeChoice: (name) => `إزالة ${name}`,
    clearChoice: 'مسح',
    showChoices: 'عرض الخيارات',
    createChoice: (name) => `إنشاء «${name}»`,
    typeToConfirm: (word) => `اكتب ${word} للتأكيد`,
    nothingFound: 'لا توجد نتائج.',
    undone: (count) =>
      plural(count, {
        one: 'تمت استعادة رابط واحد.',
        two: 'تمت استعادة رابطين.',
        few: 'تمت استعادة # روابط.',
        other: 'تمت استعادة # رابطًا.',
      }),
    undoneBut: (count, skipped) =>
      `تمت استعادة ${plural(count, { one: 'رابط واحد', two: 'رابطين', few: '# روابط', other: '# رابطًا' })}، وتم تخطي ${formatNumber(skipped)} لأنها تغيّرت بعد ذلك.`,
    removeFilter: (name) => `إزالة عامل التصفية ${name}`,
    countedUpTo: 'آخر تحديث',
  },
  errors: {
    unexpected: 'حدث خطأ ما. أعد تحميل الصفحة، وإذا تكرر ذلك فأخبر مشغّل هذا الخادم.',
    noPage: 'الصفحة غير موجودة',
    goHome: 'الذهاب إلى النظرة العامة',
    retryIn: (seconds) =>
      plural(seconds, {
        one: 'حاول مرة أخرى بعد ثانية.',
        two: 'حاول مرة أخرى بعد ثانيتين.',
        few: 'حاول مرة أخرى بعد # ثوانٍ.',
        other: 'حاول مرة أخرى بعد # ثانية.',
      }),
    notLoaded: 'تعذّر تحميل هذا الجزء من الصفحة. تحقق من اتصالك.',
    away: 'الخادم لا يستجيب. لم يُفقد شيء مما كتبته، وستتابع الصفحة عند عودته.',
  },
  conflict: {
    isNow: 'الآن:',
    isYours: 'نسختك:',
    keepMine: 'الاحتفاظ بنسختي',
    takeTheirs: 'أخذ النسخة الأخرى',
  },
  names: {
    roles: { viewer: 'مشاهد', member: 'عضو', admin: 'مشرف', owner: 'مالك' },
    failedInRow: (count) =>
      plural(count, {
        one: 'فشلت المحاولة الأخيرة',
        two: 'فشلت محاولتان متتاليتان',
        few: 'فشلت # محاولات متتالية',
        other: 'فشلت # محاولة متتالية',
      }),
    system: 'النظام',
    share: 'مشاركة الإحصاءات',
    newLink: 'رابط جديد',
    destination: 'الوجهة',
    addressExample: 'example.com/page',
    deletedLink: 'رابط محذوف',
  },
  objects: {
    breadcrumb: 'مسار التنقل',
    missingHint: 'ربما حُذف، أو أن العنوان غير مكتمل.',
    onlyFor: {
      viewer: 'للأعضاء فقط',
      member: 'للأعضاء فقط',
      admin: 'للمشرفين والمالكين فقط',
      owner: 'للمالكين فقط',
    },
    onlyForExplain: (role) => `دورك هو ${role}. اطلب الوصول من أحد مالكي مساحة العمل.`,
  },
  zones: { title: 'المنطقة الزمنية' },
  mail: {
    inFolder: 'لم يُعدّ خادم بريد بعد، لذا فالرسالة ملف في هذا المجلد:',
    command: 'تعرض الطرفية على الخادم الرابط. ويعرضه هذا الأمر أيضًا:',
    askOperator: 'لم يُعدّ خادم بريد بعد، لذا لم تُرسل الرسالة. اطلب الرابط من مشغّل هذا الخادم.',
  },
})
