import type { Language } from '../facts/languages.ts'

/** The name of a user's first workspace. */
type WorkspaceTexts = { of: (user: string) => string; own: string }

export const WORKSPACE_TEXTS: Readonly<Record<Language, WorkspaceTexts>> = {
  en: { of: (user) => `${user}'s workspace`, own: 'My workspace' },
  de: { of: (user) => `Workspace von ${user}`, own: 'Mein Workspace' },
  // A colon, where the form of a name's genitive depends on the name.
  fr: { of: (user) => `Espace de travail : ${user}`, own: 'Mon espace de travail' },
  es: { of: (user) => `Espacio de trabajo de ${user}`, own: 'Mi espacio de trabajo' },
  it: { of: (user) => `Spazio di lavoro di ${user}`, own: 'Il mio spazio di lavoro' },
  'pt-BR': { of: (user) => `Espaço de trabalho de ${user}`, own: 'Meu espaço de trabalho' },
  nl: { of: (user) => `Werkruimte van ${user}`, own: 'Mijn werkruimte' },
  pl: { of: (user) => `Przestrzeń robocza: ${user}`, own: 'Moja przestrzeń robocza' },
  tr: { of: (user) => `Çalışma alanı: ${user}`, own: 'Çalışma alanım' },
  ja: { of: (user) => `${user} さんのワークスペース`, own: 'マイワークスペース' },
  'zh-CN': { of: (user) => `${user} 的工作区`, own: '我的工作区' },
  ar: { of: (user) => `مساحة عمل ${user}`, own: 'مساحة عملي' },
}
