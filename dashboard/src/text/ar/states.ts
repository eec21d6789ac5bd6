import type { messages as english } from '../en/states.ts'

export const messages: typeof english = () => ({
  states: {
    limits: {
      links_monthly: 'روابط جديدة هذا الشهر',
      clicks_monthly: 'نقرات هذا الشهر',
      domains: 'النطاقات',
      members: 'الأعضاء',
      webhook_endpoints: 'نقاط الويب هوك',
      api_requests_monthly: 'طلبات API هذا الشهر',
      api_keys: 'مفاتيح API',
      campaigns: 'الحملات',
      bio_pages: 'صفحات التعريف',
      utm_templates: 'قوالب UTM',
      media_storage_mb: 'مساحة الصور (ميغابايت)',
      analytics_retention_days: 'أيام التحليلات',
    },
    domainStatuses: {
      pending: 'بانتظار السجلات',
      verified: 'تم التحقق',
      misconfigured: 'سجل مفقود',
      failed: 'لم يتم التحقق',
    },
  },
})
