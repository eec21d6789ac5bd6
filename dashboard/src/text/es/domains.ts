import type { messages as english } from '../en/domains.ts'

export const messages: typeof english = ({ plural }) => ({
  domains: {
    title: 'Dominios',
    count: (count) => plural(count, { one: '# dominio', other: '# dominios' }),
    missing: 'El dominio no está en este espacio de trabajo',
    add: 'Añadir dominio',
    added: (hostname) => `Se añadió ${hostname}. Ahora faltan sus registros DNS.`,
    hostname: 'Dominio',
    hostnameHint:
      'Por ejemplo, go.example.com. También se puede pegar cualquier dirección del dominio.',
    search: 'Buscar dominios',
    statusFilter: 'Estado',
    anyStatus: 'Cualquier estado',
    noneFound: 'Ningún dominio coincide',
    noneFoundHint: 'Elegir otro estado o buscar otra cosa.',
    none: 'Aún no hay dominios',
    noneExplain:
      'Para enlaces cortos con nombre propio, como go.example.com/sale. Hay que añadir dos registros DNS.',
    noneForRole: 'Un administrador de este espacio de trabajo puede añadir uno.',
    default: 'Predeterminado',
    neverChecked: 'aún sin comprobar',
    lastChecked: 'comprobado',
    verifiedAt: 'verificado',
    actionsOf: (hostname) => `Acciones de ${hostname}`,

    records: 'Registros DNS',
    recordsExplain:
      'Estos registros se añaden en el proveedor de DNS. Si este agrega el dominio a cada nombre, basta con la parte anterior.',
    recordsToCome: 'Registros que harán falta',
    recordsToComeNote: 'Un dominio raíz como example.com usa registros A y AAAA en lugar de CNAME.',
    exampleHost: 'go.example.com',
    tokenToCome: 'signpost-verify=… (se muestra al añadir el dominio)',
    targetToCome: 'se muestra al añadir el dominio',
    type: 'Tipo',
    name: 'Nombre',
    value: 'Valor',
    state: 'Última comprobación',
    purposes: {
      ownership: 'demuestra la propiedad del dominio',
      routing: 'envía aquí a los visitantes',
    },
    copyName: (type) => `Copiar el nombre del registro ${type}`,
    copyValue: (type) => `Copiar el valor del registro ${type}`,
    found: 'encontrado',
    notFound: 'no encontrado',
    notChecked: 'aún sin comprobar',
    foundInstead: 'en su lugar se encontró:',
    foundBeside: 'también se encontró:',
    noRoute: 'Aún no se conoce el registro que dirige el dominio aquí.',
    noRouteExplain:
      'Asignar a CNAME_TARGET el nombre con el que los visitantes llegan a este servidor, como links.example.com, o a PUBLIC_URL su dirección, como https://links.example.com. Después, reiniciarlo.',
    proof: 'Verificar sin DNS',
    proofExplain:
      'En lugar del registro TXT, un servidor web del dominio puede devolver este texto, y nada más, en esta dirección.',
    copyProofUrl: 'Copiar la dirección',
    copyToken: 'Copiar el texto',

    status: 'Estado',
    checkNow: 'Comprobar ahora',
    checking: 'Comprobando los registros…',
    states: {
      pending: 'Aún no se han encontrado los registros.',
      verified: 'Verificado. Los enlaces de este dominio funcionan.',
      misconfigured: 'El registro TXT ha desaparecido.',
      failed: 'Sin verificar. Los enlaces de este dominio muestran «No encontrado».',
    },
    next: {
      pending:
        'Añadir los registros y después comprobar. Signpost también comprueba por su cuenta: cada diez minutos durante siete días y luego a diario.',
      verified: 'Hay que conservar el registro TXT. Signpost lo comprueba a diario.',
      misconfigured:
        'Los enlaces siguen funcionando 72 horas. Hay que añadir el registro TXT de nuevo; Signpost comprueba cada hora.',
      failed:
        'Corregir los registros y comprobar de nuevo. Signpost también comprueba por su cuenta: cada diez minutos durante los primeros siete días y luego a diario.',
    },
    reasons: {
      not_found:
        'Este dominio no existe en el DNS. Conviene revisar cómo está escrito o registrarlo primero.',
      not_configured:
        'No se encontró el registro TXT. Los registros nuevos pueden tardar minutos, o horas con algunos proveedores.',
      token_mismatch: 'El registro TXT tiene otro valor. Hay que reemplazarlo por el de abajo.',
      conflicting_records:
        'Los registros son correctos, pero otro espacio de trabajo usa este dominio. Primero hay que eliminarlo allí.',
      lookup_error:
        'Los servidores de nombres del dominio no respondieron. Comprobar de nuevo en unos minutos.',
    },
    certificate: {
      states: {
        none: 'Este servidor no solicita un certificado para él. Si un proxy delante tiene uno, los enlaces se abren por HTTPS.',
        pending: 'Solicitando un certificado. Los enlaces se abrirán pronto por HTTPS.',
        active: 'Certificado activo. Los enlaces se abren por HTTPS.',
        failed:
          'No hay un certificado válido, así que los enlaces no se abren por HTTPS. Signpost lo intenta de nuevo automáticamente.',
      },
      nextAttempt: 'Próximo intento:',
      reasons: {
        dns: 'La autoridad de certificación no encontró el dominio en el DNS. Hay que añadir el registro que envía aquí a los visitantes.',
        connection:
          'La autoridad de certificación no pudo conectarse. Conviene revisar el registro que envía aquí a los visitantes y preguntar al operador si los puertos 80 y 443 están abiertos.',
        wrong_answer:
          'Otro servidor responde por este dominio. Hay que corregir el registro que envía aquí a los visitantes y eliminar otros registros A y AAAA.',
        caa: 'Un registro CAA solo permite otras autoridades de certificación. Hay que eliminarlo o añadir la que usa este servidor.',
        rate_limited:
          'Se alcanzó el límite de la autoridad de certificación. Signpost lo intentará más tarde.',
        refused:
          'La autoridad de certificación lo rechazó. El motivo está en el registro del servidor.',
        share_used:
          'Esta cuenta o este dominio ha solicitado muchos certificados. Signpost lo intenta de nuevo automáticamente.',
        unreachable:
          'El certificado caducó y no se puede contactar con la autoridad de certificación. El motivo está en el registro del servidor.',
      },
    },
    notRouted:
      'Los visitantes aún no llegan aquí: el registro que los envía falta o tiene otro valor.',

    history: 'Historial de estados',
    by: (name) => `por ${name}`,

    settings: 'Ajustes',
    editSettings: 'Ajustes del dominio',
    isDefault: 'Dominio predeterminado',
    isDefaultHint: 'Los enlaces nuevos lo usan si no se elige otro.',
    isDefaultLater: 'Cuando esté verificado, podrá ser el predeterminado.',
    caseSensitive: 'Distinguir mayúsculas en los slugs',
    caseSensitiveHint: '/Docs y /docs son enlaces distintos.',
    rootRedirectUrl: 'Redirigir la página de inicio a',
    notFoundUrl: 'Redirigir los enlaces desconocidos a',
    expiredUrl: 'Redirigir los enlaces caducados a',
    expiredUrlHint: 'La URL alternativa de cada enlace tiene prioridad.',
    appleAppSiteAssociation: 'Enlaces a apps de iOS',
    appleAppSiteAssociationHint: 'JSON, servido en /.well-known/apple-app-site-association.',
    assetLinks: 'Enlaces a apps de Android',
    assetLinksHint: 'JSON, servido en /.well-known/assetlinks.json.',
    notObject: 'Tiene que ser un objeto JSON: { … }.',
    notArray: 'Tiene que ser una lista JSON: [ … ].',
    notJson: (reason) => `No es JSON válido: ${reason}`,
    ownPage: 'la página predeterminada',
    isBlocked: '(bloqueado por el operador: los visitantes ven la página predeterminada)',
    noFile: 'ninguno',
    aFile: 'definido',
    yes: 'sí',
    no: 'no',
    createdAt: 'Añadido',
    id: 'ID',
    conflict: 'Otra persona ha cambiado este dominio desde que se abrió.',

    delete: 'Eliminar',
    deleteTitle: (hostname) => `¿Eliminar ${hostname}?`,
    deleteExplain: 'Ya no servirá para enlaces, y otro espacio de trabajo podrá añadirlo.',
    deleted: (hostname) => `Se eliminó ${hostname}.`,
    moveLinks: 'Mover sus enlaces al dominio compartido',
    moveLinksHint:
      'Conservan sus slugs, clics e historial. Las URL cortas de este dominio dejan de funcionar.',
    takenSlugs: 'Enlaces que no se pueden mover',

    limitReached: (max) =>
      plural(max, {
        one: 'El plan incluye # dominio, que ya está en uso.',
        other: 'El plan incluye # dominios, y todos están en uso.',
      }),
    toPlans: 'Ver planes',
  },
})
