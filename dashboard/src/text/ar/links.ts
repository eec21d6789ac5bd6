import type { messages as english } from '../en/links.ts'

export const messages: typeof english = ({ plural, formatNumber }) => ({
  linkList: {
    contains: 'يحتوي',
    moreThan: (count) => `أكثر من ${formatNumber(count)} رابط`,
    anyTag: 'أي وسم',
    anyFolder: 'أي مجلد',
    anyCampaign: 'أي حملة',
    anyDomain: 'أي نطاق',
    withCount: (name, count) => `${name} (${formatNumber(count)})`,
    showArchived: 'تضمين المؤرشفة',
    clearFilters: 'مسح عوامل التصفية',
    export: 'تصدير CSV',
    import: 'استيراد',
    organize: 'المجلدات والوسوم',
    more: 'إجراءات أخرى',
    columns: {
      name: 'الرابط',
      status: 'الحالة',
      tags: 'الوسوم',
      periodClicks: '30 يومًا',
      clicks: 'كل الوقت',
      conversions: 'التحويلات',
      lastClickedAt: 'آخر نقرة',
      createdAt: 'تاريخ الإنشاء',
    },
    columnNames: {
      status: 'الحالة',
      tags: 'الوسوم',
      periodClicks: 'النقرات، 30 يومًا',
      clicks: 'النقرات، كل الوقت',
      conversions: 'التحويلات',
      lastClickedAt: 'آخر نقرة',
      createdAt: 'تاريخ الإنشاء',
    },
    deleteTitle: (count) =>
      plural(count, {
        one: 'حذف رابط واحد؟',
        two: 'حذف رابطين؟',
        few: 'حذف # روابط؟',
        many: 'حذف # رابطًا؟',
        other: 'حذف # رابط؟',
      }),
    deleteExplain: 'سيرى الزوار «غير موجود»، وستتوقف رموز QR عن العمل. يمكنك التراجع خلال ساعة.',
    chooseColumns: 'الأعمدة',
    menuOf: (slug) => `إجراءات ${slug}`,
    openStatistics: 'الإحصاءات',
    showQr: 'رمز QR',
    copyLink: 'نسخ الرابط القصير',
    badges: {
      password: 'كلمة المرور',
      starts: (time) => `يبدأ ${time}`,
      expires: (time) => `ينتهي ${time}`,
      maxClicks: (count) => `حد النقرات: ${count}`,
      rules: (count) =>
        plural(count, { one: 'قاعدة واحدة', two: 'قاعدتان', few: '# قواعد', other: '# قاعدة' }),
      variants: (count) =>
        plural(count, {
          one: 'اختبار A/B بنسخة واحدة',
          two: 'اختبار A/B بنسختين',
          few: 'اختبار A/B بـ # نسخ',
          other: 'اختبار A/B بـ # نسخة',
        }),
    },
    conversionsOf: (count, days) =>
      `${plural(count, { one: 'تحويل واحد', two: 'تحويلان', few: '# تحويلات', many: '# تحويلًا', other: '# تحويل' })} في ${days} يومًا`,
    sortBy: (column) => `ترتيب حسب ${column}`,
    select: (slug) => `تحديد ${slug}`,
    selected: (count) => `تم تحديد ${formatNumber(count)}`,
    allMatching: (count) => `تحديد الكل (${count})`,
    clearSelection: 'مسح التحديد',
    qrCodesOf: (count) =>
      plural(count, {
        one: 'رمز QR لرابط واحد',
        two: 'رمزا QR لرابطين',
        few: 'رموز QR لـ # روابط',
        many: 'رموز QR لـ # رابطًا',
        other: 'رموز QR لـ # رابط',
      }),
    downloadZip: 'تنزيل ZIP',
    format: 'الصيغة',
    archive: 'أرشفة',
    delete: 'حذف',
    changed: (count) =>
      plural(count, {
        one: 'تم تغيير رابط واحد.',
        two: 'تم تغيير رابطين.',
        few: 'تم تغيير # روابط.',
        many: 'تم تغيير # رابطًا.',
        other: 'تم تغيير # رابط.',
      }),
    archived: (count) =>
      plural(count, {
        one: 'تمت أرشفة رابط واحد، وما زال يعيد التوجيه.',
        two: 'تمت أرشفة رابطين، وما زالا يعيدان التوجيه.',
        few: 'تمت أرشفة # روابط، وما زالت تعيد التوجيه.',
        many: 'تمت أرشفة # رابطًا، وما زالت تعيد التوجيه.',
        other: 'تمت أرشفة # رابط، وما زالت تعيد التوجيه.',
      }),
    deleted: (count) =>
      plural(count, {
        one: 'تم حذف رابط واحد.',
        two: 'تم حذف رابطين.',
        few: 'تم حذف # روابط.',
        many: 'تم حذف # رابطًا.',
        other: 'تم حذف # رابط.',
      }),
    failed: (count, message) =>
      `تعذّر تغيير ${plural(count, { one: 'رابط واحد', two: 'رابطين', few: '# روابط', many: '# رابطًا', other: '# رابط' })}: ${message}`,
  },
  views: {
    title: 'طرق العرض',
    none: 'كل الروابط',
    save: 'حفظ طريقة العرض هذه',
    saved: 'تم حفظ طريقة العرض.',
    deleted: 'تم حذف طريقة العرض.',
    edit: (name) => `إعادة تسمية ${name} أو مشاركتها`,
    delete: (name) => `حذف ${name}`,
    name: 'الاسم',
    noName: 'أدخل اسمًا.',
    share: 'المشاركة مع مساحة العمل',
    shareHint: 'يراها كل من في مساحة العمل، ويمكن للأعضاء تغييرها.',
  },
  bulk: {
    title: (count) =>
      plural(count, {
        one: 'تعديل رابط واحد',
        two: 'تعديل رابطين',
        few: 'تعديل # روابط',
        many: 'تعديل # رابطًا',
        other: 'تعديل # رابط',
      }),
    apply: (count) =>
      plural(count, {
        one: 'تغيير رابط واحد',
        two: 'تغيير رابطين',
        few: 'تغيير # روابط',
        many: 'تغيير # رابطًا',
        other: 'تغيير # رابط',
      }),
    tags: 'الوسوم',
    tagModes: { change: 'إضافة وسوم أو إزالتها', replace: 'استبدال كل الوسوم' },
    addTags: 'إضافة وسوم',
    removeTags: 'إزالة وسوم',
    newTags: 'الوسوم الجديدة',
    newTagsHint: 'اتركه فارغًا لإزالة كل الوسوم.',
    groupModes: { keep: 'دون تغيير', set: 'تعيين', clear: 'إزالة' },
    statusModes: {
      keep: 'دون تغيير',
      active: 'نشط',
      paused: 'متوقف مؤقتًا',
      archived: 'مؤرشف',
    },
    utmHint: 'تحتفظ الحقول الفارغة بقيمها.',
    preview: 'معاينة',
    nothing: 'اختر ما تريد تغييره، وستظهر معاينة هنا.',
    changes: (changed, count) =>
      changed === count
        ? plural(count, {
            one: 'سيتغيّر رابط واحد',
            two: 'سيتغيّر رابطان',
            few: 'ستتغيّر # روابط',
            many: 'سيتغيّر # رابطًا',
            other: 'سيتغيّر # رابط',
          })
        : `سيتغيّر ${formatNumber(changed)} من ${plural(count, { one: 'رابط واحد', two: 'رابطين', few: '# روابط', many: '# رابطًا', other: '# رابط' })}`,
    changesAll: (count) =>
      plural(count, {
        one: 'سيتغيّر رابط واحد على الأكثر',
        two: 'سيتغيّر رابطان على الأكثر',
        few: 'ستتغيّر # روابط على الأكثر',
        many: 'سيتغيّر # رابطًا على الأكثر',
        other: 'سيتغيّر # رابط على الأكثر',
      }),
    more: (count) =>
      plural(count, {
        one: 'ورابط آخر',
        two: 'ورابطان آخران',
        few: 'و# روابط أخرى',
        many: 'و# رابطًا آخر',
        other: 'و# رابط آخر',
      }),
  },
  groups: {
    title: 'المجلدات والوسوم',
    kinds: { folders: 'المجلدات', tags: 'الوسوم' },
    explain: {
      folders: 'يمكن أن يكون الرابط في مجلد واحد.',
      tags: 'يمكن أن تكون للرابط وسوم كثيرة. ويبقى الوسم ما دام على رابط.',
    },
    search: 'بحث بالاسم',
    none: { folders: 'لا مجلدات', tags: 'لا وسوم' },
    more: 'عرض المزيد',
    newFolder: 'مجلد جديد',
    create: 'إنشاء',
    rename: (name) => `إعادة تسمية ${name}`,
    delete: (name) => `حذف ${name}`,
    newName: (name) => `الاسم الجديد لـ ${name}`,
    mergeHint: 'أدخل اسم وسم آخر لدمجهما.',
    deleteTitle: (name) => `حذف ${name}؟`,
    deleteExplain: {
      folders: (count) =>
        plural(count, {
          zero: 'لا روابط فيه.',
          one: 'يبقى رابطه دون مجلد.',
          two: 'يبقى رابطاه دون مجلد.',
          few: 'تبقى روابطه (#) دون مجلد.',
          other: 'تبقى روابطه (#) دون مجلد.',
        }),
      tags: (count) =>
        plural(count, {
          one: 'يُزال من رابط واحد يبقى كما هو.',
          two: 'يُزال من رابطين يبقيان كما هما.',
          few: 'يُزال من # روابط تبقى كما هي.',
          many: 'يُزال من # رابطًا تبقى كما هي.',
          other: 'يُزال من # رابط تبقى كما هي.',
        }),
    },
  },
})
