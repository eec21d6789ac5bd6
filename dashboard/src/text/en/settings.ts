/** Texts of the settings of a workspace. */
export const messages = () => ({
  settings: {
    title: 'Settings',
    general: 'Workspace',
    name: 'Name',
    id: 'ID',
    idHint: 'API requests send it as x-signpost-workspace.',
    copyId: 'Copy ID',
    timezone: 'Time zone',
    timezoneHint: 'For members who have not chosen their own.',
    privacySignals: 'Honor privacy signals',
    privacySignalsHint:
      'Browsers that opt out of tracking (Sec-GPC, DNT) count as clicks but not as visitors.',
    brand: 'Brand',
    brandExplain:
      'On the workspace’s own domains, visitors see it on pages such as that of an expired link or a password. The shared domain does not show it.',
    saveBrand: 'Save brand',
    logo: 'Logo',
    brandColor: 'Color',
    brandColorHint: 'Such as #0b5e82, for buttons and links.',
    saved: 'Saved.',
    plan: 'Plan',
    role: 'Your role',
    danger: 'Danger zone',
    deleteTitle: (name: string) => `Delete ${name}?`,
    delete: 'Delete workspace',
    deleteExplain:
      'Its links stop working at once. Links, clicks, webhooks, keys and logs are deleted for good.',
    deleted: (name: string) => `Deleted ${name}.`,
  },
})
