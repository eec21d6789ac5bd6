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
