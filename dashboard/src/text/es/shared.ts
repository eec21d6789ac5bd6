import type { messages as english } from '../en/shared.ts'

/** By the codes of errors and of their details. */
const ERRORS: Readonly<Record<string, string>> = {
  VALIDATION_ERROR: 'Hay un dato que no es válido.',
  UNAUTHORIZED: 'Hay que iniciar sesión de nuevo.',
  INVALID_CREDENTIALS: 'El correo o la contraseña no son correctos.',
  PASSWORD_REQUIRED: 'Hace falta una contraseña.',
  INVALID_CODE: 'Este código no es válido.',
  EMAIL_NOT_VERIFIED: 'Antes hay que confirmar la dirección con el enlace del correo.',
  FORBIDDEN: 'No hay permiso para esto.',
  SESSION_NOT_FRESH: 'Hace falta una sesión de los últimos 15 minutos. Hay que iniciarla de nuevo.',
  PLAN_CAPABILITY_REQUIRED: 'El plan del espacio de trabajo no lo incluye.',
  PLAN_LIMIT_REACHED: 'El espacio de trabajo ha alcanzado un límite de su plan.',
  NOT_FOUND: 'Esto ya no existe.',
  CONFLICT: 'Ya está en uso o acaba de cambiar.',
  GONE: 'Esto ya no existe.',
  PRECONDITION_FAILED: 'Ha cambiado entretanto.',
  PAYLOAD_TOO_LARGE: 'Es demasiado grande.',
  RATE_LIMITED: 'Demasiadas solicitudes. Conviene probar un poco más tarde.',
  BLOCKED: 'Está bloqueado.',
  INTERNAL_ERROR:
    'Algo ha fallado en el servidor. Su registro tiene el error con este identificador.',
  UNAVAILABLE: 'El servicio no está disponible ahora.',
  UNREACHABLE:
    'El servidor no responde. Conviene comprobar la conexión; nada de lo escrito se pierde.',
  required: 'Falta un dato.',
  length: 'La longitud no es válida.',
  weak: 'Es fácil de adivinar. Es mejor usar varias palabras sin relación.',
  wrong_password: 'La contraseña no es correcta.',
  invalid: 'No es válido.',
  malformed: 'No es válido.',
  invalid_url: 'No es una dirección web válida.',
  invalid_slug: 'Este slug no es válido.',
  taken: 'Ya está en uso.',
  blocked: 'Está bloqueado.',
  unknown: 'No existe aquí.',
  in_use: 'Todavía está en uso.',
}

export const messages: typeof english = ({ plural }) => ({
  actions: {
    qrAlt: (url) => `Código QR de ${url}`,
    retry: 'Reintentar',
    close: 'Cerrar',
    cancel: 'Cancelar',
    save: 'Guardar',
    edit: 'Editar',
    copy: 'Copiar',
    copied: 'Copiado',
    undo: 'Deshacer',
    more: 'Más',
    back: 'Atrás',
    done: 'Listo',
    download: 'Descargar',
    next: 'Siguiente',
    search: 'Buscar',
    chooseColor: (name) => `Elegir el color: ${name}`,
    chosen: 'selección actual',
    loading: 'Cargando…',
    none: 'sin elegir',
    removeChoice: (name) => `Quitar ${name}`,
    clearChoice: 'Borrar',
    showChoices: 'Mostrar opciones',
    createChoice: (name) => `Crear «${name}»`,
    typeToConfirm: (word) => `Escribir ${word} para confirmar`,
    nothingFound: 'No se encontró nada.',
    undone: (count) =>
      plural(count, { one: '# enlace restaurado.', other: '# enlaces restaurados.' }),
    undoneBut: (count, skipped) =>
      `${plural(count, { one: '# enlace restaurado', other: '# enlaces restaurados' })}; ${plural(skipped, { one: '# omitido, porque cambió después', other: '# omitidos, porque cambiaron después' })}.`,
    removeFilter: (name) => `Quitar el filtro ${name}`,
    countedUpTo: 'Actualizado a las',
  },
  errors: {
    byCode: (code) => ERRORS[code],
    unexpected:
      'Algo ha salido mal. Conviene recargar la página y, si vuelve a ocurrir, avisar al operador de este servidor.',
    noPage: 'Página no encontrada',
    goHome: 'Ir al resumen',
    retryIn: (seconds) =>
      plural(seconds, {
        one: 'Se puede reintentar en # segundo.',
        other: 'Se puede reintentar en # segundos.',
      }),
    notLoaded: 'No se pudo cargar esta parte de la página. Puede que falle la conexión.',
    away: 'El servidor no responde. No se pierde nada de lo escrito, y la página continúa cuando vuelva.',
  },
  conflict: {
    isNow: 'Ahora:',
    isYours: 'Versión propia:',
    keepMine: 'Conservar la propia',
    takeTheirs: 'Usar la otra',
  },
  names: {
    roles: {
      viewer: 'Lector',
      member: 'Miembro',
      admin: 'Administrador',
      owner: 'Propietario',
    },
    plans: { self_hosted: 'Autoalojado', free: 'Gratis' },
    failedInRow: (count) =>
      plural(count, { one: 'último intento fallido', other: '# intentos fallidos seguidos' }),
    system: 'Sistema',
    share: 'Compartir sus estadísticas',
    newLink: 'Nuevo enlace',
    destination: 'Destino',
    addressExample: 'example.com/page',
    deletedLink: 'enlace eliminado',
  },
  objects: {
    breadcrumb: 'Ruta de navegación',
    missingHint: 'Puede que se haya eliminado o que la dirección esté incompleta.',
    onlyFor: {
      viewer: 'Solo para miembros',
      member: 'Solo para miembros',
      admin: 'Solo para administradores y propietarios',
      owner: 'Solo para propietarios',
    },
    onlyForExplain: (role) =>
      `El rol actual es ${role.toLowerCase()}. Los propietarios del espacio de trabajo pueden dar acceso.`,
  },
  zones: { title: 'Zona horaria' },
  mail: {
    inFolder:
      'Aún no hay un servidor de correo configurado, así que el correo es un archivo de esta carpeta:',
    command: 'La terminal del servidor muestra el enlace. Este comando también lo muestra:',
    askOperator:
      'Aún no hay un servidor de correo configurado, así que el correo no se envió. El operador de este servidor puede dar el enlace.',
  },
})
