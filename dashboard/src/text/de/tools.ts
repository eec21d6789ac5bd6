import type { messages as english } from '../en/tools.ts'

export const messages: typeof english = () => ({
  tools: {
    bookmarkletTitle: 'Lesezeichen',
    bookmarkletExplain:
      'Die Schaltfläche in die Lesezeichenleiste des Browsers ziehen. Auf jeder Seite öffnet sie dann das Formular für einen neuen Link zu dieser Seite.',
    bookmarklet: 'Mit Signpost kürzen',
    shareXTitle: 'ShareX',
    shareXExplain: (place) =>
      `Die Datei in einem Texteditor öffnen und ${place} durch einen API-Schlüssel mit dem Recht links:write ersetzen. Danach mit ShareX öffnen und unter Destinations als URL shortener wählen.`,
    shareXDownload: 'signpost.sxcu herunterladen',
    keyPlace: 'API_SCHLÜSSEL',
    keys: 'API-Schlüssel',
    appTitle: 'App',
    appExplain:
      'Das Dashboard lässt sich über das Menü des Browsers installieren: „App installieren“ oder „Zum Startbildschirm hinzufügen“. Unter Android steht es dann im Teilen-Menü anderer Apps, und eine geteilte Seite öffnet das Formular für einen neuen Link.',
  },
})
