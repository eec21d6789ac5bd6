import type { messages as english } from '../en/domains.ts'

export const messages: typeof english = ({ plural }) => ({
  domains: {
    title: 'Domains',
    count: (count) => plural(count, { one: '# Domain', other: '# Domains' }),
    missing: 'Domain in diesem Workspace nicht gefunden',
    add: 'Domain hinzufügen',
    added: (hostname) => `${hostname} hinzugefügt. Jetzt die DNS-Einträge anlegen.`,
    hostname: 'Domain',
    hostnameHint: 'Zum Beispiel go.example.com. Auch eine Adresse darauf lässt sich einfügen.',
    search: 'Domains suchen',
    statusFilter: 'Status',
    anyStatus: 'Jeder Status',
    noneFound: 'Keine passenden Domains',
    noneFoundHint: 'Einen anderen Status wählen oder nach etwas anderem suchen.',
    none: 'Noch keine Domains',
    noneExplain:
      'Kurze Links mit dem eigenen Namen, etwa go.example.com/angebot. Dazu sind zwei DNS-Einträge nötig.',
    noneForRole: 'Admins dieses Workspace können eine hinzufügen.',
    default: 'Standard',
    neverChecked: 'noch nicht geprüft',
    lastChecked: 'geprüft',
    verifiedAt: 'bestätigt',
    actionsOf: (hostname) => `Aktionen für ${hostname}`,
    records: 'DNS-Einträge',
    recordsExplain:
      'Diese Einträge beim DNS-Anbieter anlegen. Ergänzt er die Domain selbst, nur den Teil davor eingeben.',
    recordsToCome: 'Nötige Einträge',
    recordsToComeNote: 'Eine Hauptdomain wie example.com braucht A- und AAAA-Einträge statt CNAME.',
    exampleHost: 'go.example.com',
    tokenToCome: 'signpost-verify=… (wird nach dem Hinzufügen gezeigt)',
    targetToCome: 'wird nach dem Hinzufügen gezeigt',
    type: 'Typ',
    name: 'Name',
    value: 'Wert',
    state: 'Letzte Prüfung',
    purposes: {
      ownership: 'beweist, dass die Domain die eigene ist',
      routing: 'führt Besucher hierher',
    },
    copyName: (type) => `Namen des ${type}-Eintrags kopieren`,
    copyValue: (type) => `Wert des ${type}-Eintrags kopieren`,
    found: 'gefunden',
    notFound: 'nicht gefunden',
    notChecked: 'noch nicht geprüft',
    foundInstead: 'stattdessen gefunden:',
    foundBeside: 'außerdem gefunden:',
    noRoute: 'Der Eintrag, der die Domain hierher führt, ist noch nicht bekannt.',
    noRouteExplain:
      'Bitte CNAME_TARGET auf den Namen setzen, unter dem Besucher diesen Server erreichen, etwa links.example.com, oder PUBLIC_URL auf seine Adresse, etwa https://links.example.com. Danach den Server neu starten.',
    proof: 'Ohne DNS bestätigen',
    proofExplain:
      'Statt des TXT-Eintrags kann ein Webserver unter der Domain diesen Text, und nur ihn, unter dieser Adresse liefern.',
    copyProofUrl: 'Adresse kopieren',
    copyToken: 'Text kopieren',
    status: 'Status',
    checkNow: 'Jetzt prüfen',
    checking: 'Einträge werden geprüft …',
    states: {
      pending: 'Die Einträge wurden noch nicht gefunden.',
      verified: 'Bestätigt. Links auf dieser Domain funktionieren.',
      misconfigured: 'Der TXT-Eintrag ist verschwunden.',
      failed: 'Nicht bestätigt. Links auf dieser Domain zeigen „Nicht gefunden“.',
    },
    next: {
      pending:
        'Einträge anlegen und dann prüfen. Signpost prüft auch selbst: sieben Tage lang alle zehn Minuten, danach täglich.',
      verified: 'Den TXT-Eintrag behalten. Signpost prüft ihn täglich.',
      misconfigured:
        'Links funktionieren noch 72 Stunden. Den TXT-Eintrag wieder anlegen; Signpost prüft stündlich.',
      failed:
        'Einträge korrigieren und erneut prüfen. Signpost prüft auch selbst: in den ersten sieben Tagen alle zehn Minuten, danach täglich.',
    },
    reasons: {
      not_found:
        'Diese Domain gibt es im DNS nicht. Schreibweise prüfen oder die Domain zuerst registrieren.',
      not_configured:
        'Der TXT-Eintrag wurde nicht gefunden. Neue Einträge brauchen Minuten, bei manchen Anbietern Stunden.',
      token_mismatch: 'Der TXT-Eintrag hat einen anderen Wert. Bitte durch den unten ersetzen.',
      conflicting_records:
        'Die Einträge stimmen, aber ein anderer Workspace verwendet diese Domain. Dort muss sie zuerst gelöscht werden.',
      lookup_error:
        'Die Nameserver der Domain haben nicht geantwortet. In ein paar Minuten erneut prüfen.',
    },
    certificate: {
      states: {
        none: 'Dieser Server fordert kein Zertifikat dafür an. Hat ein vorgeschalteter Proxy eines, öffnen sich Links über HTTPS.',
        pending: 'Zertifikat wird angefordert. Links öffnen sich bald über HTTPS.',
        active: 'Zertifikat aktiv. Links öffnen sich über HTTPS.',
        failed:
          'Kein gültiges Zertifikat, Links öffnen sich daher nicht über HTTPS. Signpost versucht es automatisch erneut.',
      },
      nextAttempt: 'Nächster Versuch:',
      reasons: {
        dns: 'Die Zertifizierungsstelle hat die Domain im DNS nicht gefunden. Den Eintrag anlegen, der Besucher hierher führt.',
        connection:
          'Die Zertifizierungsstelle konnte keine Verbindung herstellen. Den Eintrag prüfen, der Besucher hierher führt, und beim Betreiber nachfragen, ob die Ports 80 und 443 offen sind.',
        wrong_answer:
          'Ein anderer Server antwortet für diese Domain. Den Eintrag korrigieren, der Besucher hierher führt, und andere A- und AAAA-Einträge löschen.',
        caa: 'Ein CAA-Eintrag erlaubt nur andere Zertifizierungsstellen. Bitte löschen oder die Stelle dieses Servers ergänzen.',
        rate_limited:
          'Das Limit der Zertifizierungsstelle ist erreicht. Signpost versucht es später erneut.',
        refused:
          'Die Zertifizierungsstelle hat abgelehnt. Der Grund steht im Protokoll des Servers.',
        share_used:
          'Dieses Konto oder diese Domain hat viele Zertifikate angefordert. Signpost versucht es automatisch erneut.',
        unreachable:
          'Das Zertifikat ist abgelaufen, und die Zertifizierungsstelle ist nicht erreichbar. Der Grund steht im Protokoll des Servers.',
      },
    },
    notRouted:
      'Besucher kommen hier noch nicht an: Der Eintrag, der sie herführt, fehlt oder hat einen anderen Wert.',
    history: 'Statusverlauf',
    by: (name) => `von ${name}`,
    settings: 'Einstellungen',
    editSettings: 'Einstellungen der Domain',
    isDefault: 'Standarddomain',
    isDefaultHint: 'Neue Links verwenden sie, wenn keine andere gewählt ist.',
    isDefaultLater: 'Erst eine bestätigte Domain kann Standard werden.',
    caseSensitive: 'Groß- und Kleinschreibung unterscheiden',
    caseSensitiveHint: '/Docs und /docs sind verschiedene Links.',
    rootRedirectUrl: 'Startseite weiterleiten an',
    notFoundUrl: 'Unbekannte Links weiterleiten an',
    expiredUrl: 'Abgelaufene Links weiterleiten an',
    expiredUrlHint: 'Die Ersatz-URL eines Links hat Vorrang.',
    appleAppSiteAssociation: 'App-Links für iOS',
    appleAppSiteAssociationHint:
      'JSON, ausgeliefert unter /.well-known/apple-app-site-association.',
    assetLinks: 'App-Links für Android',
    assetLinksHint: 'JSON, ausgeliefert unter /.well-known/assetlinks.json.',
    notObject: 'Bitte ein JSON-Objekt eingeben: { … }.',
    notArray: 'Bitte ein JSON-Array eingeben: [ … ].',
    notJson: (reason) => `Das ist kein gültiges JSON: ${reason}`,
    ownPage: 'die Standardseite',
    isBlocked: '(vom Betreiber gesperrt: Besucher sehen die Standardseite)',
    noFile: 'keine',
    aFile: 'vorhanden',
    yes: 'ja',
    no: 'nein',
    createdAt: 'Hinzugefügt',
    id: 'ID',
    conflict: 'Diese Domain wurde inzwischen von jemand anderem geändert.',
    delete: 'Löschen',
    deleteTitle: (hostname) => `${hostname} löschen?`,
    deleteExplain:
      'Sie lässt sich nicht mehr für Links verwenden, und ein anderer Workspace kann sie hinzufügen.',
    deleted: (hostname) => `${hostname} gelöscht.`,
    moveLinks: 'Links auf die gemeinsame Domain verschieben',
    moveLinksHint:
      'Slugs, Klicks und Verlauf bleiben. Kurz-URLs auf dieser Domain funktionieren nicht mehr.',
    takenSlugs: 'Links, die nicht verschoben werden können',
    limitReached: (max) =>
      plural(max, {
        one: 'Der Tarif enthält # Domain, und sie ist vergeben.',
        other: 'Der Tarif enthält # Domains, und alle sind vergeben.',
      }),
    toPlans: 'Tarife ansehen',
  },
})
