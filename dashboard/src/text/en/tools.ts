/** Texts of the tools. */
export const messages = () => ({
  tools: {
    bookmarkletTitle: 'Bookmarklet',
    bookmarkletExplain:
      'Drag the button to the bookmarks bar of your browser. On any page, it opens the form for a new link to that page.',
    bookmarklet: 'Shorten with Signpost',
    shareXTitle: 'ShareX',
    shareXExplain: (place: string) =>
      `Open the file in a text editor and replace ${place} with an API key that has the scope links:write. Then open it with ShareX, and choose it as URL shortener under Destinations.`,
    shareXDownload: 'Download signpost.sxcu',
    keyPlace: 'YOUR_API_KEY',
    keys: 'API keys',
    appTitle: 'App',
    appExplain:
      'Install the dashboard from the menu of your browser: “Install app” or “Add to Home screen”. On Android, it is then in the share menu of other apps, and a shared page opens the form for a new link.',
  },
})
