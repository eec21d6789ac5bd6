import type { messages as english } from '../en/apps.ts'

export const messages: typeof english = ({ plural }) => ({
  apps: {
    title: 'التطبيقات المتصلة',
    count: (count) =>
      plural(count, { one: 'تطبيق واحد', two: 'تطبيقان', few: '# تطبيقات', other: '# تطبيقًا' }),
    none: 'تظهر هنا تطبيقات مثل Claude أو سطر الأوامر بعد السماح لها.',
    device: 'على جهاز',
    allowTitle: (name) => `هل تسمح لـ ${name}؟`,
    signedInAs: (email) => `أنت مسجّل الدخول باسم ${email}.`,
    describedBy: (host) => `هذا التطبيق تابع لـ ${host}.`,
    isUnknown: 'يمكن لأي شخص استخدام هذا الاسم، فتحقق من المكان الذي يعود إليه التطبيق.',
    returnsTo: (place) => `عند السماح يعود متصفحك إلى ${place}.`,
    returnsHere: 'عند السماح يحصل برنامج على هذا الحاسوب على الوصول.',
    checkDevice: 'اسمح فقط إذا بدأت تسجيل الدخول بنفسك وكانت الطرفية تعرض هذا الرمز:',
    workspace: 'مساحة العمل',
    allow: 'السماح',
    deny: 'الرفض',
    onlyAdmins: 'المشرفون والمالكون في مساحة العمل وحدهم يسمحون للتطبيقات.',
    codeTitle: 'تسجيل الدخول على جهاز',
    code: 'الرمز',
    codeHint: 'الرمز الذي تعرضه الطرفية.',
    goOn: 'متابعة',
    allowed: 'تم السماح. عُد إلى الطرفية.',
    denied: 'تم الرفض. يمكنك إغلاق هذه الصفحة.',
    returning: 'يعود متصفحك إلى التطبيق.',
  },
})
