import type { messages as english } from '../en/apps.ts'

export const messages: typeof english = ({ plural }) => ({
  apps: {
    title: 'Aplicaciones conectadas',
    count: (count) => plural(count, { one: '# aplicación', other: '# aplicaciones' }),
    none: 'Aquí aparecen aplicaciones como Claude o la línea de comandos en cuanto se permiten.',
    device: 'en un dispositivo',
    allowTitle: (name) => `¿Permitir ${name}?`,
    signedInAs: (email) => `Sesión iniciada como ${email}.`,
    describedBy: (host) => `La aplicación pertenece a ${host}.`,
    isUnknown: 'Cualquiera puede usar este nombre: conviene comprobar adónde vuelve la aplicación.',
    returnsTo: (place) => `Al permitirla, el navegador vuelve a ${place}.`,
    returnsHere: 'Al permitirla, un programa de este equipo obtiene acceso.',
    checkDevice:
      'Permitir solo si el inicio de sesión es propio y el terminal muestra este código:',
    workspace: 'Espacio de trabajo',
    allow: 'Permitir',
    deny: 'Rechazar',
    onlyAdmins:
      'Solo los administradores y propietarios de un espacio de trabajo pueden permitir aplicaciones.',
    codeTitle: 'Iniciar sesión en un dispositivo',
    code: 'Código',
    codeHint: 'El código que muestra el terminal.',
    goOn: 'Continuar',
    allowed: 'Permitida. Se puede volver al terminal.',
    denied: 'Rechazada. Se puede cerrar esta página.',
    returning: 'El navegador vuelve a la aplicación.',
  },
})
