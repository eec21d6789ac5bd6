import type { messages as english } from '../en/overview.ts'

export const messages: typeof english = ({ plural }) => ({
  created: {
    title: 'رابطك القصير جاهز',
    open: 'فتح',
    customize: 'تخصيص',
    statistics: 'الإحصاءات',
  },
  overview: {
    title: 'نظرة عامة',
    note: 'آخر 30 يومًا مقارنةً بالثلاثين يومًا السابقة.',
    countedUpTo: (time) => `آخر تحديث ${time}.`,
    today: (clicks) =>
      plural(clicks, {
        zero: 'لا نقرات اليوم حتى الآن.',
        one: 'نقرة واحدة اليوم حتى الآن.',
        two: 'نقرتان اليوم حتى الآن.',
        few: '# نقرات اليوم حتى الآن.',
        other: '# نقرة اليوم حتى الآن.',
      }),
    firstTitle: 'إلى أين يقود الرابط؟',
    firstExplain: 'الصق أي عنوان لتحصل على رابط قصير وترى كل نقرة لحظة حدوثها.',
    firstViewer: 'لا توجد روابط في مساحة العمل هذه بعد. يمكن للأعضاء إنشاؤها، وستظهر إحصاءاتها هنا.',
    makeShort: 'تقصير',
    noAddress: 'أدخل عنوان ويب، مثل example.com/page.',
    stepsTitle: 'الخطوات الأولى',
    stepsDone: (done, all) => `${done} من ${all}`,
    dismissSteps: 'إخفاء الخطوات الأولى',
    done: 'تم',
    steps: {
      link: { title: 'أنشئ رابطًا', explain: 'الصق عنوانًا واحصل على رابط قصير' },
      click: { title: 'افتحه مرة', explain: 'تظهر نقرتك خلال ثوانٍ' },
      webhook: {
        title: 'أرسل النقرات إلى خادمك',
        explain: 'طلبات موقّعة تُعاد حتى يتم تسليمها',
      },
      team: {
        title: 'ادعُ عضوًا',
        or: 'أو أنشئ مفتاح API',
        explain: 'شارك الروابط مع فريقك أو أتمتها',
      },
    },
    needsYou: 'بحاجة إلى انتباهك',
    deadLetters: (count) =>
      plural(count, {
        one: 'فشل تسليم واحد نهائيًا',
        two: 'فشل تسليمان نهائيًا',
        few: 'فشلت # تسليمات نهائيًا',
        many: 'فشل # تسليمًا نهائيًا',
        other: 'فشل # تسليم نهائيًا',
      }),
    deadLettersHint: 'عرض الردود وإعادة المحاولة',
    limit: (name, used, limit) => `${name}: ${used} من ${limit}`,
    limitReached: 'بلغ الحد',
    limitNear: 'قريب من حد الخطة',
    topLinks: 'الأكثر نقرًا',
    topLinksHint: 'لا نقرات في آخر 30 يومًا.',
    sources: 'المصادر',
    recent: 'النشاط الأخير',
    allActivity: 'سجل التدقيق',
    recentLinks: 'أحدث الروابط',
    allLinks: 'كل الروابط',
    by: (name) => `بواسطة ${name}`,
  },
})
