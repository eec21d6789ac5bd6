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
      destination: 'الوجهة',
      tags: 'الوسوم',
      periodClicks: '30 يومًا',
      conversions: 'التحويلات',
      lastClickedAt: 'آخر نقرة',
    },
    conversionsOf: (count, days) =>
      `${plural(count, { one: 'تحويل واحد', two: 'تحويلان', few: '# تحويلات', other: '# تحويلًا' })} في ${days} يومًا`,
    sortBy: (column) => `ترتيب حسب ${column}`,
    select: (slug) => `تحديد ${slug}`,
    selected: (count) => `تم تحديد ${formatNumber(count)}`,
    allMatching: (count) => `تحديد الكل (${count})`,
    clearSelection: 'مسح التحديد',
    tag: 'الوسوم',
    move: 'نقل',
    archive: 'أرشفة',
    delete: 'حذف',
    tagTitle: (count) =>
      plural(count, {
        one: 'وسوم رابط واحد',
        two: 'وسوم رابطين',
        few: 'وسوم # روابط',
        other: 'وسوم # رابطًا',
      }),
    addTags: 'إضافة',
    removeTags: 'إزالة',
    tagMode: 'الإجراء',
    tagModes: {
      change: 'إضافة وسوم وإزالتها مع إبقاء غيرها',
      replace: 'استبدال كل الوسوم',
    },
    newTags: 'الوسوم الجديدة',
    newTagsHint: 'تفصل بينها فواصل. اتركه فارغًا لإزالة كل الوسوم.',
    apply: 'تطبيق',
    moveTitle: (count) =>
      plural(count, {
        one: 'نقل رابط واحد',
        two: 'نقل رابطين',
        few: 'نقل # روابط',
        other: 'نقل # رابطًا',
      }),
    unchanged: 'دون تغيير',
    changed: (count) =>
      plural(count, {
        one: 'تم تغيير رابط واحد.',
        two: 'تم تغيير رابطين.',
        few: 'تم تغيير # روابط.',
        other: 'تم تغيير # رابطًا.',
      }),
    archived: (count) =>
      plural(count, {
        one: 'تمت أرشفة رابط واحد، وما زال يعيد التوجيه.',
        two: 'تمت أرشفة رابطين، وما زالا يعيدان التوجيه.',
        few: 'تمت أرشفة # روابط، وما زالت تعيد التوجيه.',
        other: 'تمت أرشفة # رابطًا، وما زالت تعيد التوجيه.',
      }),
    deleted: (count) =>
      plural(count, {
        one: 'تم حذف رابط واحد.',
        two: 'تم حذف رابطين.',
        few: 'تم حذف # روابط.',
        other: 'تم حذف # رابطًا.',
      }),
    failed: (count, message) =>
      `تعذّر تغيير ${plural(count, { one: 'رابط واحد', two: 'رابطين', few: '# روابط', other: '# رابطًا' })}: ${message}`,
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
          other: 'يُزال من # رابطًا تبقى كما هي.',
        }),
    },
  },
})
